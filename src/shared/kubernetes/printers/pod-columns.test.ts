import { describe, expect, it } from 'vitest'
import type { Container, ContainerState, ContainerStatus, Pod, PodStatus } from '../objects.ts'
import { podColumns, podWideColumns, restartsText } from './pod-columns.ts'

const now = Date.UTC(2026, 0, 1, 12, 0, 0)

interface Run {
  readonly state?: ContainerState
  readonly ready?: boolean
  readonly started?: boolean
  readonly restarts?: number
  readonly lastEndedSecondsAgo?: number
}

function secondsAgo(seconds: number): string {
  return new Date(now - seconds * 1000).toISOString()
}

function statusOf(name: string, run: Run): ContainerStatus {
  return {
    name,
    ready: run.ready ?? false,
    restartCount: run.restarts ?? 0,
    image: 'i',
    imageID: '',
    ...(run.state === undefined ? {} : { state: run.state }),
    ...(run.started === undefined ? {} : { started: run.started }),
    ...(run.lastEndedSecondsAgo === undefined
      ? {}
      : {
          lastState: {
            terminated: { exitCode: 1, finishedAt: secondsAgo(run.lastEndedSecondsAgo) },
          },
        }),
  }
}

interface Scene {
  readonly init?: readonly (Run & { readonly sidecar?: true })[]
  readonly main?: readonly Run[]
  readonly status?: Partial<PodStatus>
  readonly deleted?: true
}

function pod(scene: Scene): Pod {
  const init = scene.init ?? []
  const main = scene.main ?? [{}]
  const container = (name: string): Container => ({ name, image: 'i' })
  return {
    metadata: {
      name: 'p',
      uid: 'u',
      creationTimestamp: secondsAgo(300),
      ...(scene.deleted ? { deletionTimestamp: secondsAgo(-30) } : {}),
    },
    spec: {
      containers: main.map((_, index) => container(`c${index}`)),
      initContainers: init.map((run, index) => ({
        ...container(`i${index}`),
        ...(run.sidecar ? { restartPolicy: 'Always' as const } : {}),
      })),
    },
    status: {
      phase: 'Pending',
      initContainerStatuses: init.map((run, index) => statusOf(`i${index}`, run)),
      containerStatuses: main.map((run, index) => statusOf(`c${index}`, run)),
      ...scene.status,
    },
  }
}

const running: Run = {
  state: { running: { startedAt: secondsAgo(60) } },
  ready: true,
  started: true,
}
const unready: Run = { ...running, ready: false }
const waiting = (reason?: string): Run => ({
  state: { waiting: reason === undefined ? {} : { reason } },
})
const ended = (exitCode: number, reason?: string, signal?: number): Run => ({
  state: {
    terminated: {
      exitCode,
      ...(reason === undefined ? {} : { reason }),
      ...(signal === undefined ? {} : { signal }),
    },
  },
})
const readyCondition = { conditions: [{ type: 'Ready', status: 'True' }] } as const
const initialized = { conditions: [{ type: 'Initialized', status: 'True' }] } as const

function shown(scene: Scene): string {
  const columns = podColumns(pod(scene), now)
  return [
    `${columns.readyContainers}/${columns.totalContainers}`,
    columns.status,
    restartsText(columns, now),
  ].join(' ')
}

// Cases as in Kubernetes pkg/printers/internalversion/printers_test.go (TestPrintPod and the one for
// restartable init containers), then the branches of printPod that those leave out.
describe('READY, STATUS and RESTARTS without init containers', () => {
  const cases: readonly (readonly [string, Scene, string])[] = [
    [
      'no container statuses yet: the phase',
      { status: { containerStatuses: [] } },
      '0/1 Pending 0',
    ],
    ['no status at all: an empty word', { status: { phase: undefined as never } }, '0/1  0'],
    [
      'a reason of the pod instead of the phase',
      { status: { phase: 'Failed', reason: 'Evicted' } },
      '0/1 Evicted 0',
    ],
    [
      'a waiting reason',
      { main: [running, waiting('ContainerCreating')] },
      '1/2 ContainerCreating 0',
    ],
    ['waiting without a reason leaves the phase', { main: [waiting()] }, '0/1 Pending 0'],
    [
      'the first container wins',
      { main: [waiting('ErrImagePull'), ended(1, 'Error')] },
      '0/2 ErrImagePull 0',
    ],
    [
      'a running first container does not hide a failed second',
      { main: [running, ended(1, 'Error')], status: { phase: 'Running' } },
      '1/2 Error 0',
    ],
    [
      'running but not ready',
      { main: [unready, running], status: { phase: 'Running' } },
      '1/2 Running 0',
    ],
    [
      'ready without a running state is not ready',
      { main: [{ ready: true }], status: { phase: 'Running' } },
      '0/1 Running 0',
    ],
    [
      'ended with a reason',
      { main: [ended(137, 'OOMKilled')], status: { phase: 'Failed' } },
      '0/1 OOMKilled 0',
    ],
    [
      'ended without a reason: the exit code',
      { main: [ended(3)], status: { phase: 'Failed' } },
      '0/1 ExitCode:3 0',
    ],
    [
      'ended without a reason and exit code 0',
      { main: [ended(0)], status: { phase: 'Succeeded' } },
      '0/1 ExitCode:0 0',
    ],
    [
      'ended by a signal, without a reason',
      { main: [ended(137, undefined, 9)], status: { phase: 'Failed' } },
      '0/1 Signal:9 0',
    ],
    [
      'a signal is not shown with a reason',
      { main: [ended(137, 'Error', 9)], status: { phase: 'Failed' } },
      '0/1 Error 0',
    ],
    [
      'all completed',
      { main: [ended(0, 'Completed')], status: { phase: 'Succeeded' } },
      '0/1 Completed 0',
    ],
    [
      'one completed, one running, pod ready',
      { main: [ended(0, 'Completed'), running], status: { phase: 'Running', ...readyCondition } },
      '1/2 Running 0',
    ],
    [
      'one completed, one running, pod not ready',
      { main: [ended(0, 'Completed'), running], status: { phase: 'Running' } },
      '1/2 NotReady 0',
    ],
    [
      'one completed, the running one not ready',
      { main: [ended(0, 'Completed'), unready], status: { phase: 'Running' } },
      '0/2 Completed 0',
    ],
    [
      'held back by scheduling gates',
      {
        status: {
          containerStatuses: [],
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
        },
      },
      '0/1 SchedulingGated 0',
    ],
    [
      'another reason of PodScheduled changes nothing',
      {
        status: {
          containerStatuses: [],
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
        },
      },
      '0/1 Pending 0',
    ],
    [
      'restarts add up, the latest end counts',
      {
        main: [
          { ...running, restarts: 2, lastEndedSecondsAgo: 300 },
          { ...running, restarts: 4, lastEndedSecondsAgo: 75 },
        ],
        status: { phase: 'Running' },
      },
      '2/2 Running 6 (75s ago)',
    ],
    [
      'restarts whose time is not known',
      { main: [{ ...running, restarts: 3 }], status: { phase: 'Running' } },
      '1/1 Running 3',
    ],
    [
      'a last end without restarts shows no time',
      { main: [{ ...running, lastEndedSecondsAgo: 5 }], status: { phase: 'Running' } },
      '1/1 Running 0',
    ],
  ]
  it.each(cases)('%s', (_, scene, text) => {
    expect(shown(scene)).toBe(text)
  })
})

describe('READY, STATUS and RESTARTS with init containers', () => {
  const sidecar = (run: Run): Run & { readonly sidecar: true } => ({ ...run, sidecar: true })
  const cases: readonly (readonly [string, Scene, string])[] = [
    [
      'the first is still running',
      { init: [running, waiting('PodInitializing')], main: [waiting('PodInitializing')] },
      '0/1 Init:0/2 0',
    ],
    [
      'the second waits to initialise',
      {
        init: [ended(0, 'Completed'), waiting('PodInitializing')],
        main: [waiting('PodInitializing')],
      },
      '0/1 Init:1/2 0',
    ],
    ['waiting without a reason', { init: [waiting()] }, '0/1 Init:0/1 0'],
    ['waiting for its image', { init: [waiting('ErrImagePull')] }, '0/1 Init:ErrImagePull 0'],
    ['failed with a reason', { init: [ended(1, 'Error')] }, '0/1 Init:Error 0'],
    ['failed without a reason', { init: [ended(4)] }, '0/1 Init:ExitCode:4 0'],
    ['ended by a signal', { init: [ended(137, undefined, 9)] }, '0/1 Init:Signal:9 0'],
    [
      'all done: the containers speak',
      { init: [ended(0, 'Completed')], main: [waiting('PodInitializing')] },
      '0/1 PodInitializing 0',
    ],
    [
      'restarts of those up to the one that holds it up',
      {
        init: [
          { ...ended(0), restarts: 2, lastEndedSecondsAgo: 40 },
          { ...running, restarts: 3, lastEndedSecondsAgo: 10 },
        ],
        main: [{ restarts: 9 }],
      },
      '0/1 Init:1/2 5 (10s ago)',
    ],
    [
      'those after it do not count',
      { init: [{ ...running, restarts: 1 }, { restarts: 7 }] },
      '0/1 Init:0/2 1',
    ],
    [
      'restarts of finished ones are forgotten',
      {
        init: [{ ...ended(0), restarts: 3, lastEndedSecondsAgo: 10 }],
        main: [{ ...running, restarts: 4, lastEndedSecondsAgo: 20 }],
        status: { phase: 'Running' },
      },
      '1/1 Running 4 (20s ago)',
    ],
    [
      'Initialized True lets the containers speak whatever the states say',
      {
        init: [{ ...running, restarts: 2 }],
        main: [running],
        status: { phase: 'Running', ...initialized },
      },
      '1/1 Init:0/1 0',
    ],
    [
      'Initialized True, and a container with a word',
      { init: [running], main: [ended(1, 'Error')], status: { phase: 'Running', ...initialized } },
      '0/1 Error 0',
    ],
    [
      'a sidecar counts in the total and holds the pod up until started',
      {
        init: [sidecar(unready), sidecar(waiting('PodInitializing'))].map((run) => ({
          ...run,
          started: false,
        })),
        main: [waiting('PodInitializing')],
      },
      '0/3 Init:0/2 0',
    ],
    [
      'a started sidecar lets the next one be looked at',
      {
        init: [
          sidecar({ ...unready, started: true, restarts: 1 }),
          sidecar({ ...unready, started: false, restarts: 2, lastEndedSecondsAgo: 10 }),
        ],
        main: [waiting('PodInitializing')],
      },
      '0/3 Init:1/2 3 (10s ago)',
    ],
    [
      'a ready sidecar counts while a later init container runs',
      { init: [sidecar(running), running], main: [waiting('PodInitializing')] },
      '1/2 Init:1/2 0',
    ],
    [
      'started sidecars and a running container',
      {
        init: [sidecar({ ...running, restarts: 3, lastEndedSecondsAgo: 10 }), sidecar(unready)],
        main: [{ ...running, restarts: 4, lastEndedSecondsAgo: 20 }],
        status: { phase: 'Running' },
      },
      '2/3 Running 7 (10s ago)',
    ],
    [
      'sidecars that ended with an error after the containers completed',
      {
        init: [sidecar({ ...ended(137, 'Error'), started: false, restarts: 3 })],
        main: [ended(0, 'Completed')],
        status: { phase: 'Succeeded', ...initialized },
      },
      '0/2 Completed 3',
    ],
    [
      'a status for an init container that the spec does not name',
      { init: [], status: { initContainerStatuses: [statusOf('ghost', running)] } },
      '0/1 Init:0/0 0',
    ],
  ]
  it.each(cases)('%s', (_, scene, text) => {
    expect(shown(scene)).toBe(text)
  })
})

describe('STATUS of a pod with a deletionTimestamp', () => {
  const cases: readonly (readonly [string, Scene, string])[] = [
    ['while it runs', { main: [running], status: { phase: 'Running' } }, '1/1 Terminating 0'],
    ['while it is pending', { main: [waiting('ErrImagePull')] }, '0/1 Terminating 0'],
    [
      'after it succeeded',
      { main: [ended(0, 'Completed')], status: { phase: 'Succeeded' } },
      '0/1 Completed 0',
    ],
    [
      'after it failed',
      { main: [ended(137, 'Error')], status: { phase: 'Failed' } },
      '0/1 Error 0',
    ],
    [
      'on a lost node',
      { main: [running], status: { phase: 'Running', reason: 'NodeLost' } },
      '1/1 Unknown 0',
    ],
    [
      'on a lost node, after it failed',
      { status: { phase: 'Failed', reason: 'NodeLost' } },
      '0/1 Unknown 0',
    ],
  ]
  it.each(cases)('%s', (_, scene, text) => {
    expect(shown({ ...scene, deleted: true })).toBe(text)
  })
})

it('gives whole values for the table of pods', () => {
  const scene: Scene = {
    main: [{ ...running, restarts: 1, lastEndedSecondsAgo: 61 }],
    status: { phase: 'Running' },
  }
  expect(podColumns(pod(scene), now)).toEqual({
    readyContainers: 1,
    totalContainers: 1,
    status: 'Running',
    restarts: 1,
    lastRestartAt: now - 61_000,
    age: '5m',
  })
})

describe('the wide columns of a pod', () => {
  it('are <none> where nothing is known', () => {
    expect(podWideColumns(pod({}))).toEqual({
      ip: '<none>',
      node: '<none>',
      nominatedNode: '<none>',
      readinessGates: '<none>',
    })
  })

  it('show the pod ip, the node and how many readiness gates are open', () => {
    const base = pod({
      status: {
        podIP: '10.1.0.5',
        podIPs: [{ ip: '10.1.0.5' }, { ip: 'fd00::5' }],
        nominatedNodeName: 'n2',
        conditions: [
          { type: 'a', status: 'True' },
          { type: 'b', status: 'False' },
        ],
      },
    })
    const gated: Pod = {
      ...base,
      spec: {
        ...base.spec,
        nodeName: 'n1',
        readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }, { conditionType: 'c' }],
      },
    }
    expect(podWideColumns(gated)).toEqual({
      ip: '10.1.0.5',
      node: 'n1',
      nominatedNode: 'n2',
      readinessGates: '1/3',
    })
  })

  it('take the ip from the list where the single field is not set', () => {
    expect(podWideColumns(pod({ status: { podIPs: [{ ip: '10.1.0.6' }] } })).ip).toBe('10.1.0.6')
  })
})
