import { assertNever } from '../assert-never.ts'
import type { Act, ActFacts, ActForecast, BudgetFact } from './act.ts'
import { forecastDelete } from './forecast-delete.ts'
import {
  effectiveGrace,
  effectiveKillGrace,
  isOver,
  protections,
  replacementSentence,
  runtimeMinimumSeconds,
  stopMarks,
  terminatingWarnings,
} from './forecast-grace.ts'

/** A kubelet under hard node pressure grants this (semantics 8.7). */
const evictionGraceSeconds = 1

/** What stands in the way of acting on the worker at all; empty when nothing does. */
function workerRefusal(facts: ActFacts, act: 'kill' | 'evict'): string {
  if (facts.readOnly) return 'Nodescope was started with --read-only: it shows and does not act.'
  if (facts.kubelet === 'stopped')
    return 'The kubelet of this node does not run: nobody is there to stop the containers.'
  if (facts.kind === 'mirror')
    return 'This mirror has no static pod here, so nothing of it runs; the kubelet deletes it at its next housekeeping.'
  if (facts.worker === 'noKubelet')
    return `No kubelet has this pod yet, so there is nothing to ${act}.`
  if (facts.worker === 'none') return `It has no worker, so there is nothing to ${act}.`
  if (isOver(facts)) return 'Its containers have stopped already.'
  return ''
}

/** Where the object ends when the kubelet stops the pod and nobody deletes it (semantics 7.9, 7.10). */
function killOutcome(facts: ActFacts): { readonly summary: string; readonly outcome: string } {
  if (facts.deletionTimestamp !== null)
    return {
      summary:
        'Stops its containers here and now. It was deleted already, so its object goes when they have stopped.',
      outcome: 'object gone',
    }
  if (facts.kind === 'static') {
    const phase =
      facts.restartPolicy === 'Always'
        ? 'Running'
        : facts.restartPolicy === 'OnFailure'
          ? 'Running, or Succeeded when every container exits 0'
          : 'Failed, or Succeeded when every container exits 0'
    return {
      summary: `Stops its containers here and now. A static pod stays down until its manifest changes or the kubelet restarts; its mirror stays in the API with phase ${phase}.`,
      outcome: `mirror stays, phase ${phase}`,
    }
  }
  const replacement =
    facts.controlledBy === '' ? '' : `; ${facts.controlledBy} then makes another pod`
  return {
    summary: `Stops its containers here and now. The API object stays and ends as Failed, or as Succeeded when every container exits 0${replacement}.`,
    // A container that waits for its back-off counts by its last end (semantics 7.10).
    outcome:
      facts.runningContainers === 0 && facts.phase === 'Pending'
        ? 'object stays, Failed'
        : 'object stays, Failed or Succeeded',
  }
}

const noHandler =
  'Without a handler PID 1 ignores SIGTERM: the container is killed at the end and exits 137.'

function forecastKill(facts: ActFacts, asked: number | null): ActForecast {
  const grace = effectiveKillGrace(facts, asked)
  const refusal = workerRefusal(facts, 'kill')
  const { summary, outcome } = killOutcome(facts)
  const neverStarted = facts.worker === 'waiting' && facts.kind === 'static'
  const warnings = [...terminatingWarnings(facts, grace)]
  if (grace.killSeconds > grace.workerSeconds && facts.runningContainers > 0)
    warnings.push(`The runtime gives every container at least ${runtimeMinimumSeconds} s.`)
  return {
    act: 'kill',
    isAllowed: refusal === '',
    refusal,
    title: 'Kill at the worker',
    summary: neverStarted
      ? 'It waits for another pod of its name and has no containers. Killed now, it never starts, until its manifest changes or the kubelet restarts.'
      : summary,
    marks: stopMarks(facts, grace, [
      { atSeconds: grace.killSeconds + 0.5, label: 'TerminatedPod', tone: 'terminated' },
    ]),
    graceSeconds: grace.workerSeconds,
    outcome: neverStarted ? 'never starts' : outcome,
    warnings: facts.runningContainers > 0 ? [...warnings, noHandler] : warnings,
    protections: protections(facts, 'not asked by a kill'),
    kubectl:
      facts.kind === 'static'
        ? {
            caption:
              'kubectl cannot do this: deleting the mirror leaves the containers running; it can watch',
            line: `kubectl get pod -n ${facts.namespace} ${facts.name} -w`,
          }
        : {
            caption: 'kubectl has no kill; nearest, and it also removes the object',
            line: `kubectl delete pod -n ${facts.namespace} ${facts.name} --grace-period=${grace.workerSeconds}`,
          },
    confirm: `Kill, ${grace.workerSeconds} s grace`,
    takesGrace: true,
    lanes: null,
    isSelfRighting: false,
  }
}

function kubeletEvictionRefusal(facts: ActFacts): string {
  const refusal = workerRefusal(facts, 'evict')
  if (facts.readOnly || facts.kind === 'mirror') return refusal
  switch (facts.criticalBecause) {
    case 'static':
      return 'A static pod counts as critical, whatever its priority: the kubelet never evicts it.'
    case 'mirror':
      return 'A mirror pod counts as critical: the kubelet never evicts it.'
    case 'priority':
      return `Its priority ${facts.priority} makes it critical (2000000000 and more): the kubelet never evicts it.`
    case '':
      return refusal
    default:
      return assertNever(facts.criticalBecause, 'reason to be critical')
  }
}

function forecastKubeletEviction(facts: ActFacts): ActForecast {
  const grace = effectiveGrace(facts, evictionGraceSeconds)
  const refusal = kubeletEvictionRefusal(facts)
  const warnings = [...terminatingWarnings(facts, grace)]
  if (facts.terminationRequested)
    warnings.push(
      'It was stopping for another reason before, so its record is not marked as evicted.',
    )
  if (facts.runningContainers > 0)
    warnings.push(
      'If every container exits 0 on SIGTERM the pod ends as Succeeded and reads Completed, not Evicted; only the condition DisruptionTarget tells.',
    )
  const isDeleted = facts.deletionTimestamp !== null
  const rest = isDeleted
    ? 'It was deleted already, so its object goes when its containers have stopped.'
    : `The object stays as Failed, reason Evicted, until somebody deletes it.${replacementSentence(facts)}`
  return {
    act: 'evictByKubelet',
    isAllowed: refusal === '',
    refusal,
    title: 'Evict by the kubelet',
    summary: `As under node pressure: no budget is asked, grace ${evictionGraceSeconds} s. ${rest}`,
    marks: stopMarks(facts, grace, [
      { atSeconds: grace.killSeconds + 0.5, label: 'TerminatedPod', tone: 'terminated' },
    ]),
    graceSeconds: grace.workerSeconds,
    outcome: isDeleted ? 'object gone' : 'object stays, Failed, Evicted',
    warnings,
    protections: protections(facts, 'not asked by a kubelet'),
    kubectl: {
      caption: 'kubectl cannot ask a kubelet for this; it can show what came of it',
      line: `kubectl events -n ${facts.namespace} --for pod/${facts.name} --types=Warning`,
    },
    confirm: 'Evict by the kubelet',
    takesGrace: false,
    lanes: null,
    isSelfRighting: false,
  }
}

function apiEvictionRefusal(facts: ActFacts): string {
  if (facts.readOnly) return 'Nodescope was started with --read-only: it shows and does not act.'
  if (facts.kind === 'static')
    return 'A static pod is not in the API, only its mirror is: evicting the mirror would delete the copy, the kubelet would create it again, and the containers would run on.'
  if (!facts.apiServerReachable)
    return 'The API server does not answer now, and it is the one that evicts.'
  if (!facts.hasApiObject)
    return 'Its object is gone from the API server; only its containers are still being stopped.'
  return ''
}

/** Why the API server asks no budget (semantics 8.11), as the end of a sentence; empty where it asks. */
function budgetSkipped({ phase, deletionTimestamp }: ActFacts): string {
  if (phase === 'Succeeded' || phase === 'Failed') return 'over'
  if (phase === 'Pending') return 'Pending'
  return deletionTimestamp === null ? '' : 'deleted already'
}

function askedBudgets({ budget }: ActFacts): string {
  return budget.kind === 'allows'
    ? `the disruption budget ${budget.name}`
    : 'the disruption budgets'
}

/** What the budgets make of an eviction, for the table of what protects the pod. */
function budgetProtection({ budget }: ActFacts, skipped: string): string {
  if (skipped !== '') return `not asked: the pod is ${skipped}`
  switch (budget.kind) {
    case 'unknown':
      return 'asked; 429 when it allows none'
    case 'none':
      return 'none guards it'
    case 'allows':
      return `${budget.name} allows it now`
    case 'refuses':
      return `${budget.name} ${budget.code === 500 ? 'refuse' : 'refuses'} now, ${budget.code}`
    default:
      return assertNever(budget, 'budget')
  }
}

/** An eviction that the API server would answer with a refusal: said before the click, not forbidden. */
function refusedEviction(
  forecast: ActForecast,
  { name, code, why }: Extract<BudgetFact, { readonly kind: 'refuses' }>,
): ActForecast {
  const plural = code === 500 ? 'budgets' : 'budget'
  return {
    ...forecast,
    summary: `The API server asks the disruption ${plural} ${name}, and would refuse now with ${code}: ${why}. Nothing happens to the pod then.`,
    marks: [],
    outcome: 'nothing changes',
    warnings: [],
    kubectl: {
      ...forecast.kubectl,
      caption:
        code === 429
          ? 'the same with kubectl; kubectl drain would ask again every 5 s'
          : forecast.kubectl.caption,
    },
  }
}

function forecastApiEviction(facts: ActFacts, asked: number | null): ActForecast {
  const forecast = passedEviction(facts, asked)
  const { budget } = facts
  return budget.kind === 'refuses' && budgetSkipped(facts) === ''
    ? refusedEviction(forecast, budget)
    : forecast
}

function passedEviction(facts: ActFacts, asked: number | null): ActForecast {
  const refusal = apiEvictionRefusal(facts)
  const isTerminal = facts.phase === 'Succeeded' || facts.phase === 'Failed'
  const isImmediate = isTerminal || facts.kind === 'mirror' || asked === 0
  const grace = effectiveGrace(facts, asked)
  const warnings = [...terminatingWarnings(facts, grace)]
  if (asked === 0 && !isTerminal && facts.runningContainers > 0)
    warnings.push(
      'With grace 0 the object is gone at once, while its containers still run for up to 2 s.',
    )
  const replacement = replacementSentence(facts)
  const skipped = budgetSkipped(facts)
  const isAsked = skipped === '' && facts.budget.kind !== 'none'
  const stop = `stops its containers with ${grace.workerSeconds} s of grace`
  const deletion =
    asked === 0
      ? `deletes it at once; the kubelet then ${stop}`
      : `deletes it; the kubelet ${stop}, then the object goes`
  return {
    act: 'evictThroughApi',
    isAllowed: refusal === '',
    refusal,
    title: 'Evict through the API',
    summary: isTerminal
      ? 'The API server deletes the object at once: the pod is over, so no budget is asked and nothing is left to stop.'
      : `The API server ${isAsked ? `asks ${askedBudgets(facts)}, ` : ''}marks the pod with DisruptionTarget and ${deletion}.${replacement}`,
    marks: stopMarks(
      facts,
      grace,
      isImmediate
        ? [{ atSeconds: grace.killSeconds + 0.5, label: 'containers gone', tone: 'terminated' }]
        : [{ atSeconds: grace.killSeconds + 1, label: 'object gone', tone: 'terminated' }],
    ),
    graceSeconds: isTerminal ? 0 : grace.workerSeconds,
    outcome:
      facts.finalizers.length > 0
        ? `object stays until ${facts.finalizers.join(', ')} is removed`
        : isImmediate
          ? 'object gone at once'
          : 'object gone',
    warnings,
    protections: protections(facts, budgetProtection(facts, skipped)),
    kubectl: {
      caption: 'the same with kubectl',
      line: evictionLine(facts, asked),
    },
    confirm: isTerminal ? 'Evict' : `Evict, ${asked === 0 ? 0 : grace.workerSeconds} s grace`,
    takesGrace: !isTerminal,
    lanes: null,
    isSelfRighting: false,
  }
}

function evictionLine(facts: ActFacts, asked: number | null): string {
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace: facts.namespace, name: facts.name },
    ...(asked === null ? {} : { deleteOptions: { gracePeriodSeconds: asked } }),
  }
  return `echo '${JSON.stringify(body)}' | kubectl create --raw /api/v1/namespaces/${facts.namespace}/pods/${facts.name}/eviction -f -`
}

/**
 * Says what an act will do to a pod, from facts alone. Pure; used by the dialogs before the click and
 * by main before it acts, so that both say the same. `graceSeconds` null: the pod's own.
 */
export function forecastAct(act: Act, facts: ActFacts, graceSeconds: number | null): ActForecast {
  const forecast = forecastWhileHeard(act, facts, graceSeconds)
  return act === 'kill' || act === 'evictByKubelet' || facts.kubelet === 'running'
    ? forecast
    : unheard(forecast, facts)
}

/** What is asked of the API server while the kubelet does not hear of it: the object's part happens, the rest waits. */
function unheard(forecast: ActForecast, { kubelet, runningContainers }: ActFacts): ActForecast {
  const { act, isAllowed, marks, lanes, warnings } = forecast
  if (!isAllowed || (marks.length === 0 && lanes === null)) return forecast
  const until =
    kubelet === 'stopped'
      ? 'the kubelet of its node runs again'
      : 'its node can reach the API server again'
  const waiting =
    act === 'deleteMirror'
      ? `The mirror comes back only when ${until}.`
      : runningContainers > 0
        ? `Its containers run on until ${until}; an object that waits for them reads Terminating.`
        : `An object that waits for the kubelet reads Terminating until ${until}.`
  return { ...forecast, marks: [], lanes: null, warnings: [waiting, ...warnings] }
}

function forecastWhileHeard(act: Act, facts: ActFacts, graceSeconds: number | null): ActForecast {
  switch (act) {
    case 'kill':
      return forecastKill(facts, graceSeconds)
    case 'evictByKubelet':
      return forecastKubeletEviction(facts)
    case 'evictThroughApi':
      return forecastApiEviction(facts, graceSeconds)
    case 'delete':
    case 'forceDelete':
    case 'deleteMirror':
      return forecastDelete(act, facts, graceSeconds)
    default:
      return assertNever(act, 'act')
  }
}
