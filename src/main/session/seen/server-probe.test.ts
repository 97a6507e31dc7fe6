import { describe, expect, it } from 'vitest'
import { TransportError } from '../../../shared/kubernetes/request.ts'
import type { ConnectionView } from '../../../shared/model/cluster-view.ts'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { answer, FakeTransport, FakeWatch } from '../../cluster/transport/fake-transport.ts'
import { ServerReachability } from '../cluster/server-reachability.ts'
import { ServerProbe } from './server-probe.ts'

const silence = new TransportError('timeout', 'https://s did not respond within 4 seconds.')

/** A server whose watch is open, and the probe of it. */
async function stage({ isConnected = true } = {}) {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const connection = { view: undefined as ConnectionView | undefined }
  const state = { how: 'answers' as 'answers' | 'silent' | 'hangs' | 'invalid', asked: 0 }
  const reachability = new ServerReachability({
    clock,
    onChange: (view) => {
      connection.view = view
      probe.check()
    },
    onReachable: () => undefined,
  })
  const watch = new FakeWatch()
  const server = new FakeTransport().script(watch.response)
  const opened = await reachability.observe(server).send({ method: 'GET', path: '/watch' })
  if (opened.kind !== 'watch') throw new Error('no watch')
  void (async () => {
    for await (const _event of opened.stream.events);
  })()
  const asking = reachability.observe({
    send: async () => {
      state.asked += 1
      if (state.how === 'hangs') return await new Promise(() => undefined)
      if (state.how === 'invalid') throw new TransportError('invalid', 'broken JSON')
      if (state.how === 'silent') {
        await new Promise<void>((resolve) => clock.after(4000, resolve))
        throw silence
      }
      return answer(200, {})
    },
  })
  const probe: ServerProbe = new ServerProbe({
    clock,
    server: reachability,
    ask: () => asking.send({ method: 'GET', path: '/version' }),
  })
  if (isConnected) reachability.onWatchStatus({ kind: 'connected' })
  const event = async (): Promise<void> => {
    watch.push({ type: 'BOOKMARK', object: {} })
    await clock.advance(0)
  }
  /** One event each 10 s, as nodes renew their leases. */
  const renew = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await clock.advance(10_000)
      await event()
    }
  }
  return { clock, state, probe, connection, reachability, event, renew }
}

describe('the probe of a server', () => {
  it('asks nothing while events arrive', async () => {
    const { state, renew } = await stage()
    await renew(30)
    expect(state.asked).toBe(0)
  })

  it('asks a server that answers and has no events each 30 s', async () => {
    const { clock, state, connection } = await stage()
    await clock.advance(10_999)
    expect(state.asked).toBe(0)
    await clock.advance(1)
    expect(state.asked).toBe(1)
    await clock.advance(300_000)
    expect(state.asked).toBe(11)
    expect(connection.view).toEqual({ kind: 'connected' })
  })

  it('says 15 s after the last event that the server does not answer, since that event', async () => {
    const { clock, state, connection, renew } = await stage()
    await renew(6)
    state.how = 'silent'
    await clock.advance(14_999)
    expect(connection.view).toEqual({ kind: 'connected' })
    await clock.advance(1)
    const away = { kind: 'away', since: 60_000, retryAt: null, message: silence.message }
    expect(connection.view).toEqual(away)
    await clock.advance(600_000)
    expect(connection.view).toEqual(away)
    state.how = 'answers'
    await clock.advance(14_000)
    expect(connection.view).toEqual({ kind: 'connected' })
  })

  it('takes the next event of the watch for an answer of a server that was silent', async () => {
    const { clock, state, connection, event } = await stage()
    state.how = 'silent'
    await clock.advance(20_000)
    expect(connection.view).toMatchObject({ kind: 'away', since: 0 })
    await event()
    expect(connection.view).toEqual({ kind: 'connected' })
  })

  it('does not count its question if an event has arrived since, or if the answer is invalid', async () => {
    const { clock, state, connection, event } = await stage()
    state.how = 'silent'
    await clock.advance(12_000)
    await event()
    await clock.advance(5000)
    expect(state.asked).toBe(1)
    expect(connection.view).toEqual({ kind: 'connected' })
    state.how = 'invalid'
    await clock.advance(60_000)
    expect(state.asked).toBeGreaterThan(1)
    expect(connection.view).toEqual({ kind: 'connected' })
  })

  it('asks nothing before the server has answered once', async () => {
    const { clock, state, reachability, probe } = await stage({ isConnected: false })
    probe.check()
    probe.askNow()
    await clock.advance(60_000)
    expect(state.asked).toBe(0)
    expect(reachability.isUnanswered).toBe(false)
  })

  it('asks a server that does not answer every 10 s, and at once on request', async () => {
    const { clock, state, probe } = await stage()
    state.how = 'silent'
    await clock.advance(15_000)
    expect(state.asked).toBe(1)
    await clock.advance(10_000)
    expect(state.asked).toBe(2)
    await clock.advance(4000)
    probe.askNow()
    expect(state.asked).toBe(3)
  })

  it('asks again on request while an earlier request has no answer', async () => {
    const { clock, state, probe } = await stage()
    state.how = 'silent'
    await clock.advance(15_000)
    state.how = 'hangs'
    await clock.advance(60_000)
    expect(state.asked).toBe(2)
    probe.askNow()
    expect(state.asked).toBe(3)
  })

  it('ends with the cluster', async () => {
    const { clock, state, probe } = await stage()
    probe.stop()
    await clock.advance(60_000)
    expect(state.asked).toBe(0)
  })
})
