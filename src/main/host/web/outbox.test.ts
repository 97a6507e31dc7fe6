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
  it('sends JSON and leaves a page that keeps up alone', async () => {
    const { clock, log, socket, outbox } = start()
    socket.bufferedAmount = 8 * mebibyte
    outbox.send({ a: 1 })
    await clock.advance(60_000)
    expect(log).toEqual(['{"a":1}'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('gives a page that is behind ten seconds, counted from the first message it was late with', async () => {
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

  it('forgives a page that caught up in time', async () => {
    const { clock, log, socket, outbox } = start()
    socket.bufferedAmount = 9 * mebibyte
    outbox.send(1)
    await clock.advance(5_000)
    socket.bufferedAmount = 0
    await clock.advance(60_000)
    expect(log).toEqual(['1'])
  })

  it('waits for nobody beyond 64 MiB', () => {
    const { clock, log, socket, outbox } = start()
    socket.bufferedAmount = 64 * mebibyte + 1
    outbox.send(1)
    expect(log).toEqual(['1', 64 * mebibyte + 1, 'terminated'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('leaves no timer behind when closed', () => {
    const { clock, socket, outbox } = start()
    socket.bufferedAmount = 9 * mebibyte
    outbox.send(1)
    outbox.close()
    expect(clock.pendingTimers).toBe(0)
  })
})
