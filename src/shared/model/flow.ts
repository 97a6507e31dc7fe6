import { assertNever } from '../assert-never.ts'
import type { ConfigOp, TraceEvent, TraceSeq } from './trace-event.ts'

/** The arrows of the picture: who hands something to whom. */
export const flowArrows = [
  'apiServer-api',
  'api-podConfig',
  'file-podConfig',
  'http-podConfig',
  'podConfig-syncLoop',
  'syncLoop-podManager',
  'podManager-mirrorClient',
  'syncLoop-podWorkers',
  'podWorkers-mirrorClient',
  'podWorkers-statusManager',
  'mirrorClient-apiServer',
  'statusManager-apiServer',
  'nodeController-apiServer',
  'podWorkers-runtime-start',
  'podWorkers-runtime-stop',
  'runtime-pleg',
  'pleg-syncLoop',
  'podWorkers-podWorkers',
] as const

export type FlowArrow = (typeof flowArrows)[number]

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
}

export interface FlowArrowView {
  readonly arrow: FlowArrow
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

/** One node's kubelet as the picture draws it, at one moment. Workers and containers come from the rows. */
export interface FlowView {
  readonly cluster: string
  readonly node: string
  readonly now: number
  /** In the order of `flowArrows`, all of them. */
  readonly arrows: readonly FlowArrowView[]
  /** Newest first, at most 60. */
  readonly recent: readonly FlowMove[]
  /** Newest first, at most 8. */
  readonly roots: readonly FlowRoot[]
  readonly api: { readonly pods: number; readonly mirrors: number }
  readonly podConfig: {
    /** What came out of the merge in the last 60 s. */
    readonly ops: Readonly<Record<ConfigOp, number>>
  }
  readonly podManager: {
    readonly pods: number
    readonly mirrors: number
    readonly uidLinks: number
    readonly orphans: number
  }
  readonly mirrorClient: {
    readonly paired: number
    readonly unpaired: number
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
  }
  readonly syncLoop: {
    readonly iterations: number
    readonly last: { readonly at: number; readonly text: string } | null
  }
  readonly pleg: { readonly relistPeriodMs: number; readonly lastRelistAt: number | null }
  readonly workers: {
    /** Records that SyncKnownPods has dropped, so that a worker could be made anew. */
    readonly forgotten: number
  }
}

/**
 * The arrow that an event moves along. What the api source merges has come along `apiServer-api` just
 * before, which has no event of its own: its counts are those of `api-podConfig`. Undefined for what happens inside one part. Pure; shared by the
 * counts in main and the replay of one cause in the page.
 */
export function flowArrow(event: TraceEvent): FlowArrow | undefined {
  switch (event.kind) {
    case 'config.merged':
      switch (event.data.source) {
        case 'api':
          return 'api-podConfig'
        case 'file':
          return 'file-podConfig'
        case 'http':
          return 'http-podConfig'
        default:
          return assertNever(event.data.source, 'source')
      }
    case 'loop.config':
      return 'podConfig-syncLoop'
    case 'podManager.changed':
      return 'syncLoop-podManager'
    case 'uid.linked':
    case 'uid.unlinked':
      return 'podManager-mirrorClient'
    case 'worker.updated':
      return 'syncLoop-podWorkers'
    case 'worker.forgotten':
      return 'podWorkers-podWorkers'
    case 'status.cached':
      return 'podWorkers-statusManager'
    case 'mirror.skipped':
      return 'podWorkers-mirrorClient'
    case 'mirror.created':
    case 'mirror.deleted':
    case 'mirror.failed':
      return 'mirrorClient-apiServer'
    case 'status.patched':
    case 'status.failed':
    case 'status.podDeleted':
      return 'statusManager-apiServer'
    case 'lease.renewed':
    case 'lease.failed':
    case 'node.registered':
    case 'node.registrationFailed':
    case 'node.statusWritten':
    case 'node.statusFailed':
    case 'node.left':
    case 'node.leaveFailed':
      return 'nodeController-apiServer'
    case 'container.created':
    case 'container.started':
    case 'sandbox.started':
    case 'image.pulling':
      return 'podWorkers-runtime-start'
    case 'container.killing':
    case 'container.signalled':
    case 'sandbox.stopped':
      return 'podWorkers-runtime-stop'
    case 'pleg.event':
      return 'runtime-pleg'
    case 'loop.pleg':
      return 'pleg-syncLoop'
    default:
      return undefined
  }
}
