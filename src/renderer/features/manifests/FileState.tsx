import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import styles from './FileState.module.css'
import type { FileState } from './manifest-look.ts'
import { fileLook } from './manifest-look.ts'

/** The state of a file: sign and word. */
export function FileStateWord({ state }: { readonly state: FileState }): ReactNode {
  const { glyph, word, tone, meaning } = fileLook(state)
  return (
    <span className={classNames(styles['state'], styles[tone])} title={meaning}>
      <Glyph name={glyph} />
      {word}
    </span>
  )
}
