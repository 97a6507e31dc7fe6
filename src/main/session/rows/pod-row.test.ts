import { describe, expect, it } from 'vitest'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../kubelet/pod/fake-pod.ts'
import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import { actFacts } from './act-facts.ts'
import { idleWorker } from './fake-worker-view.ts'
import { podDetail } from './pod-detail.ts'
import { podRow } from './pod-row.ts'
import type { PodKnowledge } from './pod-knowledge.ts'

function knowledge(shape: Partial<PodKnowledge> = {}): PodKnowledge {
  return {
    cluster: 'sandbox',
    node: 'n',
    pod: fakePod(),
    mirror: undefined,
    localStatus: undefined,
    worker: idleWorker,
    grace: undefined,
    runningContainers: 0,
    api: undefined,
    noKubelet: '',
    isListed: true,
    mirrorFailure: undefined,
    isServerAway: false,
    notSimulated: [],
    ...shape,
  }
}

const runningStatus = {
  phase: 'Running',
  containerStatuses: [
    {
      name: 'c',
      ready: true,
      restartCount: 2,
      image: 'busybox',
      imageID: '',
      state: { running: { startedAt: '1970-01-01T00:00:10Z' } },
      lastState: {
        terminated: { exitCode: 3, reason: 'Error', finishedAt: '1970-01-01T00:00:09Z' },
      },
    },
  ],
} as const

const evictedStatus = {
  phase: 'Failed',
  reason: 'Evicted',
  containerStatuses: [
    {
      name: 'c',
      ready: false,
      restartCount: 0,
      image: 'busybox',
      imageID: '',
      state: { terminated: { exitCode: 137, reason: 'Error' } },
    },
  ],
} as const

describe('podRow', () => {
  it('shows an API pod as kubectl does', () => {
    const pod = fakePod({
      metadata: { creationTimestamp: '1970-01-01T00:00:05Z' },
      status: runningStatus,
    })
    expect(podRow(knowledge({ pod }), 20_000)).toEqual({
      key: 'sandbox/n/web-uid',
      cluster: 'sandbox',
      node: 'n',
      uid: 'web-uid',
      namespace: 'default',
      name: 'web',
      readyContainers: 1,
      totalContainers: 1,
      status: 'Running',
      statusAside: null,
      tone: 'plain',
      restarts: 2,
      lastRestartAt: 9000,
      createdAt: 5000,
      owner: null,
      source: 'api',
      kind: 'regular',
      worker: 'SyncPod',
      workerReason: '',
      grace: null,
      mirror: null,
      mirrorUid: null,
      mirrorReason: '',
      notSimulated: 0,
      heldBy: [],
      labels: {},
      fields: { 'spec.nodeName': '', 'spec.schedulerName': '', 'spec.serviceAccountName': '' },
      bricks: [{ name: 'c', state: 'running' }],
    })
  })

  it('shows a static pod by its mirror, with both uids', () => {
    const pod = fakeStaticPod()
    const mirror = fakeMirrorOf(pod, { uid: 'm1', status: runningStatus })
    const row = podRow(knowledge({ pod, mirror, localStatus: { phase: 'Pending' } }), 0)
    expect(row).toMatchObject({
      uid: 'static-1',
      kind: 'static',
      source: 'file',
      mirror: 'matched',
      mirrorUid: 'm1',
      status: 'Running',
    })
  })

  it('shows the local status of a static pod without a mirror', () => {
    const row = podRow(knowledge({ pod: fakeStaticPod(), localStatus: runningStatus }), 0)
    expect(row).toMatchObject({ mirror: 'missing', mirrorUid: null, status: 'Running' })
  })

  it('tells a stale mirror from a mirror that is being deleted', () => {
    const pod = fakeStaticPod({ uid: 'new' })
    const stale = fakeMirrorOf(fakeStaticPod({ uid: 'old' }))
    expect(podRow(knowledge({ pod, mirror: stale }), 0).mirror).toBe('stale')
    const deleting = fakeMirrorOf(pod, {
      metadata: { deletionTimestamp: '1970-01-01T00:00:30Z' },
    })
    expect(podRow(knowledge({ pod, mirror: deleting }), 0).mirror).toBe('deleting')
  })

  it.each<[string, Partial<PodKnowledge>, readonly unknown[]]>([
    [
      'that the kubelet still runs a pod whose object is Terminating',
      {
        pod: fakePod({
          metadata: { deletionTimestamp: '1970-01-01T00:00:30Z' },
          status: runningStatus,
        }),
        localStatus: runningStatus,
      },
      ['Terminating', { from: 'kubelet', word: 'Running' }],
    ],
    [
      'that the API server has a deletion that the kubelet has not heard of',
      {
        pod: fakePod({ status: runningStatus }),
        api: fakePod({
          metadata: { deletionTimestamp: '1970-01-01T00:00:30Z' },
          status: runningStatus,
        }),
        localStatus: runningStatus,
      },
      ['Terminating', { from: 'kubelet', word: 'Running' }],
    ],
    [
      'that the object is gone while the kubelet has the pod',
      { pod: fakePod({ status: runningStatus }), api: null, localStatus: runningStatus },
      ['Running', { from: 'api', word: 'gone' }],
    ],
    [
      'the reason that kubectl hides behind that of a container',
      { pod: fakePod({ status: evictedStatus }), localStatus: evictedStatus },
      ['Error', { from: 'reason', word: 'Evicted' }],
    ],
    [
      'nothing where API and kubelet agree',
      { pod: fakePod({ status: runningStatus }), localStatus: runningStatus },
      ['Running', null],
    ],
  ])('says next to STATUS %s', (_, shape, expected) => {
    const { status, statusAside } = podRow(knowledge(shape), 20_000)
    expect([status, statusAside]).toEqual(expected)
  })

  it('does not show the old pod’s mirror as the state of a static pod that waits to start', () => {
    const waiting: PodKnowledge['worker'] = { ...idleWorker, state: 'waiting' }
    const pod = fakeStaticPod()
    const old = fakeMirrorOf(fakeStaticPod({ uid: 'old' }), { status: runningStatus })
    expect(podRow(knowledge({ pod, mirror: old, worker: waiting }), 20_000)).toMatchObject({
      readyContainers: 0,
      totalContainers: 1,
      status: '',
      statusAside: { from: 'api', word: 'Running' },
      restarts: 0,
      mirror: 'stale',
      bricks: [{ state: 'waiting' }],
    })
    // After a restart of the kubelet the mirror is its own.
    const own = fakeMirrorOf(pod, { status: runningStatus })
    expect(podRow(knowledge({ pod, mirror: own, worker: waiting }), 20_000)).toMatchObject({
      readyContainers: 1,
      status: 'Running',
    })
  })

  it('says why no kubelet has a pod', () => {
    const pod = fakePod({ status: { phase: 'Pending' } })
    const known = knowledge({ node: '', pod, api: pod, worker: undefined, noKubelet: 'It waits.' })
    expect(podRow(known, 0)).toMatchObject({
      key: 'sandbox//web-uid',
      node: '',
      status: 'Pending',
      statusAside: null,
      worker: 'noKubelet',
      workerReason: 'It waits.',
    })
  })

  it('names the finalizers that keep an object whose containers have stopped', () => {
    const metadata = {
      finalizers: ['example.com/hold'],
      deletionTimestamp: '1970-01-01T00:00:30Z',
    }
    const pod = fakePod({ metadata })
    const at = (state: WorkerStateWord): readonly string[] =>
      podRow(knowledge({ pod, worker: { ...idleWorker, state } }), 0).heldBy
    expect(at('finished')).toEqual(['example.com/hold'])
    expect(at('TerminatedPod')).toEqual(['example.com/hold'])
    // During the grace period nothing waits for the finalizer.
    expect(at('TerminatingPod')).toEqual([])
    expect(podRow(knowledge({ pod, worker: undefined }), 0).heldBy).toEqual(['example.com/hold'])
    const kept = fakePod({ metadata: { finalizers: ['example.com/hold'] } })
    expect(podRow(knowledge({ pod: kept }), 0).heldBy).toEqual([])
    // Patched in the API server after the kubelet has read the pod.
    const late = podRow(
      knowledge({
        pod: fakePod({ metadata: { deletionTimestamp: metadata.deletionTimestamp } }),
        api: pod,
        worker: undefined,
      }),
      0,
    )
    expect(late.heldBy).toEqual(['example.com/hold'])
    expect(podRow(knowledge({ pod, api: null, worker: undefined }), 0).heldBy).toEqual([])
    const mirror = fakeMirrorOf(fakeStaticPod(), { metadata })
    expect(podRow(knowledge({ pod: fakeStaticPod(), mirror }), 0).heldBy).toEqual([
      'example.com/hold',
    ])
  })

  it('says why a pod has no worker', () => {
    const orphan = fakeMirrorOf(fakeStaticPod({ uid: 'gone' }), { uid: 'm1' })
    expect(podRow(knowledge({ pod: orphan, worker: undefined }), 0)).toMatchObject({
      kind: 'mirror',
      source: 'api',
      worker: 'none',
      workerReason: 'orphaned mirror of gone: the node has no static pod of this name',
      mirrorUid: 'm1',
    })
    const rejected = fakePod({
      status: {
        phase: 'Failed',
        message: "Pod was rejected: Node didn't have enough resource: cpu",
      },
    })
    expect(podRow(knowledge({ pod: rejected, worker: undefined }), 0).workerReason).toBe(
      "rejected at admission: Node didn't have enough resource: cpu",
    )
  })

  it.each([
    ['running', { running: {} }, true],
    ['notready', { running: {} }, false],
    ['exited', { terminated: { exitCode: 0 } }, false],
    ['down', { terminated: { exitCode: 137 } }, false],
    ['down', { waiting: { reason: 'CrashLoopBackOff' } }, false],
    ['down', { waiting: { reason: 'ErrImagePull' } }, false],
    ['waiting', { waiting: { reason: 'ContainerCreating' } }, false],
  ] as const)('draws a brick %s for %j', (state, containerState, ready) => {
    const pod = fakePod({
      status: {
        phase: 'Running',
        containerStatuses: [
          { name: 'c', ready, restartCount: 0, image: '', imageID: '', state: containerState },
        ],
      },
    })
    expect(podRow(knowledge({ pod }), 0).bricks).toEqual([{ name: 'c', state }])
  })
})

describe('actFacts', () => {
  const options = {
    kubelet: 'running',
    apiServerReachable: true,
    runtime: 'answers',
    budgets: undefined,
    readOnly: '',
    seenIn: '',
    now: 0,
  } as const

  it('collects the facts that decide an action', () => {
    const pod = fakePod({
      metadata: {
        finalizers: ['example.com/hold'],
        deletionTimestamp: '1970-01-01T00:00:30Z',
        deletionGracePeriodSeconds: 5,
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'r', controller: true },
        ],
      },
      spec: { priority: 2_000_000_000, terminationGracePeriodSeconds: 7, restartPolicy: 'Never' },
      status: runningStatus,
    })
    expect(actFacts(knowledge({ pod, runningContainers: 1 }), options)).toEqual({
      namespace: 'default',
      name: 'web',
      kind: 'regular',
      criticalBecause: 'priority',
      priority: 2_000_000_000,
      phase: 'Running',
      apiPhase: 'Running',
      isScheduled: false,
      ends: { exitZero: 'Succeeded', killed: 'Failed' },
      specGraceSeconds: 7,
      preStopSleepSeconds: 0,
      hasOtherPreStop: false,
      graceInUseSeconds: null,
      worker: 'SyncPod',
      isSyncing: false,
      terminationRequested: false,
      deletionTimestamp: '1970-01-01T00:00:30Z',
      deletionGraceSeconds: 5,
      runningContainers: 1,
      containers: [
        {
          name: 'c',
          kind: 'container',
          id: '',
          isRunning: false,
          state: 'running',
          restarts: 2,
          restartPolicy: 'Never',
          after: {
            exitZero: { next: 'stays', phase: null },
            failed: { next: 'stays', phase: null },
          },
          backOff: { seconds: 0, expiresInSeconds: 0 },
          probes: [],
          hasPreStop: false,
          isPulledAgain: true,
        },
      ],
      runningSidecars: 0,
      sigkillInSeconds: null,
      finalizers: ['example.com/hold'],
      controlledBy: 'ReplicaSet web',
      kubelet: 'running',
      apiServerReachable: true,
      runtime: 'answers',
      hasApiObject: true,
      isListed: true,
      budget: { kind: 'unknown' },
      readOnly: '',
      seenIn: '',
    })
  })

  it('does not name a mirror’s node as its controller, and marks a static pod as critical', () => {
    const pod = fakeStaticPod()
    expect(actFacts(knowledge({ pod, mirror: fakeMirrorOf(pod) }), options)).toMatchObject({
      kind: 'static',
      criticalBecause: 'static',
      controlledBy: '',
      deletionTimestamp: null,
    })
  })
})

describe('podDetail', () => {
  it('distinguishes init containers, sidecars and containers, each with its state, ID and termination', () => {
    const one = { ready: false, restartCount: 0, image: '', imageID: '' }
    const { containers } = podDetail(
      knowledge({
        pod: fakePod({
          spec: {
            initContainers: [{ name: 'first' }, { name: 'proxy', restartPolicy: 'Always' }],
            containers: [{ name: 'c' }],
          },
        }),
        localStatus: {
          phase: 'Running',
          initContainerStatuses: [
            {
              ...one,
              name: 'first',
              containerID: 'simulated://1',
              state: {
                terminated: {
                  exitCode: 2,
                  reason: 'Error',
                  message: 'no',
                  finishedAt: '1970-01-01T00:00:03Z',
                },
              },
            },
          ],
          containerStatuses: [
            { ...one, name: 'c', state: { waiting: { reason: 'CrashLoopBackOff', message: 'b' } } },
          ],
        },
      }),
      {
        now: 0,
        trace: [
          {
            kind: 'container.backOff',
            subject: { kind: 'node' },
            causes: [],
            data: { container: 'c', delayMs: 20_000, until: 50_000 },
            seq: 2,
            at: 0,
            cluster: 'sandbox',
            node: 'n',
          },
          {
            kind: 'container.backOff',
            subject: { kind: 'node' },
            causes: [],
            data: { container: 'c', delayMs: 10_000, until: 20_000 },
            seq: 1,
            at: 0,
            cluster: 'sandbox',
            node: 'n',
          },
        ],
        kubelet: 'running',
        apiServerReachable: true,
        runtime: 'answers',
        budgets: undefined,
        readOnly: '',
        seenIn: '',
        holder: undefined,
        areSourcesReady: true,
        isSimulated: true,
      },
    )
    expect(containers).toMatchObject([
      {
        name: 'first',
        kind: 'init',
        state: 'terminated',
        containerId: 'simulated://1',
        finishedAt: '1970-01-01T00:00:03Z',
        message: 'no',
        backOffUntil: null,
      },
      { name: 'proxy', kind: 'sidecar', state: 'waiting', containerId: '' },
      { name: 'c', kind: 'container', message: 'b', backOffUntil: 50_000 },
    ])
  })

  it('shows containers from the local status, with their last termination', () => {
    const detail = podDetail(
      knowledge({ localStatus: { ...runningStatus, podIP: '10.244.0.2' } }),
      {
        now: 0,
        trace: [],
        kubelet: 'running',
        apiServerReachable: true,
        runtime: 'answers',
        budgets: undefined,
        readOnly: '',
        seenIn: '',
        holder: undefined,
        areSourcesReady: true,
        isSimulated: true,
      },
    )
    expect(detail.podIP).toBe('10.244.0.2')
    expect(detail.containers).toEqual([
      {
        name: 'c',
        image: 'busybox',
        state: 'running',
        reason: '',
        ready: true,
        restarts: 2,
        startedAt: '1970-01-01T00:00:10Z',
        exitCode: null,
        lastExitCode: 3,
        kind: 'container',
        containerId: '',
        finishedAt: null,
        message: '',
        backOffUntil: null,
        lastTermination: {
          exitCode: 3,
          reason: 'Error',
          message: '',
          startedAt: null,
          finishedAt: '1970-01-01T00:00:09Z',
        },
      },
    ])
  })
})
