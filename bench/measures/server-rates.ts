// Requests per second of an API server over HTTPS on loopback, with the program's transport. The server is the
// sandbox's, in its own process, or the one of a kubeconfig.
import type { Transport } from '../../src/shared/kubernetes/request.ts'
import { loadKubeconfig } from '../../src/main/cluster/kubeconfig/kubeconfig.ts'
import { createPods } from './bench-pods.ts'
import { ServerProcess, serve } from './bench-server.ts'
import { report } from './quiet.ts'

const path = '/api/v1/namespaces/default/pods'
const accept = { accept: 'application/json' }
const inOrder = 200

interface ListBody {
  readonly metadata: { readonly continue?: string }
  readonly items: readonly { readonly metadata: { readonly name: string } }[]
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

async function medianSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round < 5; round++) taken.push(await secondsOf(work))
  return taken.toSorted((left, right) => left - right)[2] ?? Number.NaN
}

async function page(transport: Transport, query: Record<string, string>): Promise<ListBody> {
  const answer = await transport.send({ method: 'GET', path, headers: accept, query })
  if (answer.kind !== 'object' || answer.status !== 200) throw new Error('no list')
  // A list of the API has items.
  return answer.body as ListBody
}

/** The names of all pods, in pages of `limit`, or in one piece. */
async function list(transport: Transport, limit?: number): Promise<readonly string[]> {
  const names: string[] = []
  let next = ''
  do {
    const { items, metadata } = await page(transport, {
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(next === '' ? {} : { continue: next }),
    })
    names.push(...items.map((item) => item.metadata.name))
    next = metadata.continue ?? ''
  } while (next !== '')
  return names
}

/** A watch without a resourceVersion begins with every object as ADDED. */
async function readWatch(transport: Transport, events: number): Promise<void> {
  const query = { watch: 'true' }
  const answer = await transport.send({ method: 'GET', path, headers: accept, query })
  if (answer.kind !== 'watch') throw new Error('no watch')
  let seen = 0
  for await (const event of answer.stream.events)
    if (event.type === 'ADDED' && ++seen === events) break
  answer.stream.stop()
}

/** A kubelet's status of a running pod. */
function runningPatch(name: string): object {
  const now = '2026-01-01T00:00:00Z'
  const condition = (type: string): object => ({ type, status: 'True', lastTransitionTime: now })
  return {
    status: {
      phase: 'Running',
      startTime: now,
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
      conditions: ['Initialized', 'Ready', 'ContainersReady'].map(condition),
      containerStatuses: [
        {
          name: 'main',
          image: 'registry.k8s.io/pause:3.10',
          imageID: 'sha256:1',
          containerID: `bench://${name}`,
          ready: true,
          restartCount: 0,
          state: { running: { startedAt: now } },
        },
      ],
    },
  }
}

async function patchAll(
  transport: Transport,
  names: readonly string[],
  concurrency: number,
): Promise<void> {
  const rest = names.values()
  const patch = async (): Promise<void> => {
    for (const name of rest) {
      const answer = await transport.send({
        method: 'PATCH',
        path: `${path}/${name}/status`,
        headers: { ...accept, 'content-type': 'application/strategic-merge-patch+json' },
        body: runningPatch(name),
      })
      if (answer.status !== 200) throw new Error(`a patch was refused: ${JSON.stringify(answer)}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, patch))
}

async function measure(transport: Transport, count: number): Promise<void> {
  const createOne = await secondsOf(() => createPods(transport, inOrder, 1))
  const createMany = await secondsOf(() => createPods(transport, count, 16, inOrder))
  const names = await list(transport)
  if (names.length !== count) throw new Error('the list is not whole')
  const whole = await medianSecondsOf(() => list(transport))
  const paged = await medianSecondsOf(() => list(transport, 500))
  const watchOne = await medianSecondsOf(() => readWatch(transport, count))
  const watchTen = await medianSecondsOf(() =>
    Promise.all(Array.from({ length: 10 }, () => readWatch(transport, count))),
  )
  const patchOne = await secondsOf(() => patchAll(transport, names.slice(0, inOrder), 1))
  const patchMany = await secondsOf(() => patchAll(transport, names.slice(inOrder), 16))
  report({
    createOne: inOrder / createOne,
    createMany: (count - inOrder) / createMany,
    listWhole: count / whole,
    listPaged: count / paged,
    watchOne: count / watchOne,
    watchTen: (10 * count) / watchTen,
    patchOne: inOrder / patchOne,
    patchMany: (count - inOrder) / patchMany,
  })
  process.exit(0)
}

async function transportOf(server: string): Promise<Transport> {
  if (server === 'sandbox') {
    const sandbox = await ServerProcess.start(process.argv[1] ?? '')
    process.once('exit', () => {
      sandbox.stop()
    })
    return sandbox.transport('admin')
  }
  const access = await loadKubeconfig({ file: server, environment: {} })
  if (!access.ok) throw new Error(access.error.message)
  return access.value.createTransport({ requestTimeoutMs: 300_000 })
}

const [, , server = 'sandbox', count = '5000'] = process.argv
if (server === 'serve') await serve()
else await measure(await transportOf(server), Number(count))
