import type { ReactNode } from 'react'
import type { RunningBrick } from '../../../shared/model/inspect/inspect-view.ts'
import { text } from '../../text/text.ts'
import styles from './Bricks.module.css'

const words: Readonly<Record<RunningBrick['state'], string>> = text.common.signs.containers

/** Of more containers than this, only the first are drawn; the number next to them counts all. */
const bricksShown = 6

/** `main: ready`, a container each. */
export function bricksText(bricks: readonly RunningBrick[], between: string): string {
  return bricks.map(({ name, state }) => `${name}: ${words[state]}`).join(between)
}

/** One square for each container: full, hollow, struck or dotted. The number next to them says the same. */
export function Bricks({ bricks }: { readonly bricks: readonly RunningBrick[] }): ReactNode {
  return (
    <span className={styles['bricks']} title={bricksText(bricks, '\n')} aria-hidden="true">
      {bricks.slice(0, bricksShown).map(({ name, state }) => (
        <i key={name} className={styles[state]} />
      ))}
    </span>
  )
}
