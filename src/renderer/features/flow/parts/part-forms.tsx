import type { ReactNode } from 'react'
import type { ClusterView, NodeView, SourceView } from '../../../../shared/model/cluster-view.ts'
import { shortId } from '../../../../shared/model/explanation/explanation-words.ts'
import type { FlowPart, FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import type { FlowView, WholeFlow } from '../../../../shared/model/flow.ts'
import type { WorkerStateWord } from '../../../../shared/model/pod-row.ts'
import type { PodSource } from '../../../../shared/model/pod-source.ts'
import type { ConfigOp } from '../../../../shared/model/trace-event.ts'
import { shownCluster, shownLoop, flowNode } from '../../../store/shown-node.ts'
import { useAppState, useStore } from '../../../store/store-context.ts'
import { useObserved } from '../../../store/use-observed.ts'
import { text } from '../../../text/text.ts'
import type { IconName } from '../../../ui/Icon.tsx'
import { KeyValueList } from '../../../ui/KeyValueList.tsx'
import { Bricks } from '../../../ui/signs/Bricks.tsx'
import { WorkerState } from '../../../ui/signs/WorkerState.tsx'
import { preciseClockText } from '../../../words/time.ts'
import { hasWorker } from '../../../words/worker-state.ts'
import type { Board } from '../board/board.ts'
import { groupRules, unknownWorkers, workersOf } from '../board/board.ts'
import { arrowOf, useFlow, useFlowPlace } from '../flow-context.ts'
import { plain, shortPodName } from '../layout/fit.ts'
import type { FlowTables } from '../layout/flow-tables.ts'
import type { PodListForm } from '../lists/PartLists.tsx'
import { Quiet, Section } from '../lists/PartLists.tsx'
import { laneFilter } from '../lists/show-pods.ts'
import { ApiServer } from './Bands.tsx'
import type { PartProps } from './drawing.tsx'
import { SourceSign } from './drawing.tsx'
import { Workers } from './Lanes.tsx'
import { ImageContent, ProberContent, PullContent, VolumeContent } from './PartContents.tsx'
import { LeaseRing, leaseSpent } from './LeaseRing.tsx'
import { SyncLoop } from './Loop.tsx'
import { Runtime } from './RuntimeBand.tsx'

const words = text.flow.parts
const details = text.flow.details

interface PartState extends FlowTables {
  /** Read only by forms whose part is known. */
  readonly flow: WholeFlow
  readonly board: Board
  readonly cluster: ClusterView | undefined
  readonly node: NodeView | undefined
  /** ms on the cluster's clock. */
  readonly now: number
  /** The room for a line of the part's frame, in the picture's units. */
  readonly width: number
}

/** What a line of a part's frame says. */
export interface Fact {
  /** A number before its words, words before a number, or words alone. */
  readonly kind: 'figure' | 'row' | 'text'
  readonly words: string
  readonly count: number
  /** Names of the picture's style sheet. */
  readonly classes: string
  readonly isMarked: boolean
}

export interface PartContent {
  /** In a few words; the name of its button ends with them. */
  readonly summary: string
  readonly lines: readonly (readonly Fact[])[]
  /** A large number at the right of the title. */
  readonly figure?: number
}

export interface Problem {
  readonly icon: IconName
  /** A file with its line, if known. */
  readonly where: string
  readonly message: string
}

type Drawing = (props: PartProps) => ReactNode

/** What a part shows, beyond its row in the table of parts. */
interface PartForm {
  /** What it reads of the flow; if that is null, nothing tells what the part holds. */
  readonly reads?: keyof FlowView
  readonly content: (state: PartState) => PartContent
  /** Drawn instead of a title and lines. */
  readonly Drawing?: Drawing
  /** Drawn in addition to them. */
  readonly Sign?: Drawing
  /** In its open panel, in this order. */
  readonly problems?: (state: PartState) => readonly Problem[]
  readonly facts?: (state: PartState) => Readonly<Record<string, string>>
  readonly pods?: readonly PodListForm[]
  readonly Rest?: () => ReactNode
}

function fact(kind: Fact['kind'], words: string, more: Partial<Fact> = {}): Fact {
  return { kind, words, count: 0, classes: '', isMarked: false, ...more }
}

function figure(count: number, noun: (count: number) => string, warns = false): Fact {
  return fact('figure', noun(count), { count, classes: warns && count > 0 ? 'warn' : '' })
}

function line(sentence: string, classes = ''): Fact {
  return fact('text', sentence, { classes })
}

const unknown: PartContent = {
  summary: text.flow.notKnown,
  lines: [[line(text.flow.notKnown, 'faint')]],
}

/** A log does not tell of the lease and the Node. */
function isLeaseKnown({ flow }: PartState): boolean {
  return arrowOf(flow, 'nodeController-apiServer')?.sight !== 'notKnown'
}

function serverProblems({ cluster, node }: PartState): readonly Problem[] {
  const connection = cluster?.connection
  const away = connection?.kind === 'away' ? connection : undefined
  if (node?.isCutOff !== true && away === undefined) return []
  const message = details.serverProblem(node?.isCutOff === true ? undefined : away)
  return [{ icon: 'unlink', where: '', message }]
}

function sourceState({ source, ready, problems }: SourceView, { flow, now }: PartState): Fact {
  if (problems.length > 0) return line(words.problems(problems.length), 'error')
  if (!ready) return line(words.notReady, 'warn')
  const last = arrowOf(flow, `${source}-podConfig`)?.last
  return line(last ? `${last.text} ${text.flow.ago(now - last.at)}` : words.nothingSent, 'faint')
}

function sourceForm(source: PodSource): PartForm {
  const viewOf = ({ node }: PartState): SourceView | undefined =>
    node?.sources.find((candidate) => candidate.source === source)
  return {
    content: (state) => {
      const view = viewOf(state)
      if (view === undefined)
        return state.node?.sources.length === 0 ? unknown : { summary: words.notUsed, lines: [] }
      return {
        summary: words.sourceSummary(view),
        lines: [[line(words.location(view))], [sourceState(view, state)]],
        figure: view.pods,
      }
    },
    Sign: ({ box: { x, y } }) => <SourceSign name={source} x={x + 14} y={y + 12} size={14} />,
    problems: (state) =>
      (viewOf(state)?.problems ?? []).map(({ where, line: at, message }) => ({
        icon: 'error',
        where: at === null ? where : `${where}:${at}`,
        message,
      })),
    facts: (state) => details.source(viewOf(state)),
    pods: [
      {
        ...details.sourcePods,
        test: (row) => row.source === source && row.kind !== 'mirror',
        filter: `source:${source}`,
      },
    ],
  }
}

const ops: readonly ConfigOp[] = ['ADD', 'UPDATE', 'REMOVE', 'RECONCILE', 'DELETE']
/** How long the row of the last merge is marked. */
const freshMs = 10_000

function configContent({ flow }: PartState): PartContent {
  const counts = flow.podConfig.ops
  const last = flow.recent.find(({ arrow }) => arrow.endsWith('-podConfig'))
  const fresh = last !== undefined && flow.now - last.at < freshMs ? last.text : ''
  const rows = ops.map((op) => [
    fact('row', op, { count: counts[op], isMarked: fresh.startsWith(op) }),
  ])
  return {
    summary: words.merged(ops.reduce((sum, op) => sum + counts[op], 0)),
    lines: [[line(words.mergedHead, 'faint')], ...rows],
  }
}

function nodeContent({ node, now }: PartState): PartContent {
  if (node === undefined) return { summary: words.noNode, lines: [] }
  const { leaseRenewedAt: renewedAt, leaseDurationSeconds: seconds, registered, status } = node
  const state = registered ? status : words.notRegistered
  const isExpired = leaseSpent(renewedAt, seconds, now) >= 1
  const lease =
    renewedAt === null
      ? line(words.noLease, 'faint')
      : line(words.lease(now - renewedAt, isExpired), isExpired ? 'error' : 'faint')
  return { summary: state, lines: [[line(state, 'strong')], [lease]] }
}

function statusText({ flow, node, width }: PartState): string {
  const { last } = flow.statusManager
  if (last === null) return words.noStatus
  const room = width - plain(words.lastStatus('', last.version))
  return words.lastStatus(shortPodName(last.podName, node?.name ?? '', room), last.version)
}

function LastInputs(): ReactNode {
  const recent = useAppState((state) => shownLoop(state)?.recent) ?? []
  const items = recent.slice(0, 15).map(({ seq, at, text: value }) => ({
    label: `${preciseClockText(at)} #${seq}`,
    value,
  }))
  const { heading, without } = details.lastInputs
  return (
    <Section heading={heading}>
      {recent.length === 0 ? <Quiet>{without}</Quiet> : null}
      <KeyValueList items={items} />
    </Section>
  )
}

function UnsentStatuses(): ReactNode {
  const names = useAppState((state) => flowNode(state)?.unsentStatuses)?.names ?? []
  const count = useFlow((flow) => flow.statusManager?.unsent) ?? 0
  const more = count - names.length
  const { heading, without, andMore } = details.unsent
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

/** What a container that has no image waits with (images#pulling, images#pull-back-off). */
const imageReasons: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
])

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
    ...details.uidLinks,
    test: (row) => row.kind === 'static' && row.mirrorUid !== null,
    filter: 'kind:static',
    side: ({ uid, mirrorUid }) => (
      <code title={details.uids(mirrorUid ?? '', uid)}>
        {shortId(mirrorUid ?? '')} = {shortId(uid)}
      </code>
    ),
  },
  {
    ...details.orphans,
    test: (row) => row.kind === 'mirror',
    filter: 'kind:mirror',
    note: (row) => row.workerReason,
  },
  { ...details.managerPods, test: hasWorker, filter: '' },
]

const outOfSync: PodListForm = {
  ...details.outOfSync,
  test: (row) => row.kind === 'mirror' || (row.mirror !== null && row.mirror !== 'matched'),
  filter: 'mirror:',
  side: (row) => row.mirror ?? details.orphan,
  note: (row) => (row.mirrorReason === '' ? row.workerReason : row.mirrorReason),
}

const forms: Readonly<Record<FlowPart, PartForm>> = {
  apiServer: {
    reads: 'api',
    content: ({ flow: { api } }) => ({ summary: words.serverSummary(api), lines: [] }),
    Drawing: ApiServer,
    problems: serverProblems,
    facts: ({ cluster, flow }) => details.server(cluster?.server ?? '', flow.api),
  },
  api: sourceForm('api'),
  file: sourceForm('file'),
  http: sourceForm('http'),
  podConfig: { reads: 'podConfig', content: configContent },
  syncLoop: {
    reads: 'syncLoop',
    content: ({ flow }) => ({ summary: words.iterations(flow.syncLoop.iterations), lines: [] }),
    Drawing: SyncLoop,
    facts: ({ flow }) => details.syncLoop(flow.syncLoop.iterations),
    Rest: LastInputs,
  },
  podManager: {
    reads: 'podManager',
    content: ({ flow: { podManager } }) => {
      const { pods, mirrors, uidLinks, orphans } = podManager
      return {
        summary: words.managerSummary(podManager),
        lines: [
          [figure(pods, words.pod), figure(mirrors, words.mirror)],
          [figure(uidLinks, words.uidLink), figure(orphans, words.orphan, true)],
        ],
      }
    },
    facts: ({ flow }) => details.podManager(flow.podManager),
    pods: managerPods,
  },
  mirrorClient: {
    reads: 'pairs',
    content: ({ flow: { pairs } }) => ({
      summary: words.mirrorSummary(pairs),
      lines: [[figure(pairs.paired, words.pair)], [figure(pairs.unpaired, words.noPair, true)]],
    }),
    facts: ({ flow }) => details.mirrorClient(flow.mirrorClient.lastCall),
    pods: [outOfSync],
  },
  statusManager: {
    reads: 'statusManager',
    content: (state) => {
      const { cached, unsent } = state.flow.statusManager
      return {
        summary: words.statusSummary(cached, unsent),
        lines: [
          [figure(cached, words.cached), figure(unsent, words.unsent, true)],
          [line(statusText(state), 'faint')],
        ],
      }
    },
    Rest: UnsentStatuses,
  },
  nodeController: {
    content: (state) => (isLeaseKnown(state) ? nodeContent(state) : unknown),
    Sign: LeaseRing,
    facts: (state) => (isLeaseKnown(state) ? details.node(state.node) : {}),
  },
  podWorkers: {
    content: ({ board, flow }) => ({
      summary: words.workersSummary(
        workersOf(board),
        board.groups.TerminatingPod.total,
        unknownWorkers(board, flow),
      ),
      lines: [],
    }),
    Drawing: Workers,
    facts: ({ flow }) => details.podWorkers(flow.workers.forgotten),
    pods: laneStates.map((state) => ({
      heading: <WorkerState state={state} />,
      test: (row) => row.worker === state,
      filter: laneFilter(state),
      without: details.none,
      note: (row) => row.workerReason,
    })),
  },
  pleg: {
    reads: 'pleg',
    content: ({ flow: { pleg } }) => ({
      summary: words.relistEvery(pleg.relistPeriodMs / 1000),
      lines: [[line(words.relist(pleg.relistPeriodMs / 1000), 'faint')]],
    }),
    facts: ({ flow }) => details.pleg(flow.pleg),
  },
  volumeManager: {
    reads: 'volumes',
    content: ({ flow: { volumes } }) => ({
      summary: words.volumesSummary(volumes),
      lines: [
        [figure(volumes.mounted, words.mounted), figure(volumes.waiting, words.waiting, true)],
        [line(words.objects(volumes), 'faint')],
      ],
    }),
    facts: ({ flow }) => details.volumes(flow.volumes),
    Rest: VolumeContent,
  },
  prober: {
    reads: 'prober',
    content: ({ flow: { prober } }) => {
      const { failing } = prober
      const classes = failing > 0 ? 'warn' : 'faint'
      return {
        summary: words.probersSummary(prober),
        lines: [[line(words.probers(prober), classes)]],
      }
    },
    Rest: ProberContent,
  },
  evictionManager: plainForm('evictionManager'),
  imageManager: {
    reads: 'images',
    content: ({ flow: { images } }) => {
      const summary = words.pulls(images.pulling.length)
      return { summary, lines: [[line(summary, 'faint')]] }
    },
    pods: [
      {
        ...details.withoutImage,
        test: ({ status }) => imageReasons.has(status.replace(/^Init:/, '')),
        filter: 'status:ErrImage|ImagePull|InvalidImageName|ImageInspect|RegistryUnav|SignatureVal',
      },
    ],
    Rest: PullContent,
  },
  garbageCollection: {
    reads: 'images',
    content: ({ flow: { images } }) => {
      const summary = words.imagesSummary(images)
      return { summary, lines: [[line(summary, 'faint')]] }
    },
    facts: ({ flow }) => details.images(flow.images),
    Rest: ImageContent,
  },
  runtime: {
    content: ({ board: { groups, runningContainers } }) => ({
      summary: words.runtimeSummary(groups.sandboxes.total, runningContainers),
      lines: [],
    }),
    Drawing: Runtime,
    facts: ({ board }) => details.runtime(board.runningContainers),
    pods: [
      {
        ...details.sandboxes,
        test: groupRules.sandboxes.has,
        filter: '',
        side: (row) => <Bricks bricks={row.bricks} />,
        note: (row) => row.bricks.map(({ name, state }) => `${name} ${state}`).join(', '),
      },
    ],
  },
}

/** Of a part without a form: how much moved to it and from it. */
function plainForm(part: string): PartForm {
  return {
    content: ({ flow, arrows }) => {
      const own = arrows.filter(({ from, to }) => from === part || to === part)
      const moves = own.reduce((sum, { id }) => sum + (arrowOf(flow, id)?.lastMinute ?? 0), 0)
      const lines = [[line(words.movesAMinute(moves), 'faint')]]
      return { summary: words.movesSummary(moves), lines }
    },
  }
}

const formOf: Readonly<Record<string, PartForm | undefined>> = forms

export function partForm({ id }: FlowPartRow): PartForm {
  return formOf[id] ?? plainForm(id)
}

/** What `read` returns for the state of the parts; null before the main process has sent it. */
function usePartState<T>(read: (state: PartState) => T, width = 0): T | null {
  const { flow, clocks } = useStore()
  const { board, cluster: id, tables, changes } = useFlowPlace()
  const cluster = useAppState(shownCluster)
  const node = useAppState(flowNode)
  const readState = (): T | null => {
    const view = flow.current()
    if (view === null) return null
    const now = clocks.now(id) ?? view.now
    // A form is called only if what it reads is not null.
    const whole = view as WholeFlow
    return read({ ...tables, flow: whole, board: board.current(), cluster, node, now, width })
  }
  const isSame = (before: unknown, now: unknown): boolean =>
    JSON.stringify(before) === JSON.stringify(now)
  return useObserved(changes, readState, isSame)
}

const noContent: PartContent = { summary: '', lines: [] }

/** Whether anything tells what the part holds. */
export function useIsPartKnown(part: FlowPartRow): boolean {
  const { reads } = partForm(part)
  return useFlow((flow) => reads === undefined || flow[reads] !== null) ?? true
}

/** What the frame of a part shows. */
export function usePartContent(part: FlowPartRow, width = 0): PartContent {
  const isKnown = useIsPartKnown(part)
  return usePartState(isKnown ? partForm(part).content : () => unknown, width) ?? noContent
}

interface PartDetails {
  readonly problems: readonly Problem[]
  /** By label. */
  readonly facts: Readonly<Record<string, string>>
}

const noDetails: PartDetails = { problems: [], facts: {} }

/** What an open part shows before its pods. */
export function usePartDetails(part: FlowPartRow): PartDetails {
  const { problems, facts } = partForm(part)
  const isKnown = useIsPartKnown(part)
  const read = (state: PartState): PartDetails =>
    isKnown ? { problems: problems?.(state) ?? [], facts: facts?.(state) ?? {} } : noDetails
  return usePartState(read) ?? noDetails
}
