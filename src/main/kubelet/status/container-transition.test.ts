import { describe, expect, it } from 'vitest'
import type {
  ContainerState,
  PodStatus,
  RestartPolicy,
} from '../../../shared/kubernetes/objects.ts'
import { containersOf, podOf, sidecar } from '../container/fake-pods.ts'
import { illegalContainerTransition } from './container-transition.ts'

const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode } })
const running: ContainerState = { running: {} }
const waiting: ContainerState = { waiting: {} }

function statusOf(
  list: 'containerStatuses' | 'initContainerStatuses',
  state: ContainerState,
): PodStatus {
  return { [list]: [{ name: 'x', state, ready: false, restartCount: 0, image: 'i', imageID: '' }] }
}

function check(
  restartPolicy: RestartPolicy,
  old: ContainerState,
  next: ContainerState,
  list: 'containerStatuses' | 'initContainerStatuses' = 'containerStatuses',
): string | undefined {
  const pod = podOf({ restartPolicy, initContainers: containersOf('x') })
  return illegalContainerTransition(pod, statusOf(list, old), statusOf(list, next))
}

describe('illegalContainerTransition', () => {
  it.each([
    ['Always', ended(1), running, true],
    ['OnFailure', ended(1), running, true],
    ['OnFailure', ended(0), running, false],
    ['OnFailure', ended(0), waiting, false],
    ['Never', ended(0), running, false],
    ['Never', ended(1), waiting, false],
    ['Never', ended(1), ended(0), true],
    ['Never', running, waiting, true],
    ['Never', waiting, running, true],
  ] as const)('with %s from %j to %j is legal: %s', (policy, old, next, isLegal) => {
    expect(check(policy, old, next)).toBe(
      isLegal
        ? undefined
        : 'terminated container x attempted illegal transition to non-terminated state',
    )
    expect(check(policy, old, next, 'initContainerStatuses')).toBe(
      isLegal
        ? undefined
        : 'terminated init container x attempted illegal transition to non-terminated state',
    )
  })

  it('lets sidecars restart whatever the policy', () => {
    const pod = podOf({ restartPolicy: 'Never', initContainers: [sidecar('x')] })
    expect(
      illegalContainerTransition(
        pod,
        statusOf('initContainerStatuses', ended(0)),
        statusOf('initContainerStatuses', running),
      ),
    ).toBeUndefined()
  })

  it('follows no status of init containers that stand elsewhere in the pod', () => {
    const pod = podOf({ restartPolicy: 'Never', initContainers: containersOf('w', 'x') })
    const old = statusOf('initContainerStatuses', waiting)
    expect(illegalContainerTransition(pod, old, old)).toBe(
      'found mismatch between pod spec and status, container: x',
    )
    const always = podOf({ restartPolicy: 'Always', initContainers: containersOf('w', 'x') })
    expect(illegalContainerTransition(always, old, old)).toBeUndefined()
  })

  it('does not mind a container that is no longer there', () => {
    const pod = podOf({ restartPolicy: 'Never' })
    expect(
      illegalContainerTransition(pod, statusOf('containerStatuses', ended(0)), {}),
    ).toBeUndefined()
  })
})
