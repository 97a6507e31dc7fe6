/**
 * The trace: one typed event for every decision, with the events that caused it. Timeline, history,
 * explanations, recordings and tests all read it. Events carry neither secrets nor environment values.
 */

import type { Act } from './act.ts'
import type { Certainty, EvidenceLine } from './inspect/evidence.ts'
import type { NodeAct } from './node-act.ts'
import type { CallFault } from './node/node-faults.ts'
import type { WorkerStateWord } from './pod-row.ts'
import type { PodSource } from './pod-source.ts'
import type { PressureCondition, Signal } from './pressure/signals.ts'
import type { TimelineMarkKind } from './timeline/timeline.ts'

/** Position in one cluster's trace: 1, 2, 3 … without gaps. */
export type TraceSeq = number

/** The events that led to this one; several where updates coalesced, none for a root (a request, a file, a click). */
export type TraceCauses = readonly TraceSeq[]

/** What an event is about. A pod's uid is the one the kubelet works with (a static pod's own, not its mirror's). */
export type TraceSubject =
  | {
      readonly kind: 'pod'
      readonly uid: string
      readonly namespace: string
      readonly name: string
    }
  | { readonly kind: 'node' }
  | { readonly kind: 'source'; readonly source: PodSource }
  | {
      readonly kind: 'object'
      readonly resource: string
      readonly namespace: string
      readonly name: string
      readonly uid: string
    }
  | { readonly kind: 'cluster' }

export type ConfigOp = 'ADD' | 'UPDATE' | 'REMOVE' | 'RECONCILE' | 'DELETE'
export type ProbeType = 'liveness' | 'readiness' | 'startup'
/** `unknown`: a startup probe that has not run yet. */
export type ProbeResult = 'success' | 'failure' | 'unknown'
export type PodUpdateType = 'create' | 'update' | 'sync' | 'kill'
export type PodWorkType = 'sync' | 'terminating' | 'terminated'

/** Kind -> what it says beyond its subject. One entry for each decision that is instrumented. */
export interface TraceData {
  // roots, and the API server
  'request.received': {
    readonly method: string
    readonly path: string
    readonly user: string
    readonly client: string
  }
  'object.written': {
    readonly change: 'ADDED' | 'MODIFIED' | 'DELETED'
    readonly resourceVersion: string
    readonly user: string
    readonly subresource: string
  }
  /** The kubelet's watch of a ConfigMap or Secret. `resourceVersion` is empty for one that is not there. */
  'object.received': {
    readonly change: 'ADDED' | 'MODIFIED' | 'DELETED'
    readonly resourceVersion: string
  }
  'command.received': {
    readonly act: Act | 'setBehavior'
    readonly gracePeriodSeconds: number | null
    /** The one that is acted on; absent: the pod. */
    readonly container?: string
  }
  'command.refused': { readonly act: string; readonly message: string }
  'node.commanded': { readonly act: NodeAct; readonly call?: CallFault }
  'node.commandRefused': {
    readonly act: NodeAct
    readonly call?: CallFault
    readonly message: string
  }
  /** The way from the nodes to the API server was cut, or is there again. */
  'cluster.linkSwitched': { readonly cut: boolean }
  /** What is made to fail on purpose is now this: `Error code=500; CutOff node=n1`, or empty. */
  'cluster.faultsChanged': { readonly faults: string }
  'manifest.changed': { readonly path: string; readonly change: 'added' | 'modified' | 'removed' }
  'manifest.rejected': { readonly path: string; readonly message: string }
  'manifest.skipped': { readonly path: string; readonly message: string }
  'source.failed': { readonly message: string }
  'source.recovered': { readonly awayMs: number }
  // config and the sync loop
  'config.merged': { readonly source: PodSource; readonly op: ConfigOp; readonly mirror: boolean }
  'config.invalid': { readonly source: PodSource; readonly message: string }
  'loop.config': {
    readonly source: PodSource
    readonly op: ConfigOp
    readonly pods: number
    readonly names: readonly string[]
  }
  'loop.sync': { readonly pods: number }
  'loop.probe': {
    readonly probe: ProbeType
    readonly result: ProbeResult
    readonly containerId: string
  }
  'loop.pleg': { readonly type: string; readonly containerId: string }
  'loop.housekeeping': {
    readonly orphans: number
    readonly skipped: boolean
    readonly message: string
  }
  'pod.rejected': { readonly reason: string; readonly message: string }
  /** An in-place resize was allocated or not, or is done. */
  'pod.resize': {
    readonly outcome: 'allocated' | 'Deferred' | 'Infeasible' | 'completed'
    readonly message: string
  }
  /** Fields without their full effect, each with the rule of `not-simulated/pod-fields.ts` that it meets. */
  'pod.notSimulated': { readonly fields: readonly string[]; readonly rules: readonly string[] }
  /** How long the pod was active, ms, and how long it may be, seconds. */
  'pod.deadlineExceeded': { readonly activeMs: number; readonly activeDeadlineSeconds: number }
  // pod manager
  'podManager.changed': { readonly op: 'set' | 'removed'; readonly mirror: boolean }
  'uid.linked': { readonly mirrorUid: string; readonly staticUid: string }
  'uid.unlinked': { readonly mirrorUid: string; readonly staticUid: string }
  // pod workers
  'worker.updated': {
    readonly updateType: PodUpdateType
    readonly outcome: 'pending' | 'ignored' | 'restartRequested' | 'dropped'
    /** Why termination was requested by this update, where it was. */
    readonly transition:
      '' | 'runtimePod' | 'deletionTimestamp' | 'terminalPhase' | 'evicted' | 'killed'
    readonly gracePeriodSeconds: number | null
    readonly message: string
    /** A sync is under way, and this update cancels it (pod-workers#updatepod, step 12). */
    readonly cancels?: true
    /** In a pod's history only: how many equal updates in a row this one stands for, itself included, and over how long. */
    readonly repeated?: number
    readonly repeatedForMs?: number
  }
  'worker.waiting': { readonly blockedByUid: string }
  'worker.started': { readonly sinceSeenMs: number }
  'worker.syncStarted': {
    readonly workType: PodWorkType
    readonly updateType: PodUpdateType
    readonly gracePeriodSeconds: number | null
  }
  'worker.syncFinished': {
    readonly workType: PodWorkType
    readonly outcome: 'ok' | 'terminal' | 'error' | 'cancelled'
    readonly message: string
    readonly durationMs: number
  }
  'worker.transitioned': {
    readonly to: 'terminating' | 'terminated' | 'finished'
    readonly why: string
  }
  'worker.acknowledgedTerminating': Readonly<Record<never, never>>
  'worker.requeued': {
    readonly delayMs: number
    readonly why: 'transition' | 'resync' | 'network' | 'error' | 'waiting'
  }
  'worker.forgotten': { readonly why: 'orphan' | 'restartRequested' | 'runtimePod' }
  /**
   * The worker of a kubelet that is not this program is in another state: an entry of its log says so (`seen`), or it is
   * inferred. `state` null: not known any more. `because`: why this state, in a sentence or two.
   */
  'worker.observed': {
    readonly state: WorkerStateWord | null
    readonly certainty: 'seen' | Certainty
    readonly because: string
    readonly evidence: readonly EvidenceLine[]
    /** The worker of a static pod was in this state under an earlier mirror: nothing was told to it. */
    readonly isContinued?: true
  }
  /** An entry of a kubelet's log about the pod. `line`: from 1. */
  'log.entry': {
    readonly mark: TimelineMarkKind
    readonly text: string
    readonly line: number
    /** Its own words, while the log is read: its message, and the source that it names, else empty. */
    readonly said?: { readonly message: string; readonly source: string }
  }
  // mirror client
  'mirror.created': { readonly mirrorUid: string; readonly why: 'missing' | 'replaced' }
  'mirror.deleted': { readonly mirrorUid: string; readonly why: 'stale' | 'deleting' | 'orphan' }
  'mirror.failed': { readonly act: 'create' | 'delete'; readonly message: string }
  'mirror.skipped': { readonly message: string }
  // status manager
  'status.cached': { readonly version: number; readonly phase: string; readonly reason: string }
  'status.rejected': { readonly message: string }
  'status.patched': { readonly version: number; readonly phase: string; readonly reason: string }
  'status.withheld': { readonly phase: string; readonly message: string }
  'status.dropped': { readonly message: string }
  'status.failed': { readonly message: string }
  'status.podDeleted': { readonly uid: string }
  // runtime
  'image.pulling': { readonly container: string; readonly image: string }
  'image.pulled': {
    readonly container: string
    readonly image: string
    readonly durationMs: number
    readonly present: boolean
  }
  'image.failed': { readonly container: string; readonly image: string; readonly message: string }
  /** `image`: one of its names, or its id. */
  'image.removed': {
    readonly image: string
    readonly sizeBytes: number
    readonly reason: 'age' | 'space'
  }
  'sandbox.started': { readonly sandboxId: string; readonly attempt: number; readonly ip: string }
  'sandbox.stopped': { readonly sandboxId: string }
  'container.created': {
    readonly container: string
    readonly containerId: string
    readonly attempt: number
  }
  'container.started': { readonly container: string; readonly containerId: string }
  /** The command has come to something whose outcome the simulator cannot know. */
  'container.notSimulated': { readonly container: string; readonly containerId: string }
  'container.backOff': {
    readonly container: string
    readonly delayMs: number
    readonly until: number
  }
  'container.killing': {
    readonly container: string
    readonly containerId: string
    readonly gracePeriodSeconds: number
    readonly why: string
  }
  'container.signalled': {
    readonly container: string
    readonly containerId: string
    readonly signal: 'SIGTERM' | 'SIGKILL'
  }
  'container.exited': {
    readonly container: string
    readonly containerId: string
    readonly exitCode: number
    readonly reason: string
  }
  'container.removed': { readonly container: string; readonly containerId: string }
  'container.failed': {
    readonly container: string
    readonly reason: string
    readonly message: string
  }
  'hook.started': {
    readonly container: string
    readonly hook: 'postStart' | 'preStop'
    readonly handler: string
  }
  'hook.ended': {
    readonly container: string
    readonly hook: 'postStart' | 'preStop'
    readonly failed: boolean
    readonly durationMs: number
  }
  /** A run of a probe that did not simply succeed. `error`: it could not be run, so that its result does not count. */
  'probe.failed': {
    readonly container: string
    readonly probe: ProbeType
    readonly outcome: 'warning' | 'failure' | 'error'
    readonly message: string
  }
  /** What the probe says of the container from now on: its threshold is reached, or the container is another one. */
  'probe.resultChanged': {
    readonly container: string
    readonly containerId: string
    readonly probe: ProbeType
    readonly result: ProbeResult
    /** A run of the probe said so; else it is the result that a container begins or ends with. */
    readonly probed: boolean
  }
  /** The runtime was given other CPU or memory for a running container. */
  'container.resized': {
    readonly container: string
    readonly containerId: string
    readonly resource: 'cpu' | 'memory'
  }
  /** Set up for the first time. */
  'volume.mounted': { readonly volume: string; readonly plugin: string }
  /** Set up again with other files. */
  'volume.updated': { readonly volume: string; readonly plugin: string }
  'volume.failed': { readonly volume: string; readonly message: string }
  'volume.unmounted': { readonly volume: string }
  'pleg.event': {
    readonly type:
      | 'ContainerStarted'
      | 'ContainerDied'
      | 'ContainerRemoved'
      | 'ContainerChanged'
      | 'ConditionMet'
    /** Empty for ConditionMet. */
    readonly containerId: string
  }
  // eviction and the node
  'agent.started': Readonly<Record<never, never>>
  'agent.stopped': Readonly<Record<never, never>>
  'machine.switched': { readonly on: boolean }
  /** The node's conditions of pressure are others now. `thresholds`: those that are met, such as `memory.available<100Mi`. */
  'node.pressureChanged': {
    readonly conditions: readonly PressureCondition[]
    readonly thresholds: readonly string[]
  }
  /** What the machine uses besides its pods was set by a user. */
  'node.otherUseSet': {
    readonly memoryBytes: number
    readonly diskBytes: number
    readonly inodes: number
    readonly processes: number
  }
  /** The eviction manager acts on a threshold. Quantities as the kubelet writes them. */
  'eviction.thresholdMet': {
    readonly signal: Signal
    readonly threshold: string
    readonly available: string
    readonly isHard: boolean
  }
  /** Dead containers and unused images were removed; `isEnough`: no pod has to be evicted. */
  'eviction.reclaimed': {
    readonly signal: Signal
    readonly kinds: readonly string[]
    readonly isEnough: boolean
  }
  'eviction.requested': { readonly message: string; readonly gracePeriodSeconds: number }
  'eviction.refused': { readonly message: string }
  'eviction.completed': { readonly timedOut: boolean }
  /** `corrected`: what the kubelet corrected on an existing Node. */
  'node.registered': {
    readonly created: boolean
    readonly corrected: readonly ('labels' | 'annotations' | 'resources')[]
  }
  /** About the critical pod: what it lacks, and who goes for it, each as the kubelet writes it. */
  'preemption.decided': { readonly missing: string; readonly victims: readonly string[] }
  'preemption.requested': { readonly forPod: string; readonly message: string }
  'preemption.completed': { readonly timedOut: boolean }
  'node.registrationFailed': { readonly message: string; readonly retryMs: number }
  'node.statusWritten': { readonly ready: boolean; readonly changed: boolean }
  'node.statusFailed': { readonly message: string }
  /** What an agent wrote before it exited, as configured. */
  'node.left': { readonly act: 'condition' | 'cordon' | 'delete' }
  'node.leaveFailed': { readonly act: 'condition' | 'cordon' | 'delete'; readonly message: string }
  'lease.renewed': { readonly renewTime: string }
  'lease.failed': { readonly message: string }
  // graceful node shutdown; those of a pod have it as their subject
  'shutdown.started': { readonly pods: number; readonly seconds: number }
  'shutdown.groupStarted': {
    readonly priority: number
    readonly seconds: number
    readonly pods: number
  }
  'shutdown.podKilled': { readonly priority: number; readonly gracePeriodSeconds: number }
  'shutdown.podStopped': { readonly timedOut: boolean }
  /** `left`: pods that had not stopped when the time of the group was over. */
  'shutdown.groupEnded': { readonly priority: number; readonly left: number }
  'shutdown.finished': Readonly<Record<never, never>>
  /** `waits`: the groups that are left come first. */
  'shutdown.cancelled': { readonly waits: boolean }
  'event.recorded': {
    readonly type: 'Normal' | 'Warning'
    readonly reason: string
    readonly message: string
    readonly fieldPath: string
    /** The component that recorded it; absent: the kubelet. */
    readonly by?: string
  }
}

export type TraceKind = keyof TraceData

/** What the place of a decision hands in: kind, subject, causes and data. */
export type TraceInput = {
  readonly [K in TraceKind]: {
    readonly kind: K
    readonly subject: TraceSubject
    readonly causes: TraceCauses
    readonly data: TraceData[K]
  }
}[TraceKind]

/** A recorded event. `at`: ms since the epoch on the cluster's clock; `node` is empty for events of the cluster itself. */
export type TraceEvent = TraceInput & {
  readonly seq: TraceSeq
  readonly at: number
  readonly cluster: string
  readonly node: string
}
