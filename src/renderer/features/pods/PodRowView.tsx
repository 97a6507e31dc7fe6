/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows are placed one by one and share one grid template, which table elements do not take */
import type { ReactNode } from 'react'
import { memo } from 'react'
import { labelsText, podIP } from '../../../shared/model/row-selectors.ts'
import { restartsText } from '../../../shared/kubernetes/printers/pod-columns.ts'
import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import type { SortColumn } from '../../store/tables/column-ids.ts'
import { useRow, useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Bricks } from '../../ui/signs/Bricks.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Glyph } from '../../ui/signs/Glyph.tsx'
import { MirrorLink } from '../../ui/signs/MirrorLink.tsx'
import { NotSimulatedBadge } from '../../ui/signs/NotSimulatedBadge.tsx'
import { StatusWord } from '../../ui/signs/StatusWord.tsx'
import { Mark } from '../../ui/table/Mark.tsx'
import { MirrorTag, SourceTag, StaticTag } from '../../ui/Tag.tsx'
import { Uid } from '../../ui/signs/Uid.tsx'
import { WorkerState } from '../../ui/signs/WorkerState.tsx'
import { useAge } from '../../ui/use-times.ts'
import { attentionReason } from '../../words/attention.ts'
import { shortReason } from '../../words/scheduler-reason.ts'
import { fullTimeText } from '../../words/time.ts'
import { fitName, splitName } from '../../words/pod-name.ts'
import type { Column } from './columns.ts'
import { isCut, lettersWithBadge } from './columns.ts'
import { GraceCell } from './GraceCell.tsx'
import styles from './PodRowView.module.css'

const words = text.pods

interface CellProps {
  readonly row: PodRow
  /** How many letters of a name fit. */
  readonly letters: number
  /** It has the columns of both UIDs. */
  readonly isWide: boolean
  /** It has room for a sign only. */
  readonly isSign: boolean
}

function Name({ row, letters }: CellProps): ReactNode {
  return (
    <span className={styles['named']}>
      <span className={styles['name']} title={row.name}>
        {fitName(splitName(row.name, row.node), lettersWithBadge(row, letters))}
      </span>
      {row.notSimulated === 0 ? null : <NotSimulatedBadge count={row.notSimulated} />}
    </span>
  )
}

function Ready({ row }: CellProps): ReactNode {
  return (
    <span className={styles['ready']}>
      <span className={styles['num']}>
        {row.totalContainers === 0 ? '–' : `${row.readyContainers}/${row.totalContainers}`}
      </span>
      <Bricks bricks={row.bricks} />
    </span>
  )
}

function Why({ row }: CellProps): ReactNode {
  const reason = attentionReason(row)
  return <span title={reason}>{reason}</span>
}

function Status({ row }: CellProps): ReactNode {
  const { status, statusAside: aside, tone } = row
  if (row.isStatusUnknown === true) return <Faint value={words.notKnown} />
  const word = <StatusWord word={status} tone={tone} />
  if (aside === null) return word
  const { short, title } = words.statusAside[aside.from](aside.word)
  return (
    <span className={styles['status']} title={title}>
      {word}
      <span className={styles['aside']}>{short}</span>
    </span>
  )
}

function Restarts({ row }: CellProps): ReactNode {
  const count = useTicking(row.cluster, (now) => restartsText(row, now), String(row.restarts))
  return (
    <span className={classNames(styles['num'], row.restarts === 0 && styles['faint'])}>
      {row.totalContainers === 0 ? '–' : count}
    </span>
  )
}

function Age({ row: { cluster, createdAt } }: CellProps): ReactNode {
  const age = useAge(cluster, createdAt)
  if (createdAt === null) return <Faint value="–" title={words.notKnown} />
  const title = words.created(fullTimeText(createdAt))
  return (
    <span className={styles['num']} title={title}>
      {age}
    </span>
  )
}

function Kind({ row }: CellProps): ReactNode {
  if (row.kind === 'regular') return <span className={styles['faint']}>{words.regular}</span>
  if (row.kind === 'static')
    return (
      <span className={styles['kind']}>
        <StaticTag />
        {row.mirror === null ? null : <MirrorLink state={row.mirror} />}
      </span>
    )
  return (
    <span className={styles['kind']}>
      <MirrorTag />
      {row.worker === 'noKubelet' ? null : (
        <span className={styles['orphan']}>
          <Glyph name="orphan" />
          {words.orphan}
        </span>
      )}
    </span>
  )
}

/** A pod without a kubelet has no worker, grace period or mirror: the reason takes their columns. */
function Worker({ row: { worker, workerReason }, isSign }: CellProps): ReactNode {
  const state = <WorkerState state={worker} isSign={isSign} />
  if (worker !== 'noKubelet')
    return <span title={workerReason === '' ? undefined : workerReason}>{state}</span>
  return (
    <span className={styles['unbound']} title={workerReason}>
      {state}
      {isSign ? null : <span className={styles['why']}>{shortReason(workerReason)}</span>}
    </span>
  )
}

function MirrorUid({ row, isWide }: CellProps): ReactNode {
  if (row.kind === 'regular')
    return (
      <span className={styles['own']} title={words.apiUidTitle}>
        <Uid uid={row.uid} what={text.common.uids.api} />
        {isWide ? words.apiUid : null}
      </span>
    )
  if (row.kind === 'static' && row.mirror === null) return <Faint value={words.notKnown} />
  if (row.mirrorUid === null) return <span className={styles['missing']}>{words.noMirror}</span>
  return <Uid uid={row.mirrorUid} what={text.common.uids.mirror} />
}

function StaticUid({ row: { kind, uid } }: CellProps): ReactNode {
  if (kind === 'static') return <Uid uid={uid} what={text.common.uids.static} />
  return kind === 'mirror' ? <span className={styles['faint']}>{words.noStaticUid}</span> : null
}

function Faint({
  value,
  title = value,
}: {
  readonly value: string
  readonly title?: string
}): ReactNode {
  return (
    <span className={styles['faint']} title={title}>
      {value}
    </span>
  )
}

const cells: Readonly<Record<SortColumn, (props: CellProps) => ReactNode>> = {
  namespace: ({ row }) => <Faint value={row.namespace} />,
  name: Name,
  ready: Ready,
  status: Status,
  why: Why,
  restarts: Restarts,
  age: Age,
  node: ({ row: { node } }) =>
    node === '' ? <Faint value="–" title={words.noNode} /> : <Faint value={node} />,
  source: ({ row }) => <SourceTag source={row.source} />,
  kind: Kind,
  worker: Worker,
  grace: GraceCell,
  mirrorUid: MirrorUid,
  staticUid: StaticUid,
  ip: ({ row }) => <span className={styles['num']}>{podIP(row)}</span>,
  labels: ({ row }) => <Faint value={labelsText(row)} />,
}

/** What a pod without a kubelet does not have. */
const ofWorker: ReadonlySet<SortColumn> = new Set(['worker', 'grace', 'mirrorUid', 'staticUid'])

/** How many columns a cell takes; 0: the cell before it takes its column. */
function spanOf(at: number, row: PodRow, columns: readonly Column[]): number {
  const worker = columns.findIndex(({ id }) => id === 'worker')
  // In another order, columns after WORKER say something of a pod without a kubelet too.
  const isLast = columns.slice(worker).every(({ id }) => ofWorker.has(id))
  if (row.worker === 'noKubelet' && worker !== -1 && isLast && at >= worker)
    return at === worker ? columns.length - at : 0
  if (row.kind !== 'regular') return 1
  // The only UID of a regular pod takes the columns of both.
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
  /** How many letters of a name fit. */
  readonly nameLetters: number
  /** Its panel is open. */
  readonly isOpen: boolean
  /** Acts on several rows include it. */
  readonly isMarked: boolean
  readonly isCursor: boolean
  readonly isLeaving: boolean
  readonly onChoose: (key: PodKey) => void
  readonly onMark: (key: PodKey, isRange: boolean) => void
  readonly onPoint: (key: PodKey) => void
}

/** One row of the table. The grid has the focus and handles its keys. */
export const PodRowView = memo(function PodRowView(props: PodRowViewProps): ReactNode {
  const row = useRow(props.podKey)
  if (row === undefined) return null
  return (
    // ARIA grid pattern: the grid handles the keys and names its active row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={props.id}
      role="row"
      aria-rowindex={props.index + 2}
      aria-selected={props.isMarked}
      aria-current={props.isOpen ? true : undefined}
      aria-hidden={props.isLeaving ? true : undefined}
      aria-label={`${row.namespace}/${row.name}`}
      className={classNames(
        styles['row'],
        (props.isOpen || props.isMarked) && styles['selected'],
        props.isCursor && styles['cursor'],
        props.isLeaving && styles['leaving'],
      )}
      style={{ top: `${props.top}px`, gridTemplateColumns: props.template }}
      onClick={({ ctrlKey, metaKey, shiftKey }) => {
        if (ctrlKey || metaKey || shiftKey) props.onMark(props.podKey, shiftKey)
        else props.onChoose(props.podKey)
      }}
      onPointerEnter={() => props.onPoint(props.podKey)}
    >
      {/* The grid has the keys: the space bar marks the active row. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
      <div
        role="gridcell"
        className={styles['mark']}
        title={text.tables.marked.row(row.name)}
        onClick={(event) => {
          event.stopPropagation()
          props.onMark(props.podKey, event.shiftKey)
        }}
      >
        <Mark isMarked={props.isMarked} />
      </div>
      {props.columns.map((column, at) => {
        const span = spanOf(at, row, props.columns)
        if (span === 0) return null
        const Cell = cells[column.id]
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
              row={row}
              letters={props.nameLetters}
              isWide={span > 1}
              isSign={column.isSign === true}
            />
          </div>
        )
      })}
    </div>
  )
})
