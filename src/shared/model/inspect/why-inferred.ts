import { timeOfDay } from '../../kubernetes/timestamps.ts'
import {
  cleanUpStep,
  containersStoppedText,
  deletedObjectStep,
  manifestGoneStep,
  requestedText,
  stillHereQuestion,
  stillRunningText,
} from '../explanation/stop-steps.ts'
import type { WhyAnswer } from '../why.ts'
import { whyAnswer } from '../explanation/why-steps.ts'
import type { WhyStep } from '../explanation/why-steps.ts'
import type { PodEvidence } from './evidence.ts'
import type { InferredState } from './infer-state.ts'
import {
  deletionAt,
  endedByKubeletAt,
  isTerminal,
  lastEndOf,
  runningByStatus,
  statusSource,
} from './pod-facts.ts'
import { stopSteps } from './stop-stage.ts'
import type { StopStep, StopView } from './stop-stage.ts'

interface Stopping {
  readonly evidence: PodEvidence
  readonly inferred: InferredState
  readonly stop: StopView
}

/** Whether a later step than this one is under way. */
function isPast(step: StopStep, { stop }: Stopping): boolean {
  return stop.step !== null && stopSteps.indexOf(stop.step) > stopSteps.indexOf(step)
}

function because({ evidence }: Stopping): string {
  if (deletionAt(evidence.api.value) !== null) return 'deletionTimestamp'
  if (endedByKubeletAt(evidence.api.value) !== null) return 'evicted'
  return evidence.told?.value === null
    ? 'the kubelet no longer has it'
    : 'its containers have ended'
}

function told(facts: Stopping): WhyStep {
  const { stop } = facts
  const away =
    stop.step === null ? 'The kubelet does not answer, so it is not known whether it knows.' : ''
  return {
    isDone: isPast('told', facts),
    done: requestedText(stop.askedAt, because(facts)),
    now: away || 'The API has a deletionTimestamp; the kubelet’s own copy does not have it yet.',
    source: '/pods metadata.deletionTimestamp',
    section: 'pod-workers#updatepod',
  }
}

function stopped(facts: Stopping): WhyStep {
  const { evidence, stop } = facts
  const pod = statusSource(evidence)
  const running = evidence.running?.value?.containers ?? runningByStatus(pod)
  const hook = stop.step === 'preStop' ? ` A preStop hook may run: ${stop.preStop.join(', ')}.` : ''
  const until =
    stop.killAt === null
      ? ''
      : stop.overMs > 0
        ? `; its grace period ended at ${timeOfDay(stop.killAt)}`
        : ` until SIGKILL at ${timeOfDay(stop.killAt)}`
  const who =
    running.length === 0
      ? 'No container runs; its sandbox is stopped'
      : `${stillRunningText(running)}${until}`
  return {
    isDone: isPast('grace', facts),
    done: containersStoppedText(lastEndOf(pod)),
    now: `${who}.${hook}`,
    next: 'Then its containers stop.',
    source: evidence.running === null ? 'containerStatuses' : '/runningpods',
    section: 'pod-workers#sync-functions',
  }
}

function written(facts: Stopping): WhyStep {
  const pod = facts.evidence.api.value
  const phase = pod?.status?.phase ?? 'Unknown'
  return {
    isDone: isPast('unmount', facts) && isTerminal(pod),
    done: `The final status is written: ${phase}.`,
    now: 'The final status is not written yet.',
    next: 'Then the final status is written.',
    source: 'status.phase',
    section: 'status#sending-a-status',
  }
}

function objectGone({ evidence }: Stopping): WhyStep {
  const { api, apiAwaySince } = evidence
  if (api.value !== null && deletionAt(api.value) !== null)
    return deletedObjectStep({
      finalizers: api.value.metadata.finalizers ?? [],
      isServerAway: apiAwaySince !== null,
    })
  const section = 'pod-workers#syncknownpods'
  if (api.value === null) {
    const forgets = 'Housekeeping, every 2 s, removes the worker. The API has no object.'
    return { now: forgets, next: `Then h${forgets.slice(1)}`, source: 'API', section }
  }
  if (evidence.isStatic && evidence.told?.value === null) return manifestGoneStep('/pods')
  const stays = 'object stays: nothing has asked the API server to delete it.'
  return {
    now: `The ${stays}`,
    next: `Then the ${stays}`,
    source: 'metadata.deletionTimestamp',
    section,
  }
}

/** `Why is it still here?` of a pod whose worker is inferred; null: it is not being stopped, or its kubelet was not asked. */
export function whyStillHereInferred(
  evidence: PodEvidence,
  inferred: InferredState,
  stop: StopView | null,
): WhyAnswer | null {
  if (stop === null) return null
  const facts = { evidence, inferred, stop }
  return whyAnswer(stillHereQuestion, [
    told(facts),
    stopped(facts),
    cleanUpStep(', and removes its cgroup', {
      isDone: isPast('unmount', facts),
      source: 'status.phase',
    }),
    ...(evidence.api.value === null ? [] : [written(facts)]),
    objectGone(facts),
  ])
}
