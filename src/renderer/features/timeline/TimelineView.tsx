import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { shownCluster, shownPlace } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { FilterField } from '../../ui/FilterField.tsx'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { nothingSelected } from '../../ui/lanes/lane-selection.ts'
import { LanesLegend } from '../../ui/lanes/LanesLegend.tsx'
import { useWorkerTimeline } from '../../ui/lanes/use-worker-timeline.ts'
import { TimelineButtons, WorkerLanes } from '../../ui/lanes/WorkerLanes.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { preciseClockText } from '../../words/time.ts'
import styles from './TimelineView.module.css'

const words = text.timeline

const keys = [
  { keys: ['J', 'K'], does: words.keys.pod },
  { keys: ['[', ']'], does: words.keys.mark },
  { keys: ['L'], does: words.keys.history },
  { keys: ['←', '→'], does: words.keys.move },
  { keys: ['0'], does: words.keys.whole },
  { keys: ['/'], does: words.keys.filter },
]

function Shown({
  cluster,
  node,
}: {
  readonly cluster: ClusterView
  readonly node: string | null
}): ReactNode {
  const [filter, setFilter] = useState('')
  const filterField = useRef<HTMLInputElement>(null)
  const openHistory = useAppState((state) => state.openHistory)
  const [selection, select] = useState(nothingSelected)
  const timeline = useWorkerTimeline(cluster, { node, filter, selection, select })
  const { view, pods, range } = timeline
  const open = (): void => {
    if (selection.pod !== null) openHistory(selection.pod, selection.line)
  }
  usePageKeys(({ key }) =>
    timeline.press(key, { focusFilter: () => filterField.current?.focus(), focusLine: open }),
  )
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{words.title}</h1>
        <LanesLegend />
        <span className={styles['grow']} />
        <TimelineButtons timeline={timeline} />
        <div className={styles['filter']}>
          <FilterField
            ref={filterField}
            label={words.filter}
            placeholder={words.filterExample}
            text={filter}
            shown={pods.length}
            total={view?.podCount ?? 0}
            onChange={setFilter}
            onLeave={() => filterField.current?.blur()}
          />
        </div>
      </div>
      <WorkerLanes timeline={timeline}>
        <Button icon="timeline" onClick={open}>
          {words.open}
        </Button>
      </WorkerLanes>
      <KeysLine keys={keys}>
        <span>{words.range(preciseClockText(range.from), preciseClockText(range.to))}</span>
      </KeysLine>
    </div>
  )
}

/** The pod workers of the shown node or cluster over time, whatever tells of them. */
export function TimelineView(): ReactNode {
  const cluster = useAppState(shownCluster)
  const node = useAppState((state) => shownPlace(state)?.node ?? '')
  if (cluster === undefined) return null
  return <Shown key={`${cluster.id} ${node}`} cluster={cluster} node={node === '' ? null : node} />
}
