import type { ReactNode } from 'react'
import type { GraceTry } from '../../store/slices/try-slice.ts'
import { text } from '../../text/text.ts'
import { useGraceLeft } from '../../ui/use-times.ts'
import styles from './Lessons.module.css'
import { Outcome } from './Outcome.tsx'

const words = text.start.grace

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
  if (isGone) return <Outcome isOk>{words.gone(name, exitCode)}</Outcome>
  if (exitCode !== null) return <Outcome isOk>{words.exited(exitCode)}</Outcome>
  if (grace === null) return <Outcome isOk={undefined}>{words.requested}</Outcome>
  return (
    <Outcome isOk={undefined}>
      <span className={styles['countdown']}>
        <progress
          className={styles['bar']}
          aria-label={words.left}
          max={grace.seconds}
          value={left}
        />
        <b>{text.common.seconds(left)}</b>
        <span>{words.toKill(left)}</span>
      </span>
    </Outcome>
  )
}
