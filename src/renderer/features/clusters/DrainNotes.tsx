import type { ReactNode } from 'react'
import type { DrainProgress } from '../../../shared/model/seen/drain.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './NodesView.module.css'

const words = text.clusters.seenActs

function lineOf({ node, state, evicted, waiting, problem }: DrainProgress): string {
  if (state === 'running') return words.draining(node, evicted, waiting.length)
  return state === 'done' ? words.drained(node, evicted) : words.drainStopped(node, problem)
}

/** How the drains that were begun here stand. */
export function DrainNotes({
  cluster,
  drains,
}: {
  readonly cluster: string
  readonly drains: readonly DrainProgress[]
}): ReactNode {
  const stop = useAppState((state) => state.stopDrain)
  return drains.map((drain) => (
    <Note
      key={drain.node}
      variant={drain.state === 'stopped' ? 'warn' : 'plain'}
      icon={drain.state === 'done' ? 'check' : 'evict'}
    >
      <p>
        <b>{lineOf(drain)}</b>
      </p>
      {drain.waiting.map(({ pod, why }) => (
        <p key={pod}>
          <code>{pod}</code> {why}
        </p>
      ))}
      {drain.state === 'running' ? (
        <div className={styles['under']}>
          <Button isSmall onClick={() => void stop({ cluster, node: drain.node })}>
            {words.stop}
          </Button>
        </div>
      ) : null}
    </Note>
  ))
}
