import type { ReactNode } from 'react'
import type { StatusTone } from '../../../shared/model/pod-row.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../class-names.ts'
import styles from './StatusWord.module.css'

/** kubectl's STATUS; empty while the API has none. */
export function StatusWord({
  word,
  tone,
}: {
  readonly word: string
  readonly tone: StatusTone
}): ReactNode {
  return (
    <span className={classNames(styles['word'], word === '' ? styles['none'] : styles[tone])}>
      {word === '' ? text.common.signs.noStatus : word}
    </span>
  )
}
