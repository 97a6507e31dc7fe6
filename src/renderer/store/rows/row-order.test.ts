import { describe, expect, it } from 'vitest'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { fakeRowOn } from '../../bridge/fake-nodes.ts'
import { fakeRow, fakeStaticRow, fakeNow } from '../../bridge/fake-views.ts'
import { parseFilter } from './row-filter.ts'
import type { SortColumn } from '../tables/column-ids.ts'
import type { RowSort } from './row-order.ts'
import { RowOrder } from './row-order.ts'
import { RowTable } from './row-table.ts'

const everywhere = { cluster: 'sandbox', node: null }
const byNamespace: RowSort = { column: 'namespace', descending: false }

function ordered(rows: readonly PodRow[], sort: RowSort = byNamespace, filter = '') {
  const table = new RowTable()
  const order = new RowOrder({
    rows: table,
    query: { scope: everywhere, namespace: '', filter: parseFilter(filter), segment: 'all', sort },
  })
  const stop = order.start()
  table.replaceAll(rows)
  const names = (): readonly string[] =>
    order.keys().map((key) => table.lastKnown(key)?.name ?? '?')
  return { table, order, names, stop }
}

describe('RowOrder', () => {
  it('sorts by namespace, then name, like kubectl', () => {
    const { names } = ordered([
      fakeRow({ name: 'b', namespace: 'x' }),
      fakeRow({ name: 'c', namespace: 'a' }),
      fakeRow({ name: 'a', namespace: 'x' }),
    ])
    expect(names()).toEqual(['c', 'a', 'b'])
  })

  it('lists an unbound pod with each node of its cluster', () => {
    const pending = fakeRowOn('', { name: 'pending' })
    const { order, names } = ordered([
      fakeRowOn('scope-node-1', { name: 'one' }),
      fakeRowOn('scope-node-2', { name: 'two' }),
      fakeRowOn('', { name: 'elsewhere' }, 'staging'),
      pending,
    ])
    order.setQuery({ ...order.query, scope: { cluster: 'sandbox', node: 'scope-node-2' } })
    expect(names()).toEqual(['pending', 'two'])
  })

  const first = fakeRow({
    name: 'first',
    readyContainers: 0,
    status: 'Evicted',
    restarts: 1,
    createdAt: fakeNow - 1000,
    source: 'api',
    worker: 'TerminatingPod',
    grace: { seconds: 5, startedAt: fakeNow, killAt: fakeNow + 5000 },
  })
  const second = fakeStaticRow({
    name: 'second',
    namespace: 'kube-system',
    mirrorUid: 'a',
    uid: 'a',
    restarts: 9,
    createdAt: fakeNow - 9000,
  })
  it.each<[SortColumn, readonly string[]]>([
    ['namespace', ['first', 'second']],
    ['name', ['first', 'second']],
    ['ready', ['first', 'second']],
    ['status', ['first', 'second']],
    ['restarts', ['first', 'second']],
    ['age', ['first', 'second']],
    ['source', ['first', 'second']],
    ['kind', ['first', 'second']],
    ['worker', ['first', 'second']],
    ['grace', ['first', 'second']],
    ['mirrorUid', ['second', 'first']],
    ['staticUid', ['second', 'first']],
  ])('sorts by %s, both ways', (column, expected) => {
    expect(ordered([second, first], { column, descending: false }).names()).toEqual(expected)
    expect(ordered([second, first], { column, descending: true }).names()).toEqual(
      expected.toReversed(),
    )
  })

  it('keeps the same array while a patch moves nothing', () => {
    const row = fakeRow({ name: 'a' })
    const { table, order } = ordered([row, fakeRow({ name: 'b' })])
    const before = order.keys()
    let calls = 0
    order.subscribe(() => calls++)
    table.apply([{ ...row, restarts: 3, status: 'Error' }], [])
    expect(order.keys()).toBe(before)
    expect(calls).toBe(0)
  })

  it('moves a row when its sort value changes', () => {
    const row = fakeRow({ name: 'a' })
    const { table, names } = ordered([row, fakeRow({ name: 'b', restarts: 1 })], {
      column: 'restarts',
      descending: false,
    })
    expect(names()).toEqual(['a', 'b'])
    table.apply([{ ...row, restarts: 2 }], [])
    expect(names()).toEqual(['b', 'a'])
  })

  it('adds and removes a row as it starts or stops to match', () => {
    const row = fakeRow({ name: 'a' })
    const { table, names } = ordered([row], byNamespace, 'Evicted')
    expect(names()).toEqual([])
    table.apply([{ ...row, status: 'Evicted' }], [])
    expect(names()).toEqual(['a'])
    table.apply([row], [])
    expect(names()).toEqual([])
  })

  it('drops removed rows and unsubscribes when it is stopped', () => {
    const row = fakeRow({ name: 'a' })
    const { table, names, stop } = ordered([row])
    table.apply([], [row.key])
    expect(names()).toEqual([])
    stop()
    table.apply([row], [])
    expect(names()).toEqual([])
  })

  it('has the rows of one node, or of all nodes of one cluster', () => {
    const [one, two] = [1, 2].map((n) => fakeRowOn(`scope-node-${n}`, { name: `on-${n}` }))
    const other = fakeRowOn('scope-node-1', { name: 'elsewhere' }, 'staging')
    if (one === undefined || two === undefined) throw new Error('two rows were made')
    const { table, order, names } = ordered([one, two, other])
    expect(names()).toEqual(['on-1', 'on-2'])
    order.setQuery({ ...order.query, scope: { cluster: 'sandbox', node: 'scope-node-2' } })
    expect(names()).toEqual(['on-2'])
    table.apply([{ ...one, restarts: 2 }, fakeRowOn('scope-node-2', { name: 'new' })], [])
    expect(names()).toEqual(['new', 'on-2'])
    order.setQuery({ ...order.query, scope: null })
    expect(names()).toEqual([])
  })

  it('finds a node by its name', () => {
    const rows = [1, 2].map((n) => fakeRowOn(`scope-node-${n}`, { name: `pod-${n}` }))
    expect(ordered(rows, byNamespace, 'node:node-2').names()).toEqual(['pod-2'])
    expect(ordered(rows, byNamespace, '!node:node-2').names()).toEqual(['pod-1'])
  })

  it('starts over with another query', () => {
    const { order, names } = ordered([fakeRow({ name: 'a' }), fakeRow({ name: 'b' })])
    order.setQuery({
      scope: everywhere,
      namespace: '',
      filter: parseFilter('!default/b'),
      segment: 'all',
      sort: { column: 'name', descending: true },
    })
    expect(names()).toEqual(['a'])
  })
})
