import { describe, expect, it } from 'vitest'
import { fakeNode, fakeNodes } from '../bridge/fake-nodes.ts'
import { fakeCluster } from '../bridge/fake-views.ts'
import {
  hasSeveralNodes,
  nodeOfKey,
  shownCluster,
  shownLoop,
  shownManifestsPath,
  shownNode,
  shownRef,
} from './shown-node.ts'

const sandbox = fakeNodes(3)
const staging = fakeCluster({ id: 'staging', nodes: [fakeNode('scope-node-2')] })
const clusters = [sandbox, staging]

describe('the shown node', () => {
  it.each([
    ['nothing is chosen', null, 'sandbox', 'scope-node-1'],
    ['a node of the first cluster is', ['sandbox', 'scope-node-3'], 'sandbox', 'scope-node-3'],
    ['a node of another is', ['staging', 'scope-node-2'], 'staging', 'scope-node-2'],
    ['the chosen cluster is not there', ['gone', 'scope-node-2'], 'sandbox', 'scope-node-1'],
    ['the chosen node is not there', ['staging', 'scope-node-9'], 'staging', 'scope-node-2'],
  ] as const)('where %s', (_case, choice, cluster, node) => {
    const shown = choice === null ? null : { cluster: choice[0], node: choice[1] }
    const state = { clusters, shown }
    expect(shownCluster(state)?.id).toBe(cluster)
    expect(shownNode(state)?.name).toBe(node)
    expect(shownRef(state)).toEqual({ cluster, node })
    expect(shownManifestsPath(state)).toBe(`/manifests/${node}`)
  })

  it('is null before the first snapshot', () => {
    const state = { clusters: [], shown: { cluster: 'sandbox', node: 'scope-node-1' } }
    expect([shownCluster(state), shownNode(state), shownRef(state)]).toEqual([
      undefined,
      undefined,
      null,
    ])
    expect(hasSeveralNodes(state)).toBe(false)
  })

  it('has its own sync loop, and none while its kubelet is stopped', () => {
    const [loop] = sandbox.loops
    const stopped = { ...sandbox, loops: loop === undefined ? [] : [loop] }
    const at = (node: string) => ({ clusters: [stopped], shown: { cluster: 'sandbox', node } })
    expect(shownLoop(at('scope-node-1'))).toBe(loop)
    expect(shownLoop(at('scope-node-2'))).toBeUndefined()
  })
})

it('there are several nodes with several in one cluster, and with several clusters', () => {
  expect(hasSeveralNodes({ clusters: [fakeCluster()] })).toBe(false)
  expect(hasSeveralNodes({ clusters: [sandbox] })).toBe(true)
  expect(hasSeveralNodes({ clusters: [fakeCluster(), staging] })).toBe(true)
})

it('a pod’s key names its node, even if the cluster’s name contains slashes', () => {
  expect(nodeOfKey('sandbox/scope-node-1/u')).toEqual({ cluster: 'sandbox', node: 'scope-node-1' })
  expect(nodeOfKey('arn:aws/eks/prod/n/u')).toEqual({ cluster: 'arn:aws/eks/prod', node: 'n' })
})
