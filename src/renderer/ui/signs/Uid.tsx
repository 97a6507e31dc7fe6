import type { ReactNode } from 'react'
import { shortId } from '../../../shared/model/explanation/explanation-words.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../class-names.ts'
import textStyles from '../text.module.css'
import styles from './Uid.module.css'
import { useCopy } from '../use-copy.ts'

/** A short UID; the tooltip has the full UID, and a click copies it. For rows, so it is not a tab stop. */
export function Uid({ uid, what }: { readonly uid: string; readonly what: string }): ReactNode {
  const { outcome, copy } = useCopy(uid)
  const { copied, copy: words } = text.common
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classNames(styles['uid'], outcome === 'copied' && styles['copied'])}
      title={outcome === 'copied' ? copied : words.uidTitle(what, uid)}
      onClick={(event) => {
        event.stopPropagation()
        copy()
      }}
    >
      <span aria-hidden="true">
        {{ copied: words.uidCopied, failed: words.uidFailed, idle: shortId(uid) }[outcome]}
      </span>
      <span className={textStyles['hidden']}>{words.uid(what, uid)}</span>
    </button>
  )
}
