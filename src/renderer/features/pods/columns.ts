import type { PodRow } from '../../../shared/model/pod-row.ts'
import { chosenColumns } from '../../store/tables/table-columns.ts'
import type { SortColumn } from '../../store/tables/column-ids.ts'

export interface Column {
  readonly id: SortColumn
  /** In kubectl's style. */
  readonly head: string
  /** Minimum width in px, and the share of the remaining width. */
  readonly width: number
  readonly share: number
  readonly isNumber?: boolean
  /** Only the sign, without the word. */
  readonly isSign?: boolean
}

/** kubectl's columns first, in its order; then Nodescope's own. */
export const columns: readonly Column[] = [
  { id: 'namespace', head: 'NAMESPACE', width: 84, share: 0.3 },
  { id: 'name', head: 'NAME', width: 130, share: 2 },
  { id: 'ready', head: 'READY', width: 60, share: 0.1 },
  { id: 'status', head: 'STATUS', width: 112, share: 0.3 },
  { id: 'why', head: 'WHY', width: 300, share: 4 },
  { id: 'restarts', head: 'RESTARTS', width: 100, share: 0 },
  { id: 'age', head: 'AGE', width: 50, share: 0 },
  { id: 'node', head: 'NODE', width: 104, share: 0.2 },
  { id: 'source', head: 'SOURCE', width: 52, share: 0 },
  { id: 'kind', head: 'KIND', width: 118, share: 0 },
  { id: 'worker', head: 'WORKER', width: 178, share: 0 },
  { id: 'grace', head: 'GRACE', width: 42, share: 0, isNumber: true },
  { id: 'mirrorUid', head: 'MIRROR UID', width: 106, share: 0 },
  { id: 'staticUid', head: 'STATIC UID', width: 106, share: 0 },
  { id: 'ip', head: 'IP', width: 104, share: 0 },
  { id: 'labels', head: 'LABELS', width: 160, share: 3 },
]

/** Columns that a table has only if they are chosen. */
const onlyChosen: ReadonlySet<SortColumn> = new Set(['ip', 'labels'])

/** The columns that a narrow table drops, in order; the drawer repeats them. NAME, STATUS, WHY, WORKER and GRACE stay. */
const dropOrder: readonly SortColumn[] = [
  'staticUid',
  'mirrorUid',
  'node',
  'source',
  'namespace',
  'kind',
  'ready',
  'age',
  'restarts',
]

/** What only the kubelet of a pod knows. */
const kubeletOnly: ReadonlySet<SortColumn> = new Set([
  'source',
  'worker',
  'grace',
  'mirrorUid',
  'staticUid',
])

/** What it also drops while the handbook is open; the drawer repeats it as well. WORKER keeps its sign. */
const dropOrderWithHandbook: readonly SortColumn[] = ['grace', 'worker', 'status']

const workerSign: Column = { id: 'worker', head: 'WORKER', width: 22, share: 0, isSign: true }

const columnGap = 10
/** With the box that selects a row. */
const markWidth = 14
const sidePadding = 16 + markWidth + columnGap

/** What the columns need, in px. */
export function widthOf(shown: readonly Column[]): number {
  return (
    shown.reduce((sum, column) => sum + column.width, 0) +
    (shown.length - 1) * columnGap +
    sidePadding
  )
}

/** Pods of several nodes have NODE, those that need attention have WHY; an open handbook takes width. */
export interface TableKind {
  readonly hasNodes: boolean
  readonly hasWhy: boolean
  readonly isHandbookOpen: boolean
  /** The kubelets run elsewhere: what only a kubelet knows has no column. */
  readonly isSeen: boolean
  /** The columns that the user has chosen, in order; null: as many as fit. */
  readonly chosen: readonly SortColumn[] | null
}

/** All columns that a table can have. */
export function possibleColumns({ isSeen }: Pick<TableKind, 'isSeen'>): readonly Column[] {
  return columns.filter(({ id }) => !(isSeen && kubeletOnly.has(id)))
}

/** The chosen columns, and WHY where it is what the table is for. */
function chosenFor(kind: TableKind, chosen: readonly SortColumn[]): readonly Column[] {
  const ids = kind.hasWhy && !chosen.includes('why') ? [...chosen, 'why' as const] : chosen
  return chosenColumns(possibleColumns(kind), ids)
}

/** The columns that fit into `width` px, in their order; those that the user has chosen at any width. */
export function columnsFor(width: number, kind: TableKind): readonly Column[] {
  const { hasNodes, hasWhy, isHandbookOpen, chosen } = kind
  if (chosen !== null) return chosenFor(kind, chosen)
  let shown = possibleColumns(kind).filter(
    ({ id }) => (id !== 'node' || hasNodes) && (id !== 'why' || hasWhy) && !onlyChosen.has(id),
  )
  for (const id of isHandbookOpen ? [...dropOrder, ...dropOrderWithHandbook] : dropOrder) {
    if (widthOf(shown) <= width) return shown
    shown = shown.flatMap((column) => {
      if (column.id !== id) return [column]
      return id === 'worker' ? [workerSign] : []
    })
  }
  return shown
}

/** For `grid-template-columns`; nothing in it depends on content, so that all rows align. */
export function gridTemplate(shown: readonly Column[], width: number): string {
  // At 300 % zoom even the last columns may be too wide: they share the width.
  const isNarrow = widthOf(shown) > width
  const tracks = shown.map((column) => {
    if (isNarrow) return `minmax(0, ${column.width}fr)`
    return column.share === 0 ? `${column.width}px` : `minmax(${column.width}px, ${column.share}fr)`
  })
  return [`${markWidth}px`, ...tracks].join(' ')
}

/** The width in letters of the badge that counts fields that are not simulated. */
const badgeLetters = 7

/** How many letters of the name fit next to the badge. */
export function lettersWithBadge({ notSimulated }: PodRow, letters: number): number {
  return notSimulated === 0 ? letters : Math.max(1, letters - badgeLetters)
}

/** Letters that fit into the minimum width of a column, where its text is not one of a few known words. */
const lettersIn = { namespace: 12, status: 16, node: 15 } as const

/**
 * Whether a cell must be clipped to its column. A clip for every cell would cost each frame of scrolling
 * more than everything else that is drawn.
 */
export function isCut(
  id: SortColumn,
  row: PodRow,
  { template, nameLetters: letters }: { readonly template: string; readonly nameLetters: number },
): boolean {
  // Columns narrower than their minimum width.
  if (template.includes('minmax(0')) return true
  switch (id) {
    case 'name':
      return row.name.length > lettersWithBadge(row, letters)
    case 'namespace':
    case 'node':
      return row[id].length > lettersIn[id]
    case 'status':
      return row.statusAside !== null || row.status.length > lettersIn.status
    case 'worker':
      return row.worker === 'noKubelet'
    case 'ready':
      return row.bricks.length > 2
    case 'kind':
      return row.kind !== 'regular'
    default:
      return id === 'why' || id === 'labels'
  }
}

/** Inter at 12 px, medium: a little wider than most letters. */
const letterWidth = 6.3

/** How many letters the NAME column holds in a table of `width` px. */
export function nameLetters(width: number, kind: TableKind): number {
  const shown = columnsFor(width, kind)
  const shares = shown.reduce((sum, column) => sum + column.share, 0)
  const name = shown.find((column) => column.id === 'name')
  if (name === undefined) return 0
  const free = Math.max(0, width - widthOf(shown))
  return Math.floor((name.width + (free * name.share) / shares) / letterWidth)
}
