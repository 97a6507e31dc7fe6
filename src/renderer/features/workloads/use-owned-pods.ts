import { useStore } from '../../store/store-context.ts'
import { useObserved } from '../../store/use-observed.ts'
import type { OwnedPods } from './owner-tree.ts'
import { isSameOwnership, ownedPods } from './owner-tree.ts'

/** The pods of a cluster by their owners; redrawn only when a pod comes, goes or changes its owner. */
export function useOwnedPods(cluster: string): OwnedPods {
  const { rows } = useStore()
  return useObserved(rows, () => ownedPods(rows.values(), cluster), isSameOwnership)
}
