import type { ReactNode } from 'react'
import { shortId } from '../../../shared/model/explanation/explanation-words.ts'
import type { MirrorTry } from '../../store/slices/try-slice.ts'
import { text } from '../../text/text.ts'
import { clockText } from '../../words/time.ts'
import styles from './Lessons.module.css'
import { Outcome } from './Outcome.tsx'

const words = text.start.mirror

/** The old UID struck out and the new one, and the container's start time before and after. */
export function MirrorOutcome({
  tried: { error, newUid, oldUid, startedAfter, startedBefore },
}: {
  readonly tried: MirrorTry
}): ReactNode {
  if (error !== '') return <Outcome isOk={false}>{error}</Outcome>
  return (
    <Outcome isOk={newUid === null ? undefined : true}>
      <span className={styles['uids']}>
        <del title={oldUid}>{shortId(oldUid)}</del>
        {newUid === null ? (
          <span>{words.deleted}</span>
        ) : (
          <>
            <span aria-hidden="true">→</span>
            <ins title={newUid}>{shortId(newUid)}</ins>
          </>
        )}
      </span>
      {startedBefore === null || startedAfter === null ? null : (
        <span className={styles['fact']}>
          {words.started(clockText(Date.parse(startedBefore)), clockText(Date.parse(startedAfter)))}
        </span>
      )}
    </Outcome>
  )
}
