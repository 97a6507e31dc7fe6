import type { ActEffect, ActFacts, AfterExit, ContainerActFacts, ObjectEffect } from '../act.ts'
import type { Span } from '../span.ts'
import { endsOf, isConnected, objectAfterStop } from './forecast-effect.ts'
import { effectiveGrace, isStopUnderWay } from './forecast-grace.ts'
import type { Grace } from './forecast-grace.ts'
import { mirrorWithoutPod } from './forecast-refusal.ts'

/** From the end of a container until it runs again: a relist of the runtime, a sync, and the start. */
const noticedSeconds = 5
/** A sync that found a back-off is repeated after 10 to 15 s (pod-workers#shared-state). */
const retrySeconds = 17

/** Seconds of a call of StopContainer, which no rule of the kubelet changes: 0 is SIGKILL at once. Pure. */
export function containerGrace(
  facts: ActFacts,
  asked: number | null,
  target: ContainerActFacts | undefined,
): Grace {
  const workerSeconds = asked ?? facts.specGraceSeconds
  const isWaiting = target?.kind === 'sidecar' && facts.runningContainers > 1
  const hasHook = target?.hasPreStop === true
  const isUnderWay = isStopUnderWay(facts) && !isWaiting && !hasHook
  const left = isUnderWay ? facts.sigkillInSeconds : null
  const killSeconds = Math.min(workerSeconds, left ?? workerSeconds)
  return { workerSeconds, termSeconds: 0, killSeconds, isUnderWay }
}

/** Whether the kubelet lets nothing of the pod start again. */
function isEnding({
  worker,
  terminationRequested,
  deletionTimestamp,
  isListed,
}: ActFacts): boolean {
  return worker !== 'SyncPod' || terminationRequested || deletionTimestamp !== null || !isListed
}

function nextOf(
  facts: ActFacts,
  target: ContainerActFacts,
): Record<'exitZero' | 'failed', AfterExit> {
  const isLeft = facts.kubelet === 'stopped' || isEnding(facts)
  const { exitZero, failed } = target.after
  return isLeft
    ? { exitZero: 'stays', failed: 'stays' }
    : { exitZero: exitZero.next, failed: failed.next }
}

function waitOf({ isSyncing }: ActFacts, { killSeconds }: Grace, target: ContainerActFacts): Span {
  const { seconds, expiresInSeconds } = target.backOff
  const earliest = killSeconds >= expiresInSeconds ? 0 : seconds
  if (isSyncing || target.isPulledAgain) return { earliest, latest: null }
  const isWaiting = seconds > 0 && expiresInSeconds > 0
  return { earliest, latest: isWaiting ? seconds + retrySeconds : noticedSeconds }
}

function objectOf(facts: ActFacts, grace: Grace, target: ContainerActFacts): ObjectEffect {
  const isDeleted = facts.deletionTimestamp !== null
  if (!facts.hasApiObject) return missingObject(facts, grace)
  if (!isConnected(facts)) return { kind: isDeleted ? 'terminating' : 'unchanged' }
  if (isEnding(facts)) return objectOfEndingPod(facts)
  const { exitZero, failed } = target.after
  if (
    facts.isSyncing ||
    failed.phase === null ||
    (exitZero.phase === null && grace.killSeconds > 0)
  )
    return { kind: 'stays', ends: [], isSure: false }
  const killed = { phase: failed.phase, reason: '' } as const
  return exitZero.phase === null || exitZero.phase === failed.phase || grace.killSeconds === 0
    ? { kind: 'stays', ends: [killed], isSure: true }
    : { kind: 'stays', ends: [killed, { phase: exitZero.phase, reason: '' }], isSure: true }
}

/** The sync that follows the end of a container makes a static pod's mirror. */
function missingObject(facts: ActFacts, { killSeconds }: Grace): ObjectEffect {
  if (facts.kind !== 'static' || isEnding(facts) || !isConnected(facts)) return { kind: 'absent' }
  const latest = facts.isSyncing ? null : killSeconds + noticedSeconds
  return { kind: 'replaced', gone: { earliest: 0, latest: null }, back: { earliest: 0, latest } }
}

/** As without the act, but it may be sooner. */
function objectOfEndingPod(facts: ActFacts): ObjectEffect {
  const ends = facts.deletionTimestamp === null ? [] : endsOf(facts, '')
  const object = objectAfterStop(facts, effectiveGrace(facts, null), { ends, isSure: false })
  return object.kind === 'goes' ? { ...object, after: { ...object.after, earliest: 0 } } : object
}

/** The runtime stops one container, and the kubelet does what it does with each that has ended. Pure. */
export function restartEffect(
  facts: ActFacts,
  grace: Grace,
  target: ContainerActFacts | undefined,
): ActEffect {
  const answer = { kind: 'notAsked' } as const
  if (target === undefined)
    return {
      answer,
      object: { kind: 'unchanged' },
      containers: { kind: 'runOn' },
      startsAgain: false,
    }
  const after = nextOf(facts, target)
  return {
    answer,
    object: objectOf(facts, grace, target),
    containers: { kind: 'stopOne', name: target.name, earliest: 0, latest: grace.killSeconds },
    startsAgain: facts.kubelet !== 'stopped' && !isEnding(facts),
    restart: { after, wait: waitOf(facts, grace, target), restarts: target.restarts + 1 },
  }
}

/** Why the runtime is not asked to stop the container. Pure. */
export function restartRefusal(facts: ActFacts, target: ContainerActFacts | undefined): string {
  if (facts.seenIn !== '')
    return 'Only the container runtime of its node can stop one container: run crictl stop there.'
  if (facts.worker === 'noKubelet')
    return 'No kubelet has this pod, so none of its containers runs.'
  if (facts.kind === 'mirror') return mirrorWithoutPod
  switch (facts.runtime) {
    case 'off':
      return 'The machine is off, so none of its containers runs.'
    case 'down':
      return 'The container runtime is unreachable, so it cannot stop a container.'
    case 'hangs':
      return 'Calls of the container runtime hang, so it would not answer.'
    case 'answers':
      break
  }
  if (target === undefined) return 'The pod has no container of this name.'
  return target.isRunning
    ? ''
    : `Container ${target.name} is not running (${target.state}), so there is nothing to stop.`
}
