import type { KeyboardEvent, ReactNode } from 'react'
import { useRef } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { NodeColumn } from '../../store/tables/column-ids.ts'
import { nodeColumns } from '../../store/tables/column-ids.ts'
import { markedRange, noMarking, toggledAll, toggledRow } from '../../store/tables/marking.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { movedIndex } from '../../ui/list/list-keys.ts'
import { SortButton, sortOf } from '../../ui/table/SortButton.tsx'
import textStyles from '../../ui/text.module.css'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import type { NodeLine } from './node-lines.ts'
import { NodeRow, numberColumns } from './NodeRow.tsx'
import styles from './NodesView.module.css'

const words = text.clusters.nodes
const usualLeaseSeconds = 40

/** Columns that the table has only if they are chosen. */
const onlyChosen: ReadonlySet<NodeColumn> = new Set(['roles', 'age', 'taints', 'labels'])

/** The columns as the user has chosen them, or the usual ones. */
export function shownColumns(chosen: readonly NodeColumn[] | null): readonly NodeColumn[] {
  return chosen ?? nodeColumns.filter((id) => !onlyChosen.has(id))
}

function headOf(column: NodeColumn, lines: readonly NodeLine[]): string {
  if (column !== 'lease') return words.heads[column]
  const seconds = lines.find(({ lease }) => lease !== null)?.lease?.durationSeconds
  return words.leaseHead(seconds ?? usualLeaseSeconds)
}

function Head({
  columns,
  lines,
}: {
  readonly columns: readonly NodeColumn[]
  readonly lines: readonly NodeLine[]
}): ReactNode {
  const { marked, sort } = useAppState((state) => state.tables.nodes)
  const sortBy = useAppState((state) => state.sortBy)
  const setMarking = useAppState((state) => state.setMarking)
  const names = lines.map(({ name }) => name)
  return (
    <thead>
      <tr>
        <th className={styles['mark']}>
          <input
            type="checkbox"
            aria-label={text.tables.marked.all}
            checked={marked.size > 0 && names.every((name) => marked.has(name))}
            onChange={() => setMarking('nodes', toggledAll({ marked, anchor: null }, names))}
          />
        </th>
        {columns.map((column) => {
          const sorted = sortOf(column, sort)
          return (
            <th
              key={column}
              aria-sort={sorted}
              className={classNames(numberColumns.has(column) && styles['number'])}
            >
              <SortButton
                head={headOf(column, lines)}
                sorted={sorted}
                onSort={() => sortBy('nodes', column)}
              />
            </th>
          )
        })}
        <th>
          <span className={textStyles['hidden']}>{words.actsHead}</span>
        </th>
      </tr>
    </thead>
  )
}

/** The nodes; J, K and the arrows move the focus from name to name, with Shift they select, Enter presses the name. */
export function NodesTable({
  cluster,
  lines,
}: {
  readonly cluster: ClusterView
  readonly lines: readonly NodeLine[]
}): ReactNode {
  const table = useRef<HTMLDivElement>(null)
  const state = useAppState((all) => all.tables.nodes)
  const setMarking = useAppState((all) => all.setMarking)
  const columns = shownColumns(state.columns)
  const names = lines.map(({ name }) => name)
  const buttons = (): readonly HTMLElement[] => [
    ...(table.current?.querySelectorAll<HTMLElement>('[data-node]') ?? []),
  ]
  const focused = (): string | undefined =>
    document.activeElement instanceof HTMLElement
      ? document.activeElement.dataset['node']
      : undefined
  const move = (key: string): boolean => {
    const all = buttons()
    const at = all.findIndex((name) => name === document.activeElement)
    const index = movedIndex(key, { at, count: all.length, pageRows: 10 })
    if (index === undefined) return false
    all[index]?.focus()
    return true
  }
  const mark = (node: string, isRange: boolean): void =>
    setMarking('nodes', isRange ? markedRange(state, names, node) : toggledRow(state, node))
  usePageKeys(({ key }) => {
    if (key !== 'Escape' || state.marked.size === 0) return move(key)
    setMarking('nodes', noMarking)
    return true
  })
  const handleKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, shiftKey } = event
    const from = focused()
    if ((ctrlKey || metaKey) && key.toLowerCase() === 'a')
      setMarking('nodes', { marked: new Set(names), anchor: null })
    else if (shiftKey && (key === 'ArrowDown' || key === 'ArrowUp') && from !== undefined) {
      move(key)
      const anchor = state.anchor ?? from
      setMarking('nodes', markedRange({ ...state, anchor }, names, focused() ?? from))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // Keys of the names in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={table} className={styles['scroller']} onKeyDown={handleKeyDown}>
      <table className={styles['table']} aria-label={words.title}>
        <Head columns={columns} lines={lines} />
        <tbody>
          {lines.map((line) => (
            <NodeRow
              key={line.name}
              cluster={cluster}
              line={line}
              columns={columns}
              isMarked={state.marked.has(line.name)}
              onMark={mark}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
