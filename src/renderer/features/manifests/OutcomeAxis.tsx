import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { at, between } from '../../ui/axis-style.ts'
import { clockText } from '../../words/time.ts'
import type { PodOutcome } from './pod-outcome.ts'
import { axisPlaces, placeOfNow } from './pod-outcome.ts'
import styles from './OutcomeAxis.module.css'

const words = text.manifests.timeline

function Mark({
  place,
  word,
  under,
  look,
}: {
  readonly place: number
  readonly word: string
  readonly under: string
  readonly look: 'plain' | 'now' | 'kill'
}): ReactNode {
  return (
    <span className={`${styles['mark']} ${styles[look]}`} style={at(place)}>
      <span className={styles['word']}>{word}</span>
      <span className={styles['under']}>{under}</span>
    </span>
  )
}

function relistText(course: PodOutcome): string {
  if (course.kind === 'runs') return words.within(course.relistIn)
  if (course.kind === 'stopping' && course.grace !== null) return clockText(course.grace.startedAt)
  return ''
}

function killText(course: PodOutcome, graceSeconds: number): string {
  return course.kind === 'stopping' && course.grace !== null
    ? clockText(course.grace.killAt)
    : words.later(graceSeconds)
}

/** Saved, now, the next relist and SIGKILL on an axis; the past is filled, the future outlined. */
export function OutcomeAxis({
  course,
  graceSeconds,
  now,
}: {
  readonly course: Extract<PodOutcome, { kind: 'runs' | 'stopping' }>
  readonly graceSeconds: number
  readonly now: number
}): ReactNode {
  const { saved, relist, kill } = axisPlaces
  const place = placeOfNow(course, now)
  const isStopping = course.kind === 'stopping'
  const runsTo = isStopping ? relist : place
  const relistAt = relistText(course)
  const killAt = killText(course, graceSeconds)
  return (
    <figure className={styles['axis']} aria-label={words.spoken(course.savedAgo, relistAt, killAt)}>
      <div className={styles['line']} aria-hidden="true">
        <span className={styles['runs']} style={between(0, runsTo)} />
        {isStopping ? null : (
          <span className={styles['ahead']} style={between(place, relist)}>
            <span>{words.runsOn}</span>
          </span>
        )}
        <span
          className={isStopping ? styles['stops'] : styles['stopsLater']}
          style={between(relist, kill)}
        />
        <span className={styles['after']} style={between(kill, 1)} />
        <Mark place={saved} word={words.saved} under={words.ago(course.savedAgo)} look="plain" />
        <Mark place={relist} word={words.relist} under={relistAt} look="plain" />
        <Mark place={kill} word={words.kill} under={killAt} look="kill" />
        <Mark place={place} word={words.now} under="" look="now" />
        <span className={styles['caption']} style={between(relist, 1)}>
          {words.stops(graceSeconds)}
        </span>
      </div>
    </figure>
  )
}
