import type { Node } from '../../../shared/kubernetes/objects.ts'
import type { NodeLister } from '../ports.ts'

/** A lister that holds what the test puts there. */
export class FakeNodeLister implements NodeLister {
  node: Node | undefined
  isSynced = true

  constructor(node?: Node) {
    this.node = node
  }

  readonly get = (): Node | undefined => this.node
  readonly hasSynced = (): boolean => this.isSynced
}

/** A node that admits everything, with a uid. */
export function fakeNode(shape: Partial<Node> = {}): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node', uid: 'node-uid', labels: { 'kubernetes.io/os': 'linux' } },
    status: { allocatable: { cpu: '2', memory: '4Gi', pods: '110' } },
    ...shape,
  }
}
