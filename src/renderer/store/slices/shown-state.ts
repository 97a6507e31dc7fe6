import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { DrawerTab } from './detail-slice.ts'
import type { Shown } from '../shown-node.ts'

/** The pods in the table: those of the shown node, or of all nodes of its cluster. */
export type PodScope = 'node' | 'cluster'

export interface ShownSlice extends Pick<Shown, 'shown'> {
  readonly podScope: PodScope
  /** Whether the menu of nodes is open. */
  readonly isNodesOpen: boolean
  readonly showNode: (node: NodeRef) => void
  /** Opens the panel of a pod, and shows its node. */
  readonly showPod: (key: PodKey, tab?: DrawerTab) => void
  readonly setPodScope: (scope: PodScope) => void
  readonly setNodesOpen: (isOpen: boolean) => void
}
