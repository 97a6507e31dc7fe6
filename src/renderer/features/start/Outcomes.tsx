import type { ReactNode } from 'react'
import { shortId } from '../../../shared/model/explanation/explanation-words.ts'
import type { GraceTry, MirrorTry } from '../../store/slices/try-slice.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { useGraceLeft } from '../../ui/use-times.ts'
import { clockText } from '../../words/time.ts'
import styles from './Lessons.module.css'

/** The outcome of a lesson; it stays. `isOk`: undefined while the lesson runs. */
export function Outcome({
  isOk,
  children,
}: {
  readonly isOk: boolean | undefined
  readonly children: ReactNode
}): ReactNode {
  return (
    <output className={classNames(styles['done'], isOk === false && styles['failed'])}>
      <Icon name={isOk === undefined ? 'clock' : isOk ? 'check' : 'error'} />
      <span className={styles['outcome']}>{children}</span>
    </output>
  )
}

/** The seconds until SIGKILL, then how the container exited. */
export function GraceOutcome({
  tried: { error, exitCode, grace, isGone, name },
  cluster,
}: {
  readonly tried: GraceTry
  readonly cluster: string
}): ReactNode {
  const left = useGraceLeft(cluster, grace)
  if (error !== '') return <Outcome isOk={false}>{error}</Outcome>
  if (isGone) return <Outcome isOk>{text.start.grace.gone(name, exitCode)}</Outcome>
  if (exitCode !== null) return <Outcome isOk>{text.start.grace.exited(exitCode)}</Outcome>
  if (grace === null) return <Outcome isOk={undefined}>{text.start.grace.requested}</Outcome>
  return (
    <Outcome isOk={undefined}>
      <span className={styles['countdown']}>
        <progress
          className={styles['bar']}
          aria-label={text.start.grace.left}
          max={grace.seconds}
          value={left}
        />
        <b>{text.common.seconds(left)}</b>
        <span>{text.start.grace.toKill(left)}</span>
      </span>
    </Outcome>
  )
}

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
          <span>{text.start.mirror.deleted}</span>
        ) : (
          <>
            <span aria-hidden="true">→</span>
            <ins title={newUid}>{shortId(newUid)}</ins>
          </>
        )}
      </span>
      {startedBefore === null || startedAfter === null ? null : (
        <span className={styles['fact']}>
          {text.start.mirror.started(
            clockText(Date.parse(startedBefore)),
            clockText(Date.parse(startedAfter)),
          )}
        </span>
      )}
    </Outcome>
  )
}
