import { describe, expect, it } from 'vitest'
import type { Lease } from '../../../shared/kubernetes/objects.ts'
import { toMicroTime } from '../../../shared/kubernetes/timestamps.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { ApiError } from '../../kubelet/ports.ts'
import { LeaseGuard } from './lease-guard.ts'
import type { LeaseVerdict } from './lease-guard.ts'

const startAt = Date.parse('2026-01-01T00:00:00Z')
const refused: ApiError = { kind: 'unavailable', message: 'https://k refused the connection.' }
const absent: ApiError = { kind: 'not-found', message: 'not found', code: 404 }

function lease(agoSeconds: number, spec: Lease['spec'] = {}): Result<Lease, ApiError> {
  return ok({
    metadata: { name: 'n1', uid: 'l' },
    spec: {
      holderIdentity: 'n1',
      leaseDurationSeconds: 40,
      renewTime: toMicroTime(startAt - agoSeconds * 1000),
      ...spec,
    },
  })
}

type Answer = Result<Lease, ApiError>

/** A guard with a server whose response at each second is configured. */
function watched(answerAt: (second: number) => Answer) {
  const clock = new VirtualClock(nodeClockHost, {
    startAt,
    onError: (error) => {
      throw error
    },
  })
  const seconds = (): number => (clock.now() - startAt) / 1000
  const said: string[] = []
  const guard = new LeaseGuard({
    readLease: () => Promise.resolve(answerAt(seconds())),
    nodeName: 'n1',
    clock,
    onWait: (sentence) => said.push(`${seconds()} s: ${sentence}`),
  })
  let verdict: { readonly at: number; readonly verdict: LeaseVerdict } | undefined
  void guard.run().then((found) => {
    verdict = { at: seconds(), verdict: found }
  })
  return { clock, guard, said, verdict: () => verdict }
}

describe('LeaseGuard', () => {
  it.each([
    ['there is none', err(absent)],
    ['it has run out', lease(40)],
    ['it has no holder', lease(3, { holderIdentity: '' })],
    ['it was never renewed', lease(3, { renewTime: '' })],
  ])('does not watch a lease where %s', async (_why, found: Answer) => {
    const { clock, said, verdict } = watched(() => found)
    await clock.advance(0)
    expect(verdict()).toEqual({ at: 0, verdict: { kind: 'free' } })
    expect(said).toEqual([])
  })

  it('is free after a current lease was not renewed for 15 s: its kubelet has exited', async () => {
    const { clock, said, verdict } = watched(() => lease(3))
    await clock.advance(14_999)
    expect(verdict()).toBeUndefined()
    await clock.advance(1)
    expect(verdict()).toEqual({ at: 15, verdict: { kind: 'free' } })
    expect(said).toEqual([
      '0 s: Watching the lease of node "n1" for 15 s: "n1" renewed it at 2025-12-31T23:59:57.000000Z; a running kubelet renews it again.',
    ])
  })

  it('is held as soon as the lease is renewed, whatever its holder', async () => {
    const { clock, verdict } = watched((second) => (second < 9 ? lease(1) : lease(-9)))
    await clock.advance(60_000)
    expect(verdict()).toEqual({
      at: 9,
      verdict: {
        kind: 'held',
        message:
          'The node "n1" is held by a running kubelet: "n1" renewed its lease at 2026-01-01T00:00:09.000000Z, during the check; choose another name with --node, or stop that kubelet.',
      },
    })
  })

  it('watches a longer lease for the time within which a kubelet renews it', async () => {
    const long = { leaseDurationSeconds: 120 }
    const { clock, said, verdict } = watched((second) =>
      second < 30 ? lease(1, long) : lease(-30, long),
    )
    await clock.advance(60_000)
    expect(said[0]).toContain('for 36 s')
    expect(verdict()).toMatchObject({ at: 30, verdict: { kind: 'held' } })
  })

  it('treats a lease from a clock that is ahead as current', async () => {
    const { clock, verdict } = watched(() => lease(-120))
    await clock.advance(60_000)
    expect(verdict()?.at).toBe(15)
  })

  it('waits while the server does not respond, and starts the watch again at the next response', async () => {
    const { clock, said, verdict } = watched((second) =>
      second >= 10 && second < 100 ? err(refused) : lease(3),
    )
    await clock.advance(114_999)
    expect(verdict()).toBeUndefined()
    await clock.advance(1)
    expect(verdict()).toEqual({ at: 115, verdict: { kind: 'free' } })
    expect(said.map((line) => line.slice(0, 60))).toEqual([
      '0 s: Watching the lease of node "n1" for 15 s: "n1" renewed ',
      '10 s: The lease of node "n1" cannot be read, so it is unknow',
      '100 s: Watching the lease of node "n1" for 15 s: "n1" renewe',
    ])
  })

  it('detects a renewal during an outage of the server', async () => {
    const { clock, verdict } = watched((second) => {
      if (second < 5) return lease(3)
      return second < 90 ? err(refused) : lease(-89)
    })
    await clock.advance(200_000)
    expect(verdict()).toMatchObject({ at: 90, verdict: { kind: 'held' } })
  })

  it('also watches an expired lease after an outage, because no kubelet could renew it', async () => {
    const { clock, said, verdict } = watched((second) => {
      if (second < 3) return err(refused)
      return second < 10 ? lease(50) : lease(-10)
    })
    await clock.advance(60_000)
    expect(verdict()).toMatchObject({ at: 10, verdict: { kind: 'held' } })
    expect(said[0]).toBe(
      '0 s: The lease of node "n1" cannot be read, so it is unknown whether another kubelet holds it: https://k refused the connection; trying again.',
    )
  })

  it('treats a recreated lease as renewed: its node was deleted, but its kubelet runs', async () => {
    const { clock, verdict } = watched((second) => {
      if (second < 4) return lease(3)
      return second < 8 ? err(absent) : lease(-8)
    })
    await clock.advance(60_000)
    expect(verdict()).toMatchObject({ at: 8, verdict: { kind: 'held' } })
  })

  it('is held if the lease may not be read', async () => {
    const { clock, verdict } = watched(() =>
      err({ kind: 'forbidden', message: 'leases "n1" is forbidden.', code: 403 }),
    )
    await clock.advance(60_000)
    expect(verdict()).toEqual({
      at: 0,
      verdict: {
        kind: 'held',
        message:
          'The lease of node "n1" may not be read, so it is unknown whether another kubelet holds it: leases "n1" is forbidden.',
      },
    })
  })

  it('stops reading the lease after stop', async () => {
    let asked = 0
    const { clock, guard, verdict } = watched(() => {
      asked++
      return lease(3)
    })
    await clock.advance(2500)
    guard.stop()
    await clock.advance(60_000)
    expect(verdict()).toEqual({ at: 2.5, verdict: { kind: 'stopped' } })
    expect([asked, clock.pendingTimers]).toEqual([3, 0])
  })
})
