import type { Act, ActFacts } from '../model/act.ts'
import type { ApplyArgs, ApplyCheck, ApplyReport } from '../model/apply/apply-yaml.ts'
import type { BehaviorChange } from '../model/behavior-act.ts'
import type { ClockView, ClusterView } from '../model/cluster-view.ts'
import type { FlowView } from '../model/flow.ts'
import type { InspectView } from '../model/inspect/inspect-view.ts'
import type {
  ManifestCheck,
  ManifestReceipt,
  ManifestText,
  ManifestsView,
} from '../model/manifests.ts'
import type { JoinPlan } from '../model/seen/join.ts'
import type { GotchaView } from '../model/scenarios/gotcha.ts'
import type { ScenarioLists, ScenarioSource } from '../model/scenarios/scenario.ts'
import type { KubeconfigSource, KubeconfigView, OpenAnswer } from '../model/seen/kubeconfigs.ts'
import type { TimelineQuery, TimelineView } from '../model/timeline/timeline.ts'
import type { ClusterEventList, ClusterEventQuery } from '../model/timeline/cluster-events.ts'
import type { RightsView } from '../model/seen/rights.ts'
import type {
  DrainOptions,
  EvictionRehearsal,
  SeenNodeAct,
  SeenNodeForecast,
} from '../model/seen/drain.ts'
import type { KubeletLogView, LogFacts, LogHits, LogLines } from '../model/kubelet-log.ts'
import type { NodeRowsAct } from '../model/forecast/rows-forecast.ts'
import type { NodeAct } from '../model/node-act.ts'
import type { NodeEditArgs, NodeEditForecast, NodeTexts } from '../model/node/node-edit.ts'
import type { Fault } from '../model/node/fault.ts'
import type { CallFault } from '../model/node/node-faults.ts'
import type { OwnerActArgs, OwnerForecast } from '../model/workloads/owner-act.ts'
import type { ThresholdProblem, ThresholdTexts } from '../model/pressure/threshold-texts.ts'
import type { OtherUseView, PressureView } from '../model/pressure/pressure-view.ts'
import type { LossForecast, LossResult, LossWay } from '../model/loss/loss.ts'
import type { PodCgroups } from '../model/inside-pod/pod-cgroups.ts'
import type { PodDetail, UidTranslation } from '../model/pod-detail.ts'
import type {
  CausalChain,
  MirrorHistoryEntry,
  PodEventList,
  PodObjects,
} from '../model/pod-objects.ts'
import type { PodKey, PodRow } from '../model/pod-row.ts'
import type { PodPorts, PortForwardView } from '../model/inside-pod/port-forward.ts'
import type { PodVolumes, VariableValue } from '../model/inside-pod/pod-volumes.ts'
import type { LogQuery, PodLogs } from '../model/pod-logs.ts'
import type { PodUse } from '../model/inside-pod/pod-use.ts'
import type { ProbeView } from '../model/probe-view.ts'
import type { TerminalEnd, TerminalSize } from '../model/terminal.ts'
import type { TraceSeq } from '../model/trace-event.ts'
import type { NodeVerdict, WorkloadsView } from '../model/workloads/workloads.ts'
import type { Result } from '../result.ts'

/** The program, as the page shows it; sent once, with the snapshot. */
export interface ProgramView {
  readonly version: string
  readonly host: 'electron' | 'web'
  readonly readOnly: boolean
  /** `namespace/name` of the pod to show first, from the command line; else empty. */
  readonly openPod: string
}

/** Names one node of one cluster. */
export interface NodeRef {
  readonly cluster: string
  readonly node: string
}

/** All that the page shows first. Patches with the same epoch and higher numbers follow. */
export interface Snapshot {
  readonly epoch: string
  /** Number of the last patch that this snapshot already contains. */
  readonly number: number
  readonly program: ProgramView
  readonly clusters: readonly ClusterView[]
  readonly rows: readonly PodRow[]
}

/** Changes since the previous patch. `now`: each cluster's clock, ms, when the patch is sent. */
export interface ViewPatch {
  readonly epoch: string
  readonly number: number
  readonly now: Readonly<Record<string, number>>
  readonly upserts: readonly PodRow[]
  readonly removed: readonly PodKey[]
  /** Complete views of clusters that changed or are new. */
  readonly clusters: readonly ClusterView[]
  /** Ids of clusters that have closed; the page removes them with their rows before it applies the rest. */
  readonly closed: readonly string[]
}

/** Why an action was not done. `refused`: the rules forbid it; `not-found`: the pod is gone; `failed`: it was tried and failed. */
export interface ActError {
  readonly kind: 'refused' | 'not-found' | 'failed' | 'read-only'
  readonly message: string
}

/** An action has begun. `message` is one sentence for the toast. */
export interface Receipt {
  readonly message: string
}

/** A file that was written; or its text, which the page saves with this name. */
export type SavedFile =
  | { readonly kind: 'written'; readonly path: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | { readonly kind: 'canceled' }

/** The groups of Electron's File menu. The page carries their items out, on the shown cluster. */
export const fileMenu = [
  ['openScenario', 'saveScenario'],
  ['startRecording', 'stopRecording', 'openRecording'],
  ['exportState', 'importState', 'resetState'],
] as const

export type MenuItem = (typeof fileMenu)[number][number]
export type RecordingMenuItem = (typeof fileMenu)[1][number]

export interface ActReceipt extends Receipt {
  readonly act: Act
}

/** The clock after the command; for a step also what happened. */
export interface ClockReceipt {
  readonly clock: ClockView
  /** The first event of the step and how many there were; null when nothing was due. */
  readonly stepped: {
    readonly seq: TraceSeq
    readonly at: number
    readonly events: number
  } | null
}

interface Request<Args, Reply> {
  readonly args: Args
  readonly reply: Reply
}

/** A terminal of this page; the page chooses the number. */
interface TerminalRef {
  readonly id: number
}

/** Names an open kubelet log. */
interface LogRef {
  readonly id: string
}

type NoArgs = Record<never, never>
type ClusterRef = Pick<NodeRef, 'cluster'>
interface PodRef {
  readonly key: PodKey
}
/** `gracePeriodSeconds` null: the pod's own. */
interface PodAndGrace extends PodRef {
  readonly gracePeriodSeconds: number | null
}
/** Names one file in the manifest folder of a node. */
interface ManifestRef extends NodeRef {
  readonly name: string
}
interface SeenNodeActArgs extends NodeRef {
  readonly act: SeenNodeAct
  readonly drain: DrainOptions
}
/** `node`: the name of the simulated node. */
interface JoinArgs extends NodeRef {
  /** Also on a server that is not on this machine, where its pods do not really run. */
  readonly allowSimulated: boolean
}
type PodActRequest<Args = PodRef> = Request<Args, Result<ActReceipt, ActError>>
type ClockRequest<Args = ClusterRef> = Request<Args, Result<ClockReceipt, ActError>>
type ManifestRequest<Args = ManifestRef> = Request<Args, Result<ManifestReceipt, ActError>>

/** Renderer -> main. Every entry: arguments, reply. guards.ts checks the arguments before the handler gets them. */
export interface Requests {
  /** Starts (again) with a snapshot; patches follow until the connection closes. */
  'view.open': Request<NoArgs, Snapshot>
  /** The page has drawn this patch; only then the next one is sent. */
  'view.acknowledge': Request<{ readonly epoch: string; readonly number: number }, null>
  /** The pod whose detail this page keeps current; null for none. Replies with the detail; `pod.detailed` follows. */
  'pod.watch': Request<{ readonly key: PodKey | null }, PodDetail | null>
  'pod.describe': Request<PodRef, PodDetail | null>
  /** What forecasts for several pods are made of, in the order of the keys; null: there is no such pod. */
  'pods.facts': Request<{ readonly keys: readonly PodKey[] }, readonly (ActFacts | null)[]>
  'uid.translate': Request<ClusterRef & { readonly uid: string }, UidTranslation | null>
  /** killPodNow without evict. */
  'pod.kill': PodActRequest<PodAndGrace>
  'pod.evictByKubelet': PodActRequest
  'pod.evictThroughApi': PodActRequest<PodAndGrace>
  /** Deletes the object through the API server. */
  'pod.delete': PodActRequest<PodAndGrace>
  /** Deletes the object at once: `kubectl delete --force --grace-period=0`. */
  'pod.forceDelete': PodActRequest
  /** Deletes the mirror of a static pod, whose containers keep running. `force`: with grace period 0. */
  'pod.deleteMirror': PodActRequest<PodRef & { readonly force: boolean }>
  /** StopContainer of the container runtime, which the kubelet is not asked for: `crictl stop`. */
  'pod.restartContainer': PodActRequest<PodAndGrace & { readonly container: string }>
  /** Sets an annotation that simulated containers follow, or takes it back: in the API server, or in the manifest. */
  'pod.setBehavior': Request<PodRef & BehaviorChange, Result<Receipt, ActError>>
  /** The probes that the kubelet runs for the pod now. */
  'pod.probes': Request<PodRef, readonly ProbeView[] | null>
  /** What its containers have used in the last minutes, measured now. Null: no running kubelet has the pod. */
  'pod.use': Request<PodRef, PodUse | null>
  /** Null: no kubelet has the pod. */
  'pod.cgroups': Request<PodRef, PodCgroups | null>
  /** The pod's volumes and the environment of its containers, without the values of Secrets. Null: there is no such pod. */
  'pod.volumes': Request<PodRef, PodVolumes | null>
  /** The whole value of one variable, also if it is made of a Secret. Refused with --read-only. */
  'pod.variable': Request<
    PodRef & { readonly container: string; readonly variable: string },
    Result<VariableValue, ActError>
  >
  /** What a container has printed. Null: there is no such pod. */
  'pod.logs': Request<PodRef & LogQuery, PodLogs | null>
  /**
   * Runs a command with a terminal in a container, as `kubectl exec -it`. `terminal.printed` follows, and at its end
   * `terminal.ended`. It ends with the page's connection.
   */
  'terminal.open': Request<
    TerminalRef &
      TerminalSize &
      PodRef & { readonly container: string; readonly command: readonly string[] },
    Result<null, ActError>
  >
  'terminal.write': Request<TerminalRef & { readonly text: string }, null>
  'terminal.resize': Request<TerminalRef & TerminalSize, null>
  'terminal.close': Request<TerminalRef, null>
  /** What of this machine leads to the pod. Null: there is no such pod. */
  'ports.list': Request<PodRef, PodPorts | null>
  /** Opens a port of 127.0.0.1, as `kubectl port-forward`; `localPort` 0: a free one. It lasts until it is stopped. */
  'ports.start': Request<
    PodRef & { readonly port: number; readonly localPort: number },
    Result<PortForwardView, ActError>
  >
  'ports.stop': Request<ClusterRef & { readonly id: number }, null>
  'pod.objects': Request<PodRef, PodObjects | null>
  'pod.events': Request<PodRef, PodEventList | null>
  /** What happened to the mirrors of a static pod, over all UIDs of its full name; newest first, bounded. */
  'mirror.history': Request<PodRef, readonly MirrorHistoryEntry[]>
  /** The node whose flow this page shows; null for none. Replies with the flow; `flow.changed` follows. */
  'flow.watch': Request<{ readonly node: NodeRef | null }, FlowView | null>
  /** The node of a cluster that is looked at which this page shows; null for none. `inspect.changed` follows. */
  'inspect.watch': Request<{ readonly node: NodeRef | null }, InspectView | null>
  /** The cluster whose owners of pods this page shows; null for none. `workloads.changed` follows. */
  'workloads.watch': Request<{ readonly cluster: string | null }, WorkloadsView | null>
  /** What keeps a pending pod from each node, by its UID. Null: it has a node, or only the scheduler's message is known. */
  'workloads.verdicts': Request<
    ClusterRef & { readonly pod: string },
    readonly NodeVerdict[] | null
  >
  /**
   * The user accepts the serving certificate of a node's kubelet: a token is sent to it from now on, also after a restart.
   * `fingerprint` null: no longer.
   */
  'inspect.acceptCertificate': Request<NodeRef & { readonly fingerprint: string | null }, null>
  /** The causes and effects of one event; null if the trace no longer has it. */
  'trace.related': Request<ClusterRef & { readonly seq: TraceSeq }, CausalChain | null>
  /** The clock's commands; refused if the cluster runs on the system clock. */
  'clock.pause': ClockRequest
  'clock.run': ClockRequest
  /** Pauses the clock if it runs, then fires timers until the next event of the trace. */
  'clock.step': ClockRequest
  /** 0.1 to 1000. */
  'clock.setSpeed': ClockRequest<ClusterRef & { readonly speed: number }>
  /** Goes to a moment of a recording and pauses there. `at`: ms on its clock. */
  'clock.seek': ClockRequest<ClusterRef & { readonly at: number }>
  /** Calls an unreachable server at once instead of after its back-off. */
  'cluster.retry': Request<ClusterRef, Result<null, ActError>>
  /** Allows changes to a cluster that is only looked at, for 15 minutes after the last one. */
  'cluster.allowChanges': Request<ClusterRef, Result<null, ActError>>
  'cluster.endChanges': Request<ClusterRef, null>
  /** $KUBECONFIG, ~/.kube/config, those opened before, in-cluster. Contacts nothing and runs no program. */
  'kubeconfigs.list': Request<NoArgs, readonly KubeconfigView[]>
  /** The contexts of a kubeconfig that is not in the list: dropped, pasted or chosen. */
  'kubeconfigs.read': Request<
    { readonly source: KubeconfigSource },
    Result<Omit<KubeconfigView, 'source'>, ActError>
  >
  /** Removes a file from those opened before; the file stays. */
  'kubeconfigs.forget': Request<{ readonly path: string }, null>
  /**
   * Opens a context read-only. `context` null: the current one. `confirmedPlugin`: the command line of the question that
   * was answered; null: none was. `color`: from 0 to 5; null: the last one, or a free one.
   */
  'cluster.open': Request<
    {
      readonly source: KubeconfigSource
      readonly context: string | null
      readonly confirmedPlugin: string | null
      readonly color: number | null
    },
    Result<OpenAnswer, ActError>
  >
  /** Of a `seen` cluster, or of a recording that a page has opened. */
  'cluster.close': Request<ClusterRef, Result<Receipt, ActError>>
  /** What joining a `seen` cluster as a simulated node would do. Reads only; changes must be allowed. */
  'cluster.checkJoin': Request<JoinArgs, Result<JoinPlan, ActError>>
  /** Joins it, as `--kubeconfig --node` does, with the same checks; replies with the id of the joined cluster. */
  'cluster.join': Request<JoinArgs, Result<{ readonly cluster: string }, ActError>>
  /** Ends a node that a page has joined. `deleteNode`: also deletes its Node, else nothing is written. */
  'cluster.leave': Request<ClusterRef & { readonly deleteNode: boolean }, Result<Receipt, ActError>>
  /** Records the cluster from now on, in a new file of the data folder; see `ClusterView.recorder`. */
  'recording.start': Request<ClusterRef, Result<Receipt, ActError>>
  'recording.stop': Request<ClusterRef, Result<Receipt, ActError>>
  /** Opens the last recording of a cluster that is open; replies with the id of the recording. */
  'recording.open': Request<ClusterRef, Result<{ readonly cluster: string }, ActError>>
  /** Asks the API server now. `namespace` null: about the whole cluster. */
  'cluster.rights': Request<
    ClusterRef & { readonly namespace: string | null },
    Result<RightsView, ActError>
  >
  /** A page of the events of the API, as far as they are known without asking a real API server. */
  'cluster.events': Request<ClusterRef & ClusterEventQuery, ClusterEventList | null>
  /** The pod workers over time. */
  'cluster.timeline': Request<ClusterRef & TimelineQuery, TimelineView | null>
  /** A dry run: changes must be allowed, and nothing is evicted. */
  'pod.rehearseEviction': Request<PodAndGrace, Result<EvictionRehearsal, ActError>>
  /** Of a node of a `seen` cluster. `drain` matters for a drain alone. */
  'seenNode.forecast': Request<SeenNodeActArgs, Result<SeenNodeForecast, ActError>>
  /** Answers when it has begun; SeenView.drains shows how a drain goes on. */
  'seenNode.act': Request<SeenNodeActArgs, Result<Receipt, ActError>>
  /** Sends no more evictions; the node stays cordoned, as after Ctrl-C in kubectl drain. */
  'seenNode.stopDrain': Request<NodeRef, Result<Receipt, ActError>>
  /**
   * The two grace periods, in seconds, are for `shutDown` alone, with the meaning of the kubelet's
   * shutdownGracePeriod and shutdownGracePeriodCriticalPods; null takes the defaults. `call` is for `failCall`
   * alone, which is refused without it.
   */
  'node.act': Request<
    NodeRef & {
      readonly act: NodeAct
      readonly shutdownGraceSeconds: number | null
      readonly criticalGraceSeconds: number | null
      readonly call: CallFault | null
    },
    Result<Receipt, ActError>
  >
  /** Measured now. Null: no kubelet of this program runs on the node. */
  'node.pressure': Request<NodeRef, PressureView | null>
  /** Sets what the machine uses besides its pods, or a part of it (null: as before). Refused if the machine is a real one. */
  'node.useOther': Request<
    NodeRef & { readonly [K in keyof OtherUseView]: number | null },
    Result<Receipt, ActError>
  >
  /** The eviction settings of the node's kubelet, as a file has them. Null: no kubelet of this program runs on the node. */
  'node.thresholds': Request<NodeRef, ThresholdTexts | null>
  /** What a kubelet would not take of other ones. */
  'node.checkThresholds': Request<
    NodeRef & { readonly texts: ThresholdTexts },
    readonly ThresholdProblem[] | null
  >
  /** Restarts the kubelet of a sandbox with other ones; they hold until the program ends. */
  'node.setThresholds': Request<
    NodeRef & { readonly texts: ThresholdTexts },
    Result<Receipt, ActError>
  >
  /** What each way to lose a pod of a sandbox would do to it. */
  'pod.losses': Request<PodRef, Result<readonly LossForecast[], ActError>>
  /** Loses a copy of the pod, in a sandbox of its own that is thrown away; the pod and its cluster stay as they are. */
  'pod.rehearseLoss': Request<PodRef & { readonly way: LossWay }, Result<LossResult, ActError>>
  /** Cordon or uncordon, of a node of any cluster. */
  'node.cordon': Request<NodeRef & { readonly act: NodeRowsAct }, Result<Receipt, ActError>>
  /** Disconnects all nodes of a sandbox from its API server; kubectl and this page still reach it. */
  'cluster.cutOff': Request<ClusterRef, Result<Receipt, ActError>>
  'cluster.reconnect': Request<ClusterRef, Result<Receipt, ActError>>
  /** Labels and taints of a node, as text. */
  'nodeEdit.read': Request<NodeRef, Result<NodeTexts, ActError>>
  'nodeEdit.forecast': Request<NodeEditArgs, Result<NodeEditForecast, ActError>>
  'nodeEdit.act': Request<NodeEditArgs, Result<Receipt, ActError>>
  /** All that is made to fail in a sandbox, also what was switched elsewhere. Null: nothing can be. */
  'faults.list': Request<ClusterRef, readonly Fault[] | null>
  /** Replaces all faults; refused with the field that is wrong. */
  'faults.set': Request<
    ClusterRef & { readonly faults: readonly Fault[] },
    Result<Receipt, ActError>
  >
  /** Of an owner of pods. */
  'owner.forecast': Request<OwnerActArgs, Result<OwnerForecast, ActError>>
  'owner.act': Request<OwnerActArgs, Result<Receipt, ActError>>
  /** Objects and problems of a text of YAML documents, without asking the server. Null: there is no such cluster. */
  'yaml.check': Request<Omit<ApplyArgs, 'dryRun' | 'force'>, ApplyCheck | null>
  /** As `kubectl apply --server-side`. What the server refuses is in the report. */
  'yaml.apply': Request<ApplyArgs, Result<ApplyReport & Receipt, ActError>>
  'gotchas.list': Request<NoArgs, readonly GotchaView[]>
  'scenarios.list': Request<NoArgs, ScenarioLists>
  /** Opens a scenario as a sandbox of its own, at its moment. The same one is open already: that one. */
  'scenario.open': Request<
    { readonly source: ScenarioSource },
    Result<{ readonly cluster: string }, ActError>
  >
  'scenario.close': Request<ClusterRef, Result<Receipt, ActError>>
  /** Saves the present state of a sandbox as a scenario: with Electron in the system's own dialog. */
  'scenario.save': Request<
    ClusterRef & { readonly name: string; readonly title: string; readonly sentence: string },
    Result<SavedFile, ActError>
  >
  /** The sandbox that the program keeps: all of it as one file. */
  'state.export': Request<NoArgs, Result<SavedFile, ActError>>
  /** Starts a new sandbox; the old state is moved aside. */
  'state.reset': Request<NoArgs, Result<Receipt, ActError>>
  /** Replaces the sandbox by a state file, which comes in pieces; answers null before the last one. */
  'state.import': Request<
    {
      readonly name: string
      readonly text: string
      readonly isFirst: boolean
      readonly isLast: boolean
    },
    Result<Receipt | null, ActError>
  >
  'manifests.list': Request<NodeRef, ManifestsView | null>
  'manifests.read': Request<ManifestRef, Result<ManifestText, ActError>>
  'manifests.check': Request<
    ManifestRef & { readonly text: string },
    Result<ManifestCheck, ActError>
  >
  /** `create`: refused if the file exists; otherwise refused if it does not. Invalid text may be written. */
  'manifests.write': ManifestRequest<
    ManifestRef & { readonly text: string; readonly create: boolean }
  >
  'manifests.remove': ManifestRequest
  /** Undoes the change with this id; refused if the file has changed since. */
  'manifests.undo': ManifestRequest<NodeRef & { readonly id: number }>
  /** Writes the last valid version of the file again. */
  'manifests.restore': ManifestRequest
  /** The kubelet logs that are open, for all pages. They need no cluster. */
  'log.list': Request<NoArgs, readonly LogFacts[]>
  /** Reads files of this machine, rotated parts of one log in any order. Answers at the end of a short one. */
  'log.open': Request<{ readonly paths: readonly string[] }, Result<LogFacts, ActError>>
  /** The same with the files that the user chooses in the host's own dialog; null: none. Only Electron has one. */
  'log.choose': Request<NoArgs, Result<LogFacts | null, ActError>>
  /** Follows the journal of this machine's kubelet. */
  'log.openJournal': Request<NoArgs, Result<LogFacts, ActError>>
  /**
   * A piece of a log that the page has, in base64; `id` null: the first. The next one only after the answer. `name` and
   * `writtenAt`, ms, are those of its file; `ends`: what the piece is the last one of.
   */
  'log.upload': Request<
    {
      readonly id: string | null
      readonly name: string
      readonly writtenAt: number
      readonly data: string
      readonly ends: 'nothing' | 'part' | 'log'
    },
    Result<LogFacts, ActError>
  >
  /** Its pods from a time to another; null: its start and its end. `width`: how many marks of a kind fit beside each other. */
  'log.pods': Request<
    LogRef & {
      readonly from: number | null
      readonly to: number | null
      readonly width: number
    },
    KubeletLogView | null
  >
  /** `count` lines from a line on; `isBack`: before it. `pod`: only those about it. */
  'log.lines': Request<
    LogRef & {
      readonly from: number
      readonly count: number
      readonly pod: string | null
      readonly isBack: boolean
    },
    LogLines | null
  >
  /** Lines with a text, in any case, from a line on. It answers after some 400 ms, with what was found by then. */
  'log.search': Request<LogRef & { readonly text: string; readonly from: number }, LogHits | null>
  /** Reads on when the file grows. */
  'log.follow': Request<LogRef & { readonly isFollowed: boolean }, Result<LogFacts, ActError>>
  'log.close': Request<LogRef, null>
  /** An error or warning of the page, for the program's log. */
  'log.write': Request<
    { readonly level: 'warn' | 'error'; readonly message: string; readonly detail: string },
    null
  >
}

/** Main -> renderer. */
export interface Events {
  'view.patched': ViewPatch
  'pod.detailed': PodDetail
  'flow.changed': FlowView
  'inspect.changed': NodeRef & { readonly view: InspectView }
  'workloads.changed': ClusterRef & { readonly view: WorkloadsView }
  /** `dropped`: how many UTF-16 units after the text did not fit, because the command prints too fast. */
  'terminal.printed': TerminalRef & { readonly text: string; readonly dropped: number }
  'terminal.ended': TerminalRef & TerminalEnd
  'menu.chosen': { readonly item: MenuItem }
}

export type RequestName = keyof Requests
export type EventName = keyof Events

/** One handler per request: a missing one does not compile. `Connection`: the page's. */
export type RequestHandlers<Connection> = {
  readonly [K in RequestName]: (
    args: Requests[K]['args'],
    connection: Connection,
  ) => Requests[K]['reply'] | Promise<Requests[K]['reply']>
}

/**
 * What the renderer holds, the same over Electron's IPC and a WebSocket. `request` rejects only when
 * the connection is lost or main refused malformed arguments. `subscribe` returns its unsubscribe.
 */
export interface Bridge {
  readonly request: <K extends RequestName>(
    name: K,
    args: Requests[K]['args'],
  ) => Promise<Requests[K]['reply']>
  readonly subscribe: <K extends EventName>(
    name: K,
    listener: (payload: Events[K]) => void,
  ) => () => void
  /** Whether main is reachable; `listener` is called on every change. Electron's bridge is always connected. */
  readonly onConnection: (listener: (state: 'connected' | 'lost') => void) => () => void
  /**
   * Main refuses this page (no token, or one of an earlier start): one sentence for the user.
   * Called at once if that has happened already. Absent where it cannot happen (Electron).
   */
  readonly onRefused?: (listener: (message: string) => void) => () => void
}
