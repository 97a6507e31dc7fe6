import { describe, expect, it } from 'vitest'
import type { WatchEvent } from '../../shared/kubernetes/request.ts'
import { WatchLog } from './fake-client.ts'
import { WatchFeed } from './watch-feed.ts'

function event(name: string): WatchEvent {
  return { type: 'ADDED', object: { metadata: { name } } }
}

function feed(initial: readonly string[], capacity = 3) {
  const ended: string[] = []
  const made = new WatchFeed({
    initial: initial.map(event),
    capacity: { events: capacity, size: 1000 },
    overflow: () => ({ type: 'ERROR', object: { reason: 'Expired' } }),
    onEnd: () => ended.push('ended'),
  })
  return { made, ended }
}

describe('the feed of a watch', () => {
  it('returns the initial events, then the later ones, in order', async () => {
    const { made } = feed(['a', 'b'])
    made.push(event('c'))
    const log = new WatchLog(made.stream)
    expect(await log.seen()).toEqual(['ADDED a', 'ADDED b', 'ADDED c'])
    made.push(event('d'))
    expect(await log.seen()).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d'])
    expect(log.isEnded).toBe(false)
  })

  it('lets the client read the queue before it ends', async () => {
    const { made, ended } = feed([])
    made.push(event('a'))
    made.close()
    made.close()
    made.push(event('late'))
    const log = new WatchLog(made.stream)
    expect(await log.seen()).toEqual(['ADDED a'])
    expect([log.isEnded, ended]).toEqual([true, ['ended']])
  })

  it('drops all events when the client stops, even while it waits', async () => {
    const { made, ended } = feed([])
    const log = new WatchLog(made.stream)
    await log.seen()
    made.push(event('a'))
    log.stop()
    log.stop()
    expect(await log.seen()).toEqual([])
    expect([log.isEnded, ended]).toEqual([true, ['ended']])
  })

  it('closes a watch whose client does not read with one error, and keeps no events', async () => {
    const { made, ended } = feed(['a'], 2)
    for (const name of ['b', 'c', 'd', 'e']) made.push(event(name))
    expect(ended).toEqual(['ended'])
    const log = new WatchLog(made.stream)
    expect(await log.seen()).toEqual(['ERROR Expired'])
    expect(log.isEnded).toBe(true)
  })

  it('keeps events up to its capacity, and not one more', async () => {
    const { made } = feed([], 2)
    for (const name of ['a', 'b']) made.push(event(name))
    const log = new WatchLog(made.stream)
    expect(await log.seen()).toEqual(['ADDED a', 'ADDED b'])
    const { made: full, ended } = feed([], 2)
    for (const name of ['a', 'b', 'c']) full.push(event(name))
    expect(ended).toEqual(['ended'])
  })

  it('does not count the events that a client has read', async () => {
    const { made } = feed([], 2)
    const log = new WatchLog(made.stream)
    for (const name of ['a', 'b', 'c', 'd']) {
      made.push(event(name))
      await log.seen()
    }
    expect(await log.seen()).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d'])
  })

  it('closes a watch with few large unread events', async () => {
    let ended = 0
    const large = new WatchFeed({
      initial: [],
      capacity: { events: 100, size: 1000 },
      overflow: () => ({ type: 'ERROR', object: { kind: 'Status' } }),
      onEnd: () => {
        ended++
      },
    })
    const events = large.stream.events[Symbol.asyncIterator]()
    const event = { type: 'MODIFIED', object: {} } as const
    for (let index = 0; index < 10; index++) {
      large.push(event, 600)
      // Read ones make room.
      expect((await events.next()).value).toBe(event)
    }
    large.push(event, 600)
    large.push(event, 600)
    expect(ended).toBe(1)
    expect((await events.next()).value).toMatchObject({ type: 'ERROR' })
    expect((await events.next()).done).toBe(true)
  })
})
