import { describe, expect, it } from 'vitest'
import type { KubeResponse } from '../../../shared/kubernetes/request.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { answer, FakeTransport } from './fake-transport.ts'
import { RetryAfterTransport } from './retry-after-transport.ts'

const write = { method: 'POST', path: '/api/v1/namespaces/default/events', body: {} } as const
const busy = (status: number, seconds: string): KubeResponse =>
  answer(status, {}, { 'retry-after': seconds })

function setUp(...answers: readonly KubeResponse[]) {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const server = new FakeTransport().script(...answers)
  const transport = new RetryAfterTransport({ transport: server, clock })
  const statuses: number[] = []
  void transport.send(write).then(({ status }) => statuses.push(status))
  return { clock, server, transport, statuses }
}

describe('RetryAfterTransport', () => {
  it('retries a write after the seconds of Retry-After, not earlier', async () => {
    const { clock, server, statuses } = setUp(busy(429, '3'), busy(503, '2'), answer(201, {}))
    await clock.advance(2999)
    expect(server.requests).toHaveLength(1)
    await clock.advance(1)
    expect(server.requests).toHaveLength(2)
    await clock.advance(2000)
    expect(server.requests).toEqual([write, write, write])
    expect(statuses).toEqual([201])
  })

  it('honors the header of a response that is not JSON, from a load balancer', async () => {
    const text = { kind: 'text', status: 503, body: 'busy', contentType: 'text/plain' } as const
    const { clock, statuses } = setUp({ ...text, headers: { 'retry-after': '1' } }, answer(201, {}))
    await clock.advance(1000)
    expect(statuses).toEqual([201])
  })

  it.each([
    ['without seconds', answer(503, {})],
    ['with a date', busy(503, 'Wed, 21 Oct 2026 07:28:00 GMT')],
    ['of another kind', busy(409, '1')],
  ])('hands on a refusal %s', async (_, refusal) => {
    const { clock, server, statuses } = setUp(refusal)
    await clock.advance(60_000)
    expect([server.requests.length, statuses]).toEqual([1, [refusal.status]])
  })

  it('returns the refusal after ten retries', async () => {
    const { clock, server, statuses } = setUp(...Array.from({ length: 12 }, () => busy(429, '1')))
    await clock.advance(60_000)
    expect([server.requests.length, statuses]).toEqual([11, [429]])
  })

  it('returns the refusal if the wait would exceed the limit', async () => {
    const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
    const server = new FakeTransport().script(busy(429, '4'), busy(503, '60'), answer(200, {}))
    const transport = new RetryAfterTransport({ transport: server, clock, limitMs: 10_000 })
    let answered: { readonly at: number; readonly status: number } | undefined
    void transport.send(write).then(({ status }) => {
      answered = { at: clock.now(), status }
    })
    await clock.advance(120_000)
    expect([server.requests.length, answered]).toEqual([2, { at: 10_000, status: 503 }])
  })

  it('does not retry after stop', async () => {
    const { clock, server, transport, statuses } = setUp(busy(429, '5'))
    await clock.advance(1000)
    transport.stop()
    await clock.advance(60_000)
    expect([server.requests.length, statuses, clock.pendingTimers]).toEqual([1, [429], 0])
  })
})
