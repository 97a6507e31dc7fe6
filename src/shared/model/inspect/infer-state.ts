import { timeOfDay } from '../../kubernetes/timestamps.ts'
import type { WorkerStateWord } from '../pod-row.ts'
import type { Certainty, PodEvidence } from './evidence.ts'
import { runningPodsLagMs } from './evidence.ts'
import {
  deadlineOf,
  deletionAt,
  endedByKubeletAt,
  hasCompleted,
  hasKubeletStatus,
  haveAllEnded,
  isRejected,
  isTerminal,
  lastEndOf,
  rejectionIn,
  runningByStatus,
  statusSource,
} from './pod-facts.ts'

/** The state that the facts allow. `worker` null: not known, and then no certainty. */
export interface InferredState {
  readonly worker: WorkerStateWord | null
  readonly certainty: Certainty | null
  /** One or two sentences: why this state. */
  readonly because: string
}

function state(
  worker: WorkerStateWord | null,
  certainty: Certainty | null,
  because: string,
): InferredState {
  return { worker, certainty, because }
}

/** How long after the end of its containers a worker has usually finished: ended by the kubelet, and by themselves. */
const finishesWithinMs = { stopped: 1500, completed: 3000 }

function finished(evidence: PodEvidence, now: number): InferredState {
  const pod = statusSource(evidence)
  const phase = pod?.status?.phase ?? ''
  const text = `Its final phase, ${phase}, is written. The kubelet does that when the containers have stopped.`
  // The status manager sends this DELETE for a finished worker only (status_manager.go: canBeDeleted).
  const isSent =
    deletionAt(evidence.api.value) !== null &&
    evidence.api.value?.metadata.deletionGracePeriodSeconds === 0
  const end = lastEndOf(pod)
  const isStopped = deletionAt(evidence.api.value) !== null || deadlineOf(pod) !== null
  const usual = isStopped ? finishesWithinMs.stopped : finishesWithinMs.completed
  const isOld = end !== null && now - end > usual
  const volumes = pod?.spec.volumes ?? []
  if (isSent && isOld && evidence.kubelet === 'answers')
    return state('finished', 'certain', `${text} It has sent DELETE with grace period 0.`)
  if (end !== null && !isOld)
    return state('TerminatedPod', 'likely', `${text} Cleaning up takes a second or two.`)
  if (isOld && volumes.length > 0)
    return state('finished', 'likely', `${text} Its volumes may still be mounted.`)
  return state('finished', 'likely', text)
}

/** A kubelet looks at deadlines each second, and startTime has whole seconds. */
const deadlineSeenMs = 2500

/** Its kubelet ends it by itself, without a deletionTimestamp; undefined: it does not. */
function endedByKubelet(evidence: PodEvidence, now: number): InferredState | undefined {
  const pod = statusSource(evidence)
  if (endedByKubeletAt(pod) !== null) return terminating(evidence, 'The kubelet evicts it.')
  const deadline = deadlineOf(pod)
  const at = evidence.told?.at ?? now
  if (deadline === null || at < deadline) return undefined
  const ended = terminating(
    evidence,
    `Its activeDeadlineSeconds were over at ${timeOfDay(deadline)}.`,
  )
  return at - deadline > deadlineSeenMs || ended.certainty !== 'certain'
    ? ended
    : { ...ended, certainty: 'likely' }
}

/** /pods no longer has it, or does not have it yet. */
function notTold(evidence: PodEvidence): InferredState {
  const { api, running, told, isStatic, sightings } = evidence
  const isListed = running !== null && running.value !== null
  if (isListed && api.value !== null && !isStatic && deletionAt(api.value) === null)
    return state(
      'none',
      'likely',
      'It runs, but the kubelet has not read it from the API server since its start.',
    )
  if (isListed && sightings.hadFinalPhase)
    return state(
      'finished',
      'likely',
      'Its final phase was written before its object was deleted. /runningpods can be 3 s old.',
    )
  if (isListed)
    return state(
      'TerminatingPod',
      'likely',
      'The kubelet no longer has it, and the runtime still runs it: its worker stops it. /runningpods can be 3 s old.',
    )
  if (api.value === null) return state('none', 'likely', 'Neither /pods nor /runningpods has it.')
  if (isStatic) return state('none', 'certain', 'The kubelet has no static pod of this name.')
  if (sightings.goneFromPodsAt !== null)
    return state('none', 'likely', 'The kubelet no longer has it: its object is being removed.')
  const isReadLater = (told?.at ?? 0) > (sightings.firstInApiAt ?? api.at)
  return state(
    'none',
    isReadLater ? 'certain' : 'likely',
    'The kubelet has not received it yet: /pods does not have it.',
  )
}

function terminating(evidence: PodEvidence, because: string): InferredState {
  const pod = statusSource(evidence)
  const { running } = evidence
  const listed = running?.value?.containers.length ?? 0
  if (haveAllEnded(pod))
    return state(
      'TerminatedPod',
      'likely',
      `${because} Its containers have ended, and no final phase is written.`,
    )
  const goneAt = evidence.sightings.goneFromRunningAt
  const isGone = goneAt !== null && running !== null && running.at - goneAt > runningPodsLagMs
  if (listed === 0 && isGone)
    return state('TerminatedPod', 'likely', `${because} The runtime has no container of it.`)
  if (runningByStatus(pod).length > 0)
    return listed > 0
      ? state('TerminatingPod', 'certain', `${because} Its container still runs.`)
      : state(
          'TerminatingPod',
          'likely',
          `${because} Its status says running; /runningpods has no container.`,
        )
  return listed > 0
    ? state('TerminatingPod', 'likely', `${because} The runtime still runs it.`)
    : state('TerminatedPod', 'likely', `${because} No container runs.`)
}

/** Its containers have ended by themselves: SyncTerminatingPod waits for the PLEG, then the final phase is written. */
function completing(): InferredState {
  return state(
    'TerminatingPod',
    'likely',
    'Its containers have ended, it starts none again, and no final phase is written.',
  )
}

function synced(evidence: PodEvidence, now: number): InferredState {
  const pod = statusSource(evidence)
  if (!hasKubeletStatus(pod))
    return state('SyncPod', 'likely', 'The kubelet has it, and has written no status yet.')
  const { running, isStatic, apiAwaySince } = evidence
  const isOut =
    running !== null &&
    running.value === null &&
    runningByStatus(pod).length > 0 &&
    now > running.at
  if (isOut)
    return state(
      'SyncPod',
      'likely',
      'The kubelet has it. Its status says running; /runningpods does not have it.',
    )
  if (!isStatic && apiAwaySince !== null)
    return state(
      'SyncPod',
      'likely',
      'The kubelet has it, and has not been told to stop it. The API’s status is old.',
    )
  return state('SyncPod', 'certain', 'The kubelet has it, and nothing has told it to stop it.')
}

function toldStatic(evidence: PodEvidence, now: number): InferredState {
  const pod = evidence.told?.value ?? null
  if (!hasKubeletStatus(pod) && !isTerminal(pod)) {
    const older = evidence.sameName.filter(({ isTold }) => !isTold)
    return older.length > 0
      ? state(
          'waiting',
          'certain',
          'It has no status yet: the worker of the pod that had its name before must finish first.',
        )
      : state('waiting', 'likely', 'It has no status yet: its worker has not started.')
  }
  if (isTerminal(pod)) return finished(evidence, now)
  if (hasCompleted(pod)) return completing()
  return endedByKubelet(evidence, now) ?? synced(evidence, now)
}

function rejected(reason: string): InferredState {
  return state('none', 'likely', `The kubelet rejected it: ${reason}. It starts no worker for it.`)
}

function toldPod(evidence: PodEvidence, now: number): InferredState {
  const pod = statusSource(evidence)
  const told = evidence.told?.value ?? null
  const rejection = isRejected(pod) ? pod?.status?.reason : rejectionIn(evidence)
  if (rejection !== undefined && !hasKubeletStatus(pod)) return rejected(rejection)
  if (isTerminal(pod)) return finished(evidence, now)
  if (deletionAt(told) !== null)
    return terminating(evidence, 'The kubelet’s own copy has the deletionTimestamp.')
  const ended = endedByKubelet(evidence, now)
  if (ended !== undefined) return ended
  if (evidence.api.value === null)
    return state(
      'TerminatingPod',
      'likely',
      'Its object is gone from the API server, and the kubelet still has it.',
    )
  if (deletionAt(evidence.api.value) !== null)
    return state(
      'SyncPod',
      'likely',
      'The API has a deletionTimestamp; the kubelet’s own copy does not yet.',
    )
  if (hasCompleted(pod)) return completing()
  return synced(evidence, now)
}

function withoutKubelet(evidence: PodEvidence, now: number): InferredState {
  const pod = evidence.api.value
  if (pod === null)
    return state(null, null, 'The API does not have it, and the kubelet does not answer.')
  const rejection = isRejected(pod) ? pod.status?.reason : rejectionIn(evidence)
  if (rejection !== undefined && !hasKubeletStatus(pod)) return rejected(rejection)
  if (isTerminal(pod)) return finished(evidence, now)
  const lease = evidence.lease.value
  if (lease === null || now - lease > evidence.leaseDurationMs) {
    const since = lease === null ? '' : ` since ${timeOfDay(lease)}`
    return state(
      null,
      null,
      `The kubelet has not renewed its lease${since}: the API has what was last written.`,
    )
  }
  const deadline = deadlineOf(pod)
  const isOver = deadline !== null && now >= deadline
  // Of a mirror it stops nothing: the kubelet creates another one.
  const isDeleted = !evidence.isStatic && deletionAt(pod) !== null
  const why = isDeleted
    ? 'It has a deletionTimestamp'
    : isOver
      ? 'Its activeDeadlineSeconds are over'
      : 'The kubelet evicts it'
  if (isDeleted || isOver || endedByKubeletAt(pod) !== null) {
    if (haveAllEnded(pod))
      return state('TerminatedPod', 'possible', `${why}, and its containers have ended.`)
    return runningByStatus(pod).length > 0
      ? state('TerminatingPod', 'possible', `${why}, and its last status says running.`)
      : state(null, null, `${why}, and no container was ever reported.`)
  }
  if (hasCompleted(pod)) return { ...completing(), certainty: 'possible' }
  if (!hasKubeletStatus(pod))
    return state(null, null, 'The kubelet has written no status: it may not have received the pod.')
  return state('SyncPod', 'possible', 'Its last status says so; nothing has asked to stop it.')
}

/** A kubelet's facts that are older than this are no longer taken for certain. */
const freshMs = 2 * runningPodsLagMs

function aged(inferred: InferredState, evidence: PodEvidence, now: number): InferredState {
  const at = Math.min(evidence.told?.at ?? now, evidence.running?.at ?? now)
  return inferred.certainty === 'certain' && now - at > freshMs
    ? {
        ...inferred,
        certainty: 'likely',
        because: `${inferred.because} The kubelet was last read at ${timeOfDay(at)}.`,
      }
    : inferred
}

/** The state that the worker of a pod must be in. Pure. `now` in ms. The first rule that fits decides. */
export function inferState(evidence: PodEvidence, now: number): InferredState {
  const { kubelet, told, isStatic } = evidence
  if (kubelet === 'refused')
    return state(
      'none',
      'likely',
      'Nothing listens on the kubelet’s port: without a kubelet there is no worker. Its containers keep running.',
    )
  if (kubelet !== 'answers' || told === null) return withoutKubelet(evidence, now)
  if (told.value === null) return aged(notTold(evidence), evidence, now)
  return aged(isStatic ? toldStatic(evidence, now) : toldPod(evidence, now), evidence, now)
}
