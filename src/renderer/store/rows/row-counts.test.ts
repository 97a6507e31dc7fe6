import { describe, expect, it } from 'vitest'
import { fakeRowOn } from '../../bridge/fake-nodes.ts'
import { fakeRow, fakeStaticRow } from '../../bridge/fake-views.ts'
import { RowTable } from './row-table.ts'

const here = { cluster: 'sandbox', node: 'scope-node-1' }

function countsOf(table: RowTable): readonly number[] {
  const { rows, attention, outOfSync } = table.counts.of(here)
  return [rows, attention, outOfSync]
}

describe('the counts of the rows', () => {
  const hello = fakeRow({ name: 'hello' })
  const web = fakeStaticRow({ name: 'web' })

  it('follow each row that is added, changed and removed', () => {
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
    expect(countsOf(table)).toEqual([1, 0, 0])
    table.apply([], [web.key, 'nobody'])
    expect(countsOf(table)).toEqual([1, 0, 0])
  })

  it('exist for each node and each cluster', () => {
    const table = new RowTable()
    const there = fakeRowOn('scope-node-2', { name: 'there', tone: 'bad' })
    const elsewhere = fakeRowOn('scope-node-1', { name: 'elsewhere' }, 'staging')
    const rowsOf = (cluster: string, node: string | null): readonly number[] => {
      const { rows, attention } = table.counts.of({ cluster, node })
      return [rows, attention]
    }
    table.replaceAll([hello, web, there, elsewhere])
    expect(rowsOf('sandbox', 'scope-node-1')).toEqual([2, 0])
    expect(rowsOf('sandbox', 'scope-node-2')).toEqual([1, 1])
    expect(rowsOf('sandbox', null)).toEqual([3, 1])
    expect(rowsOf('staging', null)).toEqual([1, 0])
    table.apply([], [there.key, elsewhere.key])
    expect(rowsOf('sandbox', 'scope-node-2')).toEqual([0, 0])
    expect(rowsOf('sandbox', null)).toEqual([2, 0])
    expect(rowsOf('staging', null)).toEqual([0, 0])
    expect(table.counts.of(null).rows).toBe(0)
  })

  it('count an unbound pod with each node of its cluster, and once for the cluster', () => {
    const table = new RowTable()
    const pending = fakeRowOn('', { name: 'pending', worker: 'noKubelet' })
    const there = fakeRowOn('scope-node-2', { name: 'there' })
    table.replaceAll([hello, there, pending])
    const of = (node: string | null): readonly number[] => {
      const { rows, withoutKubelet } = table.counts.of({ cluster: 'sandbox', node })
      return [rows, withoutKubelet]
    }
    expect([of('scope-node-1'), of('scope-node-2'), of(null)]).toEqual([
      [2, 1],
      [2, 1],
      [3, 1],
    ])
    expect(table.counts.of({ cluster: 'staging', node: 'scope-node-1' }).rows).toBe(0)
  })

  it('start over with a new snapshot, in which a key can occur twice', () => {
    const table = new RowTable()
    table.replaceAll([hello, { ...web, mirror: 'stale' }])
    table.replaceAll([hello, hello])
    expect(countsOf(table)).toEqual([1, 0, 0])
  })
})
