import { describe, expect, it } from 'vitest'
import type { ShutdownPod } from './shutdown-plan.ts'
import { graceProblem, planShutdown } from './shutdown-plan.ts'

function pod(name: string, priority: number, specGraceSeconds: number): ShutdownPod {
  return { key: name, namespace: 'default', name, priority, specGraceSeconds }
}

const pods = [
  pod('web', 0, 30),
  pod('quick', 1_999_999_999, 5),
  pod('dns', 2_000_000_000, 30),
  pod('below', -10, 30),
]

describe('the plan of a graceful shutdown', () => {
  it('terminates critical pods last, each with its own grace period or its group’s', () => {
    const plan = planShutdown(pods, { total: 30, critical: 10 })
    expect(
      plan.map(({ name, fromSeconds, seconds, pods: members }) => [
        name,
        fromSeconds,
        seconds,
        members.map((member) => `${member.name} ${member.graceSeconds}`),
      ]),
    ).toEqual([
      ['low', 0, 20, ['web 20', 'quick 5', 'below 20']],
      ['critical', 20, 10, ['dns 10']],
    ])
  })

  it.each([
    [{ total: 30, critical: 10 }, ''],
    [{ total: 10, critical: 10 }, ''],
    [{ total: 0, critical: 0 }, 'The whole shutdown needs at least 1 s: 0 disables it.'],
    [{ total: 10, critical: 11 }, 'Critical pods cannot have more time than the whole shutdown.'],
  ])('with %j is refused with %j', (grace, problem) => {
    expect(graceProblem(grace)).toBe(problem)
  })
})
