import type { ReactNode } from 'react'
import { useMemo, useRef, useState } from 'react'
import type { Bridge, Requests } from '../../../shared/ipc/contract.ts'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { TimelineView as Timeline } from '../../../shared/model/timeline/timeline.ts'
import { useKeptAnswer } from '../../store/requests/use-kept-answer.ts'
import { shownCluster, shownPlace } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterField } from '../../ui/FilterField.tsx'
import { KeysLine } from '../../ui/KeysLine.tsx'
import type { TimeRange } from '../../ui/lanes/lane-geometry.ts'
import { moved, sortedPods, zoomed } from '../../ui/lanes/lane-geometry.ts'
import { pressLaneKey } from '../../ui/lanes/lane-keys.ts'
import type { LaneSelection } from '../../ui/lanes/lane-selection.ts'
import { nothingSelected, selectionOf } from '../../ui/lanes/lane-selection.ts'
import { Lanes } from '../../ui/lanes/Lanes.tsx'
import { LanesLegend } from '../../ui/lanes/LanesLegend.tsx'
import { SpotWords } from '../../ui/lanes/SpotTip.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { preciseClockText } from '../../words/time.ts'
import styles from './TimelineView.module.css'

const words = text.timeline

/** What is shown while the view follows a clock that goes on. */
const followedMs = 600_000
/** With a clock that can be set, these keys are the clock's. */
const clockKeys = new Set(['+', '=', '-', '.', ','])

const keys = [
  { keys: ['J', 'K'], does: words.keys.pod },
  { keys: ['[', ']'], does: words.keys.mark },
  { keys: ['L'], does: words.keys.history },
  { keys: ['←', '→'], does: words.keys.move },
  { keys: ['0'], does: words.keys.whole },
  { keys: ['/'], does: words.keys.filter },
]

type Query = Requests['cluster.timeline']['args']

function ask(bridge: Bridge, query: Query): Promise<Timeline | null> {
  return bridge.request('cluster.timeline', query)
}

/** The last minutes of a time that goes on; null: all of it. */
function followedRange(view: Timeline | null, isStill: boolean): TimeRange | null {
  if (view === null || isStill || view.to - view.from <= followedMs) return null
  return { from: view.to - followedMs, to: view.to }
}

function useTimeline(
  cluster: ClusterView,
  { node, filter, width }: Pick<Query, 'node' | 'filter' | 'width'>,
): {
  readonly view: Timeline | null
  readonly range: TimeRange
  readonly isFollowing: boolean
  readonly setRange: (range: TimeRange | null) => void
} {
  const [chosen, setRange] = useState<TimeRange | null>(null)
  const [from, setFrom] = useState<number | null>(null)
  const to = chosen?.to ?? null
  const view = useKeptAnswer<Query, Timeline>(
    words.request,
    { cluster: cluster.id, node, filter, width, from: chosen?.from ?? from, to },
    ask,
  )
  const followed = followedRange(view, cluster.clock.paused && !cluster.clock.virtual)
  // In whole minutes: the range that main is asked for must not change each second.
  const floor = followed === null ? null : Math.floor(followed.from / 60_000) * 60_000
  if (floor !== from) setFrom(floor)
  const whole = { from: view?.from ?? 0, to: Math.max(view?.to ?? 1, (view?.from ?? 0) + 1) }
  return { view, range: chosen ?? followed ?? whole, isFollowing: chosen === null, setRange }
}

/** What the selected mark or state rests on, and the way to the history. */
function Chosen({
  selection,
  records,
  onOpen,
}: {
  readonly selection: LaneSelection
  readonly records: Timeline['records']
  readonly onOpen: () => void
}): ReactNode {
  return (
    <section className={styles['chosen']} aria-live="polite">
      {selection.spot === null ? (
        <p className={styles['faint']}>{words.nothingSelected}</p>
      ) : (
        <>
          <p>
            <SpotWords spot={selection.spot} records={records} />
          </p>
          <Button icon="timeline" onClick={onOpen}>
            {words.open}
          </Button>
        </>
      )}
    </section>
  )
}

function Shown({
  cluster,
  node,
}: {
  readonly cluster: ClusterView
  readonly node: string | null
}): ReactNode {
  const [filter, setFilter] = useState('')
  const [width, setWidth] = useState(200)
  const [selection, setSelection] = useState(nothingSelected)
  const filterField = useRef<HTMLInputElement>(null)
  const openHistory = useAppState((state) => state.openHistory)
  const { view, range, isFollowing, setRange } = useTimeline(cluster, { node, filter, width })
  const pods = useMemo(() => sortedPods(view?.pods ?? []), [view])
  const whole = { from: view?.from ?? 0, to: view?.to ?? 1 }
  const about = selection.at ?? (range.from + range.to) / 2
  const zoom = (factor: number): void => setRange(zoomed({ range, whole, about }, factor))
  const open = (): void => {
    if (selection.pod !== null) openHistory(selection.pod, selection.line)
  }
  usePageKeys(({ key }) => {
    if (cluster.clock.virtual && clockKeys.has(key)) return false
    return pressLaneKey(key, {
      pods,
      selection,
      select: setSelection,
      zoom,
      move: (share) => setRange(moved(range, whole, share)),
      showWhole: () => setRange(null),
      focusFilter: () => filterField.current?.focus(),
      focusLine: open,
    })
  })
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{words.title}</h1>
        <LanesLegend />
        <span className={styles['grow']} />
        <span className={styles['zoom']}>
          <Button icon="plus" label={words.zoomIn} title={words.zoomIn} onClick={() => zoom(0.5)} />
          <Button
            icon="minus"
            label={words.zoomOut}
            title={words.zoomOut}
            onClick={() => zoom(2)}
          />
        </span>
        <Button icon="arrow" isRefused={isFollowing} onClick={() => setRange(null)}>
          {words.follow}
        </Button>
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
      {view === null ? (
        <p className={styles['faint']}>{text.common.loading}</p>
      ) : pods.length === 0 ? (
        <EmptyState title={words.none}>{words.noneMeaning}</EmptyState>
      ) : (
        <Lanes
          pods={pods}
          total={view.podCount}
          range={range}
          records={view.records}
          nodeMarks={view.nodeMarks.filter(({ at }) => at >= range.from)}
          selection={selection}
          onWidth={setWidth}
          onSelect={(pod, spot) => setSelection(selectionOf(pod, spot))}
        />
      )}
      <Chosen selection={selection} records={view?.records ?? 'event'} onOpen={open} />
      <KeysLine keys={keys}>
        <span className={styles['grow']} />
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
