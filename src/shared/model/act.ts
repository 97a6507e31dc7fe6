import type { PodKind, WorkerStateWord } from './pod-row.ts'
import type { PodPhase, RestartPolicy } from '../kubernetes/objects.ts'

/** The acts that Nodescope offers on a pod; each has its own name and its own consequences. */
export type Act = 'kill' | 'evictByKubelet' | 'evictThroughApi'

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
  readonly runningContainers: number
  readonly finalizers: readonly string[]
  /** Controller that would make a replacement, `Kind name`, or empty. */
  readonly controlledBy: string
  /** False when nobody answers for the API server now. */
  readonly apiServerReachable: boolean
  readonly readOnly: boolean
}
