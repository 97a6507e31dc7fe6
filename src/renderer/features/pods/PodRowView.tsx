/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are placed one by one and share one grid template, which table elements do not take */
import type { ReactNode } from 'react'
import { memo } from 'react'
import { humanDuration } from '../../../shared/kubernetes/printers/age.ts'
import { restartsText } from '../../../shared/kubernetes/printers/pod-columns.ts'
import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import type { SortColumn } from '../../store/rows/row-order.ts'
import { useRow, useTicking } from '../../store/store-context.ts'
import { Bricks } from '../../ui/signs/Bricks.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { MirrorLink } from '../../ui/signs/MirrorLink.tsx'
import { NotSimulatedBadge } from '../../ui/signs/NotSimulatedBadge.tsx'
import { StatusWord } from '../../ui/signs/StatusWord.tsx'
import { MirrorTag, SourceTag, StaticTag } from '../../ui/Tag.tsx'
import { Uid } from '../../ui/signs/Uid.tsx'
import { WorkerState } from '../../ui/signs/WorkerState.tsx'
import { attentionReason } from '../../words/attention.ts'
import { shortReason } from '../../words/scheduler-reason.ts'
import { asideSentence, asideText } from '../../words/status-aside.ts'
import { fullTimeText } from '../../words/time.ts'
import { fitName, splitName } from '../../words/uid.ts'
import type { Column } from './columns.ts'
import { isCut, roomBesideBadge } from './columns.ts'
import { GraceCell } from './GraceCell.tsx'
import styles from './PodRowView.module.css'

function Name({ row, room }: { readonly row: PodRow; readonly room: number }): ReactNode {
  return (
    <span className={styles['named']}>
      <span className={styles['name']} title={row.name}>
        {fitName(splitName(row.name, row.node), roomBesideBadge(row, room))}
      </span>
      {row.notSimulated === 0 ? null : <NotSimulatedBadge count={row.notSimulated} />}
    </span>
  )
}

function Ready({ row }: { readonly row: PodRow }): ReactNode {
  return (
    <span className={styles['ready']}>
      <span className={styles['num']}>
        {row.readyContainers}/{row.totalContainers}
      </span>
      <Bricks bricks={row.bricks} />
    </span>
  )
}

function Why({ row }: { readonly row: PodRow }): ReactNode {
  const reason = attentionReason(row)
  return <span title={reason}>{reason}</span>
}

function Status({ row }: { readonly row: PodRow }): ReactNode {
  const { statusAside: aside } = row
  if (aside === null) return <StatusWord word={row.status} tone={row.tone} />
  return (
    <span className={styles['status']} title={asideSentence(aside)}>
      <StatusWord word={row.status} tone={row.tone} />
      <span className={styles['aside']}>{asideText(aside)}</span>
    </span>
  )
}

/** Without a kubelet there is nothing to say of a worker, a grace or a mirror: why not takes their room. */
function NoKubelet({ row, isSign }: { readonly row: PodRow; readonly isSign: boolean }): ReactNode {
  return (
    <span className={styles['unbound']} title={row.workerReason}>
      <WorkerState state={row.worker} isSign={isSign} />
      {isSign ? null : <span className={styles['why']}>{shortReason(row.workerReason)}</span>}
    </span>
  )
}

function Restarts({ row }: { readonly row: PodRow }): ReactNode {
  const text = useTicking(row.cluster, (now) => restartsText(row, now), String(row.restarts))
  return (
    <span className={classNames(styles['num'], row.restarts === 0 && styles['faint'])}>{text}</span>
  )
}

function Age({ row }: { readonly row: PodRow }): ReactNode {
  const text = useTicking(
    row.cluster,
    (now) => (row.createdAt === null ? '' : humanDuration(now - row.createdAt)),
    '',
  )
  return (
    <span
      className={styles['num']}
      title={row.createdAt === null ? undefined : `created ${fullTimeText(row.createdAt)}`}
    >
      {text}
    </span>
  )
}

function Kind({ row }: { readonly row: PodRow }): ReactNode {
  switch (row.kind) {
    case 'static':
      return (
        <span className={styles['kind']}>
          <StaticTag />
          {row.mirror === null ? null : <MirrorLink state={row.mirror} />}
        </span>
      )
    case 'mirror':
      return (
        <span className={styles['kind']}>
          <MirrorTag />
          <span className={styles['orphan']}>
            <Glyph name="orphan" />
            orphan
          </span>
        </span>
      )
    case 'regular':
    default:
      return <span className={styles['faint']}>regular</span>
  }
}

/** `isWide`: it has the room of both UIDs, for an ordinary pod. */
function MirrorUid({ row, isWide }: { readonly row: PodRow; readonly isWide: boolean }): ReactNode {
  if (row.kind === 'regular')
    return (
      <span
        className={styles['own']}
        title="Created through the API: one object, one UID, no mirror"
      >
        <Uid uid={row.uid} what="UID" />
        {isWide ? 'API UID' : null}
      </span>
    )
  if (row.mirrorUid === null) return <span className={styles['missing']}>no mirror</span>
  return <Uid uid={row.mirrorUid} what="mirror UID" />
}

function StaticUid({ row }: { readonly row: PodRow }): ReactNode {
  if (row.kind === 'static') return <Uid uid={row.uid} what="static UID" />
  return row.kind === 'mirror' ? <span className={styles['faint']}>not here</span> : null
}

function Cell({
  id,
  row,
  room,
  isWide,
  isSign,
}: {
  readonly id: SortColumn
  readonly row: PodRow
  readonly room: number
  readonly isWide: boolean
  readonly isSign: boolean
}): ReactNode {
  switch (id) {
    case 'namespace':
      return (
        <span className={styles['faint']} title={row.namespace}>
          {row.namespace}
        </span>
      )
    case 'name':
      return <Name row={row} room={room} />
    case 'ready':
      return <Ready row={row} />
    case 'status':
      return <Status row={row} />
    case 'why':
      return <Why row={row} />
    case 'restarts':
      return <Restarts row={row} />
    case 'age':
      return <Age row={row} />
    case 'node':
      return (
        <span className={styles['faint']} title={row.node === '' ? 'No node yet' : row.node}>
          {row.node === '' ? '–' : row.node}
        </span>
      )
    case 'source':
      return <SourceTag source={row.source} />
    case 'kind':
      return <Kind row={row} />
    case 'worker':
      return row.worker === 'noKubelet' ? (
        <NoKubelet row={row} isSign={isSign} />
      ) : (
        <span title={row.workerReason === '' ? undefined : row.workerReason}>
          <WorkerState state={row.worker} isSign={isSign} />
        </span>
      )
    case 'grace':
      return <GraceCell row={row} />
    case 'mirrorUid':
      return <MirrorUid row={row} isWide={isWide} />
    case 'staticUid':
    default:
      return <StaticUid row={row} />
  }
}

/** How many columns a cell takes; 0: the cell before it has taken them. */
function spanOf(at: number, row: PodRow, columns: readonly Column[]): number {
  const worker = columns.findIndex(({ id }) => id === 'worker')
  if (row.worker === 'noKubelet' && at >= worker) return at === worker ? columns.length - at : 0
  if (row.kind !== 'regular') return 1
  // The one UID of an ordinary pod stands under both heads.
  const id = columns[at]?.id
  if (id === 'staticUid') return 0
  return id === 'mirrorUid' && columns[at + 1]?.id === 'staticUid' ? 2 : 1
}

export interface PodRowViewProps {
  readonly podKey: PodKey
  readonly id: string
  /** From 0, among the rows that are shown. */
  readonly index: number
  readonly top: number
  readonly columns: readonly Column[]
  readonly template: string
  /** How many letters a name has room for. */
  readonly nameRoom: number
  readonly isSelected: boolean
  readonly isCursor: boolean
  readonly isLeaving: boolean
  readonly onChoose: (key: PodKey) => void
  readonly onPoint: (key: PodKey) => void
}

/** One line of the table. Keys act on it through the grid, which has the focus. */
export const PodRowView = memo(function PodRowView(props: PodRowViewProps): ReactNode {
  const row = useRow(props.podKey)
  if (row === undefined) return null
  return (
    // The grid handles the keys and names its active row, after the ARIA grid pattern.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={props.id}
      role="row"
      aria-rowindex={props.index + 2}
      aria-selected={props.isSelected}
      aria-hidden={props.isLeaving ? true : undefined}
      aria-label={`${row.namespace}/${row.name}`}
      className={classNames(
        styles['row'],
        props.isSelected && styles['selected'],
        props.isCursor && styles['cursor'],
        props.isLeaving && styles['leaving'],
      )}
      style={{ top: `${props.top}px`, gridTemplateColumns: props.template }}
      onClick={() => props.onChoose(props.podKey)}
      onPointerEnter={() => props.onPoint(props.podKey)}
    >
      {props.columns.map((column, at) => {
        const span = spanOf(at, row, props.columns)
        if (span === 0) return null
        return (
          <div
            key={column.id}
            role="gridcell"
            aria-colspan={span === 1 ? undefined : span}
            style={span === 1 ? undefined : { gridColumn: `span ${span}` }}
            className={classNames(
              styles['cell'],
              column.isNumber && styles['right'],
              isCut(column.id, row, props) && styles['cut'],
            )}
          >
            <Cell
              id={column.id}
              row={row}
              room={props.nameRoom}
              isWide={span > 1}
              isSign={column.isSign === true}
            />
          </div>
        )
      })}
    </div>
  )
})
