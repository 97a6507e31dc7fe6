import { describe, expect, it } from 'vitest'
import { fakeRow, fakeStaticRow } from '../../bridge/fake-views.ts'
import { PairOrder } from './mirrors-order.ts'
import { RowTable } from './row-table.ts'

const web = fakeStaticRow({ name: 'web' })
const etcd = fakeStaticRow({ name: 'etcd' })
const hello = fakeRow({ name: 'hello' })

const here = { cluster: 'sandbox', node: 'scope-node-1' }

function orderOf(...rows: Parameters<RowTable['replaceAll']>): {
  readonly rows: RowTable
  readonly order: PairOrder
} {
  const table = new RowTable()
  table.replaceAll(...rows)
  const order = new PairOrder({ rows: table, scope: here })
  order.start()
  return { rows: table, order }
}

describe('the pairs among the rows', () => {
  it('are the same array until a pair changes', () => {
    const { rows, order } = orderOf([web, etcd, hello])
    const before = order.pairs()
    let told = 0
    order.subscribe(() => told++)
    rows.apply([{ ...hello, restarts: 3 }], [])
    rows.apply([{ ...web, restarts: 3 }], [])
    rows.apply([], [hello.key])
    expect([order.pairs() === before, told]).toEqual([true, 0])
    rows.apply([{ ...web, mirror: 'missing', mirrorUid: null }], [])
    expect(order.pairs().map(({ id, state }) => [id, state])).toEqual([
      ['sandbox/scope-node-1/default/web', 'missing'],
      ['sandbox/scope-node-1/default/etcd', 'equal'],
    ])
    expect(told).toBe(1)
  })

  it('have the row of the current static pod, in any order of rows', () => {
    const old = fakeStaticRow({ name: 'web', uid: 'old', worker: 'TerminatingPod' })
    const orphan = fakeRow({ name: 'web', uid: 'orphan', kind: 'mirror', worker: 'none' })
    for (const rows of [
      [old, orphan, web],
      [web, orphan, old],
    ])
      expect(orderOf(rows).order.pairs()).toEqual([
        { id: 'sandbox/scope-node-1/default/web', key: web.key, state: 'equal' },
      ])
  })

  it('are those of the shown node', () => {
    const there = {
      ...fakeStaticRow({ name: 'web', uid: 'there', node: 'scope-node-2' }),
      key: 'sandbox/scope-node-2/there',
    }
    const { rows, order } = orderOf([web, there])
    expect(order.pairs().map(({ key }) => key)).toEqual([web.key])
    rows.apply([{ ...there, mirror: 'missing', mirrorUid: null }], [])
    expect(order.pairs().map(({ key }) => key)).toEqual([web.key])
    order.setScope({ ...here, node: 'scope-node-2' })
    expect(order.pairs().map(({ key, state }) => [key, state])).toEqual([[there.key, 'missing']])
    expect(order.byUid(web.uid)).toBeUndefined()
    order.setScope(null)
    expect(order.pairs()).toEqual([])
  })

  it('are found by either UID, and have no regular pods', () => {
    const { order } = orderOf([web, hello])
    expect(order.byUid(web.uid)).toEqual(order.byUid(web.mirrorUid ?? ''))
    expect(order.byUid(web.uid)?.key).toBe(web.key)
    expect(order.byUid(hello.uid)).toBeUndefined()
  })
})
