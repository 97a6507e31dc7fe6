import type { ReactNode } from 'react'
import type { MirrorState } from '../../../shared/model/pod-row.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../class-names.ts'
import { Glyph } from './Glyph.tsx'
import styles from './MirrorLink.module.css'

/** The state of a static pod's mirror: a sign and the word. */
export function MirrorLink({ state }: { readonly state: MirrorState }): ReactNode {
  return (
    <span
      className={classNames(styles['link'], styles[state])}
      title={text.common.signs.mirrors[state]}
    >
      <Glyph name={state} />
      {state}
    </span>
  )
}
