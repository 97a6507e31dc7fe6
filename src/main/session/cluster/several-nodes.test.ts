import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { NodeAct } from '../../../shared/model/node-act.ts'
import type { Lease, Node, Pod } from '../../../shared/kubernetes/objects.ts'
import { FakeLog } from '../../kubelet/container/fake-log.ts'
import type { OpenSandbox } from './open-cluster.ts'
import { openSandbox } from './open-sandbox.ts'

// A sandbox of two nodes on a virtual clock: the pods when a kubelet, a machine or the connection to the API server fails.

let folder: string
let log: FakeLog
let sandbox: OpenSandbox

const names = ['n-1', 'n-2'] as const

function manifest(name: string, more: object = {}): string {
  const container = { name: 'c', image: 'registry.k8s.io/pause:3.10' }
  const spec = { terminationGracePeriodSeconds: 0, ...more, containers: [container] }
  const annotations = { 'simulated.nodescope.dev/ignore-sigterm': 'true' }
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, annotations }, spec })
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodescope-nodes-'))
  log = new FakeLog()
  for (const name of names) await mkdir(join(folder, name))
  await writeFile(join(folder, 'n-1', 'web.yaml'), manifest('web'))
  await writeFile(join(folder, 'n-2', 'web.yaml'), manifest('web'))
  const opened = await openSandbox(
    {
      id: 'sandbox',
      version: '0.0.0',
      nodes: names.map((name) => ({ name, manifestsPath: join(folder, name) })),
      maxPods: 110,
      manifestUrl: null,
      port: 0,
      kubeconfigPath: join(folder, 'kubeconfig'),
      seed: 1,
      readOnly: false,
    },
    { log },
  )
  if (!opened.ok) throw new Error(opened.error)
  sandbox = opened.value
})

afterEach(async () => {
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

async function list<T>(resource: 'pods' | 'nodes' | 'leases'): Promise<readonly T[]> {
  const found = await sandbox.admin.list({ resource })
  if (!found.ok) throw new Error(found.error.message)
  return found.value as unknown as readonly T[] // what is listed of a resource is of its type
}

async function pod(name: string): Promise<Pod | undefined> {
  return (await list<Pod>('pods')).find(({ metadata }) => metadata.name === name)
}

/** Advances the clock until the condition holds, for a virtual hour at most. */
async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  const limit = sandbox.virtualClock.now() + 3_600_000
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (sandbox.virtualClock.now() > limit)
      throw new Error('the condition did not hold within an hour')
    await sandbox.virtualClock.advance(500)
  }
}

const untilPod = (name: string, holds: (pod: Pod) => boolean): Promise<Pod> =>
  until(async () => {
    const found = await pod(name)
    return found !== undefined && holds(found) ? found : undefined
  })

const isReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True')

const containerOf = ({ status }: Pod) => status?.containerStatuses?.[0]

function act(node: string, name: NodeAct): void {
  sandbox.virtualClock.catchUp()
  const args = {
    node,
    act: name,
    shutdownGraceSeconds: null,
    criticalGraceSeconds: null,
    call: null,
  }
  expect(sandbox.nodes.act(args)).toMatchObject({ ok: true })
}

async function nodeReady(name: string): Promise<string | undefined> {
  const node = (await list<Node>('nodes')).find(({ metadata }) => metadata.name === name)
  return node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status
}

const rowNames = (): readonly string[] =>
  sandbox.session
    .rows()
    .map(({ node, name, worker }) => `${node} ${name} ${worker}`)
    .toSorted()

it('each node has its own folder, mirrors, lease and rows', async () => {
  const pods = [await untilPod('web-n-1', isReady), await untilPod('web-n-2', isReady)]
  expect(pods.map(({ status }) => status?.podIP?.split('.').slice(0, 2).join('.'))).toEqual([
    '10.244',
    '10.243',
  ])
  const leases = await list<Lease>('leases')
  expect(leases.map(({ metadata, spec }) => [metadata.name, spec?.holderIdentity])).toEqual([
    ['n-1', 'n-1'],
    ['n-2', 'n-2'],
  ])
  expect(rowNames()).toEqual(['n-1 web-n-1 SyncPod', 'n-2 web-n-2 SyncPod'])
  expect(sandbox.session.view().nodes.map(({ name, agent }) => [name, agent])).toEqual([
    ['n-1', 'running'],
    ['n-2', 'running'],
  ])
})

it('a restarted kubelet finds its containers, and its mirror stays', async () => {
  const before = await untilPod('web-n-1', isReady)
  act('n-1', 'restartAgent')
  await until(() => Promise.resolve(rowNames().length === 2 || undefined))
  await sandbox.virtualClock.advance(120_000)
  const after = await pod('web-n-1')
  expect(after?.metadata.uid).toBe(before.metadata.uid)
  expect(containerOf(after ?? before)).toEqual(containerOf(before))
  expect(await nodeReady('n-1')).toBe('True')
})

it('without a kubelet the node becomes Unknown and its deleted pod keeps running, until a new kubelet stops it', async () => {
  const spec = JSON.parse(
    manifest('job', { nodeName: 'n-2', terminationGracePeriodSeconds: 5 }),
  ) as Pod
  await sandbox.admin.create({ resource: 'pods', namespace: 'default' }, spec)
  await untilPod('job', isReady)
  act('n-2', 'stopAgent')
  await until(async () => ((await nodeReady('n-2')) === 'Unknown' ? true : undefined))
  expect(await nodeReady('n-1')).toBe('True')
  await untilPod('job', ({ metadata }) => metadata.deletionTimestamp !== undefined)
  await sandbox.virtualClock.advance(600_000)
  expect((await pod('job'))?.status?.phase).toBe('Running')
  expect(rowNames()).toContain('n-2 job SyncPod')
  act('n-2', 'startAgent')
  await until(async () => ((await pod('job')) === undefined ? true : undefined))
  await until(async () => ((await nodeReady('n-2')) === 'True' ? true : undefined))
  await until(() => Promise.resolve(!rowNames().some((row) => row.includes('job')) || undefined))
})

it('after a power loss the containers have exited with 255, and the kubelet restarts them', async () => {
  await untilPod('web-n-1', isReady)
  act('n-1', 'powerOff')
  expect(sandbox.session.view().nodes[0]).toMatchObject({ agent: 'stopped', machine: 'off' })
  await sandbox.virtualClock.advance(300_000)
  expect((await pod('web-n-1'))?.status?.phase).toBe('Running')
  act('n-1', 'boot')
  const after = await untilPod(
    'web-n-1',
    (one) => isReady(one) && containerOf(one)?.restartCount === 1,
  )
  expect(containerOf(after)?.lastState?.terminated).toMatchObject({
    exitCode: 255,
    reason: 'Unknown',
  })
})

it('a disconnected node keeps running, and receives what it missed when it is reconnected', async () => {
  const spec = JSON.parse(manifest('job', { nodeName: 'n-1' })) as Pod
  await sandbox.admin.create({ resource: 'pods', namespace: 'default' }, spec)
  await untilPod('job', isReady)
  expect(sandbox.link.cutOff()).toMatchObject({ ok: true })
  expect(sandbox.session.view()).toMatchObject({ isCutOff: true, connection: { kind: 'away' } })
  await sandbox.admin.delete({ resource: 'pods', namespace: 'default', name: 'job' }, {})
  await writeFile(join(folder, 'n-1', 'late.yaml'), manifest('late'))
  await until(() => Promise.resolve(rowNames().includes('n-1 late-n-1 SyncPod') ? true : undefined))
  await sandbox.virtualClock.advance(30_000)
  expect(rowNames()).toContain('n-1 job SyncPod')
  expect(await pod('late-n-1')).toBeUndefined()
  expect(sandbox.link.reconnect()).toMatchObject({ ok: true })
  await untilPod('late-n-1', isReady)
  await until(async () => ((await pod('job')) === undefined ? true : undefined))
  expect(sandbox.session.view()).toMatchObject({ isCutOff: false })
})

it('a node that is shut down ends its pods, powers off, and boots with those from its folder', async () => {
  const spec = JSON.parse(manifest('job', { nodeName: 'n-1' })) as Pod
  await sandbox.admin.create({ resource: 'pods', namespace: 'default' }, spec)
  await untilPod('job', isReady)
  await untilPod('web-n-1', isReady)
  act('n-1', 'shutDown')
  await until(async () => ((await nodeReady('n-1')) === 'False' ? true : undefined))
  await untilPod('job', ({ status }) => status?.reason === 'Terminated')
  await until(() =>
    Promise.resolve(sandbox.session.view().nodes[0]?.shutdown.phase === 'done' || undefined),
  )
  const graces = { shutdownGraceSeconds: null, criticalGraceSeconds: null, call: null }
  expect(sandbox.nodes.act({ ...graces, act: 'restartAgent', node: 'n-1' })).toMatchObject({
    error: { kind: 'refused', message: 'n-1 is shutting down already.' },
  })
  await until(() =>
    Promise.resolve(sandbox.session.view().nodes[0]?.machine === 'off' ? true : undefined),
  )
  expect((await pod('job'))?.status).toMatchObject({ phase: 'Failed', reason: 'Terminated' })
  act('n-1', 'boot')
  await until(async () => ((await nodeReady('n-1')) === 'True' ? true : undefined))
  await untilPod('web-n-1', isReady)
  expect((await pod('job'))?.status).toMatchObject({ phase: 'Failed', reason: 'Terminated' })
})

it('a shutdown with more time for critical pods than in total is refused with the kubelet’s error', () => {
  const graces = { shutdownGraceSeconds: 5, criticalGraceSeconds: 10, call: null }
  expect(sandbox.nodes.act({ ...graces, act: 'shutDown', node: 'n-1' })).toMatchObject({
    ok: false,
    error: {
      kind: 'refused',
      message:
        'invalid configuration: shutdownGracePeriodCriticalPods {10s} must be <= shutdownGracePeriod {5s}',
    },
  })
})

it('a pod that fits no node has a row without a node, with the reason; once bound its row has the node', async () => {
  await sandbox.virtualClock.advance(5000)
  const spec = JSON.parse(manifest('picky', { nodeSelector: { disk: 'ssd' } })) as Pod
  await sandbox.admin.create({ resource: 'pods', namespace: 'default' }, spec)
  const stored = await untilPod('picky', ({ status }) => (status?.conditions ?? []).length > 0)
  const key = `sandbox//${stored.metadata.uid}`
  const message =
    "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling."
  expect(sandbox.session.row(key)).toMatchObject({
    node: '',
    status: 'Pending',
    worker: 'noKubelet',
    workerReason: message,
  })
  expect(rowNames()).toContain(' picky noKubelet')
  expect(sandbox.session.detail(key)).toMatchObject({
    why: {
      question: 'Why does it not start?',
      lines: [{}, { text: message, progress: 'now' }, {}],
    },
    facts: { hasApiObject: true, worker: 'noKubelet' },
    trace: [{ kind: 'object.written' }, { kind: 'object.written' }],
  })
  expect(await sandbox.queries.objects(key)).toMatchObject({
    pod: null,
    api: { metadata: { name: 'picky' } },
  })
  expect((await sandbox.queries.events(key))?.events).toMatchObject([
    { reason: 'FailedScheduling', source: 'default-scheduler', message },
  ])
  expect(sandbox.commands.kill(key, null)).toMatchObject({
    error: { message: 'No kubelet has this pod, so there is nothing to kill.' },
  })
  const changed = new Set<string>()
  sandbox.session.onChange((change) => {
    if (change.kind === 'row') changed.add(change.key)
  })
  await sandbox.admin.patch(
    { resource: 'nodes', name: 'n-2' },
    { type: 'merge', body: { metadata: { labels: { disk: 'ssd' } } } },
  )
  await untilPod('picky', ({ spec: { nodeName } }) => nodeName === 'n-2')
  // Between the binding and the kubelet's first sync there is always exactly one row.
  expect(rowNames().filter((row) => row.includes('picky'))).toHaveLength(1)
  expect(sandbox.session.row(key)).toBeUndefined()
  expect(changed).toContain(key)
  expect(changed).toContain(`sandbox/n-2/${stored.metadata.uid}`)
  await untilPod('picky', isReady)
  expect(rowNames()).toContain('n-2 picky SyncPod')
})

it('a pod without a node can be deleted, which removes its row', async () => {
  const spec = JSON.parse(manifest('held', { schedulingGates: [{ name: 'a.b/c' }] })) as Pod
  await sandbox.admin.create({ resource: 'pods', namespace: 'default' }, spec)
  const { metadata } = await untilPod('held', () => true)
  const key = `sandbox//${metadata.uid}`
  expect(sandbox.session.row(key)).toMatchObject({
    status: 'SchedulingGated',
    workerReason: 'Waiting for scheduling gates: a.b/c.',
  })
  expect(await sandbox.commands.delete('delete', key, null)).toMatchObject({ ok: true })
  expect(sandbox.session.row(key)).toBeUndefined()
  expect(rowNames().filter((row) => row.includes('held'))).toEqual([])
})

it('a pod bound to a node without a kubelet has a row that says so', async () => {
  act('n-1', 'stopAgent')
  const bound = async (name: string, nodeName: string): Promise<unknown> => {
    const spec = JSON.parse(manifest(name, { nodeName })) as Pod
    await sandbox.admin.create({ resource: 'pods', namespace: 'default' }, spec)
    return sandbox.session.rows().find((row) => row.name === name)
  }
  expect(await bound('late', 'n-1')).toMatchObject({
    node: 'n-1',
    worker: 'noKubelet',
    workerReason: 'It is bound to n-1, whose kubelet does not run.',
  })
  expect(await bound('lost', 'nowhere')).toMatchObject({
    node: '',
    worker: 'noKubelet',
    workerReason: 'It is bound to nowhere, and no kubelet for that node runs here.',
  })
  const lost = sandbox.session.rows().find((row) => row.name === 'lost')?.key ?? ''
  expect(sandbox.session.detail(lost)?.facts).toMatchObject({
    isScheduled: true,
    kubelet: 'stopped',
    apiServerReachable: true,
  })
  expect(sandbox.commands.kill(lost, null)).toMatchObject({
    error: { message: 'No kubelet has this pod, so there is nothing to kill.' },
  })
  act('n-1', 'startAgent')
  await untilPod('late', isReady)
  expect(rowNames()).toContain('n-1 late SyncPod')
})

it('one node is disconnected while the other keeps running, and receives what it missed when it is reconnected', async () => {
  const spec = JSON.parse(
    manifest('job', { nodeName: 'n-1', terminationGracePeriodSeconds: 10 }),
  ) as Pod
  await sandbox.admin.create({ resource: 'pods', namespace: 'default' }, spec)
  const { metadata } = await untilPod('job', isReady)
  const row = () => sandbox.session.row(`sandbox/n-1/${metadata.uid}`)
  act('n-1', 'cutOff')
  expect(sandbox.session.view()).toMatchObject({
    isCutOff: false,
    connection: { kind: 'connected' },
    nodes: [{ isCutOff: true }, { isCutOff: false }],
  })
  await sandbox.admin.delete({ resource: 'pods', namespace: 'default', name: 'job' }, {})
  // The API server has the deletion, the kubelet has not received it.
  expect(row()).toMatchObject({
    status: 'Terminating',
    statusAside: { from: 'kubelet', word: 'Running' },
    worker: 'SyncPod',
  })
  await until(async () => ((await nodeReady('n-1')) === 'Unknown' ? true : undefined))
  expect(await nodeReady('n-2')).toBe('True')
  expect(row()).toMatchObject({ worker: 'SyncPod' })
  const graces = { shutdownGraceSeconds: null, criticalGraceSeconds: null, call: null }
  expect(sandbox.nodes.act({ ...graces, act: 'cutOff', node: 'n-1' })).toMatchObject({
    error: { kind: 'refused', message: 'n-1 is already cut off from the API server.' },
  })
  act('n-1', 'reconnect')
  await until(async () => ((await pod('job')) === undefined ? true : undefined))
  await until(async () => ((await nodeReady('n-1')) === 'True' ? true : undefined))
  act('n-1', 'cutOff')
  act('n-2', 'cutOff')
  expect(sandbox.session.view()).toMatchObject({ isCutOff: true, connection: { kind: 'away' } })
  expect(sandbox.link.reconnect()).toMatchObject({ ok: true })
  expect(sandbox.session.view()).toMatchObject({
    isCutOff: false,
    connection: { kind: 'connected' },
    nodes: [{ isCutOff: false }, { isCutOff: false }],
  })
})
