import type { ReactNode } from 'react'
import type { ClusterView, NodeView } from '../../../../shared/model/cluster-view.ts'
import type { FlowPart, FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import type { FlowView } from '../../../../shared/model/flow.ts'
import type { PodRow, WorkerStateWord } from '../../../../shared/model/pod-row.ts'
import type { PodSource } from '../../../../shared/model/pod-source.ts'
import { shownCluster, shownLoop, shownNode } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { KeyValueList } from '../../../ui/KeyValueList.tsx'
import { Note } from '../../../ui/Note.tsx'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'
import { WorkerState } from '../../../ui/signs/WorkerState.tsx'
import { clockText, countText, preciseClockText } from '../../../words/time.ts'
import { shortUid } from '../../../words/uid.ts'
import { hasWorker } from '../../../words/worker-word.ts'
import { useBoard, useFlow, useTables } from '../flow-context.ts'
import styles from './PartLists.module.css'
import { Heading, Moves, PodBricks, Pods, Quiet } from './PartLists.tsx'
import { laneFilter } from './show-pods.ts'

interface DetailFacts {
  readonly flow: FlowView
  readonly cluster: ClusterView | undefined
  readonly node: NodeView | undefined
  readonly running: number
}

interface PodList {
  readonly heading: ReactNode
  readonly test: (row: PodRow) => boolean
  /** What the table is filtered by for those without room. */
  readonly filter: string
  readonly without: string
  readonly note?: (row: PodRow) => string
  readonly side?: (row: PodRow) => ReactNode
}

/** What an open part says before the moves along its arrows. */
interface Detail {
  readonly facts?: (facts: DetailFacts) => Readonly<Record<string, string>>
  /** What went wrong: before its pods. */
  readonly Problems?: () => ReactNode
  readonly pods?: readonly PodList[]
  readonly Rest?: () => ReactNode
}

function timeText(at: number | null | undefined, never: string): string {
  return at === null || at === undefined ? never : `${preciseClockText(at)} UTC`
}

function ServerProblem(): ReactNode {
  const connection = useAppState((state) => shownCluster(state)?.connection)
  const isCutOff = useAppState((state) => shownNode(state)?.isCutOff === true)
  if (!isCutOff && connection?.kind !== 'away') return null
  return (
    <Note look="error" icon="unlink">
      <p>
        {isCutOff || connection?.kind !== 'away'
          ? 'Disconnected in Nodescope.'
          : `Unreachable since ${clockText(connection.since)}: ${connection.message}.`}{' '}
        Pods run on; statuses, mirrors and the lease wait.
      </p>
    </Note>
  )
}

function sourceOf(
  node: NodeView | undefined,
  source: PodSource,
): NodeView['sources'][number] | undefined {
  return node?.sources.find((candidate) => candidate.source === source)
}

function SourceProblems({ source }: { readonly source: PodSource }): ReactNode {
  const problems = useAppState((state) => sourceOf(shownNode(state), source)?.problems)
  return problems?.map(({ where, line, message }) => (
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
    facts: ({ node }) => {
      const view = sourceOf(node, source)
      return {
        location: view?.location ?? 'not used',
        state: view?.ready === true ? 'ready' : 'not ready yet',
      }
    },
    Problems: () => <SourceProblems source={source} />,
    pods: [
      {
        heading: 'Pods',
        test: (row) => row.source === source && row.kind !== 'mirror',
        filter: `source:${source}`,
        without: 'This source has sent no pods.',
      },
    ],
  }
}

function LastTaken(): ReactNode {
  const recent = useAppState((state) => shownLoop(state)?.recent) ?? []
  return (
    <>
      <Heading>Last taken</Heading>
      {recent.length === 0 ? <Quiet>Nothing yet.</Quiet> : null}
      <KeyValueList
        items={recent.slice(0, 15).map(({ seq, at, text }) => ({
          label: `${preciseClockText(at)} #${seq}`,
          value: text,
        }))}
      />
    </>
  )
}

function Unsent(): ReactNode {
  const unsent = useAppState((state) => shownNode(state)?.unsentStatuses)
  const count = useFlow((flow) => flow.statusManager.unsent) ?? 0
  const names = unsent?.names ?? []
  const more = count - names.length
  return (
    <>
      <Heading>Unsent</Heading>
      {count === 0 && names.length === 0 ? (
        <Quiet>The API server has every cached status.</Quiet>
      ) : (
        <ul>
          {names.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
          {more > 0 ? (
            <li>
              {countText(more)} {names.length === 0 ? 'wait to be written' : 'more'}
            </li>
          ) : null}
        </ul>
      )}
    </>
  )
}

function Removed(): ReactNode {
  const forgotten = useFlow((flow) => flow.workers.forgotten) ?? 0
  return (
    <>
      <Heading>Removed by SyncKnownPods</Heading>
      <Quiet>{countText(forgotten)} since the start</Quiet>
    </>
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

const managerPods: readonly PodList[] = [
  {
    heading: 'UID links, mirror to static',
    test: (row) => row.kind === 'static' && row.mirrorUid !== null,
    filter: 'kind:static',
    without: 'No static pod has a mirror.',
    side: (row) => (
      <code title={`mirror ${row.mirrorUid ?? ''}\nstatic ${row.uid}`}>
        {shortUid(row.mirrorUid ?? '')} = {shortUid(row.uid)}
      </code>
    ),
  },
  {
    heading: 'Orphans',
    test: (row) => row.kind === 'mirror',
    filter: 'kind:mirror',
    without: 'Every mirror has its static pod.',
    note: (row) => row.workerReason,
  },
  { heading: 'Pods', test: hasWorker, filter: '', without: 'It has no pods.' },
]

const details: Readonly<Partial<Record<FlowPart, Detail>>> = {
  apiServer: {
    Problems: ServerProblem,
    facts: ({ cluster, flow }) => ({
      address: cluster?.server ?? '',
      'pods on this node': countText(flow.api.pods),
      'of them mirrors': countText(flow.api.mirrors),
    }),
  },
  api: sourceDetail('api'),
  file: sourceDetail('file'),
  http: sourceDetail('http'),
  syncLoop: {
    facts: ({ flow }) => ({ iterations: countText(flow.syncLoop.iterations) }),
    Rest: LastTaken,
  },
  podManager: {
    facts: ({ flow: { podManager } }) => ({
      pods: countText(podManager.pods),
      mirrors: countText(podManager.mirrors),
      'orphaned mirrors': countText(podManager.orphans),
    }),
    pods: managerPods,
  },
  mirrorClient: {
    facts: ({ flow }) => {
      const { lastCall } = flow.mirrorClient
      return {
        'last call':
          lastCall === null ? 'none yet' : `${lastCall.text}, ${timeText(lastCall.at, '')}`,
      }
    },
    pods: [
      {
        heading: 'Out of sync',
        test: (row) => row.kind === 'mirror' || (row.mirror !== null && row.mirror !== 'matched'),
        filter: 'mirror:',
        without: 'Every static pod has a current mirror.',
        side: (row) => row.mirror ?? 'orphan',
        note: (row) => (row.mirrorReason === '' ? row.workerReason : row.mirrorReason),
      },
    ],
  },
  statusManager: { Rest: Unsent },
  nodeController: {
    facts: ({ node }) => ({
      node: node?.name ?? '',
      registered: node?.registered === true ? 'yes' : 'not yet',
      STATUS: node?.status ?? '',
      'lease renewed': timeText(node?.leaseRenewedAt, 'never'),
      'lease lasts': `${node?.leaseDurationSeconds ?? 0} s`,
    }),
  },
  podWorkers: {
    pods: laneStates.map((state) => ({
      heading: <WorkerState state={state} />,
      test: (row) => row.worker === state,
      filter: laneFilter(state),
      without: 'none',
      note: (row) => row.workerReason,
    })),
    Rest: Removed,
  },
  pleg: {
    facts: ({ flow: { pleg } }) => ({
      'relists every': `${pleg.relistPeriodMs / 1000} s`,
      'last relist': timeText(pleg.lastRelistAt, 'none yet'),
    }),
  },
  runtime: {
    facts: ({ running }) => ({ 'containers running': countText(running) }),
    pods: [
      {
        heading: 'Pod sandboxes and their containers',
        test: (row) => row.worker === 'SyncPod' || row.worker === 'TerminatingPod',
        filter: '',
        without: 'Nothing runs.',
        side: (row) => <PodBricks row={row} />,
        note: (row) => row.bricks.map(({ name, state }) => `${name} ${state}`).join(', '),
      },
    ],
  },
}

const detailOf: Readonly<Record<string, Detail | undefined>> = details

function Facts({
  read,
}: {
  readonly read: (facts: DetailFacts) => Readonly<Record<string, string>>
}): ReactNode {
  const cluster = useAppState((state) => shownCluster(state))
  const node = useAppState((state) => shownNode(state))
  const running = useBoard((board) => board.runningContainers)
  const facts = useFlow((flow) => read({ flow, cluster, node, running }))
  const items = Object.entries(facts ?? {}).map(([label, value]) => ({ label, value }))
  return <KeyValueList items={items} />
}

/** What moved along the part's arrows, as its row in the table wants it. */
function PartMoves({ part }: { readonly part: FlowPartRow }): ReactNode {
  const { arrows } = useTables()
  if (part.moves === undefined) return null
  const { along, heading, without } = part.moves
  const ids = arrows
    .filter(
      ({ from, to }) =>
        (along !== 'from' && to === part.id) || (along !== 'to' && from === part.id),
    )
    .map(({ id }) => id)
  return (
    <>
      <Heading>{heading}</Heading>
      <Moves arrows={ids} without={without} />
    </>
  )
}

/** An open part: what it is for, where it is in Kubernetes, what it holds, and what moved last. */
export function PartBody({ part }: { readonly part: FlowPartRow }): ReactNode {
  const { facts, Problems, pods = [], Rest } = detailOf[part.id] ?? {}
  const [file, name] = part.upstream
  return (
    <>
      <p className={styles['purpose']}>{part.purpose}</p>
      <p className={styles['upstream']}>
        <code>{name}</code> in <code>{file}</code>
        {part.section === undefined ? null : <SectionTag section={part.section} />}
      </p>
      {Problems === undefined ? null : <Problems />}
      {facts === undefined ? null : <Facts read={facts} />}
      {pods.map(({ heading, ...list }) => (
        <section key={list.filter + list.without}>
          <Heading>{heading}</Heading>
          <Pods {...list} />
        </section>
      ))}
      {Rest === undefined ? null : <Rest />}
      <PartMoves part={part} />
    </>
  )
}
