import type { ReactNode } from 'react'
import type { MirrorTry } from '../../store/slices/try-slice.ts'
import { clockText } from '../../words/time.ts'
import { shortUid } from '../../words/uid.ts'
import { Done } from './Done.tsx'
import styles from './Lessons.module.css'

/** The container's start, which a deleted mirror leaves alone: both readings, so that nobody has to believe it. */
function Started({ tried }: { readonly tried: MirrorTry }): ReactNode {
  if (tried.startedBefore === null || tried.startedAfter === null) return null
  const before = clockText(Date.parse(tried.startedBefore))
  const after = clockText(Date.parse(tried.startedAfter))
  return (
    <span className={styles['fact']}>
      {before === after
        ? `container started ${before}, before and after`
        : `container started ${before} before, ${after} after`}
    </span>
  )
}

/** The old UID struck out, the new one beside it. */
export function MirrorOutcome({ tried }: { readonly tried: MirrorTry }): ReactNode {
  if (tried.error !== '') return <Done isOk={false}>{tried.error}</Done>
  return (
    <Done isOk={tried.newUid === null ? undefined : true}>
      <span className={styles['uids']}>
        <del title={tried.oldUid}>{shortUid(tried.oldUid)}</del>
        {tried.newUid === null ? (
          <span>deleted; the kubelet recreates it</span>
        ) : (
          <>
            <span aria-hidden="true">→</span>
            <ins title={tried.newUid}>{shortUid(tried.newUid)}</ins>
          </>
        )}
      </span>
      <Started tried={tried} />
    </Done>
  )
}
