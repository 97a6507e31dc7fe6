import type { ReactNode } from 'react'
import type { ClusterView, NodeView } from '../../../../shared/model/cluster-view.ts'
import type { FlowPart, FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import type { FlowView } from '../../../../shared/model/flow.ts'
import type { WorkerStateWord } from '../../../../shared/model/pod-row.ts'
import type { PodSource } from '../../../../shared/model/pod-source.ts'
import { shortId } from '../../../../shared/model/explanation/explanation-words.ts'
import { shownCluster, shownLoop, shownNode } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { KeyValueList } from '../../../ui/KeyValueList.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Bricks } from '../../../ui/signs/Bricks.tsx'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'
import { WorkerState } from '../../../ui/signs/WorkerState.tsx'
import { preciseClockText } from '../../../words/time.ts'
import { hasWorker } from '../../../words/worker-state.ts'
import { groupRules } from '../board/board.ts'
import { useBoard, useFlow, useTables } from '../flow-context.ts'
import styles from './PartLists.module.css'
import type { PodListForm } from './PartLists.tsx'
import { Moves, Pods, Quiet, Section } from './PartLists.tsx'
import { laneFilter } from './show-pods.ts'

const words = text.flow.details

interface DetailState {
  readonly flow: FlowView
  readonly cluster: ClusterView | undefined
  readonly node: NodeView | undefined
  readonly running: number
}

/** What an open part says before the moves along its arrows. */
interface Detail {
  readonly facts?: (state: DetailState) => Readonly<Record<string, string>>
  /** Before its pods. */
  readonly Problems?: () => ReactNode
  readonly pods?: readonly PodListForm[]
  readonly Rest?: () => ReactNode
}

function ServerProblem(): ReactNode {
  const connection = useAppState((state) => shownCluster(state)?.connection)
  const isCutOff = useAppState((state) => shownNode(state)?.isCutOff === true)
  const away = connection?.kind === 'away' && !isCutOff ? connection : undefined
  if (!isCutOff && away === undefined) return null
  return (
    <Note look="error" icon="unlink">
      <p>{words.serverProblem(away)}</p>
    </Note>
  )
}

function SourceProblems({ source }: { readonly source: PodSource }): ReactNode {
  const view = useAppState((state) =>
    shownNode(state)?.sources.find((candidate) => candidate.source === source),
  )
  return view?.problems.map(({ where, line, message }) => (
    <Note key={`${where} ${line ?? ''} ${message}`} look="error" icon="error">
      <p>
        <code>
          {where}
          {line === null ? '' : `:${line}`}
        </code>{' '}
        {message}
      </p>
    </Note>
  ))
}

function sourceDetail(source: PodSource): Detail {
  return {
    facts: ({ node }) =>
      words.source(node?.sources.find((candidate) => candidate.source === source)),
    Problems: () => <SourceProblems source={source} />,
    pods: [
      {
        ...words.sourcePods,
        test: (row) => row.source === source && row.kind !== 'mirror',
        filter: `source:${source}`,
      },
    ],
  }
}

function LastInputs(): ReactNode {
  const recent = useAppState((state) => shownLoop(state)?.recent) ?? []
  const items = recent.slice(0, 15).map(({ seq, at, text: value }) => ({
    label: `${preciseClockText(at)} #${seq}`,
    value,
  }))
  const { heading, without } = words.lastInputs
  return (
    <Section heading={heading}>
      {recent.length === 0 ? <Quiet>{without}</Quiet> : null}
      <KeyValueList items={items} />
    </Section>
  )
}

function UnsentStatuses(): ReactNode {
  const names = useAppState((state) => shownNode(state)?.unsentStatuses)?.names ?? []
  const count = useFlow((flow) => flow.statusManager.unsent) ?? 0
  const more = count - names.length
  const { heading, without, andMore } = words.unsent
  return (
    <Section heading={heading}>
      {count === 0 && names.length === 0 ? <Quiet>{without}</Quiet> : null}
      <ul>
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
        {more > 0 ? <li>{andMore(more, names.length > 0)}</li> : null}
      </ul>
    </Section>
  )
}

const laneStates: readonly WorkerStateWord[] = [
  'waiting',
  'TerminatingPod',
  'TerminatedAndRecreatedPod',
  'TerminatedPod',
  'finished',
  'SyncPod',
]

const managerPods: readonly PodListForm[] = [
  {
    ...words.uidLinks,
    test: (row) => row.kind === 'static' && row.mirrorUid !== null,
    filter: 'kind:static',
    side: ({ uid, mirrorUid }) => (
      <code title={words.uids(mirrorUid ?? '', uid)}>
        {shortId(mirrorUid ?? '')} = {shortId(uid)}
      </code>
    ),
  },
  {
    ...words.orphans,
    test: (row) => row.kind === 'mirror',
    filter: 'kind:mirror',
    note: (row) => row.workerReason,
  },
  { ...words.managerPods, test: hasWorker, filter: '' },
]

const outOfSync: PodListForm = {
  ...words.outOfSync,
  test: (row) => row.kind === 'mirror' || (row.mirror !== null && row.mirror !== 'matched'),
  filter: 'mirror:',
  side: (row) => row.mirror ?? words.orphan,
  note: (row) => (row.mirrorReason === '' ? row.workerReason : row.mirrorReason),
}

const details: Readonly<Partial<Record<FlowPart, Detail>>> = {
  apiServer: {
    Problems: ServerProblem,
    facts: ({ cluster, flow }) => words.server(cluster?.server ?? '', flow.api),
  },
  api: sourceDetail('api'),
  file: sourceDetail('file'),
  http: sourceDetail('http'),
  syncLoop: { facts: ({ flow }) => words.syncLoop(flow.syncLoop.iterations), Rest: LastInputs },
  podManager: { facts: ({ flow }) => words.podManager(flow.podManager), pods: managerPods },
  mirrorClient: {
    facts: ({ flow }) => words.mirrorClient(flow.mirrorClient.lastCall),
    pods: [outOfSync],
  },
  statusManager: { Rest: UnsentStatuses },
  nodeController: { facts: ({ node }) => words.node(node) },
  podWorkers: {
    facts: ({ flow }) => words.podWorkers(flow.workers.forgotten),
    pods: laneStates.map((state) => ({
      heading: <WorkerState state={state} />,
      test: (row) => row.worker === state,
      filter: laneFilter(state),
      without: words.none,
      note: (row) => row.workerReason,
    })),
  },
  pleg: { facts: ({ flow }) => words.pleg(flow.pleg) },
  runtime: {
    facts: ({ running }) => words.runtime(running),
    pods: [
      {
        ...words.sandboxes,
        test: groupRules.sandboxes.has,
        filter: '',
        side: (row) => <Bricks bricks={row.bricks} />,
        note: (row) => row.bricks.map(({ name, state }) => `${name} ${state}`).join(', '),
      },
    ],
  },
}

const detailOf: Readonly<Record<string, Detail | undefined>> = details

function Facts({ read }: { readonly read: NonNullable<Detail['facts']> }): ReactNode {
  const cluster = useAppState(shownCluster)
  const node = useAppState(shownNode)
  const running = useBoard((board) => board.runningContainers)
  const facts = useFlow((flow) => read({ flow, cluster, node, running }))
  const items = Object.entries(facts ?? {}).map(([label, value]) => ({ label, value }))
  return <KeyValueList items={items} />
}

/** What moved along the part's arrows, as its row in the table says. */
function PartMoves({ part }: { readonly part: FlowPartRow }): ReactNode {
  const { arrows } = useTables()
  if (part.moves === undefined) return null
  const { along, ...words } = part.moves
  const own = arrows.filter(
    ({ from, to }) => (along !== 'from' && to === part.id) || (along !== 'to' && from === part.id),
  )
  return <Moves arrows={own.map(({ id }) => id)} {...words} />
}

/** An open part: its purpose, its place in Kubernetes, what it holds, and what moved last. */
export function PartBody({ part }: { readonly part: FlowPartRow }): ReactNode {
  const { facts, Problems, pods = [], Rest } = detailOf[part.id] ?? {}
  const [file, name] = part.upstream
  return (
    <>
      <p className={styles['purpose']}>{part.purpose}</p>
      <p className={styles['upstream']}>
        {words.upstream(<code>{name}</code>, <code>{file}</code>)}
        {part.section === undefined ? null : <SectionTag section={part.section} />}
      </p>
      {Problems === undefined ? null : <Problems />}
      {facts === undefined ? null : <Facts read={facts} />}
      {pods.map((list) => (
        <Pods key={list.filter + list.without} {...list} />
      ))}
      {Rest === undefined ? null : <Rest />}
      <PartMoves part={part} />
    </>
  )
}
