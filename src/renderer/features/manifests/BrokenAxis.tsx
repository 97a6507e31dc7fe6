import type { ReactNode } from 'react'
import { clockText } from '../../words/time.ts'
import type { BrokenCourse } from './broken-course.ts'
import { axisPlaces, placeOfNow } from './broken-course.ts'
import styles from './BrokenAxis.module.css'

function at(place: number): { readonly left: string } {
  return { left: `${place * 100}%` }
}

function between(from: number, to: number): { readonly left: string; readonly width: string } {
  return { left: `${from * 100}%`, width: `${(to - from) * 100}%` }
}

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

function relistText(course: BrokenCourse): string {
  if (course.kind === 'runs') return `within ${course.relistIn} s`
  if (course.kind === 'stopping' && course.grace !== null) return clockText(course.grace.startedAt)
  return ''
}

function killText(course: BrokenCourse, graceSeconds: number): string {
  return course.kind === 'stopping' && course.grace !== null
    ? clockText(course.grace.killAt)
    : `${graceSeconds} s later`
}

/** What is behind is drawn, what is ahead is outlined: saved, now, the next relist, SIGKILL. */
export function BrokenAxis({
  course,
  graceSeconds,
  now,
}: {
  readonly course: Extract<BrokenCourse, { kind: 'runs' | 'stopping' }>
  readonly graceSeconds: number
  readonly now: number
}): ReactNode {
  const { saved, relist, kill } = axisPlaces
  const place = placeOfNow(course, now)
  const isStopping = course.kind === 'stopping'
  const runsTo = isStopping ? relist : place
  const spoken = `saved ${course.savedAgo} s ago, relist ${relistText(course)}, SIGKILL at the latest ${killText(course, graceSeconds)}`
  return (
    <figure className={styles['axis']} aria-label={spoken}>
      <div className={styles['line']} aria-hidden="true">
        <span className={styles['runs']} style={between(0, runsTo)} />
        {isStopping ? null : (
          <span className={styles['ahead']} style={between(place, relist)}>
            <span>runs on</span>
          </span>
        )}
        <span
          className={isStopping ? styles['stops'] : styles['stopsLater']}
          style={between(relist, kill)}
        />
        <span className={styles['after']} style={between(kill, 1)} />
        <Mark place={saved} word="saved" under={`${course.savedAgo} s ago`} look="plain" />
        <Mark place={relist} word="relist" under={relistText(course)} look="plain" />
        <Mark
          place={kill}
          word="SIGKILL at the latest"
          under={killText(course, graceSeconds)}
          look="kill"
        />
        <Mark place={place} word="now" under="" look="now" />
        <span className={styles['caption']} style={between(relist, 1)}>
          REMOVE, TerminatingPod, {graceSeconds} s grace
        </span>
      </div>
    </figure>
  )
}
