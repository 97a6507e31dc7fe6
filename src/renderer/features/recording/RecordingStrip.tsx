import type { ReactNode } from 'react'
import type { ClusterView, RecordingView } from '../../../shared/model/cluster-view.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState, useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { clockText, fullTimeText, lastingText } from '../../words/time.ts'
import styles from './RecordingStrip.module.css'

const words = text.recording
/** Recordings of schema 1 have rows and events only. */
const schemaWithViews = 2

function notes({ isComplete, dropped, schema }: RecordingView): readonly string[] {
  return [
    ...(isComplete ? [] : [words.incomplete]),
    ...(dropped === 0 ? [] : [words.dropped(dropped)]),
    ...(schema < schemaWithViews ? [words.oldSchema] : []),
  ]
}

/** ms between two places of the scrubber. */
const stepMs = 100

/**
 * The place of a moment on the scrubber. The browser moves a value that is between two places, and then tells of a change by
 * itself.
 */
function placeOf(now: number, first: number, last: number): number {
  const most = Math.floor((last - first) / stepMs)
  return first + Math.min(most, Math.round((now - first) / stepMs)) * stepMs
}

function Scrubber({
  cluster,
  recording: { from, to },
}: {
  readonly cluster: ClusterView
  readonly recording: RecordingView
}): ReactNode {
  const command = useAppState((state) => state.commandClock)
  const isLost = useAppState((state) => isCutOff(state.link))
  const now = useTicking(cluster.id, (at) => Math.round(at), from)
  const first = Math.ceil(from)
  const last = Math.ceil(to)
  return (
    <div className={styles['scrubber']}>
      <Button
        variant="quiet"
        isRefused={isLost}
        onClick={() => void command({ kind: 'seek', at: from })}
      >
        {words.start}
      </Button>
      <time>{clockText(from)}</time>
      <input
        type="range"
        aria-label={words.scrubber}
        aria-valuetext={words.of(clockText(now), clockText(to))}
        min={first}
        max={last}
        step={stepMs}
        value={placeOf(now, first, last)}
        disabled={isLost}
        onChange={({ target }) => void command({ kind: 'seek', at: target.valueAsNumber })}
      />
      <time>{clockText(to)}</time>
      <span className={styles['length']}>{lastingText(to - from)}</span>
    </div>
  )
}

/** Above every view of a recording: which file it is, and its moments. */
export function RecordingStrip(): ReactNode {
  const cluster = useAppState(shownCluster)
  if (cluster === undefined || cluster.recording === null) return null
  const { recording } = cluster
  const recordedAt = fullTimeText(Date.parse(recording.recordedAt))
  return (
    <section className={styles['strip']} aria-label={words.label(recording.file)}>
      <div className={styles['words']}>
        <strong>{recording.file}</strong>
        <span>{words.facts(recording.version, recordedAt)}</span>
        {notes(recording).map((note) => (
          <span key={note} className={styles['note']}>
            {note}
          </span>
        ))}
      </div>
      <Scrubber cluster={cluster} recording={recording} />
    </section>
  )
}
