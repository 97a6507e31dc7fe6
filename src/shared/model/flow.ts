import type { FlowArrow, FlowArrowRow } from './flow-arrows.ts'
import { flowArrowTable } from './flow-arrows.ts'
import type { ImagesView, ProbersView, VolumesView } from './flow-content.ts'
import type { Certainty } from './inspect/evidence.ts'
import type { ConfigOp, TraceEvent, TraceSeq } from './trace-event.ts'

/** The ids of all arrows, in the order of their table. */
export const flowArrows: readonly FlowArrow[] = flowArrowTable.map(({ id }) => id)

/** One thing that moved along one arrow. */
export interface FlowMove {
  readonly seq: TraceSeq
  /** ms on the cluster's clock. */
  readonly at: number
  readonly arrow: FlowArrow
  /** Short, in the field's words: `UPDATE`, `ContainerDied`, `SIGTERM`. */
  readonly text: string
  /** The uid and name of the pod it was about; empty where it was about none. */
  readonly podUid: string
  readonly podName: string
  /** Null: the kubelet recorded it. Else it is inferred from `evidence`, which is empty for what was recorded. */
  readonly certainty: Certainty | null
  readonly evidence: string
}

/** How moves along an arrow are known: each was recorded, those that leave a fact are inferred, or nothing tells of them. */
export type FlowSight = 'recorded' | 'inferred' | 'notKnown'

export interface FlowArrowView {
  readonly arrow: FlowArrow
  readonly sight: FlowSight
  readonly total: number
  /** Moves in the last 60 s of the cluster's clock. */
  readonly lastMinute: number
  readonly last: FlowMove | null
}

/** Something from outside (a file, a request, a command) that the kubelet then worked on. */
export interface FlowRoot {
  readonly seq: TraceSeq
  readonly at: number
  /** `web.yaml modified`, `kubectl deleted pod default/loud`, `you: kill loud`. */
  readonly text: string
}

/**
 * One node's kubelet as the picture draws it, at one moment. Workers and containers come from the rows. Null: nothing
 * tells what this part of the kubelet holds.
 */
export interface FlowView {
  readonly cluster: string
  readonly node: string
  readonly now: number
  /** In the order of `flowArrows`, all of them. */
  readonly arrows: readonly FlowArrowView[]
  /** Newest first, at most 60. */
  readonly recent: readonly FlowMove[]
  /** Newest first, at most 8. */
  readonly roots: readonly FlowRoot[] | null
  readonly api: { readonly pods: number; readonly mirrors: number } | null
  readonly podConfig: {
    /** What came out of the merge in the last 60 s. */
    readonly ops: Readonly<Record<ConfigOp, number>>
  } | null
  readonly podManager: {
    readonly pods: number
    readonly mirrors: number
    readonly uidLinks: number
    readonly orphans: number
  } | null
  readonly pairs: { readonly paired: number; readonly unpaired: number } | null
  readonly mirrorClient: {
    /** POST and DELETE calls in the last 10 minutes. */
    readonly calls: number
    readonly lastCall: { readonly at: number; readonly text: string } | null
  }
  readonly statusManager: {
    readonly cached: number
    readonly unsent: number
    readonly last: {
      readonly at: number
      readonly podName: string
      readonly version: number
    } | null
  } | null
  readonly syncLoop: {
    readonly iterations: number
    readonly last: { readonly at: number; readonly text: string } | null
  } | null
  readonly pleg: { readonly relistPeriodMs: number; readonly lastRelistAt: number | null } | null
  readonly prober: ProbersView | null
  readonly volumes: VolumesView | null
  readonly images: ImagesView | null
  readonly workers: {
    /** Records that SyncKnownPods has dropped, so that a worker can be recreated. */
    readonly forgotten: number | null
  }
}

/** A view of which nothing is null: that of a kubelet that runs here. */
export type WholeFlow = { readonly [Part in keyof FlowView]: NonNullable<FlowView[Part]> }

/** Of an event, or of an arrow. */
interface Variant {
  readonly source?: string
  readonly hook?: string
}

/** What the parts of a kubelet hold; events say what moves between them. */
export type FlowContent = Pick<
  WholeFlow,
  'api' | 'pairs' | 'podManager' | 'pleg' | 'prober' | 'volumes' | 'images'
> & {
  readonly statuses: Pick<WholeFlow['statusManager'], 'cached' | 'unsent'>
  /** Of the sync loop. */
  readonly iterations: number
}

/** Names a kind of event, and which of them, if arrows share the kind. */
function arrowKey(kind: TraceEvent['kind'], { source = '', hook = '' }: Variant): string {
  switch (kind) {
    case 'config.merged':
      return `${kind} ${source}`
    case 'hook.started':
    case 'hook.ended':
      return `${kind} ${hook}`
    default:
      return kind
  }
}

const arrowOfEvent: ReadonlyMap<string, FlowArrow> = new Map(
  flowArrowTable.flatMap(({ id, events, ...row }: FlowArrowRow & { readonly id: FlowArrow }) =>
    events.map((kind) => [arrowKey(kind, row), id] as const),
  ),
)

/**
 * The arrow that an event moves along, by the table; undefined for what happens inside one part. Pure;
 * shared by the counts in main and the replay of one cause in the page.
 */
export function flowArrow({ kind, data }: TraceEvent): FlowArrow | undefined {
  return arrowOfEvent.get(arrowKey(kind, data as Variant))
}
