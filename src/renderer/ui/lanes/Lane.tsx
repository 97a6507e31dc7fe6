import type { ReactNode } from 'react'
import { memo } from 'react'
import type { TimelineLane } from '../../../shared/model/timeline/timeline.ts'
import type { TimeRange } from './lane-geometry.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../class-names.ts'
import { Glyph } from '../signs/Glyph.tsx'
import { preciseClockText } from '../../words/time.ts'
import { MarkSign, signHeights } from './LaneSigns.tsx'
import type { Bar } from './lane-geometry.ts'
import { barsOf, placeOf } from './lane-geometry.ts'
import styles from './Lanes.module.css'

const words = text.timeline

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`
}

function BarShape({ bar: { segment, from, to } }: { readonly bar: Bar }): ReactNode {
  const { state, certainty } = segment
  const isThin = state === 'terminated' || state === 'finished'
  const isOpen = certainty === 'assumed' || state === 'waiting'
  return (
    <rect
      x={percent(from)}
      width={percent(Math.max(0, to - from))}
      y={isThin ? 10.5 : 7}
      height={isThin ? 4 : 11}
      className={classNames(
        styles['bar'],
        styles[state],
        isOpen && styles['open'],
        certainty === 'inferred' && styles['inferred'],
      )}
    />
  )
}

/** The worker of one pod: its name and state, and its time. `data-pod` is what a pointer finds. */
export const Lane = memo(function Lane({
  pod,
  range,
  isSelected,
  isTabStop,
  selectedLine,
  onSelect,
}: {
  readonly pod: TimelineLane
  readonly range: TimeRange
  readonly isSelected: boolean
  /** Tab reaches one lane; J and K the others. */
  readonly isTabStop: boolean
  /** 0: none of this pod. */
  readonly selectedLine: number
  readonly onSelect: (pod: TimelineLane) => void
}): ReactNode {
  const { id, namespace, name, source, state, segments, marks } = pod
  const fullName = namespace === '' ? (pod.uid ?? name) : `${namespace}/${name}`
  const last = segments.at(-1)
  return (
    <li className={classNames(styles['row'], isSelected && styles['selected'])}>
      <button
        type="button"
        className={styles['pod']}
        aria-pressed={isSelected}
        aria-label={
          last === undefined
            ? words.noWorker(fullName)
            : words.row(fullName, words.states[state], preciseClockText(last.from))
        }
        title={`${fullName}\n${pod.uid ?? ''}`}
        tabIndex={isTabStop ? 0 : -1}
        onClick={() => onSelect(pod)}
      >
        <Glyph
          name={source === 'unknown' ? 'none' : source}
          className={styles[`source-${source}`]}
        />
        <span className={styles['name']}>
          <span className={styles['head']}>{(name || fullName).slice(0, -6)}</span>
          <span>{(name || fullName).slice(-6)}</span>
        </span>
        <Glyph
          name={last === undefined ? 'none' : state}
          className={styles[`state-${last === undefined ? 'none' : state}`]}
        />
      </button>
      <div className={styles['track']} data-pod={id} aria-hidden="true">
        <svg width="100%" height="25" className={styles['drawing']}>
          {barsOf(segments, range).map((bar) => (
            <BarShape key={`${bar.segment.fromLine} ${bar.segment.state}`} bar={bar} />
          ))}
          {marks.map((mark) => (
            <svg
              key={`${mark.line} ${mark.kind} ${mark.text}`}
              x={percent(placeOf(mark.at, range))}
              y={signHeights[mark.kind]}
              className={styles['sign']}
            >
              <MarkSign kind={mark.kind} />
              {mark.line === selectedLine ? <circle r="6" className={styles['pick']} /> : null}
            </svg>
          ))}
        </svg>
      </div>
    </li>
  )
})
