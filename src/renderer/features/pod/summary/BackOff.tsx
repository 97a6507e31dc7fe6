import type { ReactNode } from 'react'
import { timeOf } from '../../../../shared/kubernetes/printers/age.ts'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import { useTicking } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { useElapsedPercent } from '../../../ui/use-times.ts'
import { clockText, secondsLeft } from '../../../words/time.ts'
import styles from './BackOff.module.css'

/** The back-off of a container that keeps exiting: how much is over, and when it may start again. */
export function BackOff({
  cluster,
  container,
  until,
}: {
  readonly cluster: string
  readonly container: ContainerView
  readonly until: number
}): ReactNode {
  const endedAt = timeOf(container.lastTermination?.finishedAt ?? container.finishedAt) ?? until
  const left = useTicking(cluster, (now) => secondsLeft(until, now), 0)
  const share = useElapsedPercent(cluster, endedAt, until)
  return (
    <div className={styles['backOff']}>
      <div className={styles['words']}>
        <span>{text.pod.containers.backOff(left)}</span>
        <span className={styles['at']}>{text.pod.containers.nextStart(clockText(until))}</span>
      </div>
      <div className={styles['track']} aria-hidden="true">
        <span className={styles['spent']} style={{ width: `${share}%` }} />
      </div>
    </div>
  )
}
