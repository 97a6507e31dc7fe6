import { describe, expect, it } from 'vitest'
import { fakeNode, fakeNodes } from '../../bridge/fake-nodes.ts'
import { fakeCluster } from '../../bridge/fake-views.ts'
import { movedOption, nodeGroups, typedOption } from './node-options.ts'

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

describe('a key in the menu', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, 0],
    ['ArrowUp', 0, 2],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['x', 0, undefined],
  ])('%s from line %i leads to %s', (key, at, to) => {
    expect(movedOption(key, at, 3)).toBe(to)
  })

  it('leads to the next name of which a word begins with that letter', () => {
    const names = ['scope-node-1', 'scope-node-2', 'edge-2']
    expect(typedOption('2', 0, names)).toBe(1)
    expect(typedOption('2', 1, names)).toBe(2)
    expect(typedOption('E', 0, names)).toBe(2)
    expect(typedOption('x', 0, names)).toBeUndefined()
    expect(typedOption('Tab', 0, names)).toBeUndefined()
  })
})
