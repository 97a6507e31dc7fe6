import type { ActFacts, ForecastMark } from './act.ts'

/** The runtime gives every container at least this long, whatever the grace (semantics 7.6). */
export const runtimeMinimumSeconds = 2

/** Seconds until a stop is over, by the rules of the worker and of the runtime. */
export interface Grace {
  /** What the worker uses (4.6). */
  readonly workerSeconds: number
  /** When SIGTERM comes: a preStop hook runs first, inside the grace. */
  readonly termSeconds: number
  /** When SIGKILL comes at the latest, after the runtime's minimum. */
  readonly killSeconds: number
  readonly isShortened: boolean
  readonly isLengthened: boolean
}

/**
 * Semantics 4.6 and 7.6 as far as a click can reach them: less than 1 counts as 1, a later request only
 * shortens, and after a preStop hook at least two seconds are left. `asked` null: the pod's own. Pure.
 */
export function effectiveGrace(facts: ActFacts, asked: number | null): Grace {
  const wanted = Math.max(1, asked ?? facts.specGraceSeconds)
  const inUse = facts.graceInUseSeconds
  return graceOf(facts, inUse === null ? wanted : Math.min(inUse, wanted))
}

/** The same of a grace that is given to the worker itself: beside a deletion with 0 s it counts as it is (4.6). Pure. */
export function effectiveKillGrace(facts: ActFacts, asked: number | null): Grace {
  return asked !== null && facts.terminationRequested && facts.deletionGraceSeconds === 0
    ? graceOf(facts, Math.max(1, asked))
    : effectiveGrace(facts, asked)
}

function graceOf(facts: ActFacts, workerSeconds: number): Grace {
  const inUse = facts.graceInUseSeconds
  const termSeconds = Math.min(facts.preStopSleepSeconds, workerSeconds)
  return {
    workerSeconds,
    termSeconds,
    killSeconds: termSeconds + Math.max(runtimeMinimumSeconds, workerSeconds - termSeconds),
    isShortened: inUse !== null && workerSeconds < inUse,
    isLengthened: inUse !== null && workerSeconds > inUse,
  }
}

/** From the click to SIGKILL, then `last`; empty where nothing runs. Pure. */
export function stopMarks(
  facts: ActFacts,
  grace: Grace,
  last: readonly ForecastMark[],
): readonly ForecastMark[] {
  if (facts.runningContainers === 0) return []
  const hook: readonly ForecastMark[] =
    grace.termSeconds === 0 ? [] : [{ atSeconds: 0, label: 'preStop', tone: 'plain' }]
  return [
    ...hook,
    { atSeconds: grace.termSeconds, label: 'SIGTERM', tone: 'plain' },
    { atSeconds: grace.killSeconds, label: 'SIGKILL', tone: 'kill' },
    ...last,
  ]
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

/** What a stop that is under way already makes of another one. Pure. */
export function terminatingWarnings(facts: ActFacts, grace: Grace): readonly string[] {
  if (!facts.terminationRequested || isOver(facts)) return []
  const inUse = facts.graceInUseSeconds ?? grace.workerSeconds
  if (grace.isLengthened)
    return [
      `It is stopping already with ${inUse} s. Beside a deletion with 0 s the worker takes the grace of a kill as it is: it becomes longer, until the next update of the pod.`,
    ]
  return [
    grace.isShortened
      ? `It is stopping already with ${inUse} s. The worker takes the shorter grace, but a stop call that is under way in the runtime is not interrupted.`
      : `It is stopping already with ${inUse} s; this does not make it shorter, so nothing changes.`,
  ]
}

/** Who makes another pod in its place, as the end of a sentence; empty where nobody does. Pure. */
export function replacementSentence(facts: ActFacts): string {
  return facts.controlledBy === '' ? '' : ` ${facts.controlledBy} then makes another pod.`
}

/** What protects the pod or not. `budget`: what this act asks of disruption budgets. Pure. */
export function protections(
  facts: ActFacts,
  budget: string,
): readonly { readonly label: string; readonly value: string }[] {
  return [
    { label: 'PodDisruptionBudget', value: budget },
    { label: 'static', value: facts.kind === 'static' ? 'yes' : 'no' },
    { label: 'critical', value: criticalWord(facts) },
    {
      label: 'finalizers',
      value: facts.finalizers.length === 0 ? 'none' : facts.finalizers.join(', '),
    },
  ]
}

function criticalWord({ criticalBecause, priority }: ActFacts): string {
  switch (criticalBecause) {
    case '':
      return `no, priority ${priority}`
    case 'priority':
      return `yes, priority ${priority}`
    default:
      return `yes, because it is ${criticalBecause}`
  }
}
