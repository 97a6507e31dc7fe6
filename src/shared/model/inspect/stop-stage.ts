import type { PodEvidence } from './evidence.ts'
import type { InferredState } from './infer-state.ts'
import {
  deletionAt,
  endedByKubeletAt,
  lastEndOf,
  runningByStatus,
  statusSource,
  withPreStop,
} from './pod-facts.ts'

/** The steps of a stop, in order: the kubelet knows, the preStop hooks, the grace period, volumes, the final status and the object. */
export const stopSteps = ['told', 'preStop', 'grace', 'unmount', 'finalStatus'] as const
export type StopStep = (typeof stopSteps)[number]

/** What holds a stop longer than it should take. */
export type StopBlocker = 'finalizer' | 'container' | 'volume' | 'kubelet away' | 'API server away'

/** Where the stop of a pod is. Times in ms. */
export interface StopView {
  /** Null: not known, because the kubelet does not answer. */
  readonly step: StopStep | null
  /** When the stop was asked for, or was first seen; null: not known. */
  readonly askedAt: number | null
  /** Since when the step lasts; null: not known. */
  readonly since: number | null
  /** When the grace period ends: `deletionTimestamp`; null: not known. */
  readonly killAt: number | null
  /** How long the step has lasted beyond its usual end; 0: not yet. */
  readonly overMs: number
  readonly blocker: StopBlocker | null
  /** Containers with a preStop hook. The hook runs within the grace period. */
  readonly preStop: readonly string[]
}

/** A kubelet is told within ms; it gives at least 2 s of grace, and unmounts and deletes within seconds. */
const toldWithinMs = 2000
const killMarginMs = 2000
const cleanedWithinMs = 5000

function askedAt({ api, sightings }: PodEvidence): number | null {
  const deletion = deletionAt(api.value)
  // After the DELETE with grace 0, deletionTimestamp is that of the second request.
  const grace = api.value?.metadata.deletionGracePeriodSeconds ?? 0
  if (deletion !== null) return deletion - grace * 1000
  return endedByKubeletAt(api.value) ?? sightings.goneFromPodsAt
}

function stepOf(evidence: PodEvidence, { worker }: InferredState): StopStep | null {
  const { told, api, kubelet } = evidence
  if (kubelet !== 'answers') return null
  if (worker === 'TerminatedPod') return 'unmount'
  if (worker === 'finished' || worker === 'none') return 'finalStatus'
  if (worker === 'SyncPod' || worker === 'waiting') return 'told'
  const pod = statusSource(evidence) ?? told?.value ?? null
  const hooks = pod === null ? [] : withPreStop(pod)
  const mayRunHook = hooks.some((name) => runningByStatus(pod).includes(name))
  const killAt = deletionAt(api.value)
  return mayRunHook && killAt !== null && (told?.at ?? 0) < killAt ? 'preStop' : 'grace'
}

function timing(
  step: StopStep | null,
  evidence: PodEvidence,
  now: number,
): { readonly since: number | null; readonly overMs: number } {
  const asked = askedAt(evidence)
  const over = (from: number | null, usual: number): number =>
    from === null ? 0 : Math.max(0, now - from - usual)
  const killAt = deletionAt(evidence.api.value)
  if (step === null || step === 'told') return { since: asked, overMs: over(asked, toldWithinMs) }
  if (step === 'preStop' || step === 'grace')
    return { since: asked, overMs: over(killAt, killMarginMs) > 0 ? now - (killAt ?? now) : 0 }
  const ended = lastEndOf(statusSource(evidence)) ?? evidence.sightings.goneFromRunningAt ?? asked
  return { since: ended, overMs: over(ended, cleanedWithinMs) }
}

function blockerOf(
  step: StopStep | null,
  evidence: PodEvidence,
  overMs: number,
): StopBlocker | null {
  if (evidence.kubelet === 'refused' || evidence.kubelet === 'away') return 'kubelet away'
  const pod = statusSource(evidence)
  if (step === 'finalStatus' && (pod?.metadata.finalizers ?? []).length > 0) return 'finalizer'
  const needsApi = step === 'told' || step === 'unmount' || step === 'finalStatus'
  if (evidence.apiAwaySince !== null && needsApi) return 'API server away'
  if (overMs === 0 || step === null) return null
  if (step === 'told') return 'kubelet away'
  if (step === 'preStop' || step === 'grace') return 'container'
  return step === 'unmount' && (pod?.spec.volumes ?? []).length > 0 ? 'volume' : null
}

/** Whether something has asked to stop the pod, as far as the facts say. */
function isStopping(evidence: PodEvidence, { worker }: InferredState): boolean {
  if (worker === 'TerminatingPod' || worker === 'TerminatedPod') return true
  return deletionAt(evidence.api.value) !== null
}

/** The stage of a stop; null: the pod is not being stopped, or nobody asked its kubelet. Pure. `now` in ms. */
export function stopStage(
  evidence: PodEvidence,
  inferred: InferredState,
  now: number,
): StopView | null {
  if (evidence.kubelet === 'not asked' || !isStopping(evidence, inferred)) return null
  const step = stepOf(evidence, inferred)
  const { since, overMs } = timing(step, evidence, now)
  const pod = statusSource(evidence)
  return {
    step,
    askedAt: askedAt(evidence),
    since,
    killAt: deletionAt(evidence.api.value),
    overMs,
    blocker: blockerOf(step, evidence, overMs),
    preStop: pod === null ? [] : withPreStop(pod),
  }
}
