import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { TimelineLane } from '../../../shared/model/timeline/timeline.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import type { LaneSelection } from '../../ui/lanes/lane-selection.ts'
import { LanesLegend } from '../../ui/lanes/LanesLegend.tsx'
import { useWorkerTimeline } from '../../ui/lanes/use-worker-timeline.ts'
import { TimelineButtons, WorkerLanes } from '../../ui/lanes/WorkerLanes.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import styles from './InspectView.module.css'

/** The workers of one node over time. `isShown`: those that the filter leaves. */
export function InspectTimeline({
  cluster,
  node,
  isShown,
  selection,
  onSelect,
}: {
  readonly cluster: ClusterView
  readonly node: string
  readonly isShown: (lane: TimelineLane) => boolean
  readonly selection: LaneSelection
  readonly onSelect: (selection: LaneSelection) => void
}): ReactNode {
  const openHistory = useAppState((state) => state.openHistory)
  const timeline = useWorkerTimeline(cluster, { node, isShown, selection, select: onSelect })
  const open = (): void => {
    if (selection.pod !== null) openHistory(selection.pod, selection.line)
  }
  usePageKeys(({ key }) => timeline.press(key, { focusLine: open }))
  return (
    <>
      <div className={styles['legend']}>
        <LanesLegend />
        <TimelineButtons timeline={timeline} />
      </div>
      <WorkerLanes timeline={timeline}>
        <Button icon="timeline" onClick={open}>
          {text.timeline.open}
        </Button>
      </WorkerLanes>
    </>
  )
}
