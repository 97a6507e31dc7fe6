import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { DrawerTab } from './detail-slice.ts'
import type { Shown } from '../shown-node.ts'

/** Whose pods the table holds: those of the shown node, or of all nodes of its cluster. */
export type PodScope = 'node' | 'cluster'

export interface ShownSlice extends Pick<Shown, 'shown'> {
  readonly podScope: PodScope
  /** The menu of all nodes. */
  readonly isNodesOpen: boolean
  readonly showNode: (node: NodeRef) => void
  /** The panel of a pod, with its node. */
  readonly showPod: (key: PodKey, tab?: DrawerTab) => void
  readonly setPodScope: (scope: PodScope) => void
  readonly setNodesOpen: (isOpen: boolean) => void
}
