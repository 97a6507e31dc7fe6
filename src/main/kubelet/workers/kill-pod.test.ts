import { describe, expect, it } from 'vitest'
import { fakePod } from '../pod/fake-pod.ts'
import { setUpWorkers } from './fake-workers.ts'
import { killPodNow } from './kill-pod.ts'
import type { KillPodRequest } from './kill-pod.ts'

function setUp(graceSeconds = 30) {
  const world = setUpWorkers()
  const pod = fakePod({ uid: 'u', spec: { terminationGracePeriodSeconds: graceSeconds } })
  const kill = killPodNow({ podWorkers: world.workers, ...world })
  const results: unknown[] = []
  return {
    ...world,
    pod,
    results,
    kill: (request: Partial<KillPodRequest> = {}) => {
      void kill(pod, { evict: false, causes: [], ...request }).then((result) =>
        results.push(result),
      )
    },
  }
}

describe('killPodNow (semantics 4.11)', () => {
  it('resolves when the containers have stopped, not before', async () => {
    const { kill, settle, syncer, results, clock } = setUp()
    kill()
    await settle()
    await clock.advance(20_000)
    expect(results).toEqual([])
    syncer.current('u').finish()
    await settle()
    expect(results).toEqual([{ ok: true, value: undefined }])
    expect(clock.pendingTimers).toBe(0)
  })

  it('hands evict, the override and the status function to the worker', async () => {
    const { kill, settle, syncer, record } = setUp()
    const podStatusFunc = () => ({ reason: 'Evicted' })
    kill({ evict: true, gracePeriodSecondsOverride: 1, podStatusFunc })
    await settle()
    expect(record('u')).toMatchObject({ evicted: true, gracePeriodSeconds: 1 })
    expect(syncer.current('u').work).toMatchObject({ gracePeriodSeconds: 1, podStatusFunc })
  })

  it.each([
    ['1.5 times the grace', 30, undefined, 45_000],
    ['whole seconds of it', 21, undefined, 31_000],
    ['at least 10 s', 1, undefined, 10_000],
    ['the override counts', 30, 10, 15_000],
    ['an override of 0 too', 30, 0, 10_000],
  ])('gives up waiting: %s', async (_, graceSeconds, override, waitMs) => {
    const { kill, results, clock, recorder, record } = setUp(graceSeconds)
    kill({ gracePeriodSecondsOverride: override })
    await clock.advance(waitMs - 1)
    expect(results).toEqual([])
    await clock.advance(1)
    expect(results).toEqual([{ ok: false, error: 'timeout waiting to kill pod' }])
    expect(recorder.lines).toEqual([
      'Warning ExceededGracePeriod Container runtime did not kill the pod within specified grace period.',
    ])
    expect(record('u').terminatedAt).toBeUndefined()
  })

  it('resolves at once for a pod that has stopped, and waits in vain for one that is done', async () => {
    const { kill, settle, syncer, results, clock } = setUp()
    kill()
    await settle()
    syncer.current('u').finish()
    await settle()
    kill()
    await settle()
    expect(results).toHaveLength(2)
    syncer.current('u').finish()
    await settle()
    syncer.open.forEach((call) => {
      call.finish()
    })
    await settle()
    kill()
    await clock.advance(44_999)
    expect(results).toHaveLength(2)
    await clock.advance(1)
    expect(results[2]).toEqual({ ok: false, error: 'timeout waiting to kill pod' })
  })
})
