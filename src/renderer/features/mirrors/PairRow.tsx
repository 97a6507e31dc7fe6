/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are placed by transforms, which the elements of a select do not take */
import type { ReactNode } from 'react'
import { memo } from 'react'
import type { GraceView, PodRow } from '../../../shared/model/pod-row.ts'
import type { Pair } from '../../store/rows/mirrors-order.ts'
import { useAppState, useRow, useTicking } from '../../store/store-context.ts'
import { ListOption } from '../../ui/list/ListOption.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import text from '../../ui/text.module.css'
import { WorkerState } from '../../ui/signs/WorkerState.tsx'
import { graceLeft } from '../../words/time.ts'
import { PairLink } from './PairLink.tsx'
import { pairReason } from './pair-words.ts'
import styles from './PairRow.module.css'

/** `web.yaml`, where the folder's listing knows the pod; else the source's word. */
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
        <span className={text['spoken']}>, </span>
      </b>
    </span>
  )
}

function StaticSide({ row }: { readonly row: PodRow }): ReactNode {
  const origin = useOrigin(row)
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
      <span className={classNames(styles['line'], styles['second'])} aria-hidden="true">
        <span className={styles['uid']}>{row.uid}</span>
        <span className={styles['grow']} />
        <Glyph name={row.source} className={styles[row.source]} />
        <span className={styles['origin']}>{origin}</span>
      </span>
    </span>
  )
}

function NoStaticSide({ row }: { readonly row: PodRow }): ReactNode {
  return (
    <span className={styles['side']}>
      <span className={styles['line']}>
        <Glyph name="static" className={styles['absent']} />
        <span className={styles['dim']}>
          <Name row={row} />
        </span>
      </span>
      <span
        className={classNames(styles['line'], styles['second'], styles['faint'])}
        aria-hidden="true"
      >
        no static pod of this name in any source
      </span>
    </span>
  )
}

function Kept({ row, grace }: { readonly row: PodRow; readonly grace: GraceView }): ReactNode {
  const left = useTicking(row.cluster, (now) => graceLeft(grace, now), 0)
  return <>, kept while its static pod stops, {left} s left</>
}

function MirrorWords({ row, pair }: { readonly row: PodRow; readonly pair: Pair }): ReactNode {
  if (pair.state !== 'equal') return pairReason(row, pair.state)
  const isStopping = row.worker === 'TerminatingPod' && row.grace !== null
  return (
    <>
      {row.status === '' ? 'no status yet' : row.status}
      {isStopping && row.grace !== null ? <Kept row={row} grace={row.grace} /> : null}
      {row.worker === 'TerminatedAndRecreatedPod' ? ', static pod restarts' : null}
    </>
  )
}

function MirrorSide({ row, pair }: { readonly row: PodRow; readonly pair: Pair }): ReactNode {
  const isMissing = pair.state === 'missing'
  const words = pair.state === 'equal' ? undefined : pairReason(row, pair.state)
  return (
    <span className={styles['side']} aria-hidden="true">
      {isMissing ? (
        <span className={classNames(styles['line'], styles['error'])}>
          <Glyph name="missing" />
          No mirror pod in the API server
        </span>
      ) : (
        <span className={styles['line']}>
          <Glyph name="mirror" className={styles['mirror']} />
          <span className={classNames(styles['uid'], styles['ink'])}>{row.mirrorUid}</span>
        </span>
      )}
      <span className={classNames(styles['line'], styles['second'])} title={words}>
        <span className={styles['words']}>
          <MirrorWords row={row} pair={pair} />
        </span>
      </span>
    </span>
  )
}

/**
 * One full name: what the kubelet runs on the left, what the API shows on the right.
 * Read out by its name and the state of the pair; the rest would be read at each press of an arrow key, and is in the
 * comparison.
 */
export const PairRow = memo(function PairRow({
  pair,
  id,
  index,
  count,
  top,
  isChosen,
  isLeaving,
  onChoose,
  onOpen,
}: {
  readonly pair: Pair
  readonly id: string
  readonly index: number
  readonly count: number
  readonly top: number
  readonly isChosen: boolean
  readonly isLeaving: boolean
  readonly onChoose: (pair: Pair) => void
  readonly onOpen: (pair: Pair) => void
}): ReactNode {
  const row = useRow(pair.key)
  if (row === undefined) return null
  return (
    <ListOption
      id={id}
      isSelected={isChosen}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={classNames(
        styles['pair'],
        isChosen && styles['chosen'],
        isLeaving && styles['leaving'],
      )}
      style={{ transform: `translateY(${top}px)` }}
      onChoose={() => onChoose(pair)}
      onDoubleClick={() => onOpen(pair)}
    >
      {pair.state === 'orphaned' ? <NoStaticSide row={row} /> : <StaticSide row={row} />}
      <PairLink state={pair.state} />
      <MirrorSide row={row} pair={pair} />
    </ListOption>
  )
})
