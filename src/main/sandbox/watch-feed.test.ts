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
    capacity,
    overflow: () => ({ type: 'ERROR', object: { reason: 'Expired' } }),
    onEnd: () => ended.push('ended'),
  })
  return { made, ended }
}

describe('the feed of a watch', () => {
  it('gives what it starts with, then what comes, in order', async () => {
    const { made } = feed(['a', 'b'])
    made.push(event('c'))
    const log = new WatchLog(made.stream)
    expect(await log.seen()).toEqual(['ADDED a', 'ADDED b', 'ADDED c'])
    made.push(event('d'))
    expect(await log.seen()).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d'])
    expect(log.isEnded).toBe(false)
  })

  it('lets the client read what is there before it ends', async () => {
    const { made, ended } = feed([])
    made.push(event('a'))
    made.close()
    made.close()
    made.push(event('late'))
    const log = new WatchLog(made.stream)
    expect(await log.seen()).toEqual(['ADDED a'])
    expect([log.isEnded, ended]).toEqual([true, ['ended']])
  })

  it('drops everything when the client stops, also while it waits', async () => {
    const { made, ended } = feed([])
    const log = new WatchLog(made.stream)
    await log.seen()
    made.push(event('a'))
    log.stop()
    log.stop()
    expect(await log.seen()).toEqual([])
    expect([log.isEnded, ended]).toEqual([true, ['ended']])
  })

  it('closes a watch whose client does not read, with one error, and keeps nothing', async () => {
    const { made, ended } = feed(['a'], 2)
    for (const name of ['b', 'c', 'd', 'e']) made.push(event(name))
    expect(ended).toEqual(['ended'])
    const log = new WatchLog(made.stream)
    expect(await log.seen()).toEqual(['ERROR Expired'])
    expect(log.isEnded).toBe(true)
  })

  it('keeps as many as it may, and not one more', async () => {
    const { made } = feed([], 2)
    for (const name of ['a', 'b']) made.push(event(name))
    const log = new WatchLog(made.stream)
    expect(await log.seen()).toEqual(['ADDED a', 'ADDED b'])
    const { made: full, ended } = feed([], 2)
    for (const name of ['a', 'b', 'c']) full.push(event(name))
    expect(ended).toEqual(['ended'])
  })

  it('does not count against a client what it has read', async () => {
    const { made } = feed([], 2)
    const log = new WatchLog(made.stream)
    for (const name of ['a', 'b', 'c', 'd']) {
      made.push(event(name))
      await log.seen()
    }
    expect(await log.seen()).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d'])
  })
})
