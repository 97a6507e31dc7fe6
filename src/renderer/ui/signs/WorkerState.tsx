import type { ReactNode } from 'react'
import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../class-names.ts'
import { Glyph } from './Glyph.tsx'
import textStyles from '../text.module.css'
import tone from '../tone.module.css'
import { workerStyle } from './worker-style.ts'
import styles from './WorkerState.module.css'

/** A worker state: glyph and word; a chip has a background, and of a sign only screen readers read the word. */
export function WorkerState({
  state,
  isChip = false,
  isSign = false,
}: {
  readonly state: WorkerStateWord
  readonly isChip?: boolean
  readonly isSign?: boolean
}): ReactNode {
  const style = workerStyle(state)
  const word = text.common.workerStates[state]
  return (
    <span className={classNames(isChip ? styles['chip'] : styles['plain'], tone[style.tone])}>
      <Glyph name={style.glyph} />
      {isSign ? <span className={textStyles['hidden']}>{word}</span> : word}
    </span>
  )
}
