import { describe, expect, it } from 'vitest'
import { fakeNode, fakeNodes } from '../../bridge/fake-nodes.ts'
import { fakeSeenCluster, fakeSeenNode } from '../../bridge/fake-seen.ts'
import { fakeCluster, fakeNodeObject, fakeNow } from '../../bridge/fake-views.ts'
import { firstTable } from '../../store/tables/table-state.ts'
import { nodeLines, shownLines } from './node-lines.ts'

const counts = { living: 5, statics: 2, mirrors: 1 }
const usual = firstTable('nodes', '')

describe('the lines of the table of nodes', () => {
  it('are those of kubelets that run here, with the counts of their rows', () => {
    const [line] = nodeLines(fakeCluster(), () => counts)
    expect(line).toMatchObject({
      name: 'scope-node-1',
      pods: 5,
      mirrors: 1,
      statics: { count: 2, at: null },
      kubeletVersion: fakeNodeObject.kubeletVersion,
      conditions: fakeNodeObject.conditions,
    })
  })

  it('have nothing of a Node that is not registered yet', () => {
    const nodes = [fakeNode('n', { object: null, leaseRenewedAt: null })]
    expect(nodeLines(fakeCluster({ nodes }), () => counts)[0]).toMatchObject({
      labels: {},
      lease: null,
      createdAt: null,
    })
  })

  it('are what the API server has of nodes whose kubelets run elsewhere', () => {
    const node = fakeSeenNode('worker-1', { statics: { count: 3, at: fakeNow } })
    expect(nodeLines(fakeSeenCluster({ nodes: [node] }), () => counts)).toEqual([node])
  })
})

describe('the order and the filter of the table of nodes', () => {
  const lines = [
    fakeSeenNode('worker-10', { labels: { zone: 'a' }, pods: 1 }),
    fakeSeenNode('worker-2', { labels: { zone: 'b' }, pods: 9, isUnschedulable: true }),
    fakeSeenNode('cp', { roles: ['control-plane'], pods: 9 }),
  ]
  const names = (table: Partial<typeof usual>): readonly string[] =>
    shownLines(lines, { ...usual, ...table }).map(({ name }) => name)

  it('sort names by their numbers, and equal lines by name', () => {
    expect(names({})).toEqual(['cp', 'worker-2', 'worker-10'])
    expect(names({ sort: { column: 'pods', descending: true } })).toEqual([
      'worker-2',
      'cp',
      'worker-10',
    ])
  })

  it('keep lines with each word of the filter', () => {
    expect(names({ filterText: 'WORKER zone=a' })).toEqual(['worker-10'])
    expect(names({ filterText: 'control-plane' })).toEqual(['cp'])
  })

  it('keep the selected lines, and none if a selector cannot be read', () => {
    expect(names({ selectors: { labels: 'zone in (a,b)', fields: '' } })).toHaveLength(2)
    expect(names({ selectors: { labels: '', fields: 'spec.unschedulable=true' } })).toEqual([
      'worker-2',
    ])
    expect(names({ selectors: { labels: 'zone in', fields: '' } })).toEqual([])
  })

  it('hold for the sandbox too', () => {
    const own = nodeLines(fakeNodes(2), () => counts)
    expect(shownLines(own, { ...usual, filterText: 'node-2' }).map(({ name }) => name)).toEqual([
      'scope-node-2',
    ])
  })
})
