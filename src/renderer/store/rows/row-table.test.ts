import { describe, expect, it } from 'vitest'
import { fakeRow } from '../../bridge/fake-views.ts'
import type { RowChange } from './row-table.ts'
import { RowTable } from './row-table.ts'

const hello = fakeRow({ name: 'hello' })
const loud = fakeRow({ name: 'loud' })

describe('RowTable', () => {
  it('calls the listeners of a row only when that row is in the patch', () => {
    const table = new RowTable()
    table.replaceAll([hello, loud])
    const calls: string[] = []
    table.subscribeRow(hello.key, () => calls.push('hello'))
    table.subscribeRow(loud.key, () => calls.push('loud'))
    table.apply([{ ...hello, restarts: 1 }], [])
    expect(calls).toEqual(['hello'])
    table.apply([], [loud.key])
    expect(calls).toEqual(['hello', 'loud'])
  })

  it('calls the listeners of all rows once for each patch, and not for an empty one', () => {
    const table = new RowTable()
    const changes: RowChange[] = []
    table.subscribe((change) => changes.push(change))
    table.replaceAll([hello])
    table.apply([loud], [hello.key])
    table.apply([], [])
    expect(changes).toEqual([
      { kind: 'all' },
      { kind: 'some', upserts: [loud], removed: [hello.key] },
    ])
  })

  it('keeps the last version of a removed row until the row is back', () => {
    const table = new RowTable()
    table.replaceAll([hello])
    table.apply([], [hello.key])
    expect(table.get(hello.key)).toBeUndefined()
    expect(table.lastKnown(hello.key)).toEqual(hello)
    const back = { ...hello, restarts: 7 }
    table.apply([back], [])
    expect(table.lastKnown(hello.key)).toEqual(back)
  })

  it('keeps the rows that a new snapshot lacks, but only a few hundred', () => {
    const table = new RowTable()
    const many = Array.from({ length: 300 }, (_, index) => fakeRow({ name: `pod-${index}` }))
    table.replaceAll(many)
    table.replaceAll([])
    expect([...table.values()]).toEqual([])
    expect(table.lastKnown(many[0]?.key ?? '')).toBeUndefined()
    expect(table.lastKnown(many[299]?.key ?? '')).toEqual(many[299])
  })

  it('calls the listeners of every row after a snapshot', () => {
    const table = new RowTable()
    table.replaceAll([hello])
    let calls = 0
    table.subscribeRow(hello.key, () => calls++)
    table.replaceAll([])
    expect(calls).toBe(1)
  })

  it('stops calling after the unsubscribe', () => {
    const table = new RowTable()
    let calls = 0
    table.subscribeRow(hello.key, () => calls++)()
    table.subscribe(() => calls++)()
    table.apply([hello], [])
    expect(calls).toBe(0)
  })
})
