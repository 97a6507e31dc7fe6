import type { ReactNode } from 'react'
import type { StatusTone } from '../../../shared/model/pod-row.ts'
import { classNames } from '../class-names.ts'
import styles from './StatusWord.module.css'

/** kubectl's STATUS word; without one the API has nothing to show yet. */
export function StatusWord({
  word,
  tone,
}: {
  readonly word: string
  readonly tone: StatusTone
}): ReactNode {
  return (
    <span className={classNames(styles['word'], word === '' ? styles['none'] : styles[tone])}>
      {word === '' ? 'none yet' : word}
    </span>
  )
}
