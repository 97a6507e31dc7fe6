import { describe, expect, it } from 'vitest'
import { podOf, runtimeStatusOf, sandboxOf } from '../container/fake-pods.ts'
import { podSandboxChanged } from './sandbox-change.ts'

const hostPod = podOf({ hostNetwork: true })

describe('podSandboxChanged', () => {
  it.each([
    ['no sandbox is known', podOf(), [], [true, 0, undefined]],
    ['one is ready', podOf(), [sandboxOf()], [false, 0, 's0']],
    ['the newest is not ready', podOf(), [sandboxOf({ state: 'notready' })], [true, 1, 's0']],
    [
      'more than one is ready',
      podOf(),
      [sandboxOf({ attempt: 3 }), sandboxOf({ attempt: 2 })],
      [true, 4, 's3'],
    ],
    [
      'an older one is not ready',
      podOf(),
      [sandboxOf({ attempt: 3 }), sandboxOf({ attempt: 2, state: 'notready' })],
      [false, 3, 's3'],
    ],
    ['it has no IP', podOf(), [sandboxOf({ ips: [] })], [true, 1, 's0']],
    ['the pod moved to the host network', hostPod, [sandboxOf()], [true, 1, undefined]],
    [
      'the pod moved off the host network',
      podOf(),
      [sandboxOf({ hostNetwork: true, ips: [] })],
      [true, 1, undefined],
    ],
    [
      'it is on the host network, without an IP',
      hostPod,
      [sandboxOf({ hostNetwork: true, ips: [] })],
      [false, 0, 's0'],
    ],
  ] as const)('decides when %s', (_, pod, sandboxes, [isNeeded, attempt, sandboxId]) => {
    expect(podSandboxChanged(pod, runtimeStatusOf([], sandboxes))).toEqual({
      isNeeded,
      attempt,
      sandboxId,
    })
  })
})
