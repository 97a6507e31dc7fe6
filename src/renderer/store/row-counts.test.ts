import { describe, expect, it } from 'vitest'
import { fakeRow, fakeStaticRow } from '../bridge/fake-views.ts'
import { RowTable } from './row-table.ts'

function countsOf(table: RowTable): readonly number[] {
  return [table.counts.workers, table.counts.stuck, table.counts.outOfStep]
}

describe('the counts of the rows', () => {
  const hello = fakeRow({ name: 'hello' })
  const web = fakeStaticRow({ name: 'web' })

  it('follow each row as it comes, changes and goes', () => {
    const table = new RowTable()
    table.replaceAll([hello, web])
    expect(countsOf(table)).toEqual([2, 0, 0])
    table.apply(
      [
        { ...web, mirror: 'missing' },
        { ...hello, tone: 'bad' },
      ],
      [],
    )
    expect(countsOf(table)).toEqual([2, 2, 1])
    table.apply([{ ...hello, worker: 'none' }], [web.key])
    expect(countsOf(table)).toEqual([0, 0, 0])
    table.apply([], [web.key, 'nobody'])
    expect(countsOf(table)).toEqual([0, 0, 0])
  })

  it('start anew with a new picture, in which a key may come twice', () => {
    const table = new RowTable()
    table.replaceAll([hello, { ...web, mirror: 'stale' }])
    table.replaceAll([hello, hello])
    expect(countsOf(table)).toEqual([1, 0, 0])
  })
})
