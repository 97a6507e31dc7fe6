import { describe, expect, it } from 'vitest'
import type { ContainerStatus, PodPhase, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { TraceEvent, TraceInput } from '../../../shared/model/trace-event.ts'
import type { WhyAnswer } from '../../../shared/model/why.ts'
import type { WorkerView } from '../../../shared/model/worker-view.ts'
import { fakeMirrorOf, fakePod, fakeStaticPod } from '../../kubelet/pod/fake-pod.ts'
import { podSubject } from '../../kubelet/pod/identity.ts'
import { idleWorker } from '../rows/fake-worker-view.ts'
import { podDetail } from '../rows/pod-detail.ts'
import type { PodKnowledge } from '../rows/pod-knowledge.ts'
import type { NameHolder } from './why-facts.ts'

const at = (time: string): number => Date.parse(`1970-01-01T${time}Z`)

interface Shape extends Partial<PodKnowledge> {
  readonly holder?: NameHolder
  readonly events?: readonly TraceInput[]
  readonly areSourcesReady?: boolean
  readonly now?: number
}

function why(shape: Shape): WhyAnswer | null {
  const { holder, events = [], areSourcesReady = true, now = at('00:00:31'), ...over } = shape
  const known: PodKnowledge = {
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
    ...over,
  }
  const trace = events
    .map((input, index): TraceEvent => ({
      ...input,
      seq: index + 1,
      at: 0,
      cluster: 'sandbox',
      node: 'n',
    }))
    .toReversed()
  const options = {
    now,
    trace,
    holder,
    areSourcesReady,
    isSimulated: true,
    kubelet: 'running' as const,
    apiServerReachable: true,
    runtime: 'answers' as const,
    budgets: undefined,
    readOnly: '',
    seenIn: '',
  }
  return podDetail(known, options).why
}

function lines(answer: WhyAnswer | null): readonly string[] {
  return answer?.lines.map(({ progress, text }) => `${progress}: ${text}`) ?? []
}

function status(state: ContainerStatus['state'], over: Partial<PodStatus> = {}): PodStatus {
  return {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'c',
        ready: false,
        restartCount: 0,
        image: 'busybox',
        imageID: '',
        ...(state === undefined ? {} : { state }),
      },
    ],
    ...over,
  }
}

const runs = status({ running: {} })
const stopping: WorkerView = {
  ...idleWorker,
  state: 'TerminatingPod',
  terminatingAt: at('00:00:10'),
  terminatingBecause: 'deletionTimestamp',
  gracePeriodSeconds: 30,
  terminationRequested: true,
  statusVersion: 3,
  statusVersionSent: 3,
}
const stopped: WorkerView = {
  ...stopping,
  state: 'TerminatedPod',
  terminatedAt: at('00:00:40'),
}
const finished: WorkerView = { ...stopped, state: 'finished', finished: true }
const deleted = fakePod({ metadata: { deletionTimestamp: '1970-01-01T00:00:40Z' } })

describe('a pod whose worker is inferred', () => {
  it('has the answer of what was seen of its kubelet', () => {
    const answer: WhyAnswer = { question: 'Why is it still here?', lines: [], section: '' }
    const inferred = { worker: 'TerminatingPod', because: '', why: answer } as const
    expect(why({ noKubelet: 'Elsewhere.', inferred })).toBe(answer)
  })
})

describe('Why is it still here?', () => {
  it('names the running container and its deadline, then the remaining steps', () => {
    const answer = why({
      pod: deleted,
      worker: stopping,
      localStatus: runs,
      grace: { seconds: 30, startedAt: at('00:00:10'), killAt: at('00:00:40') },
    })
    expect(answer).toEqual({
      question: 'Why is it still here?',
      section: 'pod-workers#sync-functions',
      lines: [
        {
          text: 'Termination was requested at 00:00:10: deletionTimestamp.',
          source: 'worker.terminatingAt',
          progress: 'done',
        },
        {
          text: 'Container c still runs until SIGKILL at 00:00:40.',
          source: 'containerStatuses[c].state.running',
          progress: 'now',
        },
        {
          text: 'Then SyncTerminatedPod waits until its volumes are unmounted; this node makes no cgroup.',
          source: 'worker.finished',
          progress: 'next',
        },
        {
          text: 'Then the final status is written.',
          source: 'status version cached, sent',
          progress: 'next',
        },
        {
          text: 'Then the kubelet deletes the object with grace period 0 and its UID as precondition.',
          source: 'metadata.deletionTimestamp',
          progress: 'next',
        },
      ],
    })
  })

  it('forecasts the phase of a killed pod', () => {
    const killed: WorkerView = { ...stopping, terminatingBecause: 'killed' }
    const next = (shape: Shape) => why({ worker: killed, ...shape })?.lines.at(-1)?.text
    const undeleted = 'nothing has asked the API server to delete it.'
    expect(next({ localStatus: runs })).toBe(
      `Then the object stays, with phase Failed, or Succeeded if every container exits 0: ${undeleted}`,
    )
    const waits = { reason: 'ErrImagePull' }
    expect(next({ localStatus: status({ waiting: waits }, { phase: 'Pending' }) })).toBe(
      `Then the object stays, with phase Failed: ${undeleted}`,
    )
  })

  it.each<readonly [string, Shape, string]>([
    [
      'no container runs any more',
      { worker: stopping, localStatus: status({ terminated: { exitCode: 0 } }) },
      'No container runs; the sandbox is stopped and the runtime is listed once more.',
    ],
    [
      'the stop has not reached the runtime',
      { worker: stopping, localStatus: runs },
      'Container c still runs; the grace period is 30 s.',
    ],
    [
      'the clean-up',
      { pod: deleted, worker: stopped, localStatus: runs },
      'SyncTerminatedPod waits until its volumes are unmounted; this node makes no cgroup.',
    ],
    [
      'the final status',
      {
        pod: deleted,
        worker: { ...finished, statusVersionSent: 2 },
        localStatus: { ...runs, phase: 'Failed' },
        isServerAway: true,
      },
      'The final status, Failed, is not written yet, the API server does not respond.',
    ],
    [
      'the DELETE',
      { pod: deleted, worker: finished, localStatus: runs },
      'The kubelet deletes the object with grace period 0 and its UID as precondition.',
    ],
    [
      'a finalizer',
      {
        pod: fakePod({
          metadata: { deletionTimestamp: '1970-01-01T00:00:40Z', finalizers: ['example.com/hold'] },
        }),
        worker: finished,
        localStatus: runs,
      },
      'The kubelet has sent DELETE with grace period 0; the object stays until its finalizers are removed: example.com/hold.',
    ],
    [
      'no client that deletes it',
      { worker: finished, localStatus: { ...runs, phase: 'Succeeded' } },
      'The object stays, with phase Succeeded: nothing has asked the API server to delete it.',
    ],
    [
      'housekeeping, once the object is gone',
      { pod: deleted, worker: finished, isListed: false },
      'Its object is gone from the API server; housekeeping, every 2 s, removes the worker.',
    ],
    [
      'a manifest that is still there',
      { pod: fakeStaticPod(), worker: finished, localStatus: runs },
      'It has ended, and its manifest is still there: it starts again only if that changes.',
    ],
    [
      'housekeeping, once the manifest is gone',
      { pod: fakeStaticPod(), worker: finished, localStatus: runs, isListed: false },
      'Its manifest is gone: housekeeping, every 2 s, removes the worker and deletes the mirror.',
    ],
    [
      'a pod of the same uid',
      { worker: { ...finished, restartRequested: true }, localStatus: runs },
      'Housekeeping removes the worker and starts the pod of the same UID again.',
    ],
  ])('is answered by %s', (_what, shape, text) => {
    const answer = why(shape)
    expect(answer?.question).toBe('Why is it still here?')
    expect(answer?.lines.find(({ progress }) => progress === 'now')?.text).toBe(text)
    expect(answer?.lines.every((line) => line.text !== '')).toBe(true)
  })

  it.each([
    [true, false, 'now: Housekeeping deletes it with grace period 0 in its next run, every 2 s.'],
    [
      false,
      false,
      'now: A source has not been read yet. Until then its static pod may still appear, and nothing is deleted.',
    ],
    [true, true, 'now: The API server does not respond, so it cannot be deleted.'],
  ])(
    'is asked of an orphaned mirror: sources %s, away %s',
    (areSourcesReady, isServerAway, text) => {
      const pod = fakeMirrorOf(fakeStaticPod({ uid: 'gone' }), { uid: 'm1' })
      const answer = why({ pod, worker: undefined, areSourcesReady, isServerAway })
      expect(lines(answer)).toContain(text)
      expect(answer?.question).toBe('Why is it still here?')
    },
  )
})

describe('Why does it not start?', () => {
  const waiting: WorkerView = {
    ...idleWorker,
    state: 'waiting',
    startedAt: null,
    nextSyncAt: at('00:00:43'),
  }

  it('is not asked of a pod that a kubelet elsewhere has started', () => {
    const noKubelet =
      'It is bound to n. The API does not show the worker that its kubelet has for it.'
    const bound = (phase: PodPhase): WhyAnswer | null =>
      why({ noKubelet, pod: { ...fakePod(), status: { phase } } })
    expect(bound('Pending')?.question).toBe('Why does it not start?')
    expect(bound('Running')).toBeNull()
  })

  it('names the UID that holds the name of a static pod, and when the worker retries', () => {
    const answer = why({
      pod: fakeStaticPod(),
      worker: waiting,
      holder: { uid: 'static-0', state: 'TerminatingPod', killAt: at('00:00:40') },
    })
    expect(answer?.question).toBe('Why does it not start?')
    expect(answer?.section).toBe('pod-workers#static-pods-of-one-name')
    expect(lines(answer)).toEqual([
      'done: It has been admitted and has a worker.',
      'now: The name web-node_default is used by UID static-0, which is in TerminatingPod and may have containers until 00:00:40.',
      'next: Then the worker retries at 00:00:43; it retries every 10 to 15 s and is not woken up earlier.',
      'next: Then SyncPod runs: status, mirror, sandbox, images, containers.',
    ])
  })

  it('says that the name is free and only the retry is missing', () => {
    expect(lines(why({ pod: fakeStaticPod(), worker: waiting }))).toContain(
      'now: The name is free: the worker retries at 00:00:43.',
    )
  })

  it('gives the reason of a rejection, and that it is final', () => {
    const answer = why({
      worker: undefined,
      localStatus: {
        phase: 'Failed',
        message: "Pod was rejected: Node didn't have enough resource: cpu.",
      },
    })
    expect(answer?.section).toBe('admission#handlers')
    expect(lines(answer)).toEqual([
      'done: The kubelet has it from its source.',
      "now: It was rejected at admission: Node didn't have enough resource: cpu.",
      'next: Failed is final and the kubelet does not retry: it starts again only as a new pod.',
    ])
  })

  it('explains a pod that has no worker yet', () => {
    expect(lines(why({ worker: undefined }))).toEqual([
      'done: The kubelet has it from its source.',
      'now: The sync loop has not passed it to a worker yet.',
    ])
  })

  const failedSync = (message: string): TraceInput => ({
    kind: 'worker.syncFinished',
    subject: podSubject(fakePod()),
    causes: [],
    data: { workType: 'sync', outcome: 'error', message, durationMs: 1 },
  })
  const about = { subject: podSubject(fakePod()), causes: [] }
  const mounted = (volume: string): TraceInput => ({
    ...about,
    kind: 'volume.mounted',
    data: { volume, plugin: 'configMap' },
  })
  const notMounted: TraceInput = {
    ...about,
    kind: 'volume.failed',
    data: { volume: 'rules', message: 'configmap "rules" not found' },
  }
  const pulling: TraceInput = {
    kind: 'image.pulling',
    subject: podSubject(fakePod()),
    causes: [],
    data: { container: 'c', image: 'busybox' },
  }
  const hasSandbox: Partial<PodStatus> = {
    phase: 'Pending',
    conditions: [{ type: 'PodReadyToStartContainers', status: 'True' }],
  }
  const withInit = fakePod({
    spec: {
      initContainers: [{ name: 'first' }, { name: 'migrate' }],
      containers: [{ name: 'c', image: 'busybox' }],
    },
  })

  it.each<readonly [string, Shape, string, string]>([
    [
      'a network that is not ready',
      {
        localStatus: { phase: 'Pending' },
        events: [failedSync('network is not ready: cni plugin not initialized')],
      },
      'pod-workers#sync-functions',
      'The node has no network for it: network is not ready: cni plugin not initialized. The worker retries after 1 to 1.5 s.',
    ],
    [
      'a volume that cannot be set up',
      {
        localStatus: { phase: 'Pending' },
        events: [mounted('tls'), notMounted],
      },
      'containers#volumes',
      'Volume rules cannot be set up: configmap "rules" not found. Nothing starts before; the kubelet keeps trying, less and less often.',
    ],
    [
      'a volume that was set up after a failure',
      {
        localStatus: { phase: 'Pending' },
        events: [notMounted, mounted('rules')],
      },
      'containers#runtime-sync',
      'The runtime creates the sandbox.',
    ],
    [
      'a sandbox that failed',
      { localStatus: { phase: 'Pending' }, events: [failedSync('no more addresses')] },
      'containers#runtime-sync',
      'The runtime creates the sandbox. The last attempt failed: no more addresses.',
    ],
    [
      'an init container',
      {
        pod: withInit,
        localStatus: status(
          { waiting: { reason: 'PodInitializing' } },
          {
            ...hasSandbox,
            initContainerStatuses: [
              {
                name: 'first',
                ready: true,
                restartCount: 0,
                image: '',
                imageID: '',
                state: { terminated: { exitCode: 0 } },
              },
              {
                name: 'migrate',
                ready: false,
                restartCount: 0,
                image: '',
                imageID: '',
                state: { running: {} },
              },
            ],
          },
        ),
      },
      'containers#init-containers',
      'Init container 2 of 2: migrate runs.',
    ],
    [
      'an image that is being pulled',
      {
        localStatus: status({ waiting: { reason: 'ContainerCreating' } }, hasSandbox),
        events: [pulling],
      },
      'containers#runtime-sync',
      'Container c waits for its image: busybox is being pulled.',
    ],
    [
      'an image, although the status does not tell of the sandbox yet',
      {
        localStatus: status({ waiting: { reason: 'ContainerCreating' } }, { phase: 'Pending' }),
        events: [
          {
            kind: 'sandbox.started',
            subject: podSubject(fakePod()),
            causes: [],
            data: { sandboxId: 's', attempt: 0, ip: '' },
          },
          pulling,
        ],
      },
      'containers#runtime-sync',
      'Container c waits for its image: busybox is being pulled.',
    ],
    [
      'an image that cannot be pulled',
      {
        localStatus: status(
          { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "nope"' } },
          hasSandbox,
        ),
        worker: { ...idleWorker, nextSyncAt: at('00:00:44') },
      },
      'images#pull-policy',
      'Container c waits with ImagePullBackOff: Back-off pulling image "nope". The worker retries at 00:00:44.',
    ],
  ])('is answered by %s', (_what, shape, section, text) => {
    const answer = why(shape)
    expect(answer?.question).toBe('Why does it not start?')
    expect(answer?.section).toBe(section)
    expect(answer?.lines.find(({ progress }) => progress === 'now')?.text).toBe(text)
    expect(answer?.lines.every((line) => line.text !== '')).toBe(true)
  })
})

describe('Why is it in CrashLoopBackOff?', () => {
  const crashing: PodStatus = {
    phase: 'Running',
    containerStatuses: [
      {
        name: 'c',
        ready: false,
        restartCount: 4,
        image: 'busybox',
        imageID: '',
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: {
          terminated: { exitCode: 3, reason: 'Error', finishedAt: '1970-01-01T00:00:12Z' },
        },
      },
    ],
  }
  const backOff: TraceInput = {
    kind: 'container.backOff',
    subject: podSubject(fakePod()),
    causes: [],
    data: { container: 'c', delayMs: 40_000, until: at('00:00:52') },
  }
  const shape: Shape = {
    localStatus: crashing,
    events: [backOff],
    worker: { ...idleWorker, nextSyncAt: at('00:00:58') },
  }

  it('names the exit, the back-off and the sync that restarts it', () => {
    const answer = why(shape)
    expect(answer?.section).toBe('containers#back-off')
    expect(lines(answer)).toEqual([
      'done: Container c ended at 00:00:12 with exit code 3, Error; 4 restarts so far.',
      'now: Its back-off delays the restart until 00:00:52: 10 s at first, doubled each time, at most 5 minutes.',
      'next: Then the first sync after that starts it; the worker syncs next, at 00:00:58.',
      'next: If it then runs for more than 10 minutes, the back-off restarts at 10 s.',
    ])
  })

  it('names only the sync after the back-off is over', () => {
    expect(lines(why({ ...shape, now: at('00:00:52') }))).toContain(
      'now: The first sync after the back-off starts it; the worker syncs next, at 00:00:58.',
    )
  })
})

describe('Why is the mirror missing or stale?', () => {
  const pod = fakeStaticPod()
  const base: Shape = { pod, localStatus: runs }
  const due: WorkerView = { ...idleWorker, nextSyncAt: at('00:01:20') }

  it.each<readonly [string, Shape, string]>([
    [
      'the pod waits for its next sync',
      { ...base, worker: due },
      'It is created in the next SyncPod, at 00:01:20 or before.',
    ],
    [
      'SyncPod runs',
      { ...base, worker: { ...idleWorker, working: true } },
      'SyncPod is running and creates it.',
    ],
    [
      'the server is away',
      { ...base, isServerAway: true },
      'The API server does not respond; each SyncPod retries.',
    ],
    [
      'the Node is not there',
      { ...base, mirrorFailure: 'the node is being deleted' },
      'The mirror needs the Node object as its owner: the node is being deleted.',
    ],
    [
      'the namespace is not there',
      { ...base, worker: due, mirrorFailure: 'namespaces "default" not found' },
      'The namespace default does not exist, and the kubelet does not create it; retried in the next SyncPod, at 00:01:20 or before.',
    ],
    [
      'the server refuses it',
      { ...base, mirrorFailure: 'exceeded quota: small.' },
      'The API server refused it: exceeded quota: small; retried in the next SyncPod.',
    ],
  ])('asks why it is missing: %s', (_what, shape, text) => {
    const answer = why(shape)
    expect(answer?.question).toBe('Why is the mirror missing?')
    expect(lines(answer)).toContain(`now: ${text}`)
    expect(answer?.lines.every((line) => line.text !== '')).toBe(true)
  })

  it('explains a stale mirror', () => {
    const mirror = fakeMirrorOf(fakeStaticPod({ uid: 'old' }), { uid: 'm1' })
    const answer = why({ ...base, mirror })
    expect(answer?.question).toBe('Why is the mirror stale?')
    expect(answer?.section).toBe('mirror-pods#reconciliation')
    expect(lines(answer)).toEqual([
      'done: Its worker runs SyncPod, which creates and replaces mirrors.',
      'done: The API server responds.',
      'done: The Node object exists to own it.',
      'now: It was created from another version of the manifest: SyncPod deletes it with grace period 0 and precondition UID m1.',
      'next: Then SyncPod creates it with the hash of the static pod and its own UID.',
    ])
  })

  it('explains a mirror that is being deleted', () => {
    const mirror = fakeMirrorOf(pod, {
      uid: 'm1',
      metadata: { deletionTimestamp: '1970-01-01T00:00:30Z' },
    })
    const answer = why({ ...base, mirror })
    expect(answer?.question).toBe('Why is the mirror deleting?')
    expect(lines(answer)).toContain(
      'now: A delete was requested through the API: SyncPod deletes it with grace period 0 and precondition UID m1.',
    )
  })

  it('has no answer for a running pod with a current mirror, or for a running regular pod', () => {
    expect(why({ ...base, mirror: fakeMirrorOf(pod) })).toBeNull()
    expect(why({ localStatus: runs })).toBeNull()
  })
})
