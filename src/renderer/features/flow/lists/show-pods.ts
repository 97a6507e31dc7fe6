import type { WorkerStateWord } from '../../../../shared/model/pod-row.ts'
import { useStore } from '../../../store/store-context.ts'

/** Opens the table of the node's pods with a filter; empty: all of them. */
export function useShowPods(): (filter: string) => void {
  const { state } = useStore()
  return (filter) => {
    const { setPodScope, setSegment, setFilterText, show } = state.getState()
    setPodScope('node')
    setSegment('all')
    setFilterText('pods', filter)
    show('pods')
  }
}

/** The table's filter for the pods of a lane; finished workers are in the lane of those that have terminated. */
export function laneFilter(name: WorkerStateWord): string {
  return name === 'TerminatedPod' ? 'worker:TerminatedPod|finished' : `worker:${name}`
}
