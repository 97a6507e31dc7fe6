import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../../shared/result.ts'
import { nodeClockHost } from '../../../clock/node-clock-host.ts'
import { VirtualClock } from '../../../clock/virtual-clock.ts'
import type { ApiClient } from '../../../kubelet/ports.ts'
import { NodeDrain } from './node-drain.ts'

function pod(name: string): Pod {
  return { metadata: { name, namespace: 'a', uid: name }, spec: { containers: [] } }
}

const refusedByBudget = err({
  kind: 'too-many-requests',
  message: 'the budget',
  code: 429,
} as const)

function setUp(answers: Readonly<Record<string, Awaited<ReturnType<ApiClient['evict']>>>>) {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const there = new Set(Object.keys(answers))
  const asked: string[] = []
  const now = { mayChange: true, answers }
  const drain = new NodeDrain({
    node: 'n1',
    pods: Object.keys(answers).map(pod),
    options: {
      ignoreDaemonSets: true,
      deleteEmptyDirData: true,
      force: true,
      gracePeriodSeconds: 5,
    },
    api: {
      evict: async ({ name }, { gracePeriodSeconds, preconditions }) => {
        asked.push(`${name} ${String(gracePeriodSeconds)} ${preconditions?.uid ?? ''}`)
        return await Promise.resolve(now.answers[name] ?? ok(undefined))
      },
    },
    clock,
    isThere: (uid) => there.has(uid),
    mayChange: () => now.mayChange,
    onChange: () => undefined,
  })
  const running = drain.run()
  return { clock, there, asked, now, drain, running }
}

describe('a drain', () => {
  it('evicts all pods, asks again each 5 s where a budget is in the way, and ends when all are gone', async () => {
    const { clock, there, asked, now, drain, running } = setUp({
      fine: ok(undefined),
      guarded: refusedByBudget,
    })
    await clock.advance(4000)
    expect(asked).toEqual(['fine 5 fine', 'guarded 5 guarded'])
    expect(drain.view()).toMatchObject({
      state: 'running',
      evicted: 1,
      waiting: [
        { pod: 'a/fine', why: 'terminating' },
        { pod: 'a/guarded', why: 'the budget' },
      ],
    })
    there.delete('fine')
    now.answers = {}
    await clock.advance(3000)
    expect(asked).toHaveLength(3)
    there.delete('guarded')
    await clock.advance(2000)
    await running
    expect(drain.view()).toMatchObject({ state: 'done', evicted: 2, waiting: [] })
  })

  it('stops at any other refusal, and when changes are no longer allowed', async () => {
    const forbidden = setUp({
      web: err({ kind: 'forbidden', message: 'no right', code: 403 }),
    })
    await forbidden.clock.advance(1000)
    await forbidden.running
    expect(forbidden.drain.view()).toMatchObject({
      state: 'stopped',
      problem: 'The eviction of a/web was refused: no right',
    })
    const ended = setUp({ web: refusedByBudget })
    await ended.clock.advance(1000)
    ended.now.mayChange = false
    await ended.clock.advance(10_000)
    await ended.running
    expect(ended.asked).toHaveLength(1)
    expect(ended.drain.view().problem).toContain('Changes are no longer allowed')
  })
})
