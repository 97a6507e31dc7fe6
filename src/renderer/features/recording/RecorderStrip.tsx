import type { ReactNode } from 'react'
import { useState } from 'react'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { clockText } from '../../words/time.ts'
import styles from './RecordingStrip.module.css'

const words = text.recording.recorder

/** Above every view while the shown cluster is recorded, and afterwards until it is dismissed. */
export function RecorderStrip(): ReactNode {
  const cluster = useAppState(shownCluster)
  const stop = useAppState((state) => state.stopRecording)
  const open = useAppState((state) => state.openRecording)
  const [dismissed, setDismissed] = useState('')
  if (cluster === undefined || cluster.recorder === null) return null
  const { path, since, isRunning, problem } = cluster.recorder
  if (!isRunning && dismissed === path) return null
  return (
    <section className={styles['recorder']} aria-label={words.label}>
      <Icon name={isRunning ? 'record' : problem === '' ? 'check' : 'error'} />
      <p>
        <b>{isRunning ? words.running(clockText(since)) : words.ended}</b> <code>{path}</code>
        {problem === '' ? null : <span className={styles['note']}> {problem}</span>}
      </p>
      {isRunning ? (
        <Button icon="stop" onClick={() => void stop(cluster.id)}>
          {words.stopIt}
        </Button>
      ) : (
        <>
          <Button onClick={() => void open(cluster.id)}>{words.openIt}</Button>
          <Button
            variant="quiet"
            icon="close"
            label={text.common.close}
            onClick={() => setDismissed(path)}
          />
        </>
      )}
    </section>
  )
}
