import { ChangeWatch } from '../controllers/change-watch.ts'
import type { ServerUnderTest } from '../servers.ts'

// The controllers wait for the processor too, which runs many kubectls.
const quietMs = 1500
const patienceMs = 60_000

/** Open until their servers stop. */
const watches = new WeakMap<ServerUnderTest, Promise<ChangeWatch>>()

function watchOf(server: ServerUnderTest): Promise<ChangeWatch> {
  const known = watches.get(server)
  if (known !== undefined) return known
  const started = new ChangeWatch().start(
    async (path) => (await server.send({ method: 'GET', path, headers: {} })).body,
    ['/api/v1/events'],
  )
  watches.set(server, started)
  return started
}

/** Waits until no object and no event of a namespace has changed for a while. Throws after a minute. */
export async function untilAtRest(server: ServerUnderTest, namespace: string): Promise<void> {
  await (await watchOf(server)).untilQuiet(namespace, quietMs, patienceMs)
}
