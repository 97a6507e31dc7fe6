// Requests per second of an API server over HTTPS on loopback, with the program's transport. The server is the
// sandbox's, in its own process, or the one of a kubeconfig.
import type { Transport } from '../../src/shared/kubernetes/request.ts'
import { loadKubeconfig } from '../../src/main/cluster/kubeconfig/kubeconfig.ts'
import { createPods } from './bench-pods.ts'
import { ServerProcess, serve } from './bench-server.ts'
import { report } from './quiet.ts'

const path = '/api/v1/namespaces/default/pods'
const setsPath = '/apis/apps/v1/namespaces/default/replicasets'
const accept = { accept: 'application/json' }
const inOrder = 200
const sets = 1000
const watchers = 10
/** Pods whose patches go to all watchers. */
const fannedOut = 500

interface ListBody {
  readonly metadata: { readonly continue?: string; readonly resourceVersion: string }
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

async function page(
  transport: Transport,
  query: Record<string, string>,
  of = path,
): Promise<ListBody> {
  const answer = await transport.send({ method: 'GET', path: of, headers: accept, query })
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

/** Watches from the present version on. Resolves with a promise that does when a number of writes has been seen. */
async function followWrites(
  transport: Transport,
  resourceVersion: string,
  events: number,
): Promise<{ readonly seen: Promise<void> }> {
  const query = { watch: 'true', resourceVersion }
  const answer = await transport.send({ method: 'GET', path, headers: accept, query })
  if (answer.kind !== 'watch') throw new Error('no watch')
  const { stream } = answer
  const read = async (): Promise<void> => {
    let seen = 0
    for await (const event of stream.events)
      if (event.type === 'MODIFIED' && ++seen === events) break
    stream.stop()
  }
  return { seen: read() }
}

/** Patches that ten watchers see: until all of them have seen all. */
async function fanOut(transport: Transport, names: readonly string[]): Promise<void> {
  const { resourceVersion } = (await page(transport, { limit: '1' })).metadata
  const follow = (): ReturnType<typeof followWrites> =>
    followWrites(transport, resourceVersion, names.length)
  const all = await Promise.all(Array.from({ length: watchers }, follow))
  await patchAll(transport, names, 16, 'Failed')
  await Promise.all(all.map(({ seen }) => seen))
}

async function getAll(
  transport: Transport,
  names: readonly string[],
  concurrency: number,
): Promise<void> {
  const rest = names.values()
  const get = async (): Promise<void> => {
    for (const name of rest) {
      const one = { method: 'GET', path: `${path}/${name}`, headers: accept } as const
      if ((await transport.send(one)).status !== 200) throw new Error(`${name} is not there`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, get))
}

/** Without replicas: no controller runs. */
async function createSets(transport: Transport): Promise<void> {
  const labels = { app: 'bench' }
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }] },
  }
  const rest = Array.from({ length: sets }, (_, index) => `bench-${index}`).values()
  const create = async (): Promise<void> => {
    for (const name of rest) {
      const spec = { replicas: 10, selector: { matchLabels: labels }, template }
      const answer = await transport.send({
        method: 'POST',
        path: setsPath,
        headers: { ...accept, 'content-type': 'application/json' },
        body: { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name, labels }, spec },
      })
      if (answer.status !== 201) throw new Error(`refused: ${JSON.stringify(answer)}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, create))
}

/** A kubelet's status of a running pod. */
function statusPatch(name: string, phase: string): object {
  const now = '2026-01-01T00:00:00Z'
  const condition = (type: string): object => ({ type, status: 'True', lastTransitionTime: now })
  return {
    status: {
      phase,
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
  phase = 'Running',
): Promise<void> {
  const rest = names.values()
  const patch = async (): Promise<void> => {
    for (const name of rest) {
      const answer = await transport.send({
        method: 'PATCH',
        path: `${path}/${name}/status`,
        headers: { ...accept, 'content-type': 'application/strategic-merge-patch+json' },
        body: statusPatch(name, phase),
      })
      if (answer.status !== 200) throw new Error(`a patch was refused: ${JSON.stringify(answer)}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, patch))
}

async function measure(transport: Transport, count: number): Promise<void> {
  const createOne = await secondsOf(() => createPods(transport, inOrder, 1))
  const createMany = await secondsOf(() => createPods(transport, count, 16, { from: inOrder }))
  const names = await list(transport)
  if (names.length !== count) throw new Error('the list is not whole')
  const createdSets = await secondsOf(() => createSets(transport))
  const listedSets = await medianSecondsOf(async () => {
    if ((await page(transport, {}, setsPath)).items.length !== sets) throw new Error('sets lack')
  })
  const getOne = await secondsOf(() => getAll(transport, names.slice(0, inOrder), 1))
  const getMany = await secondsOf(() => getAll(transport, names, 16))
  const whole = await medianSecondsOf(() => list(transport))
  const paged = await medianSecondsOf(() => list(transport, 500))
  const watchOne = await medianSecondsOf(() => readWatch(transport, count))
  const watchTen = await medianSecondsOf(() =>
    Promise.all(Array.from({ length: watchers }, () => readWatch(transport, count))),
  )
  const patchOne = await secondsOf(() => patchAll(transport, names.slice(0, inOrder), 1))
  const patchMany = await secondsOf(() => patchAll(transport, names.slice(inOrder), 16))
  const fanned = await secondsOf(() => fanOut(transport, names.slice(0, fannedOut)))
  report({
    createOne: inOrder / createOne,
    createMany: (count - inOrder) / createMany,
    createSets: sets / createdSets,
    getOne: inOrder / getOne,
    getMany: count / getMany,
    listSets: sets / listedSets,
    listWhole: count / whole,
    listPaged: count / paged,
    watchOne: count / watchOne,
    watchTen: (watchers * count) / watchTen,
    patchOne: inOrder / patchOne,
    patchMany: (count - inOrder) / patchMany,
    fanOut: (watchers * fannedOut) / fanned,
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

const [, , server = 'sandbox', count = '10000'] = process.argv
if (server === 'serve') await serve()
else await measure(await transportOf(server), Number(count))
