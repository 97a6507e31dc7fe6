import type { Pod } from '../../kubernetes/objects.ts'

/** Where a fact about a pod was read. */
export type FactOrigin = 'log' | 'API' | '/pods' | '/runningpods' | 'metrics' | 'events' | 'lease'

/** A value with the time at which it was read, ms. */
export interface Fact<T> {
  readonly value: T
  readonly at: number
}

/** What /runningpods has of a pod: its running containers; none where only its sandbox runs. */
export interface RunningPod {
  readonly uid: string
  readonly namespace: string
  readonly name: string
  readonly containers: readonly string[]
}

/** An event about the pod, newest first. `at`: ms, of its last occurrence. */
export interface EventFact {
  readonly reason: string
  readonly message: string
  readonly at: number
}

/**
 * `answers`; `refused`: nothing listens on its port; `away`: no answer in time, or one that is none; `not asked`: no right,
 * or its certificate is not trusted.
 */
export type KubeletContact = 'answers' | 'refused' | 'away' | 'not asked'

/** When a pod was seen where, ms; null: never, or not gone. What was not watched is not known. */
export interface Sightings {
  readonly firstInApiAt: number | null
  readonly goneFromApiAt: number | null
  readonly goneFromPodsAt: number | null
  readonly goneFromRunningAt: number | null
  /** Its last object in the API had a final phase. */
  readonly hadFinalPhase: boolean
  /** Since when /pods has had its present version, while the API has had another with another status; null: it does not. */
  readonly differsSince: number | null
  /** Since when /runningpods has had the same containers that do not run by the status; null: it has none. */
  readonly unreportedSince: number | null
}

/** All that is known of one pod of one node. `null` facts: the origin was not read. */
export interface PodEvidence {
  /** By which its kubelet knows it: of a static pod, its `config.hash`. */
  readonly uid: string
  readonly isStatic: boolean
  /** The API's object; of a static pod, its mirror. */
  readonly api: Fact<Pod | null>
  /** The item of /pods. */
  readonly told: Fact<Pod | null> | null
  readonly running: Fact<RunningPod | null> | null
  /** Other UIDs of the same name and namespace that /pods or /runningpods has. */
  readonly sameName: readonly { readonly uid: string; readonly isTold: boolean }[]
  readonly kubelet: KubeletContact
  /** Since when the API server does not respond; null if it does. */
  readonly apiAwaySince: number | null
  /** When the kubelet last renewed its lease, ms; null: there is none. */
  readonly lease: Fact<number | null>
  readonly leaseDurationMs: number
  readonly events: readonly EventFact[]
  readonly sightings: Sightings
}

/** How far a conclusion holds. `certain`: only one state fits; `likely`: the usual one of several; `possible`: from the API alone. */
export type Certainty = 'certain' | 'likely' | 'possible'

/** One fact that a conclusion rests on: `deletionTimestamp` `14:02:14` `API`. */
export interface EvidenceLine {
  readonly fact: string
  readonly value: string
  readonly origin: FactOrigin
  readonly at: number
}

/** The kubelet's cache behind /runningpods is renewed by housekeeping each 2 s and is never older (kubelet.go: runtimeCacheRefreshPeriod). */
export const runningPodsLagMs = 3000
