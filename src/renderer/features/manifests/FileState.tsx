import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import type { GlyphName } from '../../ui/signs/Glyph.tsx'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import styles from './FileState.module.css'
import type { FileState } from './listed-files.ts'

type Tone = 'quiet' | 'ok' | 'error' | 'warn' | 'faint' | 'waiting'

const stateStyles: Readonly<Record<FileState, readonly [glyph: GlyphName, tone: Tone]>> = {
  running: ['sync', 'quiet'],
  rejected: ['missing', 'error'],
  shadowed: ['orphan', 'warn'],
  skipped: ['none', 'faint'],
  waiting: ['waiting', 'waiting'],
  unsaved: ['mirror', 'waiting'],
}

/** The state of a file: sign and word. */
export function FileStateWord({ state }: { readonly state: FileState }): ReactNode {
  const [glyph, tone] = stateStyles[state]
  const [word, meaning] = text.manifests.states[state]
  return (
    <span className={classNames(styles['state'], styles[tone])} title={meaning}>
      <Glyph name={glyph} />
      {word}
    </span>
  )
}
