import type { NodeView, SourceView } from '../../../../shared/model/cluster-view.ts'
import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowPart, FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import type { FlowView } from '../../../../shared/model/flow.ts'
import type { PodSource } from '../../../../shared/model/pod-source.ts'
import type { ConfigOp } from '../../../../shared/model/trace-event.ts'
import { countOf, countText, lastingText } from '../../../words/time.ts'
import type { Board } from '../board/board.ts'
import { plain, shortPodName } from '../layout/fit.ts'

export interface PartFacts {
  readonly flow: FlowView
  readonly board: Board
  readonly node: NodeView | undefined
  /** ms on the cluster's clock. */
  readonly now: number
  readonly arrows: readonly FlowArrowRow[]
  /** What a line of the part's frame has room for, in the picture's units. */
  readonly width: number
}

/** What a line of a part's frame says: numbers with their words, one text, or a row of a table. */
export type Fact =
  | {
      readonly kind: 'figure'
      readonly count: number
      readonly word: string
      readonly warns?: true
    }
  | { readonly kind: 'text'; readonly text: string; readonly look?: FactLook }
  | {
      readonly kind: 'row'
      readonly text: string
      readonly count: number
      readonly isFresh: boolean
    }

export type FactLook = 'strong' | 'faint' | 'warn' | 'error'

export interface PartContent {
  /** In a few words: the name of its button goes on with them. */
  readonly summary: string
  readonly lines: readonly (readonly Fact[])[]
  /** A large number at the right of the title. */
  readonly figure?: number
}

function many(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`
}

function figure(count: number, one: string, several = `${one}s`): Fact {
  return { kind: 'figure', count, word: count === 1 ? one : several }
}

function warning(count: number, one: string, several = one): Fact {
  return { kind: 'figure', count, word: count === 1 ? one : several, warns: true }
}

function text(words: string, look?: FactLook): Fact {
  return { kind: 'text', text: words, ...(look === undefined ? {} : { look }) }
}

function ago(at: number, now: number): string {
  return `${lastingText(now - at)} ago`
}

/** What a source reads, in the room of one line. */
function placeText({ source, location }: SourceView): string {
  switch (source) {
    case 'api':
      return 'watching pods'
    case 'file':
      return `in ${location.split(/[\\/]/).findLast((part) => part !== '') ?? location}`
    case 'http':
    default:
      return location.replace(/^https?:\/\//, '')
  }
}

function sourceState(view: SourceView, { flow, now }: PartFacts): Fact {
  if (view.problems.length > 0) return text(countOf(view.problems.length, 'problem'), 'error')
  if (!view.ready) return text('not ready yet', 'warn')
  const last = flow.arrows.find(({ arrow }) => arrow === `${view.source}-podConfig`)?.last
  return text(last ? `${last.text} ${ago(last.at, now)}` : 'nothing sent yet', 'faint')
}

function sourceContent(source: PodSource): (facts: PartFacts) => PartContent {
  return (facts) => {
    const view = facts.node?.sources.find((candidate) => candidate.source === source)
    if (view === undefined) return { summary: 'not used', lines: [] }
    const { pods, ready, problems } = view
    const wrong = problems.length === 0 ? '' : `, ${countOf(problems.length, 'problem')}`
    return {
      summary: `${many(pods, 'pod')}${ready ? '' : ', not ready yet'}${wrong}`,
      lines: [[text(placeText(view))], [sourceState(view, facts)]],
      figure: pods,
    }
  }
}

const ops: readonly ConfigOp[] = ['ADD', 'UPDATE', 'REMOVE', 'RECONCILE', 'DELETE']
/** How long the row of the last merge is marked. */
const freshMs = 10_000

function configContent({ flow }: PartFacts): PartContent {
  const counts = flow.podConfig.ops
  const last = flow.recent.find(({ arrow }) => arrow.endsWith('-podConfig'))
  const fresh = last !== undefined && flow.now - last.at < freshMs ? last.text : ''
  const sum = ops.reduce((all, op) => all + counts[op], 0)
  return {
    summary: `${countText(sum)} merged in the last minute`,
    lines: [
      [text('merged, last minute', 'faint')],
      ...ops.map((op): readonly Fact[] => [
        { kind: 'row', text: op, count: counts[op], isFresh: fresh.startsWith(op) },
      ]),
    ],
  }
}

/** How much of the lease is spent: 0 just renewed, 1 run out. Pure. */
export function leaseSpent(renewedAt: number | null, seconds: number, now: number): number {
  if (renewedAt === null || seconds <= 0) return 1
  return Math.min(1, Math.max(0, (now - renewedAt) / (seconds * 1000)))
}

function nodeContent({ node, now }: PartFacts): PartContent {
  if (node === undefined) return { summary: 'no node', lines: [] }
  const { leaseRenewedAt: renewedAt, leaseDurationSeconds: seconds, registered, status } = node
  const state = registered ? status : 'not registered yet'
  const isRunOut = leaseSpent(renewedAt, seconds, now) >= 1
  const renewed = renewedAt === null ? '' : `renewed ${ago(renewedAt, now)}`
  const lease =
    renewedAt === null
      ? text('no lease yet', 'faint')
      : isRunOut
        ? text(`${renewed}, expired`, 'error')
        : text(`${renewed}, lasts ${seconds} s`, 'faint')
  return { summary: state, lines: [[text(state, 'strong')], [lease]] }
}

function managerContent({ flow }: PartFacts): PartContent {
  const { pods, mirrors, uidLinks, orphans } = flow.podManager
  const links = uidLinks > 99 ? 'links' : 'UID links'
  return {
    summary: `${many(pods, 'pod')}, ${many(mirrors, 'mirror')}, ${many(orphans, 'orphan')}`,
    lines: [
      [figure(pods, 'pod'), figure(mirrors, 'mirror')],
      [figure(uidLinks, 'UID link', links), warning(orphans, 'orphan', 'orphans')],
    ],
  }
}

function statusContent({ flow, node, width }: PartFacts): PartContent {
  const { cached, unsent, last } = flow.statusManager
  const version = last === null ? '' : ` v${last.version}`
  const room = width - plain(`last: ${version}`)
  const said =
    last === null
      ? 'no status cached'
      : `last: ${shortPodName(last.podName, node?.name ?? '', room)}${version}`
  return {
    summary: `${countText(cached)} cached, ${countText(unsent)} unsent`,
    lines: [[figure(cached, 'cached', 'cached'), warning(unsent, 'unsent')], [text(said, 'faint')]],
  }
}

const contents: Readonly<Record<FlowPart, (facts: PartFacts) => PartContent>> = {
  apiServer: ({ flow: { api } }) => ({
    summary: `${many(api.pods, 'pod')} on this node, ${countText(api.mirrors)} of them mirrors`,
    lines: [],
  }),
  api: sourceContent('api'),
  file: sourceContent('file'),
  http: sourceContent('http'),
  podConfig: configContent,
  syncLoop: ({ flow: { syncLoop } }) => ({
    summary: many(syncLoop.iterations, 'iteration'),
    lines: [],
  }),
  podManager: managerContent,
  mirrorClient: ({ flow: { mirrorClient } }) => ({
    summary: `${many(mirrorClient.paired, 'pair')} in sync, ${countText(mirrorClient.unpaired)} not a pair`,
    lines: [
      [figure(mirrorClient.paired, 'pair in sync', 'pairs in sync')],
      [warning(mirrorClient.unpaired, 'not a pair')],
    ],
  }),
  statusManager: statusContent,
  nodeController: nodeContent,
  podWorkers: ({ board: { workers, lanes } }) => ({
    summary: `${many(workers, 'worker')}, ${countText(lanes.TerminatingPod.total)} terminating`,
    lines: [],
  }),
  pleg: ({ flow: { pleg } }) => ({
    summary: `relist every ${pleg.relistPeriodMs / 1000} s`,
    lines: [[text(`relist ${pleg.relistPeriodMs / 1000} s`, 'faint')]],
  }),
  runtime: ({ board: { tiles, runningContainers } }) => ({
    summary: `${countText(tiles.total)} ${tiles.total === 1 ? 'sandbox' : 'sandboxes'}, ${many(runningContainers, 'container')} running`,
    lines: [],
  }),
}

/** What every part can say: how much moved to it and from it. */
function plainContent(part: string, { flow, arrows }: PartFacts): PartContent {
  const ids = new Set(
    arrows.filter(({ from, to }) => from === part || to === part).map(({ id }) => id),
  )
  const moved = flow.arrows
    .filter(({ arrow }) => ids.has(arrow))
    .reduce((sum, { lastMinute }) => sum + lastMinute, 0)
  const summary = `${many(moved, 'move')} in the last minute`
  return { summary, lines: [[text(`${countText(moved)} a minute`, 'faint')]] }
}

function isKnown(part: string): part is FlowPart {
  return part in contents
}

/** What a part holds; one without words of its own tells how much moves. Pure. */
export function partContent({ id }: Pick<FlowPartRow, 'id'>, facts: PartFacts): PartContent {
  return isKnown(id) ? contents[id](facts) : plainContent(id, facts)
}
