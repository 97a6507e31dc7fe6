import type { ReactNode } from 'react'
import { useRef } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { SeenView } from '../../../shared/model/seen-cluster.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { movedIndex } from '../../ui/list/list-keys.ts'
import textStyles from '../../ui/text.module.css'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { AllowSwitch } from './AllowSwitch.tsx'
import { DrainNotes } from './DrainNotes.tsx'
import { JoinBox } from './JoinBox.tsx'
import { conditionOf } from './node-facts.ts'
import { NodeLossNote } from './NodeLossNote.tsx'
import { NodeRow } from './NodeRow.tsx'
import styles from './NodesView.module.css'

const words = text.clusters.nodes
const usualLeaseSeconds = 40

function Table({ cluster, seen }: { readonly cluster: ClusterView; readonly seen: SeenView }) {
  const seconds = seen.nodes.find(({ lease }) => lease !== null)?.lease?.durationSeconds
  const { heads } = words
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th>{heads.node}</th>
          <th>{heads.ready}</th>
          <th>{heads.kubelet}</th>
          <th className={styles['number']}>{heads.pods}</th>
          <th>{heads.lease(seconds ?? usualLeaseSeconds)}</th>
          <th>{heads.static}</th>
          <th className={styles['number']}>{heads.mirrors}</th>
          <th>{heads.pressure}</th>
          <th>
            <span className={textStyles['hidden']}>{words.actsHead}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {seen.nodes.map((node) => (
          <NodeRow key={node.name} cluster={cluster} seen={seen} node={node} />
        ))}
      </tbody>
    </table>
  )
}

function NoNodes({ seen }: { readonly seen: SeenView }): ReactNode {
  const watch = seen.watches.find(({ resource }) => resource === 'nodes')
  if (watch?.state === 'listing') return <p className={styles['wait']}>{words.empty.listing}</p>
  return (
    <div className={styles['notes']}>
      <EmptyState title={words.empty.title}>
        {watch?.problem === undefined || watch.problem === '' ? words.empty.meaning : watch.problem}
      </EmptyState>
    </div>
  )
}

/** J, K and the arrows move the focus from node to node; Enter presses the focused name. */
function useNodeKeys(table: { readonly current: HTMLDivElement | null }): void {
  usePageKeys(({ key }) => {
    const names = [...(table.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])]
    const at = names.findIndex((name) => name === document.activeElement)
    const index = movedIndex(key, { at, count: names.length, pageRows: 10 })
    if (index === undefined) return false
    names[index]?.focus()
    return true
  })
}

function View({ cluster, seen }: { readonly cluster: ClusterView; readonly seen: SeenView }) {
  const table = useRef<HTMLDivElement>(null)
  useNodeKeys(table)
  const ready = seen.nodes.filter((node) => conditionOf(node, 'Ready') === 'True').length
  const server = cluster.server.replace(/^https?:\/\//, '')
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{words.title}</h1>
        <p>{words.summary(seen.nodes.length, ready, seen.version, server)}</p>
        <span className={styles['grow']} />
        <AllowSwitch cluster={cluster} seen={seen} />
      </div>
      <div className={styles['body']}>
        {seen.nodes.length === 0 ? (
          <NoNodes seen={seen} />
        ) : (
          <div ref={table} className={styles['scroller']}>
            <Table cluster={cluster} seen={seen} />
          </div>
        )}
        <div className={styles['notes']}>
          <DrainNotes cluster={cluster.id} drains={seen.drains} />
          {seen.nodes.map((node) => (
            <NodeLossNote key={node.name} cluster={cluster.id} node={node} />
          ))}
        </div>
        <JoinBox cluster={cluster} seen={seen} />
      </div>
      <KeysLine keys={words.keys} />
    </div>
  )
}

/** The nodes of a cluster that is only looked at, with what its API server has about them. */
export function NodesView(): ReactNode {
  const cluster = useAppState(shownCluster)
  if (cluster === undefined || cluster.seen === null) return null
  return <View cluster={cluster} seen={cluster.seen} />
}
