import { describe, expect, it } from 'vitest'
import { fakeNode, fakeNodes } from '../../bridge/fake-nodes.ts'
import { fakeCluster } from '../../bridge/fake-views.ts'
import { nodeGroups } from './node-options.ts'

const clusters = [
  fakeNodes(3),
  fakeCluster({ id: 'lab', label: 'lab', nodes: [fakeNode('edge-1', { status: 'NotReady' })] }),
]

describe('the nodes of the menu', () => {
  it.each([
    ['', ['scope-node-1', 'scope-node-2', 'scope-node-3', 'edge-1']],
    ['node-2', ['scope-node-2']],
    ['LAB', ['edge-1']],
    ['notready', ['edge-1']],
    ['sandbox 3', ['scope-node-3']],
    ['edge 3', []],
  ])('for %j are %j', (filter, names) => {
    expect(
      nodeGroups(clusters, filter).flatMap(({ nodes }) => nodes.map(({ name }) => name)),
    ).toEqual(names)
  })
})
