import type { PointerEvent, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import type {
  TimelineLane,
  TimelineNodeMark,
  TimelineView,
} from '../../../shared/model/timeline/timeline.ts'
import type { TimeRange } from './lane-geometry.ts'
import { text } from '../../text/text.ts'
import { at as placed } from '../axis-style.ts'
import { useWidth } from '../use-width.ts'
import { clockText, preciseClockText } from '../../words/time.ts'
import type { LaneSpot, Tick } from './lane-geometry.ts'
import { placeOf, spotAt, ticksOf } from './lane-geometry.ts'
import { Lane } from './Lane.tsx'
import { SpotTip } from './SpotTip.tsx'
import type { LaneSelection } from './lane-selection.ts'
import styles from './Lanes.module.css'

const words = text.timeline
/** A mark of a kind needs that much. */
const markPx = 6
const reachPx = 7
const tipWidth = 396

function Axis({
  range,
  ticks,
  timesRef,
  selected,
  shown,
  total,
}: {
  readonly range: TimeRange
  readonly ticks: readonly Tick[]
  readonly timesRef: (times: HTMLDivElement | null) => void
  readonly selected: LaneSelection
  readonly shown: number
  readonly total: number
}): ReactNode {
  const place = selected.at === null ? -1 : placeOf(selected.at, range)
  return (
    <div className={styles['axis']}>
      <span>{words.podCount(shown, total)}</span>
      <div ref={timesRef} className={styles['times']}>
        {ticks.map(({ place: tick, label }) => (
          <span key={tick} style={placed(tick)} data-place={tick}>
            {label}
          </span>
        ))}
        {place >= 0 && place <= 1 && selected.at !== null ? (
          <span className={styles['here']} style={placed(place)}>
            {clockText(selected.at)}
          </span>
        ) : null}
      </div>
    </div>
  )
}

/** Starts, stalls and gaps of the kubelet, over all lanes. */
function NodeMarks({
  marks,
  range,
  records,
}: {
  readonly marks: readonly TimelineNodeMark[]
  readonly range: TimeRange
  readonly records: TimelineView['records']
}): ReactNode {
  if (marks.length === 0) return null
  return (
    <li className={styles['row']}>
      <span className={styles['node']}>{words.node}</span>
      <div className={styles['track']}>
        {marks.map((mark) => (
          <span
            key={`${mark.line} ${mark.kind}`}
            className={styles[`node-${mark.kind}`]}
            style={placed(placeOf(mark.at, range))}
            title={`${words.nodeMarks[mark.kind]}: ${mark.text}\n${preciseClockText(mark.at)}, ${words.record[records](mark.line)}`}
          />
        ))}
      </div>
    </li>
  )
}

interface Under {
  readonly spot: LaneSpot
  readonly left: number
  readonly top: number
}

/** The workers on one axis of time. A click selects a mark or a state, and so its line. */
export function Lanes({
  pods,
  total,
  range,
  nodeMarks,
  records,
  selection,
  onWidth,
  onSelect,
}: {
  readonly pods: readonly TimelineLane[]
  readonly total: number
  readonly range: TimeRange
  readonly nodeMarks: readonly TimelineNodeMark[]
  readonly records: TimelineView['records']
  readonly selection: LaneSelection
  /** How many marks fit beside each other. */
  readonly onWidth: (width: number) => void
  readonly onSelect: (pod: TimelineLane, spot: LaneSpot | null) => void
}): ReactNode {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [under, setUnder] = useState<Under | null>(null)
  const width = useWidth(scroller)
  const [times, setTimes] = useState<HTMLDivElement | null>(null)
  const ticks = ticksOf(range, useWidth(times), selection.at)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => onWidth(Math.max(20, Math.round((width - 232) / markPx))), [width, onWidth])
  useEffect(() => {
    list.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selection.pod])
  const found = ({
    target,
    clientX,
    clientY,
  }: PointerEvent): (Under & { pod: TimelineLane }) | null => {
    const track = target instanceof Element ? target.closest<HTMLElement>('[data-pod]') : null
    const pod = pods.find(({ id }) => id === track?.dataset['pod'])
    if (track === null || pod === undefined || scroller === null) return null
    const box = track.getBoundingClientRect()
    const perPx = (range.to - range.from) / Math.max(1, box.width)
    const spot = spotAt(pod, range.from + (clientX - box.left) * perPx, reachPx * perPx)
    if (spot === null) return null
    const frame = scroller.getBoundingClientRect()
    const left = Math.max(8, Math.min(clientX - frame.left + 12, frame.width - tipWidth - 16))
    const isLow = clientY - frame.top > frame.height - 120
    const top = clientY - frame.top + scroller.scrollTop + (isLow ? -96 : 20)
    return { pod, spot, left, top }
  }
  const place = selection.at === null ? -1 : placeOf(selection.at, range)
  return (
    <>
      <Axis
        range={range}
        ticks={ticks}
        timesRef={setTimes}
        selected={selection}
        shown={pods.length}
        total={total}
      />
      <div
        ref={setScroller}
        className={styles['lanes']}
        onPointerMove={(event) => setUnder(found(event))}
        onPointerLeave={() => setUnder(null)}
        onPointerUp={(event) => {
          const hit = found(event)
          if (hit !== null) onSelect(hit.pod, hit.spot)
        }}
      >
        <div className={styles['layer']} aria-hidden="true">
          {ticks.map(({ place: tick }) => (
            <i key={tick} className={styles['line']} style={placed(tick)} />
          ))}
        </div>
        <ul ref={list} aria-label={words.lanes} className={styles['list']}>
          <NodeMarks marks={nodeMarks} range={range} records={records} />
          {pods.map((pod, index) => (
            <Lane
              key={pod.id}
              pod={pod}
              range={range}
              isSelected={pod.id === selection.pod}
              isTabStop={selection.pod === null ? index === 0 : pod.id === selection.pod}
              selectedLine={pod.id === selection.pod ? selection.line : 0}
              onSelect={(chosen) => onSelect(chosen, null)}
            />
          ))}
        </ul>
        {place >= 0 && place <= 1 ? (
          <div className={styles['layer']} aria-hidden="true">
            <i className={styles['cursor']} style={placed(place)} />
          </div>
        ) : null}
        {under === null ? null : <SpotTip {...under} records={records} />}
      </div>
    </>
  )
}
