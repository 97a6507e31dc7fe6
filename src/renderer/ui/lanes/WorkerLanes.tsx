import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { Button } from '../Button.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { selectionOf } from './lane-selection.ts'
import { Lanes } from './Lanes.tsx'
import { SpotWords } from './SpotTip.tsx'
import type { WorkerTimeline } from './use-worker-timeline.ts'
import styles from './WorkerLanes.module.css'

const words = text.timeline

/** Nearer, farther, and back to the present. */
export function TimelineButtons({ timeline }: { readonly timeline: WorkerTimeline }): ReactNode {
  const { zoom, follow, isFollowing } = timeline
  return (
    <>
      <span className={styles['zoom']}>
        <Button icon="plus" label={words.zoomIn} title={words.zoomIn} onClick={() => zoom(0.5)} />
        <Button icon="minus" label={words.zoomOut} title={words.zoomOut} onClick={() => zoom(2)} />
      </span>
      <Button icon="arrow" isRefused={isFollowing} onClick={follow}>
        {words.follow}
      </Button>
    </>
  )
}

/** What the selected mark or state rests on; `children` follow it. */
function ChosenSpot({
  timeline: { selection, view },
  children,
}: {
  readonly timeline: WorkerTimeline
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className={styles['chosen']} aria-live="polite">
      {selection.spot === null ? (
        <p className={styles['faint']}>{words.nothingSelected}</p>
      ) : (
        <>
          <p>
            <SpotWords spot={selection.spot} records={view?.records ?? 'event'} />
          </p>
          {children}
        </>
      )}
    </section>
  )
}

/** The lanes, and under them what the selected one says. `children` follow its words. */
export function WorkerLanes({
  timeline,
  children = null,
}: {
  readonly timeline: WorkerTimeline
  readonly children?: ReactNode
}): ReactNode {
  const { view, pods, range, selection, select, setWidth } = timeline
  return (
    <>
      {view === null ? (
        <p className={styles['waiting']}>{text.common.loading}</p>
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
          onSelect={(pod, spot) => select(selectionOf(pod, spot))}
        />
      )}
      <ChosenSpot timeline={timeline}>{children}</ChosenSpot>
    </>
  )
}
