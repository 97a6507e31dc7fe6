import type { ReactNode } from 'react'
import type { ContainerBrick, PodRow } from '../../../shared/model/pod-row.ts'
import styles from './Bricks.module.css'

const words: Readonly<Record<ContainerBrick, string>> = {
  running: 'ready',
  notready: 'running, not ready',
  down: 'failed',
  exited: 'Completed (exit 0)',
  waiting: 'waiting',
}

/** A pod with more containers than this shows the first ones; the number beside them is whole. */
const bricksShown = 6

/** One brick for each container: full, hollow, struck or dotted. The number beside it says the same. */
export function Bricks({ bricks }: { readonly bricks: PodRow['bricks'] }): ReactNode {
  return (
    <span
      className={styles['bricks']}
      title={bricks.map(({ name, state }) => `${name}: ${words[state]}`).join('\n')}
      aria-hidden="true"
    >
      {bricks.slice(0, bricksShown).map(({ name, state }) => (
        <i key={name} className={styles[state]} />
      ))}
    </span>
  )
}
