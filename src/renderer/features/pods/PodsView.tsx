import type { ReactNode } from 'react'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { podRowsActs } from '../../../shared/model/forecast/rows-forecast.ts'
import { isLive } from '../../store/offered-views.ts'
import { markedOf } from '../../store/tables/marking.ts'
import { ColumnsMenu } from '../../ui/table/ColumnsMenu.tsx'
import { MarkedBar } from '../../ui/table/MarkedBar.tsx'
import { SelectorFields } from '../../ui/table/SelectorFields.tsx'
import { columnsFor, possibleColumns } from './columns.ts'
import { useTableKind } from './use-table-kind.ts'
import { shownCluster, shownNode, shownSeen } from '../../store/shown-node.ts'
import { podScope } from '../../store/slices/shown-slice.ts'
import { useAppState, useStore, useTally } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { FilterField } from '../../ui/FilterField.tsx'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { EmptyTable } from './EmptyTable.tsx'
import { NamespaceFilter } from './NamespaceFilter.tsx'
import type { PodGridHandle } from './PodGrid.tsx'
import { PodGrid } from './PodGrid.tsx'
import styles from './PodsView.module.css'
import { usePodKeys } from './use-pod-keys.ts'

const words = text.pods

function useShownCount(): number {
  const { order } = useStore()
  const subscribe = useCallback((listener: () => void) => order.subscribe(listener), [order])
  return useSyncExternalStore(subscribe, () => order.keys().length)
}

/** The choice between the pods of the shown node and of all nodes. */
function ScopeChoice(): ReactNode {
  const scope = useAppState((state) => state.podScope)
  const setScope = useAppState((state) => state.setPodScope)
  const nodes = useAppState((state) => shownCluster(state)?.nodes.length ?? 0)
  const node = useAppState((state) => shownNode(state)?.name ?? '')
  if (nodes < 2) return null
  return (
    <Segmented
      label={words.scope}
      value={scope}
      onChange={setScope}
      segments={[
        { value: 'node', label: words.thisNode, title: words.thisNodeTitle(node) },
        { value: 'cluster', label: words.allNodes, title: words.allNodesTitle(nodes) },
      ]}
    />
  )
}

function SegmentChoice(): ReactNode {
  const segment = useAppState((state) => state.segment)
  const setSegment = useAppState((state) => state.setSegment)
  const attention = useTally(podScope, (tally) => tally.attention)
  const attentionLabel = (
    <>
      {words.attention} <span className={styles['count']}>{attention}</span>
    </>
  )
  return (
    <Segmented
      label={words.segment}
      value={segment}
      onChange={setSegment}
      segments={[
        { value: 'all', label: words.all },
        { value: 'static', label: words.static, title: words.staticTitle },
        { value: 'attention', label: attentionLabel, title: words.attentionTitle },
      ]}
    />
  )
}

function Columns(): ReactNode {
  const kind = useTableKind()
  return (
    <ColumnsMenu
      kind="pods"
      all={possibleColumns(kind)}
      shown={columnsFor(Infinity, kind).map(({ id }) => id)}
    />
  )
}

/** What can be done to the selected pods. */
function Marked(): ReactNode {
  const { order, rows } = useStore()
  const marked = useAppState((state) => state.tables.pods.marked)
  const cluster = useAppState((state) => shownCluster(state)?.id ?? '')
  const askRows = useAppState((state) => state.askRows)
  const subscribe = useCallback((listener: () => void) => order.subscribe(listener), [order])
  const keys = useSyncExternalStore(subscribe, () => order.keys())
  const ids = markedOf(keys, marked)
  return (
    <MarkedBar
      kind="pods"
      count={ids.length}
      acts={podRowsActs}
      onAct={(act) => {
        const targets = ids.flatMap((id) => {
          const row = rows.get(id)
          return row === undefined ? [] : [{ id, name: `${row.namespace}/${row.name}` }]
        })
        askRows({ kind: 'pods', act, cluster, targets })
      }}
    />
  )
}

/** The table with its filters. `notices`: problems that are about more than a pod. */
export function PodsView({ notices }: { readonly notices: ReactNode }): ReactNode {
  const filter = useRef<HTMLInputElement>(null)
  const grid = useRef<PodGridHandle>(null)
  const total = useTally(podScope, ({ rows }) => rows)
  const withoutKubelet = useTally(podScope, (tally) => tally.withoutKubelet)
  const isSeen = useAppState((state) => shownSeen(state) !== undefined)
  const isActedOn = useAppState((state) => isLive(shownCluster(state)))
  const shown = useShownCount()
  const filterText = useAppState((state) => state.tables.pods.filterText)
  const setFilterText = useAppState((state) => state.setFilterText)
  usePodKeys({ filter, grid })
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{words.title}</h1>
        <p>{isSeen ? text.common.pods(total) : words.count(total, withoutKubelet)}</p>
        <span className={styles['grow']} />
        <ScopeChoice />
        <SegmentChoice />
      </div>
      <div className={styles['bar']}>
        <NamespaceFilter />
        <FilterField
          ref={filter}
          label={words.filter}
          placeholder={words.filterHint}
          text={filterText}
          shown={shown}
          total={total}
          onChange={(typed) => setFilterText('pods', typed)}
          onLeave={() => grid.current?.focus()}
        />
        <SelectorFields kind="pods" />
        <Columns />
      </div>
      {notices}
      <div className={styles['table']}>
        <PodGrid ref={grid} />
        {shown === 0 ? <EmptyTable total={total} /> : null}
        <Marked />
      </div>
      <KeysLine
        keys={!isActedOn ? words.keysWithoutActs : isSeen ? text.clusters.pods.keys : words.keys}
      />
    </div>
  )
}
