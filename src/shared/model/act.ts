import type { PodKind, WorkerStateWord } from './pod-row.ts'
import type { PodPhase, RestartPolicy } from '../kubernetes/objects.ts'

/** The acts that Nodescope offers on a pod; each has its own name and its own consequences. */
export type Act =
  'kill' | 'evictByKubelet' | 'evictThroughApi' | 'delete' | 'forceDelete' | 'deleteMirror'

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

/** What must be known of a pod to say what an act will do. Plain JSON, made in main, read on both sides. */
export interface ActFacts {
  readonly namespace: string
  readonly name: string
  readonly kind: PodKind
  /** `''` when it is not critical. */
  readonly criticalBecause: '' | 'static' | 'mirror' | 'priority'
  readonly priority: number
  readonly phase: PodPhase
  readonly restartPolicy: RestartPolicy
  readonly specGraceSeconds: number
  /** Grace now in use by a termination under way; null when none was requested. */
  readonly graceInUseSeconds: number | null
  readonly worker: WorkerStateWord
  readonly terminationRequested: boolean
  readonly deletionTimestamp: string | null
  /** `deletionGracePeriodSeconds`: what the API server granted; null when the pod is not deleted. */
  readonly deletionGraceSeconds: number | null
  readonly runningContainers: number
  /** The longest `lifecycle.preStop.sleep` of its containers; 0 where none has one. */
  readonly preStopSleepSeconds: number
  readonly finalizers: readonly string[]
  /** Controller that would make a replacement, `Kind name`, or empty. */
  readonly controlledBy: string
  /** Whether the kubelet of the node can act on what the API server is told: it may not run, or not hear of it. */
  readonly kubelet: 'running' | 'stopped' | 'cutOff'
  /** False when nobody answers for the API server now. */
  readonly apiServerReachable: boolean
  /** False when the API server has no object of this pod (any more); for a static pod: no mirror. */
  readonly hasApiObject: boolean
  readonly budget: BudgetFact
  readonly readOnly: boolean
}

/** A point on the time axis of a dialog, in seconds after the click. */
export interface ForecastMark {
  readonly atSeconds: number
  /** `preStop`, `SIGTERM`, `SIGKILL`, `TerminatedPod`, `object gone`. */
  readonly label: string
  readonly tone: 'plain' | 'kill' | 'terminated'
}

/** One line of a picture over time: what a thing is from when to when, in seconds after the click. */
export interface ForecastLane {
  readonly label: string
  readonly spans: readonly {
    readonly fromSeconds: number
    readonly toSeconds: number
    /** `runs`: goes on as it is; `expected`: outlined; `there`: solid again. */
    readonly look: 'runs' | 'expected' | 'there'
    readonly text: string
  }[]
}

/** What an act will do, said before the click. Texts are whole sentences in plain English. */
export interface ActForecast {
  readonly act: Act
  /** False: the button is disabled and `refusal` says why in one sentence. */
  readonly isAllowed: boolean
  readonly refusal: string
  /** `Kill at the worker`, `Evict by the kubelet`, `Evict through the API`, `Delete`, … */
  readonly title: string
  /** What happens to containers and to the API object. */
  readonly summary: string
  /** Marks in order of time; the hatched bar runs from SIGTERM to SIGKILL. Empty when nothing runs. */
  readonly marks: readonly ForecastMark[]
  /** Grace in effect (after the rules of semantics 4.6 and 7.6), and what the person asked for. */
  readonly graceSeconds: number
  /** What the API object looks like in the end: `object stays, Failed`, `object gone`, … */
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
  /** Whether what it does is made good by the kubelet itself. */
  readonly isSelfRighting: boolean
}
