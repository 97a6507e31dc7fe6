import { describe, expect, it } from 'vitest'
import type {
  ContainerState,
  ContainerStatus,
  Pod,
  PodStatus,
} from '../../../shared/kubernetes/objects.ts'
import { containersOf, podOf, sidecar } from '../container/fake-pods.ts'
import { fakeStaticPod } from '../pod/fake-pod.ts'
import { terminatedStatus } from './terminated-status.ts'

function statusOf(
  name: string,
  state: ContainerState,
  rest: Partial<ContainerStatus> = {},
): ContainerStatus {
  return { name, state, ready: false, restartCount: 0, image: 'i', imageID: '', ...rest }
}

const waiting: ContainerState = { waiting: { reason: 'PodInitializing' } }
const running: ContainerState = { running: {} }
const succeeded: ContainerState = { terminated: { exitCode: 0 } }
const lost: ContainerState = {
  terminated: {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  },
}

const states = (statuses: readonly ContainerStatus[] = []) => statuses.map(({ state }) => state)

describe('the phase of a terminated pod', () => {
  it.each([
    ['Succeeded', 'Succeeded'],
    ['Failed', 'Failed'],
    ['Running', 'Failed'],
    ['Pending', 'Failed'],
    ['Unknown', 'Failed'],
    [undefined, 'Failed'],
  ] as const)('that was %s is %s', (old, phase) => {
    expect(terminatedStatus(podOf(), old === undefined ? {} : { phase: old }).phase).toBe(phase)
  })

  it('stays as it is for a static pod', () => {
    expect(terminatedStatus(fakeStaticPod(), { phase: 'Running' }).phase).toBe('Running')
  })
})

describe('the regular containers of a terminated pod', () => {
  it('have all ended; those whose end is not known with 137', () => {
    const status = terminatedStatus(podOf({ containers: containersOf('a', 'b', 'c') }), {
      phase: 'Running',
      containerStatuses: [statusOf('a', succeeded), statusOf('b', running), statusOf('c', waiting)],
    })
    expect(states(status.containerStatuses)).toEqual([succeeded, lost, lost])
  })

  function withInit(status: PodStatus, init = containersOf('i1', 'i2')): Pod {
    return podOf({ initContainers: init }, { status })
  }

  const initSidecar = [...containersOf('i1'), sidecar('s')]
  it.each([
    ['was never initialised', withInit({ containerStatuses: [statusOf('c', waiting)] }), false],
    ['once ran', withInit({ containerStatuses: [statusOf('c', running)] }), true],
    [
      'once ended',
      withInit({ containerStatuses: [statusOf('c', waiting, { lastState: succeeded })] }),
      true,
    ],
    [
      'finished its last init container',
      withInit({ initContainerStatuses: [statusOf('i1', succeeded), statusOf('i2', succeeded)] }),
      true,
    ],
    [
      'finished its last init container before it waited again',
      withInit({
        initContainerStatuses: [
          statusOf('i1', succeeded),
          statusOf('i2', waiting, { lastState: succeeded }),
        ],
      }),
      true,
    ],
    [
      'failed in its last init container',
      withInit({
        initContainerStatuses: [
          statusOf('i1', succeeded),
          statusOf('i2', { terminated: { exitCode: 1 } }),
        ],
      }),
      false,
    ],
    [
      'started its last sidecar',
      withInit(
        {
          initContainerStatuses: [
            statusOf('i1', succeeded),
            statusOf('s', running, { started: true }),
          ],
        },
        initSidecar,
      ),
      true,
    ],
    [
      'did not start its last sidecar',
      withInit(
        {
          initContainerStatuses: [
            statusOf('i1', succeeded),
            statusOf('s', running, { started: false }),
          ],
        },
        initSidecar,
      ),
      false,
    ],
    [
      'has an init status of another name',
      withInit({ initContainerStatuses: [statusOf('x', succeeded)] }),
      false,
    ],
    [
      'has an init status of another place',
      withInit({ initContainerStatuses: [statusOf('i2', succeeded)] }),
      false,
    ],
  ])('of a pod that %s are said to have run: %s', (_, pod, haveEnded) => {
    const status = terminatedStatus(pod, { containerStatuses: [statusOf('c', waiting)] })
    expect(states(status.containerStatuses)).toEqual([haveEnded ? lost : waiting])
  })
})

describe('the init containers of a terminated pod', () => {
  it.each([
    ['none that started', [waiting, waiting], [lost, waiting]],
    ['the first that ran', [running, waiting], [lost, waiting]],
    ['both that ran', [succeeded, running], [succeeded, lost]],
    ['a waiting one before one that ran', [waiting, running], [lost, lost]],
  ])('with %s', (_, before, after) => {
    const pod = podOf({ initContainers: containersOf('i0', 'i1') })
    const initContainerStatuses = before.map((state, index) => statusOf(`i${index}`, state))
    const status = terminatedStatus(pod, { initContainerStatuses })
    expect(states(status.initContainerStatuses)).toEqual(after)
  })
})
