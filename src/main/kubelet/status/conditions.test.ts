import { describe, expect, it } from 'vitest'
import type { ContainerStatus, Pod, PodCondition } from '../../../shared/kubernetes/objects.ts'
import { containersOf, podOf, runtimeStatusOf, sandboxOf, sidecar } from '../container/fake-pods.ts'
import {
  containersReadyCondition,
  needsReadinessReconcile,
  podInitializedCondition,
  podReadyCondition,
  podReadyToStartContainersCondition,
  podScheduledCondition,
  unreadyForTerminalPhase,
  withCondition,
} from './conditions.ts'

function statusOf(name: string, rest: Partial<ContainerStatus> = {}): ContainerStatus {
  return { name, ready: false, restartCount: 0, image: 'i', imageID: '', ...rest }
}

const ready = (name: string): ContainerStatus => statusOf(name, { ready: true })
const twoContainers = podOf({ containers: containersOf('a', 'b') })

describe('ContainersReady', () => {
  it.each([
    [
      'no statuses',
      twoContainers,
      undefined,
      'Pending',
      'False',
      'UnknownContainerStatuses',
      undefined,
    ],
    ['all ready', twoContainers, [ready('a'), ready('b')], 'Running', 'True', undefined, undefined],
    [
      'unready and unknown ones',
      podOf({ containers: containersOf('a', 'b', 'c') }),
      [statusOf('a'), ready('b')],
      'Running',
      'False',
      'ContainersNotReady',
      'containers with unknown status: [c], containers with unready status: [a]',
    ],
    [
      'two unready ones',
      twoContainers,
      [statusOf('a'), statusOf('b')],
      'Running',
      'False',
      'ContainersNotReady',
      'containers with unready status: [a b]',
    ],
    [
      'an unready sidecar, named first',
      podOf({ initContainers: [...containersOf('init'), sidecar('s')] }),
      [statusOf('init'), statusOf('s'), statusOf('c')],
      'Running',
      'False',
      'ContainersNotReady',
      'containers with unready status: [s c]',
    ],
    [
      'a succeeded pod',
      twoContainers,
      [statusOf('a'), statusOf('b')],
      'Succeeded',
      'False',
      'PodCompleted',
      undefined,
    ],
    [
      'a succeeded pod with an unknown container',
      twoContainers,
      [statusOf('a')],
      'Succeeded',
      'False',
      'ContainersNotReady',
      'containers with unknown status: [b], containers with unready status: [a]',
    ],
    ['a failed pod', twoContainers, [ready('a')], 'Failed', 'False', 'PodFailed', undefined],
  ] as const)('of %s', (_, pod, statuses, phase, status, reason, message) => {
    const verdict = {
      status,
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
    }
    expect(containersReadyCondition(pod, statuses, phase)).toEqual({
      type: 'ContainersReady',
      ...verdict,
    })
    expect(podReadyCondition(pod, [], statuses, phase)).toEqual({ type: 'Ready', ...verdict })
  })
})

describe('Ready with readiness gates', () => {
  const gated = podOf({ readinessGates: [{ conditionType: 'g1' }, { conditionType: 'g2' }] })

  it('names every gate that is missing or not True', () => {
    expect(
      podReadyCondition(gated, [{ type: 'g2', status: 'Unknown' }], [ready('c')], 'Running'),
    ).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'ReadinessGatesNotReady',
      message:
        'corresponding condition of pod readiness gate "g1" does not exist., ' +
        'the status of pod readiness gate "g2" is not "True", but Unknown',
    })
  })

  it('is True when all gates are, and leaves ContainersReady alone', () => {
    const gates = [
      { type: 'g1', status: 'True' },
      { type: 'g2', status: 'True' },
    ] as const
    expect(podReadyCondition(gated, gates, [ready('c')], 'Running')).toEqual({
      type: 'Ready',
      status: 'True',
    })
    expect(containersReadyCondition(gated, [ready('c')], 'Running').status).toBe('True')
  })

  it('asks for a sync only when Ready is present and would change', () => {
    const withReady = (status: 'True' | 'False', message?: string): Pod => ({
      ...gated,
      status: {
        phase: 'Running',
        containerStatuses: [ready('c')],
        conditions: [
          { type: 'g1', status: 'True' },
          { type: 'g2', status: 'True' },
          { type: 'Ready', status, ...(message === undefined ? {} : { message }) },
        ],
      },
    })
    expect(needsReadinessReconcile(withReady('False'))).toBe(true)
    expect(needsReadinessReconcile(withReady('True', 'why'))).toBe(true)
    expect(needsReadinessReconcile(withReady('True'))).toBe(false)
    expect(needsReadinessReconcile(gated)).toBe(false)
    expect(needsReadinessReconcile(podOf({}, { status: withReady('False').status }))).toBe(false)
  })
})

describe('Initialized', () => {
  const pod = podOf({ initContainers: [...containersOf('i1', 'i2'), sidecar('s')] })

  it.each([
    ['a pod without init containers', podOf(), undefined, 'Pending', { status: 'True' }],
    [
      'no statuses',
      pod,
      undefined,
      'Pending',
      { status: 'False', reason: 'UnknownContainerStatuses' },
    ],
    [
      'one done, one not, a sidecar unknown',
      pod,
      [ready('i1'), statusOf('i2')],
      'Pending',
      {
        status: 'False',
        reason: 'ContainersNotInitialized',
        message: 'containers with unknown status: [s], containers with incomplete status: [i2]',
      },
    ],
    [
      'a sidecar that runs but has not started',
      pod,
      [ready('i1'), ready('i2'), statusOf('s', { ready: true, started: false })],
      'Pending',
      {
        status: 'False',
        reason: 'ContainersNotInitialized',
        message: 'containers with incomplete status: [s]',
      },
    ],
    [
      'all done',
      pod,
      [ready('i1'), ready('i2'), statusOf('s', { started: true })],
      'Pending',
      { status: 'True' },
    ],
    [
      'a regular container that started once, whatever the sidecar does',
      pod,
      [ready('i1'), ready('i2'), statusOf('s'), statusOf('c', { state: { running: {} } })],
      'Running',
      { status: 'True' },
    ],
    [
      'a succeeded pod',
      pod,
      [ready('i1'), ready('i2'), statusOf('s')],
      'Succeeded',
      { status: 'True', reason: 'PodCompleted' },
    ],
    [
      'a succeeded pod without init containers',
      podOf(),
      [statusOf('c')],
      'Succeeded',
      { status: 'True', reason: 'PodCompleted' },
    ],
  ] as const)('of %s', (_, subject, statuses, phase, verdict) => {
    expect(podInitializedCondition(subject, statuses, phase)).toEqual({
      type: 'Initialized',
      ...verdict,
    })
  })
})

describe('other conditions', () => {
  it('PodReadyToStartContainers follows the sandbox', () => {
    const of = (...sandboxes: readonly ReturnType<typeof sandboxOf>[]) =>
      podReadyToStartContainersCondition(podOf(), runtimeStatusOf([], sandboxes))
    expect(of(sandboxOf())).toEqual({ type: 'PodReadyToStartContainers', status: 'True' })
    expect(of()).toEqual({ type: 'PodReadyToStartContainers', status: 'False' })
    expect(of(sandboxOf({ state: 'notready' })).status).toBe('False')
  })

  it('observe the generation of a pod that has one', () => {
    const pod = podOf({}, { metadata: { generation: 3 } })
    expect(podScheduledCondition(pod)).toEqual({
      type: 'PodScheduled',
      status: 'True',
      observedGeneration: 3,
    })
    expect(podScheduledCondition(podOf())).toEqual({ type: 'PodScheduled', status: 'True' })
  })

  it('turn False with the phase that ended the pod', () => {
    expect(unreadyForTerminalPhase(podOf(), 'Ready', 'Failed')).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'PodFailed',
    })
    expect(unreadyForTerminalPhase(podOf(), 'ContainersReady', 'Succeeded')).toEqual({
      type: 'ContainersReady',
      status: 'False',
      reason: 'PodCompleted',
    })
  })

  it('are replaced in place or appended', () => {
    const a: PodCondition = { type: 'a', status: 'True' }
    const b: PodCondition = { type: 'b', status: 'True' }
    const a2: PodCondition = { type: 'a', status: 'False' }
    expect(withCondition([a, b], a2)).toEqual([a2, b])
    expect(withCondition([b], a)).toEqual([b, a])
  })
})
