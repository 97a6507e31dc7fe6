import type { ReactNode } from 'react'
import { useTicking } from '../../store/store-context.ts'
import type { GraceTry } from '../../store/slices/try-slice.ts'
import { graceLeft } from '../../words/time.ts'
import { Done } from './Done.tsx'
import styles from './Lessons.module.css'

/** How it ended, as far as it was seen. */
function ending({ name, exitCode }: GraceTry): string {
  if (exitCode === null) return `${name} has stopped, and its object is gone.`
  if (exitCode === 137) return `${name} exited with code 137: SIGKILL. Its object is gone.`
  return `${name} exited ${exitCode} before SIGKILL. Its object is gone.`
}

/** The seconds to SIGKILL, then what ended it. */
export function GraceOutcome({
  tried,
  cluster,
}: {
  readonly tried: GraceTry
  readonly cluster: string
}): ReactNode {
  const { grace } = tried
  const left = useTicking(cluster, (now) => (grace === null ? 0 : graceLeft(grace, now)), 0)
  if (tried.error !== '') return <Done isOk={false}>{tried.error}</Done>
  if (tried.isGone) return <Done isOk>{ending(tried)}</Done>
  if (tried.exitCode !== null)
    return <Done isOk>{`exit code ${tried.exitCode}; its object is deleted next`}</Done>
  if (grace === null) return <Done isOk={undefined}>asked; SIGTERM is on its way</Done>
  return (
    <Done isOk={undefined}>
      <span className={styles['countdown']}>
        <progress
          className={styles['bar']}
          aria-label="Grace left"
          max={grace.seconds}
          value={left}
        />
        <b>{left} s</b>
        <span>{left === 0 ? 'SIGKILL' : 'to SIGKILL'}</span>
      </span>
    </Done>
  )
}
