import type { ReactNode } from 'react'
import type { ContainerBrick, PodRow } from '../../../shared/model/pod-row.ts'
import { text } from '../../text/text.ts'
import styles from './Bricks.module.css'

const words: Readonly<Record<ContainerBrick, string>> = text.common.signs.containers

/** Of more containers than this, only the first are drawn; the number next to them counts all. */
const bricksShown = 6

/** One square for each container: full, hollow, struck or dotted. The number next to them says the same. */
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
