// The sandbox's server in one process, a client in another, over HTTPS on loopback with the program's own transport.
import type { Transport } from '../../src/shared/kubernetes/request.ts'
import { createPods } from './bench-pods.ts'
import { ServerProcess, serve } from './bench-server.ts'
import { report } from './quiet.ts'

const path = '/api/v1/namespaces/default/pods'
const accept = { accept: 'application/json' }

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function list(transport: Transport): Promise<number> {
  const answer = await transport.send({ method: 'GET', path, headers: accept })
  if (answer.kind !== 'object') throw new Error('no list')
  // A list of the API has items.
  return (answer.body as { readonly items: readonly unknown[] }).items.length
}

async function readWatch(transport: Transport, events: number): Promise<void> {
  const answer = await transport.send({
    method: 'GET',
    path,
    query: { watch: 'true' },
    headers: accept,
  })
  if (answer.kind !== 'watch') throw new Error('no watch')
  let seen = 0
  for await (const event of answer.stream.events)
    if (event.type === 'ADDED' && ++seen === events) break
  answer.stream.stop()
}

async function measure(count: number): Promise<void> {
  const server = await ServerProcess.start(process.argv[1] ?? '')
  const transport = server.transport('admin')
  const createMs = await timed(() => createPods(transport, count, 16))
  const lists: number[] = []
  for (let round = 0; round < 5; round++)
    lists.push(
      await timed(async () => {
        if ((await list(transport)) !== count) throw new Error('the list is not whole')
      }),
    )
  const listMs = lists.toSorted((left, right) => left - right)[2] ?? Number.NaN
  // A watch without a resourceVersion begins with every object as ADDED.
  const watchMs = await timed(() => readWatch(transport, count))
  report({
    createsPerSecond: (count / createMs) * 1000,
    listMs,
    listObjectsPerSecond: (count / listMs) * 1000,
    watchEventsPerSecond: (count / watchMs) * 1000,
  })
  server.stop()
  process.exit(0)
}

if (process.argv[2] === 'serve') await serve()
else await measure(Number(process.argv[2] ?? 10_000))
