import { describe, expect, it } from 'vitest'
import type { ContainerStatus, Pod } from '../../../shared/kubernetes/objects.ts'
import { containersOf, containerStatusOf, podOf, runtimeStatusOf } from '../container/fake-pods.ts'
import { ReasonCache } from '../container/reason-cache.ts'
import type { RuntimeContainerStatus } from '../ports.ts'
import { apiContainerId, runtimeContainerId, toApiContainerStatuses } from './container-statuses.ts'
import type { ContainerKind } from './container-statuses.ts'

interface Case {
  readonly pod?: Pod
  readonly seen?: readonly RuntimeContainerStatus[]
  readonly previous?: readonly ContainerStatus[]
  readonly kind?: ContainerKind
  readonly failure?: {
    readonly container: string
    readonly reason: string
    readonly message: string
  }
}

function convert({ pod = podOf(), seen = [], previous = [], kind = 'regular', failure }: Case) {
  const reasonCache = new ReasonCache()
  if (failure !== undefined) {
    const { container, ...error } = failure
    reasonCache.update('u', {
      results: [
        { action: 'StartContainer', target: container, error: { ...error, isBackOff: true } },
      ],
    })
  }
  return toApiContainerStatuses({
    pod,
    runtimeStatus: runtimeStatusOf(seen),
    previous,
    kind,
    startFailures: reasonCache,
  })
}

const waiting: ContainerStatus = {
  name: 'c',
  state: { waiting: { reason: 'ContainerCreating' } },
  lastState: {},
  ready: false,
  restartCount: 0,
  image: 'i',
  imageID: '',
}
const wasRunning: ContainerStatus = {
  ...waiting,
  state: { running: { startedAt: '1970-01-01T00:00:01Z' } },
  restartCount: 2,
  containerID: 'fake://gone',
}
const terminated = {
  exitCode: 0,
  reason: 'Completed',
  startedAt: '1970-01-01T00:00:03Z',
  finishedAt: '1970-01-01T00:00:04Z',
  containerID: 'fake://c-0',
}
const located = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message:
    'The container could not be located when the pod was deleted.  The container used to be Running',
}

describe('a container that the runtime does not know', () => {
  it('is being created', () => {
    expect(convert({})).toEqual([waiting])
  })

  it('waits for the init containers where there are some', () => {
    const pod = podOf({ initContainers: containersOf('init') })
    const state = { waiting: { reason: 'PodInitializing' } }
    expect(convert({ pod })).toEqual([{ ...waiting, state }])
    expect(convert({ pod, kind: 'init' })).toEqual([{ ...waiting, name: 'init', state }])
  })

  it('keeps its end when it had ended before', () => {
    const old = { ...waiting, state: { terminated }, restartCount: 3, ready: true }
    expect(convert({ previous: [old], pod: podOf({ restartPolicy: 'Never' }) })).toEqual([old])
  })

  it('keeps restart count and last end when it was waiting before', () => {
    const old = { ...waiting, lastState: { terminated }, restartCount: 3 }
    expect(convert({ previous: [old] })).toEqual([old])
  })

  it('has been lost when it ran before: a last end is made up and the restart counted', () => {
    expect(convert({ previous: [wasRunning] })).toEqual([
      { ...waiting, lastState: { terminated: located }, restartCount: 3 },
    ])
  })

  it('is lost without a restart when the pod is being deleted', () => {
    const pod = podOf({}, { metadata: { deletionTimestamp: '1970-01-01T00:00:09Z' } })
    expect(convert({ pod, previous: [wasRunning] })).toEqual([
      { ...waiting, lastState: { terminated: located }, restartCount: 2 },
    ])
  })

  it('keeps the real last end of one that ran before', () => {
    const old = { ...wasRunning, lastState: { terminated } }
    expect(convert({ previous: [old] })).toEqual([
      { ...waiting, lastState: { terminated }, restartCount: 2 },
    ])
  })
})

describe('a container that the runtime knows', () => {
  const seenFields = { imageID: 'sha256:i', containerID: 'fake://c-0', resources: {} }

  it('runs', () => {
    expect(convert({ seen: [containerStatusOf('c', 'running')] })).toEqual([
      { ...waiting, ...seenFields, state: { running: { startedAt: '1970-01-01T00:00:03Z' } } },
    ])
  })

  it('waits without a reason after it was created', () => {
    expect(convert({ seen: [containerStatusOf('c', 'created')] })).toEqual([
      { ...waiting, ...seenFields, state: { waiting: {} } },
    ])
  })

  it('has exited', () => {
    expect(convert({ seen: [containerStatusOf('c', 'exited')] })).toEqual([
      { ...waiting, ...seenFields, state: { terminated } },
    ])
  })

  it('says why it failed', () => {
    const seen = [
      containerStatusOf('c', 'exited', { exitCode: 137, reason: 'OOMKilled', message: 'too much' }),
    ]
    expect(convert({ seen })[0]?.state).toEqual({
      terminated: { ...terminated, exitCode: 137, reason: 'OOMKilled', message: 'too much' },
    })
  })

  it('counts restarts from its annotation, else from the attempt, and shows the run before', () => {
    const seen = [
      containerStatusOf('c', 'running', { attempt: 2 }),
      containerStatusOf('c', 'exited', { attempt: 1, exitCode: 1 }),
      containerStatusOf('c', 'exited', { attempt: 0 }),
    ]
    expect(convert({ seen })).toEqual([
      {
        ...waiting,
        imageID: 'sha256:i',
        resources: {},
        containerID: 'fake://c-2',
        restartCount: 2,
        state: { running: { startedAt: '1970-01-01T00:00:03Z' } },
        lastState: {
          terminated: {
            ...terminated,
            exitCode: 1,
            reason: 'Error',
            containerID: 'fake://c-1',
          },
        },
      },
    ])
    const annotations = { 'io.kubernetes.container.restartCount': '7' }
    expect(
      convert({ seen: [containerStatusOf('c', 'running', { annotations })] })[0]?.restartCount,
    ).toBe(7)
  })

  it('has been lost when its state is unknown and it ran before', () => {
    const seen = [containerStatusOf('c', 'unknown')]
    expect(convert({ seen, previous: [wasRunning] })).toEqual([
      {
        ...waiting,
        ...seenFields,
        restartCount: 3,
        state: {
          terminated: {
            exitCode: 137,
            reason: 'ContainerStatusUnknown',
            message: 'The container could not be located when the pod was terminated',
          },
        },
      },
    ])
    expect(convert({ seen, previous: [waiting] })[0]?.state).toEqual({ waiting: {} })
  })

  it('is ignored when the pod has no such container', () => {
    expect(convert({ seen: [containerStatusOf('other', 'running')] })).toEqual([waiting])
  })
})

describe('a container that failed to start', () => {
  const failure = { container: 'c', reason: 'CrashLoopBackOff', message: 'back-off 10s' }
  const state = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } }

  it('waits with that reason, its end moved to the last state', () => {
    const seen = [containerStatusOf('c', 'exited', { exitCode: 1 })]
    expect(convert({ seen, failure })[0]).toMatchObject({
      state,
      lastState: { terminated: { ...terminated, exitCode: 1, reason: 'Error' } },
      restartCount: 0,
    })
  })

  it('waits with that reason before its first start', () => {
    expect(
      convert({ failure: { ...failure, reason: 'ErrImagePull', message: '' } })[0]?.state,
    ).toEqual({ waiting: { reason: 'ErrImagePull' } })
  })

  it.each([
    ['it runs', podOf(), containerStatusOf('c', 'running')],
    [
      'it will not be restarted',
      podOf({ restartPolicy: 'Never' }),
      containerStatusOf('c', 'exited'),
    ],
    [
      'the pod is being deleted',
      podOf({}, { metadata: { deletionTimestamp: '1970-01-01T00:00:09Z' } }),
      containerStatusOf('c', 'exited'),
    ],
  ])('shows no reason when %s', (_, pod, seen) => {
    expect(convert({ pod, seen: [seen], failure })[0]?.state?.waiting).toBeUndefined()
  })

  it('shows no reason for an init container that is done', () => {
    const pod = podOf({ initContainers: containersOf('c'), containers: containersOf('m') })
    const seen = [containerStatusOf('c', 'exited')]
    expect(convert({ pod, seen, failure, kind: 'init' })[0]?.state?.waiting).toBeUndefined()
    const failed = [containerStatusOf('c', 'exited', { exitCode: 1 })]
    expect(convert({ pod, seen: failed, failure, kind: 'init' })[0]?.state).toEqual(state)
  })
})

describe('the order of statuses', () => {
  it('is by name, and for init containers that of the spec', () => {
    const pod = podOf({
      containers: containersOf('b', 'a'),
      initContainers: containersOf('z', 'y'),
      ephemeralContainers: containersOf('e2', 'e1'),
    })
    const names = (kind: ContainerKind) => convert({ pod, kind }).map(({ name }) => name)
    expect(names('regular')).toEqual(['a', 'b'])
    expect(names('init')).toEqual(['z', 'y'])
    expect(names('ephemeral')).toEqual(['e1', 'e2'])
  })
})

describe('container ids', () => {
  it('carry the name of the runtime in the API', () => {
    expect(apiContainerId('containerd', 'abc')).toBe('containerd://abc')
    expect(runtimeContainerId('containerd://abc')).toBe('abc')
    expect(runtimeContainerId('abc')).toBe('abc')
  })
})
