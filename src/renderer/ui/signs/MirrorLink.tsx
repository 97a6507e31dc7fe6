import type { ReactNode } from 'react'
import type { MirrorState } from '../../../shared/model/pod-row.ts'
import { classNames } from '../class-names.ts'
import { Glyph } from './Glyph.tsx'
import styles from './MirrorLink.module.css'

const meaning: Readonly<Record<MirrorState, string>> = {
  matched:
    'The API shows this version: the mirror’s config.mirror is the static pod’s config.hash.',
  missing: 'The API has no mirror of this static pod, so kubectl does not show it.',
  stale:
    'The mirror belongs to another version: its config.mirror is not the static pod’s config.hash.',
  deleting: 'The mirror has a deletionTimestamp; the kubelet deletes and recreates it.',
}

/** How a static pod stands with its mirror: a sign and the word. */
export function MirrorLink({ state }: { readonly state: MirrorState }): ReactNode {
  return (
    <span className={classNames(styles['link'], styles[state])} title={meaning[state]}>
      <Glyph name={state} />
      {state}
    </span>
  )
}
