import { describe, expect, it } from 'vitest'
import { shouldContainerBeRestarted } from './container-restart.ts'
import { containerStatusOf, podOf, runtimeStatusOf } from '../container/fake-pods.ts'

const container = { name: 'c', image: 'i' }

describe('shouldContainerBeRestarted', () => {
  it.each([
    ['Always', 0, true],
    ['Always', 1, true],
    ['OnFailure', 0, false],
    ['OnFailure', 1, true],
    ['Never', 0, false],
    ['Never', 1, false],
    [undefined, 0, true],
  ] as const)('with policy %s after exit code %d: %s', (restartPolicy, exitCode, expected) => {
    const pod = podOf(restartPolicy === undefined ? {} : { restartPolicy })
    const status = runtimeStatusOf([containerStatusOf('c', 'exited', { exitCode })])
    expect(shouldContainerBeRestarted(container, pod, status)).toBe(expected)
  })

  it.each([
    ['running', false],
    ['created', true],
    ['unknown', true],
  ] as const)('of a %s container whatever the policy: %s', (state, expected) => {
    const status = runtimeStatusOf([containerStatusOf('c', state)])
    expect(shouldContainerBeRestarted(container, podOf({ restartPolicy: 'Never' }), status)).toBe(
      expected,
    )
  })

  it('starts one that never ran, except in a deleted pod', () => {
    const pod = podOf({ restartPolicy: 'Never' })
    const deleted = podOf({}, { metadata: { deletionTimestamp: '1970-01-01T00:00:00Z' } })
    expect(shouldContainerBeRestarted(container, pod, runtimeStatusOf([]))).toBe(true)
    expect(shouldContainerBeRestarted(container, deleted, runtimeStatusOf([]))).toBe(false)
  })

  it('looks at the newest of its name', () => {
    const status = runtimeStatusOf([
      containerStatusOf('c', 'running', { attempt: 1 }),
      containerStatusOf('c', 'exited', { exitCode: 1 }),
    ])
    expect(shouldContainerBeRestarted(container, podOf(), status)).toBe(false)
  })
})
