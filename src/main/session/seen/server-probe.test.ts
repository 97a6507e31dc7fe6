import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { ServerProbe } from './server-probe.ts'

function stage() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const server = { isUnanswered: false, asked: 0, answer: Promise.resolve() }
  const probe = new ServerProbe({
    clock,
    isUnanswered: () => server.isUnanswered,
    ask: () => {
      server.asked += 1
      return server.answer
    },
  })
  return { clock, server, probe }
}

describe('the probe of a server', () => {
  it('asks nothing of a server that answers', async () => {
    const { clock, server, probe } = stage()
    probe.check()
    probe.askNow()
    await clock.advance(60_000)
    expect(server.asked).toBe(0)
  })

  it('asks every 10 s until it answers, and at once on request', async () => {
    const { clock, server, probe } = stage()
    server.isUnanswered = true
    probe.check()
    probe.check()
    await clock.advance(25_000)
    expect(server.asked).toBe(2)
    probe.askNow()
    expect(server.asked).toBe(3)
    server.isUnanswered = false
    await clock.advance(60_000)
    expect(server.asked).toBe(3)
  })

  it('asks again on request while an earlier request has no answer', async () => {
    const { clock, server, probe } = stage()
    server.isUnanswered = true
    server.answer = new Promise(() => undefined)
    probe.check()
    await clock.advance(60_000)
    expect(server.asked).toBe(1)
    probe.askNow()
    expect(server.asked).toBe(2)
  })

  it('ends with the cluster', async () => {
    const { clock, server, probe } = stage()
    server.isUnanswered = true
    probe.check()
    probe.stop()
    await clock.advance(60_000)
    expect(server.asked).toBe(0)
  })
})
