import type { ReactNode } from 'react'
import { useMemo, useRef } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { nodeRowsActs } from '../../../shared/model/forecast/rows-forecast.ts'
import { seenNodeActs } from '../../../shared/model/seen/drain.ts'
import { noSelectors, nodeSelector } from '../../../shared/model/row-selectors.ts'
import { nodeColumns } from '../../store/tables/column-ids.ts'
import { markedOf } from '../../store/tables/marking.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState, useRowsValue, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterField } from '../../ui/FilterField.tsx'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { ColumnsMenu } from '../../ui/table/ColumnsMenu.tsx'
import { MarkedBar } from '../../ui/table/MarkedBar.tsx'
import { SelectorFields } from '../../ui/table/SelectorFields.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { notRead } from '../../words/not-read.ts'
import { AllowSwitch } from './AllowSwitch.tsx'
import { DrainNotes } from './DrainNotes.tsx'
import { JoinBox } from './JoinBox.tsx'
import { conditionOf } from './node-facts.ts'
import type { NodeLine } from './node-lines.ts'
import { nodeLines, shownLines } from './node-lines.ts'
import { NodeLossNote } from './NodeLossNote.tsx'
import { NodesTable, shownColumns } from './NodesTable.tsx'
import styles from './NodesView.module.css'

const words = text.clusters.nodes

const nodeHeads = nodeColumns.map((id) => ({ id, head: words.heads[id] }))

function NoNodes({ cluster: { seen } }: { readonly cluster: ClusterView }): ReactNode {
  const { title, meaning } = (seen === null ? undefined : notRead(seen, 'nodes')) ?? words.empty
  return (
    <div className={styles['notes']}>
      <EmptyState title={title}>{meaning}</EmptyState>
    </div>
  )
}

/** Stands in for the lines that a filter hides. */
function NoMatch({ total }: { readonly total: number }): ReactNode {
  const { title, meaning, showAll } = words.noMatch
  const { unreadableTitle, unreadableMeaning } = text.tables.selectors
  const isReadable = useAppState((state) => nodeSelector(state.tables.nodes.selectors).ok)
  const setFilterText = useAppState((state) => state.setFilterText)
  const setSelectors = useAppState((state) => state.setSelectors)
  const reset = (): void => {
    setFilterText('nodes', '')
    setSelectors('nodes', noSelectors)
  }
  return (
    <div className={styles['notes']}>
      <EmptyState
        title={isReadable ? title : unreadableTitle}
        act={<Button onClick={reset}>{showAll(total)}</Button>}
      >
        {isReadable ? meaning : unreadableMeaning}
      </EmptyState>
    </div>
  )
}

/** The lines of a cluster; of nodes that run here, their rows are counted. */
function useNodeLines(cluster: ClusterView): readonly NodeLine[] {
  const { rows } = useStore()
  // One text, so that the lines are made again only if a number changes.
  const counts = useRowsValue(() =>
    cluster.nodes
      .map(({ name }) => {
        const { living, statics, mirrors } = rows.counts.onNode(cluster.id, name)
        return `${name} ${living} ${statics} ${mirrors}`
      })
      .join('\n'),
  )
  return useMemo(() => {
    const byNode = new Map(
      counts.split('\n').map((line) => {
        const [name = '', living, statics, mirrors] = line.split(' ')
        const count = { living: Number(living), statics: Number(statics), mirrors: Number(mirrors) }
        return [name, count]
      }),
    )
    return nodeLines(cluster, (node) => byNode.get(node) ?? { living: 0, statics: 0, mirrors: 0 })
  }, [cluster, counts])
}

function Filters({ shown, total }: { readonly shown: number; readonly total: number }): ReactNode {
  const filter = useRef<HTMLInputElement>(null)
  const { filterText, columns } = useAppState((state) => state.tables.nodes)
  const setFilterText = useAppState((state) => state.setFilterText)
  usePageKeys(({ key }) => {
    if (key !== '/') return false
    filter.current?.focus()
    filter.current?.select()
    return true
  })
  return (
    <div className={styles['filters']}>
      <FilterField
        ref={filter}
        label={words.filter}
        placeholder={words.filterHint}
        text={filterText}
        shown={shown}
        total={total}
        onChange={(typed) => setFilterText('nodes', typed)}
        onLeave={() => filter.current?.blur()}
      />
      <SelectorFields kind="nodes" />
      <ColumnsMenu kind="nodes" all={nodeHeads} shown={shownColumns(columns)} />
    </div>
  )
}

/** What can be done to the selected nodes. */
function Marked({
  cluster: { id: cluster, seen, recording },
  lines,
}: {
  readonly cluster: ClusterView
  readonly lines: readonly NodeLine[]
}) {
  const marked = useAppState((state) => state.tables.nodes.marked)
  const askRows = useAppState((state) => state.askRows)
  const names = lines.map(({ name }) => name)
  const ids = markedOf(names, marked)
  return (
    <MarkedBar
      kind="nodes"
      count={ids.length}
      acts={seen === null || recording !== null ? nodeRowsActs : seenNodeActs}
      onAct={(act) =>
        askRows({ kind: 'nodes', act, cluster, targets: ids.map((id) => ({ id, name: id })) })
      }
    />
  )
}

function View({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const { id, seen } = cluster
  const isPast = cluster.recording !== null
  const lines = useNodeLines(cluster)
  const table = useAppState((state) => state.tables.nodes)
  const shown = useMemo(() => shownLines(lines, table), [lines, table])
  const ready = lines.filter((line) => conditionOf(line, 'Ready') === 'True').length
  const server = cluster.server.replace(/^https?:\/\//, '')
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{words.title}</h1>
        <p>
          {seen !== null && notRead(seen, 'nodes') !== undefined
            ? server
            : words.summary(lines.length, ready, seen?.version ?? '', server)}
        </p>
        <span className={styles['grow']} />
        {seen === null || isPast ? null : <AllowSwitch cluster={cluster} seen={seen} />}
      </div>
      <Filters shown={shown.length} total={lines.length} />
      <div className={styles['body']}>
        {lines.length === 0 ? (
          <NoNodes cluster={cluster} />
        ) : shown.length === 0 ? (
          <NoMatch total={lines.length} />
        ) : (
          <NodesTable cluster={cluster} lines={shown} />
        )}
        {seen === null ? null : (
          <>
            <div className={styles['notes']}>
              <DrainNotes cluster={id} drains={seen.drains} />
              {seen.nodes.map((node) => (
                <NodeLossNote key={node.name} cluster={id} node={node} />
              ))}
            </div>
            {isPast ? null : <JoinBox cluster={cluster} seen={seen} />}
          </>
        )}
      </div>
      <Marked cluster={cluster} lines={shown} />
      <KeysLine keys={seen === null || isPast ? words.ownKeys : words.keys} />
    </div>
  )
}

/** The nodes of a cluster. */
export function NodesView(): ReactNode {
  const cluster = useAppState(shownCluster)
  return cluster === undefined ? null : <View cluster={cluster} />
}
