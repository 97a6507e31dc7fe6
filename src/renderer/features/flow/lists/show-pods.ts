import type { WorkerStateWord } from '../../../../shared/model/pod-row.ts'
import { useAppState } from '../../../store/store-context.ts'

/** Opens the table at the pods of one worker state; empty: at all of them. */
export function useShowPods(): (filter: string) => void {
  const show = useAppState((state) => state.show)
  const setFilterText = useAppState((state) => state.setFilterText)
  const setSegment = useAppState((state) => state.setSegment)
  const setPodScope = useAppState((state) => state.setPodScope)
  return (filter) => {
    setPodScope('node')
    setSegment('all')
    setFilterText(filter)
    show('pods')
  }
}

/** The table's pods of a lane; finished workers stand with those that have terminated. */
export function laneFilter(name: WorkerStateWord): string {
  return name === 'TerminatedPod' ? 'worker:TerminatedPod|finished' : `worker:${name}`
}
