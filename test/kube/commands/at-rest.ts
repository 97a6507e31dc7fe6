import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import { versionsIn, type Side } from '../controllers/side.ts'
import type { ServerUnderTest } from '../servers.ts'

const pauseMs = 100
const quietMs = 500
const patienceMs = 60_000

function senderTo(server: ServerUnderTest): Side['send'] {
  return async (method, path) => {
    const { statusCode, body } = await server.send({ method, path, headers: {} })
    const parsed: unknown = await body.json()
    return { code: statusCode, body: isJsonObject(parsed) ? parsed : {} }
  }
}

/** Waits until no object and no event of a namespace has changed for a while. Throws after a minute. */
export async function untilAtRest(server: ServerUnderTest, namespace: string): Promise<void> {
  const send = senderTo(server)
  const state = async (): Promise<string> => {
    const { body } = await send('GET', `/api/v1/namespaces/${namespace}/events`)
    const events = objectsAt(body, 'items').map((event) =>
      textAt(objectAt(event, 'metadata'), 'resourceVersion'),
    )
    return `${await versionsIn({ send }, namespace)} ${events.join(' ')}`
  }
  const limit = Date.now() + patienceMs
  let before = await state()
  for (let quiet = 0; quiet < quietMs; quiet += pauseMs) {
    await sleep(pauseMs)
    const now = await state()
    if (now !== before) quiet = -pauseMs
    before = now
    if (Date.now() > limit) throw new Error(`${server.name}: ${namespace} does not come to rest`)
  }
}
