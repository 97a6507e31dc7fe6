import type { ActFacts } from '../act.ts'

/** The runtime gives every container at least this long, with any grace (termination#stopping-containers). */
export const runtimeMinimumSeconds = 2

/** Seconds until a stop ends, by the rules of the worker and of the runtime. */
export interface Grace {
  /** What the worker uses (termination#grace-period). */
  readonly workerSeconds: number
  /** When SIGTERM comes: a preStop hook runs first, inside the grace. */
  readonly termSeconds: number
  /** When SIGKILL comes at the latest, after the runtime's minimum. */
  readonly killSeconds: number
  /** The stop is under way already, and no other grace reaches it. */
  readonly isUnderWay: boolean
}

/**
 * termination#grace-period and termination#stopping-containers as far as a click can reach them: less than 1 is
 * treated as 1, a later request only shortens, and after a preStop hook at least two seconds are left.
 * `asked` null: the pod's own. Pure.
 */
export function effectiveGrace(facts: ActFacts, asked: number | null): Grace {
  const wanted = Math.max(1, asked ?? facts.specGraceSeconds)
  const inUse = facts.graceInUseSeconds
  return graceOf(facts, inUse === null ? wanted : Math.min(inUse, wanted))
}

/** The same of a grace that is given to the worker itself: after a deletion with 0 s it counts as it is (termination#grace-period). Pure. */
export function effectiveKillGrace(facts: ActFacts, asked: number | null): Grace {
  return asked !== null && facts.terminationRequested && facts.deletionGraceSeconds === 0
    ? graceOf(facts, Math.max(1, asked))
    : effectiveGrace(facts, asked)
}

/** Whether the runtime stops the pod's containers now: it keeps the grace of its start (termination#grace-period). Pure. */
export function isStopUnderWay({ worker, runningContainers }: ActFacts): boolean {
  return worker === 'TerminatingPod' && runningContainers > 0
}

function graceOf(facts: ActFacts, workerSeconds: number): Grace {
  const { runningSidecars, runningContainers, sigkillInSeconds } = facts
  // A sidecar waits for its turn as long as its grace lasts, and has the runtime's minimum after that.
  const sidecarSeconds = runningSidecars > 0 && runningContainers > 1 ? runtimeMinimumSeconds : 0
  if (isStopUnderWay(facts)) {
    const left = sigkillInSeconds ?? facts.graceInUseSeconds ?? workerSeconds
    const killSeconds = left + sidecarSeconds
    return { workerSeconds, termSeconds: 0, killSeconds, isUnderWay: true }
  }
  const termSeconds = Math.min(facts.preStopSleepSeconds, workerSeconds)
  // A hook of unknown length may take the whole grace.
  const hookSeconds = facts.hasOtherPreStop ? workerSeconds : termSeconds
  const ownSeconds = hookSeconds + Math.max(runtimeMinimumSeconds, workerSeconds - hookSeconds)
  const killSeconds = Math.max(
    ownSeconds,
    sidecarSeconds === 0 ? 0 : workerSeconds + sidecarSeconds,
  )
  return { workerSeconds, termSeconds, killSeconds, isUnderWay: false }
}

const wordsWhenStopped: readonly ActFacts['worker'][] = [
  'TerminatedPod',
  'TerminatedAndRecreatedPod',
  'finished',
]

/** Whether the pod's containers have stopped for good. Pure. */
export function isOver(facts: ActFacts): boolean {
  return wordsWhenStopped.includes(facts.worker)
}
