/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are placed by transforms, which the elements of a select do not take */
import type { ReactNode } from 'react'
import { memo } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { Pair } from '../../store/rows/mirrors-order.ts'
import { useAppState, useRow } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { ListOption } from '../../ui/list/ListOption.tsx'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { WorkerState } from '../../ui/signs/WorkerState.tsx'
import { useGraceLeft } from '../../ui/use-times.ts'
import textStyles from '../../ui/text.module.css'
import { PairLink } from './PairLink.tsx'
import styles from './PairRow.module.css'
import { pairReason } from './pair-words.ts'

const words = text.mirrors.row

interface SideProps {
  readonly row: PodRow
  readonly pair: Pair
}

/** `web.yaml`, if the folder's listing has the pod; else the source's word. */
function useOrigin({ source, uid }: PodRow): string {
  return useAppState(({ manifests }) => {
    if (source === 'http') return manifests?.url?.url.replace(/^https?:\/\//, '') ?? 'http'
    return manifests?.files.find((file) => file.uid === uid)?.name ?? source
  })
}

function Name({ row }: { readonly row: PodRow }): ReactNode {
  return (
    <span className={styles['name']} title={`${row.namespace}/${row.name}`}>
      <span className={styles['faint']}>{row.namespace}/</span>
      <b>
        {row.name}
        <span className={textStyles['spoken']}>, </span>
      </b>
    </span>
  )
}

function StaticSide({ row, pair }: SideProps): ReactNode {
  const origin = useOrigin(row)
  const second = classNames(styles['line'], styles['second'])
  if (pair.state === 'orphaned')
    return (
      <span className={styles['side']}>
        <span className={styles['line']}>
          <Glyph name="static" className={styles['absent']} />
          <span className={styles['dim']}>
            <Name row={row} />
          </span>
        </span>
        <span className={classNames(second, styles['faint'])} aria-hidden="true">
          {words.noStaticPod}
        </span>
      </span>
    )
  return (
    <span className={styles['side']}>
      <span className={styles['line']}>
        <Glyph name="static" className={styles['static']} />
        <Name row={row} />
        <span className={styles['grow']} />
        {row.worker === 'SyncPod' ? null : (
          <span aria-hidden="true">
            <WorkerState state={row.worker} />
          </span>
        )}
      </span>
      <span className={second} aria-hidden="true">
        <span className={styles['uid']}>{row.uid}</span>
        <span className={styles['grow']} />
        <Glyph name={row.source} className={styles[row.source]} />
        <span className={styles['origin']}>{origin}</span>
      </span>
    </span>
  )
}

function MirrorStatus({ row }: { readonly row: PodRow }): ReactNode {
  const { cluster, grace, status, worker } = row
  const isStopping = worker === 'TerminatingPod' && grace !== null
  const left = useGraceLeft(cluster, grace)
  return (
    <>
      {status === '' ? words.noStatus : status}
      {isStopping ? words.kept(left) : null}
      {worker === 'TerminatedAndRecreatedPod' ? words.restarts : null}
    </>
  )
}

function MirrorSide({ row, pair }: SideProps): ReactNode {
  const reason = pair.state === 'equal' ? undefined : pairReason(row, pair.state)
  return (
    <span className={styles['side']} aria-hidden="true">
      {pair.state === 'missing' ? (
        <span className={classNames(styles['line'], styles['error'])}>
          <Glyph name="missing" />
          {words.noMirror}
        </span>
      ) : (
        <span className={styles['line']}>
          <Glyph name="mirror" className={styles['mirror']} />
          <span className={classNames(styles['uid'], styles['ink'])}>{row.mirrorUid}</span>
        </span>
      )}
      <span className={classNames(styles['line'], styles['second'])} title={reason}>
        <span className={styles['words']}>{reason ?? <MirrorStatus row={row} />}</span>
      </span>
    </span>
  )
}

interface PairRowProps {
  readonly pair: Pair
  readonly id: string
  readonly index: number
  readonly count: number
  readonly top: number
  readonly isChosen: boolean
  readonly isLeaving: boolean
  readonly onChoose: (pair: Pair) => void
  readonly onOpen: (pair: Pair) => void
}

/**
 * One full name: what the kubelet runs on the left, what the API shows on the right.
 * Screen readers read its name and the state of the pair only: the rest would be read at each press of an arrow key,
 * and is in the comparison.
 */
export const PairRow = memo(function PairRow(props: PairRowProps): ReactNode {
  const { pair, isChosen, isLeaving } = props
  const row = useRow(pair.key)
  if (row === undefined) return null
  return (
    <ListOption
      id={props.id}
      isSelected={isChosen}
      aria-posinset={props.index + 1}
      aria-setsize={props.count}
      className={classNames(
        styles['pair'],
        isChosen && styles['chosen'],
        isLeaving && styles['leaving'],
      )}
      style={{ transform: `translateY(${props.top}px)` }}
      onChoose={() => props.onChoose(pair)}
      onDoubleClick={() => props.onOpen(pair)}
    >
      <StaticSide row={row} pair={pair} />
      <PairLink state={pair.state} />
      <MirrorSide row={row} pair={pair} />
    </ListOption>
  )
})
