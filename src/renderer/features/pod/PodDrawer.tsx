import type { ReactNode } from 'react'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState, useIsThere, useRow } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { SourceTag, StaticTag, MirrorTag } from '../../ui/Tag.tsx'
import { WorkerState } from '../../ui/WorkerState.tsx'
import { Acts } from './Acts.tsx'
import { Containers } from './Containers.tsx'
import { GoneNote } from './GoneNote.tsx'
import { GraceAxis } from './GraceAxis.tsx'
import { LifeLine } from './LifeLine.tsx'
import styles from './PodDrawer.module.css'
import { TraceList } from './TraceList.tsx'
import { Uids } from './Uids.tsx'
import { WorkerRecord } from './WorkerRecord.tsx'

function Top({
  row,
  detail,
  isThere,
}: {
  readonly row: PodRow
  readonly detail: PodDetail | null
  readonly isThere: boolean
}): ReactNode {
  const closeDrawer = useAppState((state) => state.closeDrawer)
  return (
    <div className={styles['top']}>
      <div className={styles['title']}>
        <h2 className={styles['name']} title={row.name}>
          {row.name}
        </h2>
        <Button
          look="quiet"
          icon="close"
          label="Close the panel"
          title="Close (Esc)"
          onClick={closeDrawer}
        />
      </div>
      <div className={styles['facts']}>
        <span>{row.namespace}</span>
        <SourceTag source={row.source} />
        {row.kind === 'static' ? <StaticTag /> : null}
        {row.kind === 'mirror' ? <MirrorTag word="orphan mirror" /> : null}
        {detail === null || detail.facts.controlledBy === '' ? null : (
          <span className={styles['owner']}>{detail.facts.controlledBy}</span>
        )}
      </div>
      <Uids row={row} />
      {isThere ? <Acts row={row} facts={detail?.facts ?? null} /> : null}
    </div>
  )
}

function Worker({
  row,
  detail,
}: {
  readonly row: PodRow
  readonly detail: PodDetail | null
}): ReactNode {
  return (
    <section className={styles['section']} aria-label="Worker state">
      <div className={styles['state']}>
        <WorkerState state={row.worker} isChip />
        {row.workerReason === '' ? null : <p className={styles['reason']}>{row.workerReason}</p>}
      </div>
      {row.grace === null ? null : <GraceAxis row={row} grace={row.grace} />}
      {detail?.worker === undefined || detail.worker === null ? null : (
        <LifeLine worker={detail.worker} />
      )}
      {detail === null || detail.message === '' ? null : (
        <p className={styles['message']}>{detail.message}</p>
      )}
    </section>
  )
}

/** The panel of one pod; `detail` comes a moment after it opens, and is kept current. */
export function PodDrawer({ podKey }: { readonly podKey: PodKey }): ReactNode {
  const known = useRow(podKey)
  const isThere = useIsThere(podKey)
  const latest = useAppState((state) => state.detail)
  const detail = latest?.row.key === podKey ? latest : null
  const row = known ?? detail?.row
  if (row === undefined) return <span />
  return (
    <aside
      className={classNames(styles['drawer'], !isThere && styles['gone'])}
      aria-label={`Pod ${row.namespace}/${row.name}`}
    >
      <Top row={row} detail={detail} isThere={isThere} />
      {isThere ? null : <GoneNote row={row} />}
      <Worker row={row} detail={detail} />
      {detail === null ? null : (
        <>
          <Containers cluster={row.cluster} containers={detail.containers} podIP={detail.podIP} />
          <TraceList key={row.key} events={detail.trace} />
          {detail.worker === null ? null : <WorkerRecord worker={detail.worker} />}
        </>
      )}
    </aside>
  )
}
