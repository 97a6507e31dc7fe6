import { describe, expect, it } from 'vitest'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'
import { nodeClockHost } from '../../../clock/node-clock-host.ts'
import { VirtualClock } from '../../../clock/virtual-clock.ts'
import type { ApiClient, ApiError } from '../../../kubelet/ports.ts'
import { NodeDrain } from './node-drain.ts'

function pod(name: string): Pod {
  return { metadata: { name, namespace: 'a', uid: name }, spec: { containers: [] } }
}

function deleting(name: string, uid: string): Pod {
  const { metadata, ...rest } = pod(name)
  return { ...rest, metadata: { ...metadata, uid, deletionTimestamp: '2026-01-01T00:00:00Z' } }
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
  const now: {
    mayChange: boolean
    answers: typeof answers
    /** What GET answers. */
    found: Result<Pod, ApiError>
  } = { mayChange: true, answers, found: ok(pod('?')) }
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
      get: async ({ name }: { readonly name: string }) => {
        asked.push(`get ${name}`)
        return await Promise.resolve(now.found as never)
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

  it.each<readonly [string, Result<Pod, ApiError>]>([
    ['deleted', err({ kind: 'not-found', message: 'none', code: 404 })],
    ['terminating', ok(deleting('lost', 'lost'))],
    ['another one', ok(pod('other'))],
  ])(
    'does not evict a pod again whose eviction was not answered, and that is %s',
    async (_, found) => {
      const noAnswer = err({ kind: 'timeout', message: 'did not respond' } as const)
      const { clock, asked, now, drain, there, running } = setUp({ lost: noAnswer })
      now.found = err({ kind: 'unavailable', message: 'away' })
      await clock.advance(6000)
      expect(asked).toEqual(['lost 5 lost', 'get lost'])
      expect(drain.view().waiting[0]?.why).toBe(
        'The outcome of the eviction is not known, no response from the API server: did not respond. Look at the object before you try again.',
      )
      now.found = found
      await clock.advance(5000)
      expect(asked).toEqual(['lost 5 lost', 'get lost', 'get lost'])
      expect(drain.view()).toMatchObject({ evicted: 1, waiting: [{ why: 'terminating' }] })
      there.delete('lost')
      await clock.advance(6000)
      await running
      expect(drain.view().state).toBe('done')
    },
  )

  it('evicts a pod again that is as before, and without a look if the request was not sent', async () => {
    const noAnswer = err({ kind: 'timeout', message: 'late' } as const)
    const unsent = err({ kind: 'unavailable', message: 'refused', isUnsent: true } as const)
    const { clock, asked, now, drain } = setUp({ web: noAnswer })
    now.found = ok(pod('web'))
    await clock.advance(4000)
    now.answers = { web: unsent }
    await clock.advance(5000)
    now.answers = {}
    await clock.advance(5000)
    expect(asked).toEqual(['web 5 web', 'get web', 'web 5 web', 'web 5 web'])
    expect(drain.view().evicted).toBe(1)
    drain.stop('end')
  })

  it('tries again once with renewed credentials', async () => {
    const unauthorized = err({ kind: 'unauthorized', message: 'Unauthorized', code: 401 } as const)
    const { clock, asked, drain, running } = setUp({ web: unauthorized })
    await clock.advance(4000)
    expect(drain.isRunning).toBe(true)
    await clock.advance(6000)
    await running
    expect(asked).toHaveLength(2)
    expect(drain.view().problem).toBe('The eviction of a/web was refused: Unauthorized')
  })
})
