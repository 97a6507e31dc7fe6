import type { ReactNode } from 'react'
import type { WorkerStateWord } from '../../shared/model/pod-row.ts'
import { workerWord } from '../words/worker-word.ts'
import { classNames } from './class-names.ts'
import { Glyph } from './Glyph.tsx'
import tone from './tone.module.css'
import { workerLook } from './worker-look.ts'
import styles from './WorkerState.module.css'

/** A worker state: glyph and word; as a chip also its wash. */
export function WorkerState({
  state,
  isChip = false,
}: {
  readonly state: WorkerStateWord
  readonly isChip?: boolean
}): ReactNode {
  const look = workerLook(state)
  return (
    <span className={classNames(isChip ? styles['chip'] : styles['plain'], tone[look.tone])}>
      <Glyph name={look.glyph} />
      {workerWord(state)}
    </span>
  )
}
