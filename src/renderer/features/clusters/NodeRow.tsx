import type { ReactNode } from 'react'
import { nodeRowsActs } from '../../../shared/model/forecast/rows-forecast.ts'
import { seenNodeActs } from '../../../shared/model/seen/drain.ts'
import type { NodeColumn } from '../../store/tables/column-ids.ts'
import { canApply, isOffered } from '../../store/offered-views.ts'
import { useAppState } from '../../store/store-context.ts'
import type { ViewName } from '../../store/view-name.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import type { MenuItem } from '../../ui/list/MenuButton.tsx'
import { MenuButton } from '../../ui/list/MenuButton.tsx'
import type { NodeCellProps } from './node-cells.tsx'
import { nodeCells } from './node-cells.tsx'
import styles from './NodesView.module.css'

const words = text.clusters.nodes
const { names } = text.clusters.seenActs

export const numberColumns: ReadonlySet<NodeColumn> = new Set(['pods', 'mirrors'])

/** Cordon or uncordon, and of a cluster that is only looked at drain; each opens its dialog. */
function useActs({ cluster, line: { name, isUnschedulable } }: NodeCellProps): readonly MenuItem[] {
  const ask = useAppState((state) => state.askSeenNodeAct)
  const askRows = useAppState((state) => state.askRows)
  const openEdit = useAppState((state) => state.openNodeEdit)
  const unfit = isUnschedulable ? 'cordon' : 'uncordon'
  if (cluster.recording !== null) return []
  const edit: MenuItem = {
    id: 'edit',
    words: text.nodeEdit.open,
    onChoose: () => openEdit({ cluster: cluster.id, node: name }),
  }
  const edits = canApply(cluster) ? [edit] : []
  if (cluster.seen === null)
    return [
      ...nodeRowsActs
        .filter((act) => act !== unfit)
        .map((act) => ({
          id: act,
          words: `${names[act]}…`,
          onChoose: () =>
            askRows({ kind: 'nodes', act, cluster: cluster.id, targets: [{ id: name, name }] }),
        })),
      ...edits,
    ]
  return [
    ...seenNodeActs
      .filter((act) => act !== unfit)
      .map((act) => ({
        id: act,
        words: `${names[act]}…`,
        onChoose: () => ask({ act, node: { cluster: cluster.id, node: name } }),
      })),
    ...edits,
  ]
}

function Acts(props: NodeCellProps): ReactNode {
  const { cluster, line } = props
  const showNode = useAppState((state) => state.showNode)
  const show = useAppState((state) => state.show)
  const views: readonly ViewName[] = ['inspect', 'flow', 'pods']
  const looks = views
    .filter((view) => isOffered(view, cluster))
    .map((view): MenuItem => ({
      id: view,
      words: text.common.views[view],
      onChoose: () => {
        showNode({ cluster: cluster.id, node: line.name })
        show(view)
      },
    }))
  const acts = useActs(props)
  const label = words.acts(line.name)
  return (
    <MenuButton
      icon="more"
      label={label}
      title={label}
      menu={label}
      items={[...looks, ...acts]}
      isAtEnd
    />
  )
}

/** One node. */
export function NodeRow({
  columns,
  isMarked,
  onMark,
  ...cell
}: NodeCellProps & {
  readonly columns: readonly NodeColumn[]
  readonly isMarked: boolean
  readonly onMark: (node: string, isRange: boolean) => void
}): ReactNode {
  const { name } = cell.line
  return (
    // The box in the row does the same with the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr
      className={classNames(isMarked && styles['marked'])}
      onClick={({ ctrlKey, metaKey, shiftKey }) => {
        if (ctrlKey || metaKey || shiftKey) onMark(name, shiftKey)
      }}
    >
      <td className={styles['mark']}>
        <input
          type="checkbox"
          aria-label={text.tables.marked.row(name)}
          checked={isMarked}
          onChange={() => undefined}
          onClick={(event) => {
            event.stopPropagation()
            onMark(name, event.shiftKey)
          }}
        />
      </td>
      {columns.map((column) => {
        const Cell = nodeCells[column]
        const content = <Cell {...cell} />
        const className = classNames(numberColumns.has(column) && styles['number'])
        return column === 'name' ? (
          <th key={column} scope="row">
            {content}
          </th>
        ) : (
          <td key={column} className={className}>
            {content}
          </td>
        )
      })}
      <td className={styles['acts']}>
        <Acts {...cell} />
      </td>
    </tr>
  )
}
