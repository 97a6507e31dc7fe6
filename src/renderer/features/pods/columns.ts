import type { PodRow } from '../../../shared/model/pod-row.ts'
import type { SortColumn } from '../../store/rows/row-order.ts'

export interface Column {
  readonly id: SortColumn
  /** As kubectl writes its heads. */
  readonly head: string
  /** Least width in px, and the share of what is left over. */
  readonly width: number
  readonly share: number
  readonly isNumber?: boolean
  /** Only its sign, without the word. */
  readonly isSign?: boolean
}

/** kubectl's columns first, in its order; then what only the kubelet knows. */
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
  { id: 'kind', head: 'KIND', width: 122, share: 0 },
  { id: 'worker', head: 'WORKER', width: 178, share: 0 },
  { id: 'grace', head: 'GRACE', width: 46, share: 0, isNumber: true },
  { id: 'mirrorUid', head: 'MIRROR UID', width: 106, share: 0 },
  { id: 'staticUid', head: 'STATIC UID', width: 106, share: 0 },
]

/** What goes first where room is short: what the drawer repeats. NAME, STATUS, WHY, WORKER and GRACE always stay. */
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

/** What else goes while the handbook is open: the drawer repeats it as well. WORKER keeps its sign. */
const dropOrderBesideHandbook: readonly SortColumn[] = ['grace', 'worker', 'status']

const workerSign: Column = { id: 'worker', head: 'WORKER', width: 22, share: 0, isSign: true }

const columnGap = 10
const sidePadding = 32

function widthOf(shown: readonly Column[]): number {
  return (
    shown.reduce((sum, column) => sum + column.width, 0) +
    (shown.length - 1) * columnGap +
    sidePadding
  )
}

/** What a table is of: pods of several nodes have NODE, those that need attention have WHY; the handbook takes room. */
export interface TableKind {
  readonly hasNodes: boolean
  readonly hasWhy: boolean
  readonly isBesideHandbook: boolean
}

/** The columns that fit into `width` px, in their order. */
export function columnsFor(
  width: number,
  { hasNodes, hasWhy, isBesideHandbook }: TableKind,
): readonly Column[] {
  let shown = columns.filter(({ id }) => (id !== 'node' || hasNodes) && (id !== 'why' || hasWhy))
  for (const id of isBesideHandbook ? [...dropOrder, ...dropOrderBesideHandbook] : dropOrder) {
    if (widthOf(shown) <= width) return shown
    shown = shown.flatMap((column) => {
      if (column.id !== id) return [column]
      return id === 'worker' ? [workerSign] : []
    })
  }
  return shown
}

/** For `grid-template-columns`; nothing in it depends on content, so that all rows line up. */
export function gridTemplate(shown: readonly Column[], width: number): string {
  // Even the last columns may be too wide, at 300 % zoom: they share what there is.
  if (widthOf(shown) > width) return shown.map((column) => `minmax(0, ${column.width}fr)`).join(' ')
  return shown
    .map(({ width, share }) => (share === 0 ? `${width}px` : `minmax(${width}px, ${share}fr)`))
    .join(' ')
}

/** What the badge of fields that are not simulated takes, in letters. */
const badgeLetters = 7

/** How many letters of the NAME column are left for the name. */
export function roomBesideBadge({ notSimulated }: PodRow, room: number): number {
  return notSimulated === 0 ? room : Math.max(1, room - badgeLetters)
}

/** Letters that fit into the least width of a column, where its text is not of a few known words. */
const roomIn = { namespace: 12, status: 16, node: 15 } as const

/**
 * Whether a cell must be cut to its column. Only those are: a clip for every cell of the table would cost
 * the page more time on each frame of scrolling than all the rest of its drawing.
 */
export function isCut(
  id: SortColumn,
  row: PodRow,
  { template, nameRoom: room }: { readonly template: string; readonly nameRoom: number },
): boolean {
  // Columns that gave up their least width.
  if (template.startsWith('minmax(0')) return true
  switch (id) {
    case 'name':
      return row.name.length > roomBesideBadge(row, room)
    case 'namespace':
      return row.namespace.length > roomIn.namespace
    case 'status':
      return row.statusAside !== null || row.status.length > roomIn.status
    case 'worker':
      return row.worker === 'noKubelet'
    case 'node':
      return row.node.length > roomIn.node
    case 'why':
      return true
    case 'ready':
      return row.bricks.length > 2
    case 'kind':
      return row.kind !== 'regular'
    default:
      return false
  }
}

/** Inter at 12 px, medium: a little more than most letters take. */
const letterWidth = 6.3

/** How many letters the NAME column holds in a table of `width` px. */
export function nameRoom(width: number, kind: TableKind): number {
  const shown = columnsFor(width, kind)
  const shares = shown.reduce((sum, column) => sum + column.share, 0)
  const name = shown.find((column) => column.id === 'name')
  if (name === undefined) return 0
  const free = Math.max(0, width - widthOf(shown))
  return Math.floor((name.width + (free * name.share) / shares) / letterWidth)
}
