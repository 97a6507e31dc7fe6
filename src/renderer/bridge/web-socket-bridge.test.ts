import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ViewPatch } from '../../shared/ipc/contract.ts'
import { refusedCloseCode } from '../../shared/ipc/wire.ts'
import { FakeServer } from './fake-page-socket.ts'
import { WebSocketBridge } from './web-socket-bridge.ts'

const patch: ViewPatch = {
  epoch: 'e1',
  number: 1,
  now: {},
  upserts: [],
  removed: ['sandbox/n/u'],
  clusters: [],
  closed: [],
}

function start() {
  const server = new FakeServer()
  const calls: string[] = []
  const bridge = new WebSocketBridge({
    openSocket: server.openSocket,
    onAccepted: () => {
      calls.push('accepted')
    },
  })
  bridge.onConnection((state) => calls.push(state))
  bridge.onRefused((message) => calls.push(`refused: ${message}`))
  bridge.start()
  return { server, bridge, calls }
}

describe('WebSocketBridge', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('queues requests before the first connection and sends them in order', async () => {
    const { server, bridge, calls } = start()
    const first = bridge.request('pod.describe', { key: 'a' })
    const second = bridge.request('pod.watch', { key: null })
    expect(server.sent).toEqual([])
    server.send({ accepted: true })
    expect(server.sent).toEqual([
      { id: 1, name: 'pod.describe', args: { key: 'a' } },
      { id: 2, name: 'pod.watch', args: { key: null } },
    ])
    server.send({ id: 2, reply: null })
    server.send({ id: 1, reply: null })
    expect(await Promise.all([first, second])).toEqual([null, null])
    expect(calls).toEqual(['accepted'])
  })

  it('rejects with main’s message if main refuses the arguments', async () => {
    const { server, bridge } = start()
    server.send({ accepted: true })
    const reply = bridge.request('pod.describe', { key: '' })
    server.send({ id: 1, error: 'The request pod.describe is malformed: key must not be empty.' })
    await expect(reply).rejects.toThrow(
      'The request pod.describe is malformed: key must not be empty.',
    )
  })

  it('passes an event to all its subscribers, and to none after they unsubscribe', () => {
    const { server, bridge } = start()
    const seen: string[] = []
    const listener = (payload: ViewPatch): void => {
      seen.push(`a${payload.number}`)
    }
    const unsubscribe = bridge.subscribe('view.patched', listener)
    bridge.subscribe('view.patched', listener)
    bridge.subscribe('pod.detailed', () => seen.push('detail'))
    server.send({ accepted: true })
    server.send({ event: 'view.patched', payload: patch })
    unsubscribe()
    unsubscribe()
    server.send({ event: 'view.patched', payload: { ...patch, number: 2 } })
    expect(seen).toEqual(['a1', 'a1', 'a2'])
  })

  it('rejects pending requests when the connection breaks, and reports lost and connected once each', async () => {
    const { server, bridge, calls } = start()
    server.send({ accepted: true })
    const asked = bridge.request('pod.describe', { key: 'a' })
    server.close(1006)
    await expect(asked).rejects.toThrow('The connection to Nodescope is lost.')
    await expect(bridge.request('pod.watch', { key: null })).rejects.toThrow(
      'The connection to Nodescope is lost.',
    )
    vi.advanceTimersByTime(250)
    server.close(1006)
    vi.advanceTimersByTime(500)
    expect(server.sockets.length).toBe(3)
    server.send({ accepted: true })
    expect(calls).toEqual(['accepted', 'lost', 'accepted', 'connected'])
  })

  it('answers again after a reconnection, and drops old replies', async () => {
    const { server, bridge } = start()
    server.send({ accepted: true })
    const before = bridge.request('pod.describe', { key: 'a' })
    server.close(1006)
    await expect(before).rejects.toThrow('lost')
    vi.advanceTimersByTime(250)
    server.send({ accepted: true })
    const after = bridge.request('uid.translate', { cluster: 'c', uid: 'u' })
    expect(server.sent).toEqual([
      { id: 2, name: 'uid.translate', args: { cluster: 'c', uid: 'u' } },
    ])
    server.send({ id: 1, reply: null })
    server.send({ id: 2, reply: { node: 'n', staticUid: 's', mirrorUid: 'm' } })
    expect(await after).toEqual({ node: 'n', staticUid: 's', mirrorUid: 'm' })
  })

  it('doubles the delay after each failure, up to five seconds, and resets it when accepted', () => {
    const { server } = start()
    const waits: number[] = []
    for (let round = 0; round < 7; round++) {
      const opened = server.sockets.length
      server.close(1006)
      let waited = 0
      while (server.sockets.length === opened) {
        vi.advanceTimersByTime(50)
        waited += 50
      }
      waits.push(waited)
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000])
    server.send({ accepted: true })
    server.close(1001)
    vi.advanceTimersByTime(250)
    expect(server.sockets.length).toBe(9)
  })

  it('rejects queued requests if the first connection fails', async () => {
    const { server, bridge, calls } = start()
    const early = bridge.request('view.open', {})
    server.close(1006)
    await expect(early).rejects.toThrow('The connection to Nodescope is lost.')
    vi.advanceTimersByTime(250)
    server.send({ accepted: true })
    expect(server.sent).toEqual([])
    expect(calls).toEqual(['lost', 'accepted', 'connected'])
  })

  it('stops with the reason if main refuses the token', async () => {
    const { server, bridge, calls } = start()
    const early = bridge.request('view.open', {})
    server.close(refusedCloseCode, 'This token is of an earlier start.')
    await expect(early).rejects.toThrow('This token is of an earlier start.')
    await expect(bridge.request('view.open', {})).rejects.toThrow(
      'This token is of an earlier start.',
    )
    vi.advanceTimersByTime(60_000)
    expect(server.sockets.length).toBe(1)
    const late: string[] = []
    bridge.onRefused((message) => late.push(message))
    expect(late).toEqual(['This token is of an earlier start.'])
    expect(calls).toEqual(['refused: This token is of an earlier start.'])
  })
})
