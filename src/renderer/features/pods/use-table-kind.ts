import { hasSeveralNodes, shownCluster, shownSeen } from '../../store/shown-node.ts'
import { podScope } from '../../store/slices/shown-slice.ts'
import type { State } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import type { TableKind } from './columns.ts'

/** Whether the table has pods of more than one node. */
function isOfSeveralNodes(state: State): boolean {
  const clusters = [shownCluster(state)].filter((cluster) => cluster !== undefined)
  return podScope(state)?.node === null && hasSeveralNodes({ clusters })
}

/** What decides the columns of the table. */
export function useTableKind(): TableKind {
  return {
    hasNodes: useAppState(isOfSeveralNodes),
    hasWhy: useAppState((state) => state.segment === 'attention'),
    isHandbookOpen: useAppState((state) => state.isHandbookOpen),
    isSeen: useAppState((state) => shownSeen(state) !== undefined),
    chosen: useAppState((state) => state.tables.pods.columns),
  }
}
