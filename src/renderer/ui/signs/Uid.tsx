import type { ReactNode } from 'react'
import { shortUid } from '../../words/uid.ts'
import { classNames } from '../class-names.ts'
import text from '../text.module.css'
import styles from './Uid.module.css'
import { useCopy } from '../use-copy.ts'

/** A short UID; the whole one is in the tooltip, and a click copies it. For rows, so it is no tab stop. */
export function Uid({ uid, what }: { readonly uid: string; readonly what: string }): ReactNode {
  const { outcome, copy } = useCopy(uid)
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classNames(styles['uid'], outcome === 'copied' && styles['copied'])}
      title={outcome === 'copied' ? 'Copied' : `${what} ${uid}\nClick to copy`}
      onClick={(event) => {
        event.stopPropagation()
        copy()
      }}
    >
      <span aria-hidden="true">
        {outcome === 'copied' ? 'copied' : outcome === 'failed' ? 'not copied' : shortUid(uid)}
      </span>
      <span className={text['hidden']}>{`Copy the ${what} ${uid}`}</span>
    </button>
  )
}
