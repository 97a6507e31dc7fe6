import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeRow } from '../../bridge/fake-views.ts'
import { RowOrder } from '../../store/rows/row-order.ts'
import { parseFilter } from '../../store/rows/row-filter.ts'
import { RowTable } from '../../store/rows/row-table.ts'
import { HeldOrder, holdOrder } from './held-order.ts'

describe('holdOrder', () => {
  it.each([
    ['nothing is held', 'abc', 'cab', '', 'cab'],
    ['a row would be added above the held one', 'bc', 'abc', 'b', 'bac'],
    ['a row is added below the held one', 'ac', 'abc', 'a', 'abc'],
    ['a row above the held one leaves', 'abc', 'bc', 'b', 'abc'],
    ['a row below the held one leaves', 'abc', 'ab', 'a', 'ab'],
    ['the held row itself leaves', 'abc', 'ac', 'b', 'abc'],
    ['two rows are held: the lower one counts', 'abcd', 'dcba', 'ab', 'abdc'],
    ['the held row is not shown', 'abc', 'cba', 'x', 'cba'],
  ])('%s', (_title, shown, wanted, held, expected) => {
    const keys = (text: string): readonly string[] => text.split('')
    expect(holdOrder(keys(shown), keys(wanted), keys(held)).join('')).toBe(expected)
  })
})

describe('HeldOrder', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const [a, b, c] = ['a', 'b', 'c'].map((name) => fakeRow({ name, uid: name }))
  if (a === undefined || b === undefined || c === undefined) throw new Error('three rows were made')

  function held() {
    const rows = new RowTable()
    const query = {
      scope: { cluster: 'sandbox', node: null },
      namespace: '',
      filter: parseFilter(''),
      segment: 'all',
      sort: { column: 'name', descending: false },
    } as const
    const order = new RowOrder({ rows, query })
    order.start()
    rows.replaceAll([a, b, c].filter((row) => row !== undefined))
    const shown = new HeldOrder({ order })
    shown.start()
    const names = (): string =>
      shown
        .keys()
        .map((key) => key.slice(-1))
        .join('')
    const leaving = (): string => [...shown.leaving()].map((key) => key.slice(-1)).join('')
    return { rows, order, query, shown, names, leaving }
  }

  it('keeps the rows above the pointer, removed ones dimmed, until the pointer leaves', () => {
    const { rows, shown, names, leaving } = held()
    shown.hold('pointer', b.key)
    rows.apply([], [a.key])
    expect([names(), leaving()]).toEqual(['abc', 'a'])
    vi.advanceTimersByTime(60_000)
    expect(names()).toBe('abc')
    shown.hold('pointer', null)
    expect([names(), leaving()]).toEqual(['bc', ''])
  })

  it('holds the row with the focus like the one under the pointer', () => {
    const { rows, shown, names } = held()
    shown.hold('focus', c.key)
    rows.apply([], [a.key])
    expect(names()).toBe('abc')
    shown.hold('focus', a.key)
    shown.hold('focus', null)
    expect(names()).toBe('bc')
  })

  it('removes a held row two seconds after it was deleted', () => {
    const { rows, shown, names, leaving } = held()
    let calls = 0
    shown.subscribe(() => calls++)
    shown.hold('pointer', b.key)
    rows.apply([], [b.key])
    expect([names(), leaving()]).toEqual(['abc', 'b'])
    vi.advanceTimersByTime(1999)
    expect(names()).toBe('abc')
    vi.advanceTimersByTime(1)
    expect([names(), leaving(), calls]).toEqual(['ac', '', 2])
  })

  it('keeps a held row that is added again within two seconds', () => {
    const { rows, shown, names, leaving } = held()
    shown.hold('pointer', b.key)
    rows.apply([], [b.key])
    rows.apply([b], [])
    vi.advanceTimersByTime(5000)
    expect([names(), leaving()]).toEqual(['abc', ''])
  })

  it('holds no row when another sort is chosen', () => {
    const { order, query, shown, names } = held()
    shown.hold('pointer', c.key)
    order.setQuery({ ...query, sort: { column: 'name', descending: true } })
    expect(names()).toBe('cba')
  })

  it('does not notify when the order stays the same', () => {
    const { rows, shown } = held()
    let calls = 0
    shown.subscribe(() => calls++)
    shown.hold('pointer', a.key)
    shown.hold('focus', b.key)
    rows.apply([{ ...a, restarts: 3 }], [])
    expect(calls).toBe(0)
  })

  it('clears its timer when it stops', () => {
    const { rows, shown } = held()
    shown.hold('pointer', b.key)
    rows.apply([], [b.key])
    shown.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
