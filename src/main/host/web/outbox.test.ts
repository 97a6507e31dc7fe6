import { describe, expect, it } from 'vitest'
import { nodeClockHost } from '../../clock/node-clock-host.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { Outbox } from './outbox.ts'

const mebibyte = 1024 * 1024

function start() {
  const clock = new VirtualClock(nodeClockHost, { startAt: 0 })
  const log: unknown[] = []
  const socket = {
    bufferedAmount: 0,
    send: (text: string) => {
      log.push(text)
    },
    terminate: () => {
      log.push('terminated')
    },
  }
  const outbox = new Outbox({ socket, clock, onOverflow: (bytes) => log.push(bytes) })
  return { clock, log, socket, outbox }
}

describe('Outbox', () => {
  it('sends JSON to a page that keeps up', async () => {
    const { clock, log, socket, outbox } = start()
    socket.bufferedAmount = 8 * mebibyte
    outbox.send({ a: 1 })
    await clock.advance(60_000)
    expect(log).toEqual(['{"a":1}'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('ends the connection of a page that is too slow for ten seconds', async () => {
    const { clock, log, socket, outbox } = start()
    socket.bufferedAmount = 8 * mebibyte + 1
    outbox.send(1)
    await clock.advance(9_000)
    outbox.send(2)
    await clock.advance(999)
    expect(log).toEqual(['1', '2'])
    await clock.advance(1)
    expect(log).toEqual(['1', '2', 8 * mebibyte + 1, 'terminated'])
  })

  it('keeps the connection of a page that catches up in time', async () => {
    const { clock, log, socket, outbox } = start()
    socket.bufferedAmount = 9 * mebibyte
    outbox.send(1)
    await clock.advance(5_000)
    socket.bufferedAmount = 0
    await clock.advance(60_000)
    expect(log).toEqual(['1'])
  })

  it('ends a connection with more than 64 MiB unsent at once', () => {
    const { clock, log, socket, outbox } = start()
    socket.bufferedAmount = 64 * mebibyte + 1
    outbox.send(1)
    expect(log).toEqual(['1', 64 * mebibyte + 1, 'terminated'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('cancels its timer on close', () => {
    const { clock, socket, outbox } = start()
    socket.bufferedAmount = 9 * mebibyte
    outbox.send(1)
    outbox.close()
    expect(clock.pendingTimers).toBe(0)
  })
})
