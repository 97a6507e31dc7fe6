import type { ReactNode } from 'react'
import type { TimelineMarkKind } from '../../../shared/model/timeline/timeline.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../class-names.ts'
import { LanePatterns, MarkSign } from './LaneSigns.tsx'
import styles from './Lanes.module.css'

const words = text.timeline

const bars = [
  { word: words.assumed, style: ['sync', 'open'], isThin: false },
  { word: words.states.waiting, style: ['waiting', 'open'], isThin: false },
  { word: words.states.sync, style: ['sync'], isThin: false },
  { word: words.states.terminating, style: ['terminating'], isThin: false },
  { word: words.states.terminated, style: ['terminated'], isThin: true },
] as const

const kinds: readonly TimelineMarkKind[] = [
  'started',
  'died',
  'kill',
  'loop',
  'status',
  'probe',
  'mirror',
]

/** What the bars and signs of the lanes mean; the lanes take their hatch from it. */
export function LanesLegend(): ReactNode {
  return (
    <>
      <LanePatterns />
      <ul className={styles['legend']}>
        {bars.map(({ word, style, isThin }) => (
          <li key={word}>
            <svg width="22" height="11" aria-hidden="true">
              <rect
                x="0.5"
                y={isThin ? 4 : 0.5}
                width="21"
                height={isThin ? 4 : 10}
                className={classNames(...style.map((name) => styles[name]))}
              />
            </svg>
            {word}
          </li>
        ))}
        {kinds.map((kind) => (
          <li key={kind}>
            <svg width="10" height="10" viewBox="-5 -5 10 10" aria-hidden="true">
              <MarkSign kind={kind} />
            </svg>
            {words.marks[kind]}
          </li>
        ))}
      </ul>
    </>
  )
}
