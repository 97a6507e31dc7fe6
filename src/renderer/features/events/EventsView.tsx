import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import type { Bridge, Requests } from '../../../shared/ipc/contract.ts'
import type { ClusterEventList } from '../../../shared/model/timeline/cluster-events.ts'
import { eventsPerPage, noEvents } from '../../../shared/model/timeline/cluster-events.ts'
import { useKeptAnswer } from '../../store/requests/use-kept-answer.ts'
import { shownCluster, shownPlace } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterField } from '../../ui/FilterField.tsx'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { movedIndex } from '../../ui/list/list-keys.ts'
import { Note } from '../../ui/Note.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { EventRow } from './EventRow.tsx'
import styles from './EventsView.module.css'
import { Unscheduled, useUnscheduled } from './Unscheduled.tsx'

const words = text.events

type Query = Requests['cluster.events']['args']

function ask(bridge: Bridge, query: Query): Promise<ClusterEventList | null> {
  return bridge.request('cluster.events', query)
}

function Table({
  cluster,
  list,
}: {
  readonly cluster: string
  readonly list: ClusterEventList
}): ReactNode {
  return (
    <table className={styles['table']} aria-label={words.label}>
      <thead>
        <tr>
          {Object.values(words.heads).map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {list.events.map((event) => (
          <EventRow key={event.uid} cluster={cluster} event={event} />
        ))}
      </tbody>
    </table>
  )
}

function Pager({
  skip,
  matching,
  onSkip,
}: {
  readonly skip: number
  readonly matching: number
  readonly onSkip: (skip: number) => void
}): ReactNode {
  if (matching <= eventsPerPage && skip === 0) return null
  const to = Math.min(matching, skip + eventsPerPage)
  return (
    <div className={styles['pager']}>
      <Button isRefused={skip === 0} onClick={() => onSkip(Math.max(0, skip - eventsPerPage))}>
        {words.newer}
      </Button>
      <span>{words.page(Math.min(skip + 1, to), to, matching)}</span>
      <Button isRefused={to >= matching} onClick={() => onSkip(skip + eventsPerPage)}>
        {words.older}
      </Button>
    </div>
  )
}

function Shown({
  cluster,
  node,
}: {
  readonly cluster: string
  readonly node: string | null
}): ReactNode {
  const [part, setPart] = useState({ namespace: '', filter: '', onlyWarnings: false, skip: 0 })
  const filterField = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const answer = useKeptAnswer<Query, ClusterEventList>(
    words.request,
    { cluster, node, ...part },
    ask,
  )
  const unscheduled = useUnscheduled(cluster)
  const list: ClusterEventList = answer ?? { ...noEvents, note: '' }
  // Another choice begins with the newest.
  const choose = (change: Partial<typeof part>): void => setPart({ ...part, skip: 0, ...change })
  usePageKeys(({ key }) => {
    if (key === '/') {
      filterField.current?.focus()
      return true
    }
    const rows = [...(body.current?.querySelectorAll<HTMLElement>('[data-event]') ?? [])]
    const pending = rows.filter(({ dataset }) => dataset['event'] === 'unscheduled')
    const at = rows.findIndex((row) => row === document.activeElement)
    const found =
      key === 'n'
        ? (pending[pending.findIndex((row) => row === document.activeElement) + 1] ?? pending[0])
        : rows[movedIndex(key, { at, count: rows.length, pageRows: 10 }) ?? -1]
    found?.focus()
    return found !== undefined
  })
  const namespaces = new Set([...list.namespaces, part.namespace].filter(Boolean))
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{words.title}</h1>
        <span className={styles['faint']}>{words.summary(list.matching, list.total)}</span>
        <span className={styles['grow']} />
        <select
          className={styles['select']}
          aria-label={words.namespace}
          value={part.namespace}
          onChange={({ target }) => choose({ namespace: target.value })}
        >
          <option value="">{words.allNamespaces}</option>
          {[...namespaces].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <Segmented
          label={words.which}
          segments={[
            { value: 'all', label: words.all },
            { value: 'warnings', label: words.warnings },
          ]}
          value={part.onlyWarnings ? 'warnings' : 'all'}
          onChange={(which) => choose({ onlyWarnings: which === 'warnings' })}
        />
        <div className={styles['filter']}>
          <FilterField
            ref={filterField}
            label={words.filter}
            placeholder={words.filterExample}
            text={part.filter}
            shown={list.matching}
            total={list.total}
            onChange={(filter) => choose({ filter })}
            onLeave={() => filterField.current?.blur()}
          />
        </div>
      </div>
      {list.note === '' ? null : (
        <Note variant="warn" icon="warn">
          <p>{list.note}</p>
        </Note>
      )}
      <div ref={body} className={styles['body']}>
        <Unscheduled keys={unscheduled} />
        {answer === null ? (
          <p className={styles['loading']}>{text.common.loading}</p>
        ) : list.events.length > 0 ? (
          <Table cluster={cluster} list={list} />
        ) : list.total > 0 ? (
          <EmptyState title={words.noMatch}>{words.noMatchMeaning}</EmptyState>
        ) : (
          <EmptyState title={words.none}>{words.noneMeaning}</EmptyState>
        )}
      </div>
      <Pager skip={part.skip} matching={list.matching} onSkip={(skip) => choose({ skip })} />
      <KeysLine keys={unscheduled.length === 0 ? words.keys : words.keysWithUnscheduled} />
    </div>
  )
}

/** The events of the API about the shown node or cluster, newest first, and the pods that have no node. */
export function EventsView(): ReactNode {
  const cluster = useAppState((state) => shownCluster(state)?.id)
  const node = useAppState((state) => shownPlace(state)?.node ?? '')
  const isWhole = useAppState(
    (state) => (shownCluster(state)?.nodes.length ?? 0) < 2 && shownCluster(state)?.seen === null,
  )
  if (cluster === undefined) return null
  return (
    <Shown
      key={`${cluster} ${node}`}
      cluster={cluster}
      node={isWhole || node === '' ? null : node}
    />
  )
}
