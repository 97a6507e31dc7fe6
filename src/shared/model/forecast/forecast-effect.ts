import type {
  ActEffect,
  ActFacts,
  ContainersEffect,
  ObjectEffect,
  ObjectEnd,
  ServerAnswer,
} from '../act.ts'
import type { Span } from '../span.ts'
import type { Grace } from './forecast-grace.ts'
import { effectiveGrace, isOver } from './forecast-grace.ts'

/** A kubelet under hard node pressure grants this (eviction#evicting-one-pod). */
export const evictionGraceSeconds = 1

/** From the end of the last container until the API shows the result: a relist of the runtime, and the status. */
const settledSeconds = 3
/** The worker replaces a mirror as soon as it sees the deletion; forced, with the next periodic sync: 60 to 90 s after the one before, and the sync loop asks for those due once a second (mirror-pods#scenarios). */
const mirrorBackSeconds = { graceful: 2, forced: 91 } as const

const atOnce: Span = { earliest: 0, latest: 0 }

/** Whether the kubelet and the API server reach each other. */
export function isConnected({ kubelet, apiServerReachable }: ActFacts): boolean {
  return kubelet === 'running' && apiServerReachable
}

export function isTerminal({ apiPhase }: ActFacts): boolean {
  return apiPhase === 'Succeeded' || apiPhase === 'Failed'
}

function containersStop(facts: ActFacts, grace: Grace): ContainersEffect {
  // The sync may start more before the stop begins.
  if (facts.isSyncing) return { kind: 'stop', earliest: 0, latest: null }
  return facts.runningContainers === 0
    ? { kind: 'none' }
    : { kind: 'stop', earliest: grace.termSeconds, latest: grace.killSeconds }
}

function containersStay({ runningContainers }: ActFacts): ContainersEffect {
  return { kind: runningContainers === 0 ? 'none' : 'runOn' }
}

/** When all that waits for the containers is done. */
function settled(facts: ActFacts, grace: Grace): Span {
  if (facts.isSyncing) return { earliest: 0, latest: null }
  return facts.runningContainers === 0
    ? { earliest: 0, latest: settledSeconds }
    : { earliest: grace.termSeconds, latest: grace.killSeconds + settledSeconds }
}

/** How the object ends when the kubelet stops the pod (status#building-the-status, status#phase); `reason` where a container was killed. */
export function endsOf(
  { ends, kind, runningContainers, isSyncing }: ActFacts,
  reason: ObjectEnd['reason'],
): readonly ObjectEnd[] {
  if (isSyncing) return []
  const killed: ObjectEnd = { phase: ends.killed, reason: ends.killed === 'Failed' ? reason : '' }
  if (ends.exitZero === ends.killed || (runningContainers === 0 && kind !== 'static'))
    return [killed]
  return [killed, { phase: ends.exitZero, reason: '' }]
}

type Ends = Pick<Extract<ObjectEffect, { readonly kind: 'stays' }>, 'ends' | 'isSure'>

/** The kubelet stops the pod without a request to the API server. Pure. */
export function stopEffect(facts: ActFacts, grace: Grace, end: Ends): ActEffect {
  const answer: ServerAnswer = { kind: 'notAsked' }
  if (facts.worker === 'waiting')
    return {
      answer,
      object: { kind: 'unchanged' },
      containers: { kind: 'none' },
      startsAgain: false,
    }
  return {
    answer,
    object: objectAfterStop(facts, grace, end),
    containers: containersStop(facts, grace),
    startsAgain: false,
  }
}

/** What is left of the object when the kubelet has stopped the pod. Pure. */
export function objectAfterStop(facts: ActFacts, grace: Grace, end: Ends): ObjectEffect {
  if (!facts.hasApiObject) return { kind: 'absent' }
  const isDeleted = facts.deletionTimestamp !== null
  if (!isConnected(facts)) return { kind: isDeleted ? 'terminating' : 'unchanged' }
  if (isDeleted || !facts.isListed) return removed(facts, settled(facts, grace))
  return { kind: 'stays', ...end }
}

/** The object goes, unless finalizers hold it. */
function removed({ finalizers }: ActFacts, after: Span): ObjectEffect {
  return finalizers.length === 0 ? { kind: 'goes', after } : { kind: 'held', finalizers }
}

/** Whether the API server removes the object without waiting for the kubelet (pod strategy CheckGracefulDelete). */
export function isDeletedAtOnce(facts: ActFacts, asked: number | null): boolean {
  return !facts.isScheduled || isTerminal(facts) || (asked ?? facts.specGraceSeconds) === 0
}

/** A deletion through the API server; `asked` 0: by force. Pure. */
export function deletionEffect(facts: ActFacts, grace: Grace, asked: number | null): ActEffect {
  const isAtOnce = isDeletedAtOnce(facts, asked)
  const isStopped = isConnected(facts)
  const object: ObjectEffect = isAtOnce
    ? removed(facts, atOnce)
    : isStopped || facts.finalizers.length > 0
      ? removed(facts, settled(facts, grace))
      : { kind: 'terminating' }
  return {
    answer: { kind: 'accepts' },
    object,
    containers: isStopped ? containersStop(facts, grace) : containersStay(facts),
    startsAgain: !isStopped && facts.kubelet !== 'stopped',
  }
}

/** Why the API server asks no budget (api-server#eviction-api), as the end of a sentence; empty where it asks. Pure. */
export function budgetSkipped({ apiPhase, deletionTimestamp }: ActFacts): string {
  if (apiPhase === 'Succeeded' || apiPhase === 'Failed') return 'over'
  if (apiPhase === 'Pending') return 'Pending'
  return deletionTimestamp === null ? '' : 'already being deleted'
}

const reasonOfCode = { 403: 'Forbidden', 429: 'TooManyRequests', 500: '' } as const

/** An eviction through the API server: a deletion, unless a budget refuses it. Pure. */
export function evictionEffect(facts: ActFacts, grace: Grace, asked: number | null): ActEffect {
  const { budget } = facts
  const deletion = deletionEffect(facts, grace, asked)
  if (budgetSkipped(facts) !== '' || budget.kind === 'none' || budget.kind === 'allows')
    return deletion
  if (budget.kind === 'unknown') return { ...deletion, answer: { kind: 'unknown' } }
  return {
    answer: { kind: 'refuses', code: budget.code, reason: reasonOfCode[budget.code] },
    object: { kind: 'unchanged' },
    containers: containersStay(facts),
    startsAgain: true,
  }
}

/** A deletion of the mirror, not of its static pod. Pure. */
export function mirrorEffect(facts: ActFacts, isForced: boolean): ActEffect {
  return {
    answer: { kind: 'accepts' },
    object: mirrorObject(facts, isForced || isDeletedAtOnce(facts, null)),
    containers: facts.terminationRequested
      ? containersStop(facts, effectiveGrace(facts, null))
      : containersStay(facts),
    startsAgain:
      (facts.kind === 'static' || facts.seenIn !== '') &&
      !facts.terminationRequested &&
      !isOver(facts),
  }
}

function mirrorObject(facts: ActFacts, isAtOnce: boolean): ObjectEffect {
  const { kind, worker, terminationRequested, isListed } = facts
  const gone = isAtOnce ? atOnce : { earliest: 0, latest: settledSeconds }
  if (facts.finalizers.length > 0) return { kind: 'held', finalizers: facts.finalizers }
  if (!isConnected(facts))
    return isAtOnce ? { kind: 'goes', after: atOnce } : { kind: 'terminating' }
  if (facts.seenIn !== '')
    // Whether the node still has the static pod, only its kubelet knows.
    return { kind: 'replaced', gone, back: { earliest: 0, latest: null } }
  if (kind === 'mirror') return { kind: 'goes', after: gone }
  if (worker === 'waiting' || (worker === 'SyncPod' && facts.isSyncing))
    // The one that waits makes it, once the old one has stopped; one that syncs when that has ended.
    return {
      kind: 'replaced',
      gone: isAtOnce ? gone : { earliest: 0, latest: null },
      back: { earliest: 0, latest: null },
    }
  if (worker === 'SyncPod' && !terminationRequested) {
    const latest = isAtOnce ? mirrorBackSeconds.forced : mirrorBackSeconds.graceful
    return { kind: 'replaced', gone, back: { earliest: 0, latest } }
  }
  if (isAtOnce) return { kind: 'goes', after: atOnce }
  // Housekeeping deletes the mirror of a pod that no manifest wants, once its worker is done; no one else does.
  return isListed
    ? { kind: 'terminating' }
    : { kind: 'goes', after: settled(facts, effectiveGrace(facts, null)) }
}
