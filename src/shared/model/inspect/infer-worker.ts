import type { EvidenceLine, PodEvidence } from './evidence.ts'
import { disagreementOf } from './disagreement.ts'
import type { Disagreement } from './disagreement.ts'
import { evidenceLines } from './evidence-lines.ts'
import { inferState } from './infer-state.ts'
import type { InferredState } from './infer-state.ts'
import type { MirrorPair } from './mirror-pairs.ts'
import { stopStage } from './stop-stage.ts'
import type { StopView } from './stop-stage.ts'
import type { WhyAnswer } from '../why.ts'
import { whyStillHereInferred } from './why-inferred.ts'

/** The worker that a pod must have, with what it rests on. */
export interface InferredWorker extends InferredState {
  readonly evidence: readonly EvidenceLine[]
  /** One sentence: what the facts cannot tell; empty: nothing that matters. */
  readonly notKnown: string
  readonly stop: StopView | null
  /** `Why is it still here?` of a pod that is being stopped. */
  readonly why: WhyAnswer | null
  readonly disagreement: Disagreement | null
}

function notKnown(
  { kubelet, told, isStatic }: PodEvidence,
  { worker }: InferredState,
  stop: StopView | null,
): string {
  const onlyLog = 'Only the kubelet’s log has that.'
  if (kubelet === 'not asked' || told === null)
    return 'Not known: whether the kubelet has the pod and whether its containers run. The kubelet was not asked.'
  if (kubelet !== 'answers')
    return 'Not known: what the kubelet has done since its last status. It does not answer.'
  if (stop?.step === 'preStop')
    return `Not known: whether the preStop hook still runs or SIGTERM was sent. ${onlyLog}`
  if (worker === 'TerminatingPod') return `Not known: whether SIGKILL was sent. ${onlyLog}`
  if (worker === 'TerminatedPod' || worker === 'finished')
    return `Not known: whether volumes and cgroups are cleaned up. ${onlyLog}`
  if (worker === 'waiting') return `Not known: when the worker tries again, up to 15 s. ${onlyLog}`
  if (worker === 'SyncPod' && !isStatic)
    return `Not known: whether a sync runs or waits. ${onlyLog}`
  return ''
}

/**
 * The worker of one pod, from what can be seen outside its kubelet. Pure; `now` in ms. `pair`: of a static pod. Source of the
 * rules: pkg/kubelet/pod_workers.go, status_manager.go.
 */
export function inferWorker(
  evidence: PodEvidence,
  pair: MirrorPair | null,
  now: number,
): InferredWorker {
  const inferred = inferState(evidence, now)
  const stop = stopStage(evidence, inferred, now)
  return {
    ...inferred,
    evidence: evidenceLines(evidence),
    notKnown: notKnown(evidence, inferred, stop),
    stop,
    why: whyStillHereInferred(evidence, inferred, stop),
    disagreement: disagreementOf(evidence, { inferred, stop, pair }, now),
  }
}
