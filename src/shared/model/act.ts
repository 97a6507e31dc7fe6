import type { PodKind, WorkerStateWord } from './pod-row.ts'
import type { Span } from './span.ts'
import type { CriticalReason } from '../kubernetes/critical-pod.ts'
import type { PodPhase } from '../kubernetes/objects.ts'

/** The acts that Nodescope offers on a pod; each has its own name and its own consequences. */
export type PodAct =
  'kill' | 'evictByKubelet' | 'evictThroughApi' | 'delete' | 'forceDelete' | 'deleteMirror'

/** Those on a pod, and those on one of its containers. */
export type Act = PodAct | 'restartContainer'

/**
 * What the disruption budgets of a pod say to an eviction through the API now. `unknown`: they cannot be
 * read here; `refuses`: with the HTTP status `code`, and why as the end of a sentence.
 */
export type BudgetFact =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | { readonly kind: 'allows'; readonly name: string }
  | {
      readonly kind: 'refuses'
      readonly name: string
      readonly code: 403 | 429 | 500
      readonly why: string
    }

/** What the kubelet does with a container that has ended. */
export type AfterExit =
  /** Starts it again. */
  | 'restarts'
  /** An init container that succeeded: the next container starts. */
  | 'startsNext'
  /** It stays as it ended, and the rest of the pod goes on. */
  | 'stays'
  /** Nothing is left to run, or an init container failed for good: the pod ends. */
  | 'podEnds'

/** `off`: the machine has no power. */
export type RuntimeFact = 'answers' | 'down' | 'hangs' | 'off'

/** What must be known of one container to say what an act will do to it. */
export interface ContainerActFacts {
  readonly name: string
  readonly kind: 'init' | 'sidecar' | 'container' | 'ephemeral'
  /** The runtime's own, without its name; empty if it never started. */
  readonly id: string
  readonly isRunning: boolean
  /** As kubectl has it: `waiting: CrashLoopBackOff`, `terminated: Completed, exit 0`. */
  readonly state: string
  readonly restarts: number
  readonly restartPolicy: 'Always' | 'OnFailure' | 'Never'
  /** What comes after it, by how it ends; `phase`: the pod's then, null if that is not known yet. */
  readonly after: Readonly<
    Record<'exitZero' | 'failed', { readonly next: AfterExit; readonly phase: PodPhase | null }>
  >
  /** How long it has to wait after its end, in seconds; 0: not at all, or `expiresInSeconds` from now. */
  readonly backOff: { readonly seconds: number; readonly expiresInSeconds: number }
  readonly probes: readonly ('startup' | 'readiness' | 'liveness')[]
  readonly hasPreStop: boolean
  /** Whether its image is pulled before each start, for as long as that takes. */
  readonly isPulledAgain: boolean
}

/** What must be known of a pod to say what an act will do. Plain JSON, made in main, read on both sides. */
export interface ActFacts {
  readonly namespace: string
  readonly name: string
  readonly kind: PodKind
  /** `''` when it is not critical. */
  readonly criticalBecause: CriticalReason | ''
  readonly priority: number
  /** As the kubelet knows it. */
  readonly phase: PodPhase
  /** As the API server knows it, which decides by that. */
  readonly apiPhase: PodPhase
  /** Whether it has a node: the API server deletes a pod without one at once. */
  readonly isScheduled: boolean
  /** The phase after a stop by the kubelet, if every container that runs exits 0, and if SIGKILL ends one. */
  readonly ends: { readonly exitZero: PodPhase; readonly killed: PodPhase }
  readonly specGraceSeconds: number
  /** Grace now in use by a termination under way; null when none was requested. */
  readonly graceInUseSeconds: number | null
  readonly worker: WorkerStateWord
  /** A SyncPod is under way: an image pull, a start, a postStart hook. A stop begins when that has ended. */
  readonly isSyncing: boolean
  readonly terminationRequested: boolean
  readonly deletionTimestamp: string | null
  /** `deletionGracePeriodSeconds`: what the API server granted; null when the pod is not deleted. */
  readonly deletionGraceSeconds: number | null
  readonly runningContainers: number
  /** How many of them are sidecars, which are stopped after the others. */
  readonly runningSidecars: number
  /** Seconds until SIGKILL of the stop under way, at the time of these facts; null where none is known. */
  readonly sigkillInSeconds: number | null
  /** The longest `lifecycle.preStop.sleep` of its containers; 0 where none has one. */
  readonly preStopSleepSeconds: number
  /** A container has a preStop hook that runs a command or makes a request: for how long is not known. */
  readonly hasOtherPreStop: boolean
  readonly finalizers: readonly string[]
  /** Controller that would make a replacement, `Kind name`, or empty. */
  readonly controlledBy: string
  /** Whether the kubelet of the node can act on changes in the API: it may be stopped, or cut off. */
  readonly kubelet: 'running' | 'stopped' | 'cutOff'
  /** False when the API server does not answer now. */
  readonly apiServerReachable: boolean
  /** False when the API server has no object of this pod; for a static pod: no mirror. */
  readonly hasApiObject: boolean
  /** Whether the source of the pod still has it: false for a static pod whose manifest is gone. */
  readonly isListed: boolean
  readonly budget: BudgetFact
  /** What the container runtime of the node does with calls. */
  readonly runtime: RuntimeFact
  /** Of its spec, init containers first. */
  readonly containers: readonly ContainerActFacts[]
  /** Why nothing may be changed here, in one sentence; empty if it may. */
  readonly readOnly: string
  /**
   * Context of a cluster that is only looked at: the kubelet of the pod's node is not this program, and what runs there is
   * known from the API alone. Empty for other clusters.
   */
  readonly seenIn: string
}

/** How an object that stays can end. `reason`: its `status.reason`. */
export interface ObjectEnd {
  readonly phase: PodPhase
  readonly reason: '' | 'Evicted'
}

/** What happens to the object that the API server has of the pod, a static pod's mirror. */
export type ObjectEffect =
  /** There is none, and none comes. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unchanged' }
  /**
   * It stays and gets its final status: the first of `ends` where a container fails or is killed, the second, if there
   * is one, where every container exits 0 (sidecars do not count). `isSure` false: the second is not certain then.
   * None: it cannot be known yet.
   */
  | { readonly kind: 'stays'; readonly ends: readonly ObjectEnd[]; readonly isSure: boolean }
  | { readonly kind: 'goes'; readonly after: Span }
  /** It gets a deletionTimestamp and stays until the finalizers are removed. */
  | { readonly kind: 'held'; readonly finalizers: readonly string[] }
  /** It has a deletionTimestamp, and what would remove it does not act now. */
  | { readonly kind: 'terminating' }
  /** Another one of the same name, with another UID, takes its place. */
  | { readonly kind: 'replaced'; readonly gone: Span; readonly back: Span }

/** What happens to the containers that run. */
export type ContainersEffect =
  | { readonly kind: 'none' }
  | { readonly kind: 'runOn' }
  /** Each ends after SIGTERM by itself, or with SIGKILL, exit code 137, `latest` seconds after the click. */
  | ({ readonly kind: 'stop' } & Span)
  /** The same for one of them; the others run on. */
  | ({ readonly kind: 'stopOne'; readonly name: string } & Span)

/** How the API server answers; `unknown`: its disruption budgets cannot be read here. */
export type ServerAnswer =
  | { readonly kind: 'notAsked' }
  | { readonly kind: 'accepts' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refuses'; readonly code: number; readonly reason: string }

/** What the kubelet makes of one container's end. */
export interface RestartEffect {
  /** By how it ends; `failed` also after SIGKILL. */
  readonly after: Readonly<Record<'exitZero' | 'failed', AfterExit>>
  /** From its end until it runs again, where it restarts. */
  readonly wait: Span
  /** Its `restartCount` then. */
  readonly restarts: number
}

/** What an act does, as facts; every word of a forecast is made of these. */
export interface ActEffect {
  readonly answer: ServerAnswer
  readonly object: ObjectEffect
  readonly containers: ContainersEffect
  /** Whether the kubelet may start containers of this pod afterwards. */
  readonly startsAgain: boolean
  /** Of an act on one container. */
  readonly restart?: RestartEffect
}

/** A point on the time axis of a dialog, in seconds after the click. */
export interface ForecastMark {
  readonly atSeconds: number
  /** `preStop`, `SIGTERM`, `SIGKILL`, `containers stopped`, `object gone`. */
  readonly label: string
  readonly tone: 'plain' | 'kill' | 'terminated'
}

/** One line of a picture over time: what a thing is from when to when, in seconds after the click. */
export interface ForecastLane {
  readonly label: string
  readonly spans: readonly {
    readonly fromSeconds: number
    readonly toSeconds: number
    /** `runs`: keeps running; `expected`: outlined; `there`: solid again. */
    readonly style: 'runs' | 'expected' | 'there'
    readonly text: string
  }[]
}

/** What an act will do, shown before the click. Texts are whole sentences, made of `effect`. */
export interface ActForecast {
  readonly act: Act
  /** What would happen; of no meaning where the act is not allowed. */
  readonly effect: ActEffect
  /** False: the button is disabled and `refusal` says why in one sentence. */
  readonly isAllowed: boolean
  readonly refusal: string
  /** `Kill at the worker`, `Evict by the kubelet`, `Evict through the API`, `Delete`, … */
  readonly title: string
  /** What happens to containers and to the API object. */
  readonly summary: string
  /** Marks in order of time; the hatched bar runs from SIGTERM to SIGKILL. Empty when nothing is stopped. */
  readonly marks: readonly ForecastMark[]
  /** Instead of marks, where there are none: what happens to the containers, as one sentence. */
  readonly containersText: string
  /** Grace in effect (after the rules of termination#grace-period and termination#stopping-containers), and what the person asked for. */
  readonly graceSeconds: number
  /** What the API object looks like in the end: `object stays: Failed`, `object gone`, … */
  readonly outcome: string
  /** Surprises worth a warning note. */
  readonly warnings: readonly string[]
  /** What protects the pod or not, as label and value. */
  readonly protections: readonly { readonly label: string; readonly value: string }[]
  readonly kubectl: { readonly caption: string; readonly line: string }
  /** Words on the last button: `Kill, 10 s grace`. */
  readonly confirm: string
  /** Whether the act takes a grace in seconds, and the default (null: the pod's own). */
  readonly takesGrace: boolean
  /** Instead of `marks`, where several things each have their own course; null where one line says it. */
  readonly lanes: readonly ForecastLane[] | null
  /** Whether the kubelet itself restores what the act removes. */
  readonly isRestoredByKubelet: boolean
}
