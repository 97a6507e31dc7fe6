import { FakeRuntimeService } from '../../kubelet/container/fake-runtime-service.ts'
import { describe, expect, it } from 'vitest'
import { startedReadOnly } from '../../../shared/model/forecast/read-only.ts'
import type { PodStatus } from '../../../shared/kubernetes/objects.ts'
import { noFaults } from '../../../shared/model/node/node-faults.ts'
import { noShutdown } from '../../../shared/model/node/node-shutdown-view.ts'
import type { TraceInput } from '../../../shared/model/trace-event.ts'
import type { WorkerView } from '../../../shared/model/worker-view.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import { emptyPodRuntimeStatus } from '../../kubelet/container/pod-cache.ts'
import { specVolumes } from '../../kubelet/volumes-and-environment/spec-volumes.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../kubelet/pod/fake-pod.ts'
import { podSubject } from '../../kubelet/pod/identity.ts'
import { PodManager } from '../../kubelet/pod/pod-manager.ts'
import { ClusterTrace } from '../../kubelet/trace.ts'
import { ClusterSession } from './cluster-session.ts'
import type { ClusterChange } from '../../../shared/model/cluster-change.ts'
import type { SessionNode } from './session-node.ts'
import { idleWorker } from '../rows/fake-worker-view.ts'

const noSuchPage = {
  kind: 'text',
  status: 404,
  contentType: 'text/plain',
  body: 'none',
} as const

function setUp(options: { readonly readOnly?: boolean } = {}) {
  const state = {
    now: 1000,
    workers: new Map<string, WorkerView>(),
    lastPods: new Map<string, Pod>(),
  }
  const clock = { now: () => state.now, after: () => () => undefined }
  const trace = new ClusterTrace({ cluster: 'sandbox', clock, onError: () => undefined })
  const podManager = new PodManager({ trace: trace.forNode('n') })
  const status: PodStatus = { phase: 'Running' }
  const workerView = (uid: string): WorkerView | undefined => {
    const view = state.workers.get(uid)
    return view && { ...view, statusVersion: 3, statusVersionSent: 2 }
  }
  const node: SessionNode = {
    nodeName: 'n',
    isRunning: true,
    kubelet: {
      podManager,
      workerView,
      podWorkers: {
        workerView,
        recordUids: () => [...state.workers.keys()],
        lastPod: (uid) => state.lastPods.get(uid),
      },
      statusManager: {
        getPodStatus: () => status,
        backlog: () => ({ cached: 1, unsent: 1, pods: [] }),
      },
      podCache: { get: (uid) => ok(emptyPodRuntimeStatus(uid)) },
      podConfig: { count: () => 0 },
      sourcesReady: { allReady: () => true },
      mirrorReconciler: { failure: () => undefined },
      podsController: { view: () => ({ iterations: 5, housekeepingMs: 0, isStalledBy: [] }) },
      pleg: { view: () => ({ relistPeriodMs: 1000, lastRelistAt: 900 }) },
      server: {
        handle: () => Promise.resolve(noSuchPage),
        stream: () => Promise.resolve(err(noSuchPage)),
      },
      probeViews: () => [],
      content: {
        probers: () => ({ workers: 0, failing: 0, lines: [] }),
        volumes: () => ({
          mounted: 0,
          waiting: 0,
          configMaps: 0,
          secrets: 0,
          lines: [],
          objects: [],
        }),
        images: () => ({ pulling: [], present: 0, unused: 0, lines: [] }),
      },
      podUse: () => Promise.resolve(undefined),
      podCgroups: () => undefined,
      crashLoopBackOff: () => undefined,
      volumesAndEnvironment: {
        view: (pod) => specVolumes(pod),
        valueOf: () => Promise.resolve(err('none')),
      },
      manualActions: {
        kill: () => Promise.resolve(ok(undefined)),
        evict: () => Promise.resolve(ok(undefined)),
      },
    },
    runtimeState: 'answers',
    isSimulated: true,
    runtime: new FakeRuntimeService({ clock }),
    view: () => ({
      name: 'n',
      registered: true,
      status: 'Ready',
      runtime: 'simulated://0',
      object: null,
      leaseRenewedAt: null,
      leaseDurationSeconds: 40,
      sources: [],
      unsentStatuses: { count: 0, names: [] },
      heldEvents: 0,
      shutdown: noShutdown,
      shutdownGrace: null,
      agent: 'running',
      machine: 'on',
      faults: noFaults,
    }),
    listen: () => undefined,
  }
  const session = new ClusterSession({
    identity: {
      id: 'sandbox',
      label: 'sandbox',
      server: 's',
      kind: 'sandbox',
      exportLine: '',
      manifestsPath: '',
    },
    clock,
    trace,
    readOnly: () => (options.readOnly === true ? startedReadOnly : ''),
    clockFacts: () => ({ virtual: true, paused: false, speed: 1, achieved: null }),
  })
  session.addNode(node)
  const changes: ClusterChange[] = []
  session.onChange((one) => changes.push(one))
  const tell = (input: TraceInput): void => {
    trace.emit('n', input)
  }
  return { state, session, podManager, changes, tell }
}

function killing(pod: Pod, gracePeriodSeconds: number): TraceInput {
  return {
    kind: 'container.killing',
    subject: podSubject(pod),
    causes: [],
    data: { container: 'c', containerId: 'c1', gracePeriodSeconds, why: '' },
  }
}

describe('ClusterSession', () => {
  it('shows one row for a static pod and its mirror, and none for the mirror', () => {
    const { session, podManager } = setUp()
    const pod = fakeStaticPod()
    podManager.setPods([pod, fakeMirrorOf(pod, { uid: 'm1' }), fakePod()], [])
    expect(session.rows().map((row) => [row.key, row.mirror, row.mirrorUid])).toEqual([
      ['sandbox/n/static-1', 'matched', 'm1'],
      ['sandbox/n/web-uid', null, null],
    ])
  })

  it('shows an orphaned mirror as a row of its own', () => {
    const { session, podManager } = setUp()
    podManager.setPods([fakeMirrorOf(fakeStaticPod(), { uid: 'm1' })], [])
    expect(session.rows()).toMatchObject([{ key: 'sandbox/n/m1', kind: 'mirror', worker: 'none' }])
    expect(session.row('sandbox/n/m1')?.kind).toBe('mirror')
  })

  it('shows the mirror of a terminating static pod in its row, and alone after its worker is removed', () => {
    const { session, state, podManager, changes, tell } = setUp()
    const pod = fakeStaticPod()
    const mirror = fakeMirrorOf(pod, { uid: 'm1' })
    podManager.setPods([pod, mirror], [])
    state.workers.set('static-1', { ...idleWorker, state: 'TerminatingPod' })
    state.lastPods.set('static-1', pod)
    podManager.removePod(pod, [])
    expect(session.rows().map((row) => [row.key, row.mirrorUid])).toEqual([
      ['sandbox/n/static-1', 'm1'],
    ])
    expect(session.row('sandbox/n/m1')).toBeUndefined()

    state.workers.delete('static-1')
    state.lastPods.delete('static-1')
    changes.length = 0
    tell({
      kind: 'worker.forgotten',
      subject: podSubject(pod),
      causes: [],
      data: { why: 'orphan' },
    })
    expect(changes).toContainEqual({ kind: 'row', key: 'sandbox/n/m1' })
    expect(session.row('sandbox/n/m1')?.kind).toBe('mirror')
  })

  it('shows a worker whose pod is no longer in the pod manager, with its last pod', () => {
    const { session, state } = setUp()
    state.workers.set('web-uid', { ...idleWorker, state: 'TerminatingPod' })
    state.lastPods.set('web-uid', fakePod())
    expect(session.rows()).toMatchObject([{ name: 'web', worker: 'TerminatingPod' }])
    state.workers.delete('web-uid')
    state.lastPods.delete('web-uid')
    expect(session.row('sandbox/n/web-uid')).toBeUndefined()
  })

  it('marks the row of the static pod when the trace names its mirror', () => {
    const { session, podManager, changes, tell } = setUp()
    const pod = fakeStaticPod()
    const mirror = fakeMirrorOf(pod, { uid: 'm1' })
    podManager.setPods([pod, mirror], [])
    changes.length = 0
    tell({
      kind: 'config.merged',
      subject: podSubject(mirror),
      causes: [],
      data: { source: 'api', op: 'RECONCILE', mirror: true },
    })
    expect(changes).toEqual([
      { kind: 'flow', node: 'n' },
      { kind: 'row', key: 'sandbox/n/m1' },
      { kind: 'row', key: 'sandbox/n/static-1' },
    ])
    expect(session.view().nodes).toHaveLength(1)
  })

  it('counts the grace period from the first stop to the last, and drops it when all containers have stopped', () => {
    const { session, state, podManager, tell } = setUp()
    const pod = fakePod()
    podManager.setPods([pod], [])
    state.workers.set('web-uid', { ...idleWorker, state: 'TerminatingPod' })
    tell(killing(pod, 30))
    state.now = 3000
    tell(killing(pod, 5))
    expect(session.row('sandbox/n/web-uid')?.grace).toEqual({
      seconds: 30,
      startedAt: 1000,
      killAt: 31_000,
    })
    tell({
      kind: 'worker.transitioned',
      subject: podSubject(pod),
      causes: [],
      data: { to: 'terminated', why: '' },
    })
    expect(session.row('sandbox/n/web-uid')?.grace).toBeNull()
  })

  it('counts the grace period from the stop of the pod, not from a restart of a container', () => {
    const { session, state, podManager, tell } = setUp()
    const pod = fakePod()
    podManager.setPods([pod], [])
    state.workers.set('web-uid', idleWorker)
    tell(killing(pod, 30))
    state.now = 3000
    state.workers.set('web-uid', { ...idleWorker, state: 'TerminatingPod' })
    expect(session.row('sandbox/n/web-uid')?.grace).toBeNull()
    tell(killing(pod, 30))
    expect(session.row('sandbox/n/web-uid')?.grace).toMatchObject({ startedAt: 3000 })
  })

  it('lists the actions of the sync loop, newest first', () => {
    const { session, changes, tell } = setUp()
    for (const pods of [1, 2])
      tell({ kind: 'loop.sync', subject: { kind: 'node' }, causes: [], data: { pods } })
    expect(session.view().loops).toMatchObject([
      {
        node: 'n',
        iterations: 5,
        recent: [{ text: 'sync tick, 2 due' }, { text: 'sync tick, 1 due' }],
      },
    ])
    expect(changes).toContainEqual({ kind: 'view' })
  })

  it('returns the flow of one node’s kubelet, and reports its changes', () => {
    const { session, podManager, changes, tell } = setUp()
    const pod = fakeStaticPod()
    const lonely = fakeStaticPod({ uid: 'static-2', metadata: { name: 'alone' } })
    const orphan = fakeMirrorOf(fakeStaticPod({ uid: 'gone', metadata: { name: 'gone' } }), {
      uid: 'm2',
    })
    podManager.setPods([pod, fakeMirrorOf(pod, { uid: 'm1' }), lonely, orphan, fakePod()], [])
    tell({ kind: 'loop.sync', subject: { kind: 'node' }, causes: [], data: { pods: 2 } })
    const flow = session.flow('n')
    expect(flow).toMatchObject({
      cluster: 'sandbox',
      node: 'n',
      now: 1000,
      podManager: { pods: 3, mirrors: 2, uidLinks: 1, orphans: 1 },
      pairs: { paired: 1, unpaired: 2 },
      mirrorClient: { calls: 0, lastCall: null },
      statusManager: { cached: 1, unsent: 1, last: null },
      syncLoop: { iterations: 5, last: { at: 1000, text: 'sync tick, 2 due' } },
      pleg: { relistPeriodMs: 1000, lastRelistAt: 900 },
      workers: { forgotten: 0 },
      roots: [],
    })
    expect(flow?.recent.map(({ text }) => text)).toContain('UID linked')
    expect(changes).toContainEqual({ kind: 'flow', node: 'n' })
    expect(session.flow('other')).toBeUndefined()
  })

  it('returns the detail of one pod with its history and the versions of its status', () => {
    const { session, state, podManager } = setUp()
    state.workers.set('web-uid', idleWorker)
    podManager.updatePod(fakePod(), [])
    const detail = session.detail('sandbox/n/web-uid')
    expect(detail?.worker).toMatchObject({ statusVersion: 3, statusVersionSent: 2 })
    expect(detail?.trace.map((event) => event.kind)).toEqual(['podManager.changed'])
  })

  it('reports no API object for a pod that only its worker still has', () => {
    const { session, state, podManager } = setUp()
    const pod = fakePod()
    podManager.setPods([pod], [])
    state.workers.set('web-uid', { ...idleWorker, state: 'TerminatingPod' })
    state.lastPods.set('web-uid', pod)
    expect(session.actTarget('sandbox/n/web-uid')?.facts.hasApiObject).toBe(true)
    podManager.removePod(pod, [])
    expect(session.actTarget('sandbox/n/web-uid')?.facts.hasApiObject).toBe(false)
  })

  it('names the UID that a static pod waits for, and until when', () => {
    const { session, state, podManager, tell } = setUp()
    const old = fakeStaticPod()
    const pod = fakeStaticPod({ uid: 'static-2' })
    podManager.setPods([pod], [])
    state.lastPods.set('static-1', old).set('static-2', pod)
    state.workers.set('static-1', { ...idleWorker, state: 'TerminatingPod' })
    state.workers.set('static-2', { ...idleWorker, state: 'waiting', startedAt: null })
    tell(killing(old, 30))
    expect(session.detail('sandbox/n/static-2')?.why?.lines[1]?.text).toBe(
      'The name web-node_default is used by UID static-1, which is in TerminatingPod and may have containers until 00:00:31.',
    )
  })

  it('updates the reason of a missing mirror when the server becomes unreachable', () => {
    const { session, state, podManager, changes } = setUp()
    const pod = fakeStaticPod({ uid: 'static-2', metadata: { name: 'paired' } })
    podManager.setPods([fakeStaticPod(), pod, fakeMirrorOf(pod), fakePod()], [])
    state.workers.set('static-1', idleWorker)
    session.setConnection({ kind: 'connected' })
    changes.length = 0
    session.setConnection({ kind: 'away', since: 0, retryAt: null, message: 'down' })
    expect(changes.filter(({ kind }) => kind === 'row')).toEqual([
      { kind: 'row', key: 'sandbox/n/static-1' },
    ])
    expect(session.row('sandbox/n/static-1')?.mirrorReason).toBe(
      'The API server does not respond; the first SyncPod afterwards creates the mirror.',
    )
    changes.length = 0
    session.setConnection({ kind: 'away', since: 0, retryAt: 9, message: 'down' })
    expect(changes.filter(({ kind }) => kind === 'row')).toEqual([])
  })

  it('translates UIDs in both directions', () => {
    const { session, podManager } = setUp()
    const pod = fakeStaticPod()
    podManager.setPods([pod, fakeMirrorOf(pod, { uid: 'm1' }), fakePod()], [])
    const pair = { node: 'n', staticUid: 'static-1', mirrorUid: 'm1' }
    expect(session.translate('m1')).toEqual(pair)
    expect(session.translate('static-1')).toEqual(pair)
    expect(session.translate('web-uid')).toBeUndefined()
  })

  it('returns the actions that are allowed on a pod; none if the server is unreachable or with --read-only', () => {
    const { session, podManager } = setUp({ readOnly: true })
    podManager.setPods([fakePod()], [])
    session.setConnection({ kind: 'away', since: 0, retryAt: null, message: 'down' })
    expect(session.actTarget('sandbox/n/web-uid')?.facts).toMatchObject({
      readOnly: startedReadOnly,
      apiServerReachable: false,
    })
    expect(session.actTarget('sandbox/n/gone')).toBeUndefined()
    expect(session.actTarget('other/n/web-uid')).toBeUndefined()
  })
})
