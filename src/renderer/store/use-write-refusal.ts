import { startedReadOnly } from '../../shared/model/forecast/read-only.ts'
import { text } from '../text/text.ts'
import { isCutOff } from './state.ts'
import { useAppState } from './store-context.ts'

/** Why a cluster may not be changed now, in one sentence; empty if it may. */
export function useWriteRefusal(id: string): string {
  const cluster = useAppState((state) => state.clusters.find((one) => one.id === id))
  const isLost = useAppState((state) => isCutOff(state.link))
  const isReadOnly = useAppState((state) => state.program?.readOnly ?? false)
  if (isLost) return text.acts.lost
  if (cluster === undefined) return text.nodes.gone
  // A gotcha has a cluster of its own, made for acts.
  if (isReadOnly && cluster.scenario === null) return startedReadOnly
  const changes = cluster.seen?.changes.kind ?? 'allowed'
  return changes === 'allowed' ? '' : text.clusters.seenActs.readOnly(cluster.label)
}
