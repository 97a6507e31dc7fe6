import type { NodeView, SourceView } from '../../../../shared/model/cluster-view.ts'
import type { FlowPart, FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import type { FlowView } from '../../../../shared/model/flow.ts'
import type { PodSource } from '../../../../shared/model/pod-source.ts'
import type { ConfigOp } from '../../../../shared/model/trace-event.ts'
import { shownNode } from '../../../store/shown-node.ts'
import { useAppState, useStore } from '../../../store/store-context.ts'
import { useObserved } from '../../../store/use-observed.ts'
import { text } from '../../../text/text.ts'
import type { Board } from '../board/board.ts'
import { workersOf } from '../board/board.ts'
import { arrowOf, useFlowPlace } from '../flow-context.ts'
import type { FlowTables } from '../layout/flow-tables.ts'
import { plain, shortPodName } from '../layout/fit.ts'

const words = text.flow.parts

interface PartState extends FlowTables {
  readonly flow: FlowView
  readonly board: Board
  readonly node: NodeView | undefined
  /** ms on the cluster's clock. */
  readonly now: number
  /** The room for a line of the part's frame, in the picture's units. */
  readonly width: number
}

/** What a line of a part's frame says: a number with its words, a text, or a row of a table. */
export type Fact =
  | {
      readonly kind: 'figure'
      readonly count: number
      readonly words: string
      readonly warns: boolean
    }
  | { readonly kind: 'text'; readonly words: string; readonly classes: string }
  | {
      readonly kind: 'row'
      readonly words: string
      readonly count: number
      readonly isFresh: boolean
    }

export interface PartContent {
  /** In a few words; the name of its button ends with them. */
  readonly summary: string
  readonly lines: readonly (readonly Fact[])[]
  /** A large number at the right of the title. */
  readonly figure?: number
}

function figure(count: number, noun: (count: number) => string, warns = false): Fact {
  return { kind: 'figure', count, words: noun(count), warns }
}

function line(sentence: string, classes = ''): Fact {
  return { kind: 'text', words: sentence, classes }
}

function sourceState({ source, ready, problems }: SourceView, { flow, now }: PartState): Fact {
  if (problems.length > 0) return line(words.problems(problems.length), 'error')
  if (!ready) return line(words.notReady, 'warn')
  const last = arrowOf(flow, `${source}-podConfig`)?.last
  return line(last ? `${last.text} ${text.flow.ago(now - last.at)}` : words.nothingSent, 'faint')
}

function sourceContent(source: PodSource): (state: PartState) => PartContent {
  return (state) => {
    const view = state.node?.sources.find((candidate) => candidate.source === source)
    if (view === undefined) return { summary: words.notUsed, lines: [] }
    return {
      summary: words.sourceSummary(view),
      lines: [[line(words.location(view))], [sourceState(view, state)]],
      figure: view.pods,
    }
  }
}

const ops: readonly ConfigOp[] = ['ADD', 'UPDATE', 'REMOVE', 'RECONCILE', 'DELETE']
/** How long the row of the last merge is marked. */
const freshMs = 10_000

function configContent({ flow }: PartState): PartContent {
  const counts = flow.podConfig.ops
  const last = flow.recent.find(({ arrow }) => arrow.endsWith('-podConfig'))
  const fresh = last !== undefined && flow.now - last.at < freshMs ? last.text : ''
  const rows = ops.map((op): readonly Fact[] => [
    { kind: 'row', words: op, count: counts[op], isFresh: fresh.startsWith(op) },
  ])
  return {
    summary: words.merged(ops.reduce((sum, op) => sum + counts[op], 0)),
    lines: [[line(words.mergedHead, 'faint')], ...rows],
  }
}

/** How much of the lease is spent: 0 just renewed, 1 expired. Pure. */
export function leaseSpent(renewedAt: number | null, seconds: number, now: number): number {
  if (renewedAt === null || seconds <= 0) return 1
  return Math.min(1, Math.max(0, (now - renewedAt) / (seconds * 1000)))
}

function nodeContent({ node, now }: PartState): PartContent {
  if (node === undefined) return { summary: words.noNode, lines: [] }
  const { leaseRenewedAt: renewedAt, leaseDurationSeconds: seconds, registered, status } = node
  const state = registered ? status : words.notRegistered
  const isExpired = leaseSpent(renewedAt, seconds, now) >= 1
  const lease =
    renewedAt === null
      ? line(words.noLease, 'faint')
      : line(
          words.lease(now - renewedAt, isExpired ? null : seconds),
          isExpired ? 'error' : 'faint',
        )
  return { summary: state, lines: [[line(state, 'strong')], [lease]] }
}

function statusText({ flow, node, width }: PartState): string {
  const { last } = flow.statusManager
  if (last === null) return words.noStatus
  const room = width - plain(words.lastStatus('', last.version))
  return words.lastStatus(shortPodName(last.podName, node?.name ?? '', room), last.version)
}

const contents: Readonly<Record<FlowPart, (state: PartState) => PartContent>> = {
  apiServer: ({ flow: { api } }) => ({ summary: words.serverSummary(api), lines: [] }),
  api: sourceContent('api'),
  file: sourceContent('file'),
  http: sourceContent('http'),
  podConfig: configContent,
  syncLoop: ({ flow }) => ({ summary: words.iterations(flow.syncLoop.iterations), lines: [] }),
  podManager: ({ flow: { podManager } }) => ({
    summary: words.managerSummary(podManager),
    lines: [
      [figure(podManager.pods, words.pod), figure(podManager.mirrors, words.mirror)],
      [figure(podManager.uidLinks, words.uidLink), figure(podManager.orphans, words.orphan, true)],
    ],
  }),
  mirrorClient: ({ flow: { mirrorClient } }) => ({
    summary: words.mirrorSummary(mirrorClient),
    lines: [
      [figure(mirrorClient.paired, words.pair)],
      [figure(mirrorClient.unpaired, words.noPair, true)],
    ],
  }),
  statusManager: (state) => {
    const { cached, unsent } = state.flow.statusManager
    return {
      summary: words.statusSummary(cached, unsent),
      lines: [
        [figure(cached, words.cached), figure(unsent, words.unsent, true)],
        [line(statusText(state), 'faint')],
      ],
    }
  },
  nodeController: nodeContent,
  podWorkers: ({ board }) => ({
    summary: words.workersSummary(workersOf(board), board.groups.TerminatingPod.total),
    lines: [],
  }),
  pleg: ({ flow: { pleg } }) => ({
    summary: words.relistEvery(pleg.relistPeriodMs / 1000),
    lines: [[line(words.relist(pleg.relistPeriodMs / 1000), 'faint')]],
  }),
  runtime: ({ board: { groups, runningContainers } }) => ({
    summary: words.runtimeSummary(groups.sandboxes.total, runningContainers),
    lines: [],
  }),
}

/** How much moved to a part and from it. */
function movesContent(part: string, { flow, arrows }: PartState): PartContent {
  const own = arrows.filter(({ from, to }) => from === part || to === part)
  const moves = own.reduce((sum, { id }) => sum + (arrowOf(flow, id)?.lastMinute ?? 0), 0)
  return { summary: words.movesSummary(moves), lines: [[line(words.movesAMinute(moves), 'faint')]] }
}

function isKnown(part: string): part is FlowPart {
  return part in contents
}

const noContent: PartContent = { summary: '', lines: [] }

/** What a part holds; a part without a row here says how much moves. Empty before the main process has sent the flow. */
export function usePartContent({ id }: FlowPartRow, width = 0): PartContent {
  const { flow, clocks } = useStore()
  const { board, cluster, tables, changes } = useFlowPlace()
  const node = useAppState(shownNode)
  const read = (): PartContent => {
    const view = flow.current()
    if (view === null) return noContent
    const now = clocks.now(cluster) ?? view.now
    const state = { ...tables, flow: view, board: board.current(), node, now, width }
    return isKnown(id) ? contents[id](state) : movesContent(id, state)
  }
  return useObserved(changes, read, (before, now) => JSON.stringify(before) === JSON.stringify(now))
}
