import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer, KeyedRequestDeps } from './keyed-request.ts'
import { KeyedRequest } from './keyed-request.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

interface Pending {
  readonly key: string
  readonly answer: (value: string | null) => Promise<void>
  readonly fail: (error: Error) => Promise<void>
}

function setUp(more: Partial<KeyedRequestDeps<string, string>> = {}) {
  const asked: Pending[] = []
  const told: Answer<string>[] = []
  const request = new KeyedRequest<string, string>({
    ask: (key) =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void) => async (): Promise<void> => {
          act()
          await vi.advanceTimersByTimeAsync(0)
        }
        asked.push({
          key,
          answer: (value) => settle(() => resolve(value))(),
          fail: (error) => settle(() => reject(error))(),
        })
      }),
    publish: (answer) => told.push(answer),
    ...more,
  })
  const last = (): Pending => {
    const pending = asked.at(-1)
    if (pending === undefined) throw new Error('nothing was asked')
    return pending
  }
  return { request, asked, told, last, keys: () => asked.map(({ key }) => key) }
}

const loading: Answer<string> = { state: 'loading', value: null, failure: '' }

describe('a keyed request', () => {
  it('runs once at a time, and once more after changes in the meantime', async () => {
    const { request, keys, last } = setUp()
    request.setKey('web')
    for (let change = 0; change < 5; change++) request.refresh()
    expect(keys()).toEqual(['web'])
    await last().answer('one')
    expect(keys()).toEqual(['web', 'web'])
    await last().answer('two')
    expect(keys()).toEqual(['web', 'web'])
  })

  it('is sent only for the newest of many keys, and drops the answer about another', async () => {
    const { request, keys, told, last } = setUp()
    for (const key of ['a', 'b', 'c', 'd']) request.setKey(key)
    await last().answer('of a')
    expect(keys()).toEqual(['a', 'd'])
    await last().answer('of d')
    expect(told.filter(({ value }) => value !== null)).toEqual([
      { state: 'live', value: 'of d', failure: '' },
    ])
  })

  it('compares keys by their fields', () => {
    const request = new KeyedRequest<{ readonly node: string }, string>({
      ask: () => Promise.resolve(null),
      publish: () => undefined,
    })
    expect([{ node: 'a' }, { node: 'a' }, { node: 'b' }].map((key) => request.setKey(key))).toEqual(
      [true, false, true],
    )
  })

  it('keeps its interval, which does not delay another key', async () => {
    const { request, keys, last } = setUp({ minIntervalMs: 1000 })
    request.setKey('a')
    await last().answer('one')
    request.refresh()
    await vi.advanceTimersByTimeAsync(999)
    expect(keys()).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(1)
    expect(keys()).toEqual(['a', 'a'])
    await last().answer('two')
    request.setKey('b')
    expect(keys()).toEqual(['a', 'a', 'b'])
  })

  it('applies a shorter interval immediately', async () => {
    const { request, keys, last } = setUp({ minIntervalMs: 5000 })
    request.setKey('a')
    await last().answer('one')
    request.refresh()
    request.setWanted(true, 1000)
    expect(keys()).toEqual(['a', 'a'])
  })

  it('is not sent while it is not wanted, and keeps its value', async () => {
    const { request, keys, told, last } = setUp()
    request.setWanted(false)
    request.setKey('a')
    request.refresh()
    expect(keys()).toEqual([])
    request.setWanted(true)
    await last().answer('one')
    request.setWanted(false)
    request.refresh()
    expect([keys(), told.at(-1)?.value]).toEqual([['a'], 'one'])
  })

  it('waits for the delay of a key that may change again', async () => {
    const { request, keys } = setUp()
    for (const key of ['h', 'he', 'hel']) {
      request.setKey(key, 200)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(keys()).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    expect(keys()).toEqual(['hel'])
  })

  it('keeps its last value after the thing is gone', async () => {
    const { request, told, last } = setUp()
    request.setKey('a')
    await last().answer('one')
    request.refresh()
    await last().answer(null)
    expect(told).toEqual([
      loading,
      { state: 'live', value: 'one', failure: '' },
      { state: 'gone', value: 'one', failure: '' },
    ])
  })

  it('has the reason of a failure, and retries with back-off', async () => {
    const { request, told, keys, last } = setUp()
    request.setKey('a')
    await last().answer('one')
    request.refresh()
    await last().fail(new Error('The disk is full.'))
    expect(told.at(-1)).toEqual({ state: 'live', value: 'one', failure: 'The disk is full.' })
    request.refresh()
    await vi.advanceTimersByTimeAsync(1000)
    expect(keys()).toHaveLength(3)
    await last().fail(new Error('The disk is full.'))
    await vi.advanceTimersByTimeAsync(1999)
    expect(keys()).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(1)
    await last().answer('two')
    expect(told.at(-1)).toEqual({ state: 'live', value: 'two', failure: '' })
  })

  it('starts over immediately after a restart', async () => {
    const { request, keys, last } = setUp()
    request.setKey('a')
    await last().fail(new Error('lost'))
    request.restart()
    expect(keys()).toEqual(['a', 'a'])
  })

  it('is not sent while the page is hidden, and refreshes when it is visible', async () => {
    const left: string[] = []
    const { request, keys, last, told } = setUp({
      unsubscribe: () => {
        left.push('left')
        return Promise.resolve()
      },
    })
    request.setKey('a')
    await last().answer('one')
    request.setVisible(false)
    request.refresh()
    await vi.advanceTimersByTimeAsync(0)
    expect([left, keys(), told.at(-1)?.value]).toEqual([['left'], ['a'], 'one'])
    request.setVisible(true)
    expect(keys()).toEqual(['a', 'a'])
  })

  it('accepts updates about its own key until it unsubscribes', async () => {
    const left: string[] = []
    const { request, told, last } = setUp({
      unsubscribe: () => {
        left.push('left')
        return Promise.resolve()
      },
    })
    request.setKey('a')
    await last().answer('one')
    request.receive('b', 'of b')
    request.receive('a', 'two')
    expect(told.at(-1)).toEqual({ state: 'live', value: 'two', failure: '' })
    request.setKey('b')
    expect(left).toEqual([])
    await last().answer('of b')
    request.setKey(null)
    expect(left).toEqual(['left'])
  })
})
