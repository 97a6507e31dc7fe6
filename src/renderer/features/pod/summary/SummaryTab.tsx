import type { ReactNode } from 'react'
import type { PodDetail } from '../../../../shared/model/pod-detail.ts'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { shortReason } from '../../../words/scheduler-reason.ts'
import { text } from '../../../text/text.ts'
import { WorkerState } from '../../../ui/signs/WorkerState.tsx'
import { Conditions } from './Conditions.tsx'
import { GraceAxis } from '../history/GraceAxis.tsx'
import { WorkerLifecycle } from '../history/WorkerLifecycle.tsx'
import { MirrorPair } from './MirrorPair.tsx'
import { NotSimulatedList } from './NotSimulatedList.tsx'
import { PodStateProvider } from './PodStateProvider.tsx'
import styles from './SummaryTab.module.css'
import { Why } from './Why.tsx'
import { WorkerRecord } from './WorkerRecord.tsx'

function Worker({
  row,
  detail,
}: {
  readonly row: PodRow
  readonly detail: PodDetail | null
}): ReactNode {
  const worker = detail?.worker ?? null
  const message = detail?.message ?? ''
  // A kubelet elsewhere has it: there is a worker that nothing tells of.
  const isElsewhere = row.worker === 'noKubelet' && detail !== null && detail.why === null
  // `Why` shows the full message.
  const isShort = row.worker === 'noKubelet' && !isElsewhere
  const reason = isShort ? shortReason(row.workerReason) : row.workerReason
  return (
    <section className={styles['section']} aria-label={text.pod.worker}>
      <div className={styles['state']}>
        {isElsewhere ? null : <WorkerState state={row.worker} isChip />}
        {reason === '' ? null : <p className={styles['reason']}>{reason}</p>}
      </div>
      {row.grace === null ? null : <GraceAxis row={row} grace={row.grace} />}
      {worker === null ? null : <WorkerLifecycle worker={worker} />}
      {message === '' ? null : <p className={styles['message']}>{message}</p>}
    </section>
  )
}

/** The state of the pod, the reason for it, and the record of its worker. */
export function SummaryTab({
  row,
  detail,
}: {
  readonly row: PodRow
  readonly detail: PodDetail | null
}): ReactNode {
  const worker = detail?.worker ?? null
  const why = detail?.why ?? null
  const notSimulated = detail?.notSimulated ?? []
  return (
    <>
      <Worker row={row} detail={detail} />
      {why === null ? null : <Why why={why} worker={row.worker} />}
      {notSimulated.length === 0 ? null : <NotSimulatedList entries={notSimulated} />}
      {row.kind === 'regular' ? null : <MirrorPair row={row} />}
      {worker === null ? null : (
        <>
          <PodStateProvider worker={worker} />
          <WorkerRecord worker={worker} />
        </>
      )}
      <Conditions cluster={row.cluster} />
    </>
  )
}
