import { assertNever } from '../../assert-never.ts'
import type {
  ActEffect,
  ActFacts,
  ActForecast,
  ForecastMark,
  ObjectEffect,
  ObjectEnd,
} from '../act.ts'
import { budgetSkipped, isDeletedAtOnce, isTerminal } from './forecast-effect.ts'
import type { ForecastInput } from './forecast-input.ts'
import { restartFacts, restartMarks, restartWarnings } from './forecast-container-words.ts'
import { runtimeMinimumSeconds } from './forecast-grace.ts'

/** `429 TooManyRequests`: how an API server refused. `reason` may be empty. Pure. */
export function answerWords(code: number, reason: string): string {
  return reason === '' ? String(code) : `${code} ${reason}`
}

function endWord({ phase, reason }: ObjectEnd): string {
  return reason === '' ? phase : `${phase} (${reason})`
}

/** `Failed, or Succeeded if every container exits 0`. Pure. */
export function endWords([killed, exitZero]: readonly ObjectEnd[]): string {
  if (killed === undefined) return 'not known yet'
  return exitZero === undefined
    ? endWord(killed)
    : `${endWord(killed)}, or ${endWord(exitZero)} if every container exits 0`
}

function isMirrorObject({ kind }: ActFacts): boolean {
  return kind !== 'regular'
}

/** What the object looks like in the end. Pure. */
export function outcomeOf({ object }: ActEffect, facts: ActFacts): string {
  const what = isMirrorObject(facts) ? 'mirror' : 'object'
  switch (object.kind) {
    case 'absent':
      return `no ${what} in the API`
    case 'unchanged':
      return `${what} unchanged`
    case 'stays':
      return `${what} stays: ${endWords(object.ends)}`
    case 'goes':
      return object.after.latest === 0 ? `${what} gone at once` : `${what} gone`
    case 'held':
      return `${what} stays Terminating until ${object.finalizers.join(', ')} is removed`
    case 'terminating':
      return `${what} stays Terminating`
    case 'replaced':
      return 'a new mirror with another UID'
    default:
      return assertNever(object, 'effect on the object')
  }
}

/** From the click to SIGKILL and what follows it; empty where nothing is stopped. Pure. */
export function marksOf(input: ForecastInput): readonly ForecastMark[] {
  const { act, effect, grace } = input
  if (act === 'restartContainer') return restartMarks(input)
  const { containers, object } = effect
  if (containers.kind !== 'stop' || containers.latest === null || act === 'deleteMirror') return []
  const { termSeconds, killSeconds, isUnderWay } = grace
  const last: ForecastMark =
    object.kind === 'goes' && object.after.latest !== 0
      ? { atSeconds: killSeconds + 1, label: 'object gone', tone: 'terminated' }
      : { atSeconds: killSeconds + 0.5, label: 'containers stopped', tone: 'terminated' }
  return [
    ...(isUnderWay || termSeconds === 0 ? [] : [mark(0, 'preStop')]),
    ...(isUnderWay ? [] : [mark(termSeconds, 'SIGTERM')]),
    { atSeconds: killSeconds, label: 'SIGKILL', tone: 'kill' },
    last,
  ]
}

function mark(atSeconds: number, label: string): ForecastMark {
  return { atSeconds, label, tone: 'plain' }
}

/** What happens to the containers where nothing is stopped. Pure. */
export function containersTextOf({ answer, containers }: ActEffect): string {
  if (containers.kind === 'stop')
    return 'The stop begins when the worker has finished the sync that is under way.'
  if (containers.kind === 'stopOne') return 'The other containers keep running.'
  const runOn = containers.kind === 'runOn'
  if (answer.kind === 'refuses')
    return `The budget blocks the eviction; the pod ${runOn ? 'keeps running' : 'stays as it is'}.`
  return runOn ? 'The containers keep running.' : 'No container runs, so none is stopped.'
}

/** Who makes another pod in its place, as a sentence of its own; empty where no controller does. */
function replacement({ controlledBy }: ActFacts): string {
  return controlledBy === '' ? '' : ` ${controlledBy} then creates another pod.`
}

const neverStarts =
  'It waits for another pod of its name and has no containers. Killed now, it does not start until its manifest changes or the kubelet restarts.'

function objectSentence(object: ObjectEffect, facts: ActFacts): string {
  switch (object.kind) {
    case 'absent':
      return 'The API server has no object of it.'
    case 'unchanged':
      return 'The API object changes only when the node reaches the API server again.'
    case 'stays':
      return facts.kind === 'static'
        ? `A static pod stays stopped until its manifest changes or the kubelet restarts; its mirror stays in the API with phase ${endWords(object.ends)}.`
        : `The API object stays, with phase ${endWords(object.ends)}, until it is deleted.`
    case 'goes':
      return facts.kind === 'static'
        ? 'Its manifest is gone, so its mirror is deleted after that.'
        : 'The pod is being deleted, so the API object goes after that.'
    case 'held':
      return `The pod is being deleted; ${object.finalizers.join(', ')} keeps the API object.`
    case 'terminating':
      return 'The pod is being deleted; its API object goes when the node reaches the API server again.'
    case 'replaced':
      return ''
    default:
      return assertNever(object, 'effect on the object')
  }
}

/** The kubelet stops the pod: `first`, then the object and its replacement. Pure. */
export function stopSummary({ facts, effect }: ForecastInput, first: string): string {
  return `${first} ${objectSentence(effect.object, facts)}${replacement(facts)}`
}

/** What a kill does, in whole sentences. Pure. */
export function killSummary(input: ForecastInput): string {
  return input.facts.worker === 'waiting'
    ? neverStarts
    : stopSummary(input, 'Stops the containers on this node; the API server is not asked.')
}

/** The refusal of an eviction, as the API server's answer. Pure. */
function budgetRefusal({ effect, facts }: Pick<ForecastInput, 'effect' | 'facts'>): string {
  const { answer } = effect
  const { budget } = facts
  if (answer.kind !== 'refuses' || budget.kind !== 'refuses') return ''
  const budgets = budget.code === 500 ? 'PodDisruptionBudgets' : 'PodDisruptionBudget'
  return `The API server refuses it now (${answerWords(answer.code, answer.reason)}): ${budgets} ${budget.name}: ${budget.why}.`
}

/** What an eviction through the API does, in whole sentences. Pure. */
export function evictionSummary(input: ForecastInput): string {
  const { facts, effect } = input
  if (effect.answer.kind === 'refuses') return `${budgetRefusal(input)} Nothing happens to the pod.`
  if (isTerminal(facts))
    return `The pod has ended, so the API server asks no budget. ${removal(input)}${replacement(facts)}`
  const asks =
    budgetSkipped(facts) !== '' || facts.budget.kind === 'none'
      ? ''
      : facts.budget.kind === 'allows'
        ? `asks PodDisruptionBudget ${facts.budget.name}, `
        : 'asks the pod’s PodDisruptionBudgets, '
  return `The API server ${asks}sets the condition DisruptionTarget and deletes the pod. ${removal(input)}${replacement(facts)}`
}

/** What a deletion does, in whole sentences. Pure. */
export function deletionSummary(input: ForecastInput): string {
  return `${removal(input)}${replacement(input.facts)}`
}

/** What a deletion does to object and containers. */
function removal({ act, facts, effect, grace, asked }: ForecastInput): string {
  const isAtOnce = isDeletedAtOnce(facts, act === 'forceDelete' ? 0 : asked)
  const stops =
    effect.containers.kind === 'stop'
      ? ` The kubelet then stops the containers${grace.isUnderWay ? '' : `, with a grace period of ${grace.workerSeconds} s`}.`
      : ''
  if (effect.object.kind === 'held')
    return `The API server sets deletionTimestamp; finalizers keep the object.${stops}`
  if (isAtOnce) {
    const why = isTerminal(facts)
      ? ', because the pod has ended'
      : facts.isScheduled
        ? ', without waiting for the kubelet'
        : ', because the pod has no node'
    return `The API server removes the object at once${why}.${stops}`
  }
  if (effect.object.kind === 'terminating')
    return 'The API server sets deletionTimestamp, and the object waits for the kubelet.'
  return effect.containers.kind === 'stop'
    ? `The API server sets deletionTimestamp. The kubelet stops the containers with a grace period of ${grace.workerSeconds} s, writes their last status and removes the object.`
    : 'The API server sets deletionTimestamp. The kubelet has no containers to stop and removes the object.'
}

/** What a deletion of the mirror does, in whole sentences. Pure. */
export function mirrorSummary({ facts, effect }: ForecastInput): string {
  const { object } = effect
  if (facts.kind === 'mirror' && facts.seenIn === '')
    return 'This mirror has no static pod on this node: it is deleted, nothing is stopped, and no other takes its place.'
  const only =
    'This deletes only the API server’s copy; it does not stop the containers of the static pod.'
  switch (object.kind) {
    case 'replaced':
      return facts.worker === 'waiting'
        ? `${only} The kubelet creates the mirror again when the waiting pod starts.`
        : `${only} The kubelet creates the mirror again.`
    case 'terminating':
      return facts.terminationRequested
        ? `${only} The kubelet does not sync this pod now, so it neither removes the mirror nor creates another: the mirror stays Terminating.`
        : `${only} It stays Terminating until the kubelet can remove it.`
    case 'held':
      return `${only} Finalizers keep the mirror.`
    case 'goes':
    case 'absent':
    case 'unchanged':
    case 'stays':
      return `${only} The kubelet does not create another.`
    default:
      return assertNever(object, 'effect on the mirror')
  }
}

/** What may surprise, and what the forecast cannot know, in whole sentences. Pure. */
export function warningsOf(input: ForecastInput): readonly string[] {
  const { effect } = input
  if (effect.answer.kind === 'refuses') return []
  if (input.act === 'deleteMirror') return mirrorWarnings(input)
  if (input.act === 'restartContainer') return restartWarnings(input)
  return [
    ...unheardWarnings(input),
    ...seenWarnings(input),
    ...underWayWarnings(input),
    ...endWarnings(input),
    ...stopWarnings(input),
    ...objectWarnings(input),
  ]
}

function untilHeard({ kubelet }: ActFacts): string {
  return kubelet === 'stopped'
    ? 'until the kubelet of the node runs again'
    : 'until the node reaches the API server again'
}

function unheardWarnings({ facts, effect }: ForecastInput): readonly string[] {
  if (effect.containers.kind === 'runOn')
    return [`The containers keep running ${untilHeard(facts)}.`]
  return effect.object.kind === 'terminating'
    ? [`The object reads Terminating ${untilHeard(facts)}.`]
    : []
}

const seenFromApi =
  'What runs on the node is known from the API alone: the kubelet’s last status, which may be old.'

function seenWarnings({ facts }: ForecastInput): readonly string[] {
  if (facts.seenIn === '') return []
  return facts.isScheduled && facts.deletionTimestamp !== null
    ? [seenFromApi, 'How far the stop under way has come, only the kubelet of the node knows.']
    : [seenFromApi]
}

function underWayWarnings({ effect, grace }: ForecastInput): readonly string[] {
  const { containers } = effect
  if (containers.kind !== 'stop') return []
  if (containers.latest === null)
    return [
      'The worker is busy with a sync, for example an image pull or a postStart hook. The stop begins when that ends, and containers may start before.',
    ]
  return grace.isUnderWay
    ? [
        `The containers are being stopped already. Another grace period does not change a stop under way: SIGKILL comes in ${Math.ceil(grace.killSeconds)} s at the latest.`,
      ]
    : []
}

function endWarnings({ act, facts, effect }: ForecastInput): readonly string[] {
  if (act !== 'evictByKubelet' || effect.object.kind !== 'stays') return []
  if (facts.terminationRequested)
    return [
      'The pod was being stopped for another reason before, so its status does not read Evicted.',
    ]
  if (effect.object.ends.length < 2) return []
  return [
    'If every container exits 0, kubectl shows Completed, not Evicted; only the condition DisruptionTarget tells of the eviction.',
    ...(effect.object.isSure
      ? []
      : [
          'The kubelet removes the containers of an evicted pod as they end. A container that is removed before the last one ends counts as failed, even if it exited 0.',
        ]),
  ]
}

function stopWarnings({ facts, effect, grace }: ForecastInput): readonly string[] {
  if (effect.containers.kind !== 'stop') return []
  const warnings = [
    'Nodescope does not know whether the processes handle SIGTERM. Those that do not are ended by SIGKILL, with exit code 137.',
  ]
  if (facts.runningSidecars > 0 && facts.runningContainers > 1)
    warnings.push('Sidecars are stopped after the other containers.')
  if (!grace.isUnderWay && grace.workerSeconds - grace.termSeconds < runtimeMinimumSeconds)
    warnings.push(`SIGKILL comes ${runtimeMinimumSeconds} s after SIGTERM at the earliest.`)
  return warnings
}

function objectWarnings({ facts, effect }: ForecastInput): readonly string[] {
  const { object, containers } = effect
  if (object.kind === 'held')
    return [`The object reads Terminating until ${object.finalizers.join(', ')} is removed.`]
  return object.kind === 'goes' &&
    object.after.latest === 0 &&
    containers.kind === 'stop' &&
    facts.isScheduled
    ? [
        'The name is free while the containers still run, so another pod of this name can run at the same time. How the containers ended is not recorded in the API.',
      ]
    : []
}

function mirrorWarnings({ facts, effect }: ForecastInput): readonly string[] {
  const { object } = effect
  if (facts.kubelet !== 'running') return [`No new mirror is created ${untilHeard(facts)}.`]
  if (facts.seenIn !== '')
    return [
      'Whether the node still has the manifest, only its kubelet knows: without it, no new mirror is created.',
    ]
  return object.kind === 'replaced' && object.back.latest !== null && object.gone.latest === 0
    ? [
        `Forced, the kubelet notices it late: for up to ${object.back.latest} s the pod runs and the API server has no object of it.`,
      ]
    : []
}

function criticalWord({ criticalBecause, priority }: ActFacts): string {
  switch (criticalBecause) {
    case '':
      return `no, priority ${priority}`
    case 'priority':
      return `yes, priority ${priority}`
    case 'static':
    case 'mirror':
      return `yes, because it is ${criticalBecause}`
    default:
      return assertNever(criticalBecause, 'reason to be critical')
  }
}

function budgetWord({ act, facts }: ForecastInput): string {
  if (act === 'delete' || act === 'forceDelete') return 'not checked by a delete'
  if (act === 'kill') return 'not checked by a kill'
  if (act === 'evictByKubelet') return 'not checked by a kubelet'
  const skipped = budgetSkipped(facts)
  if (skipped !== '') return `not asked: the pod is ${skipped}`
  const { budget } = facts
  switch (budget.kind) {
    case 'unknown':
      return 'asked; 429 if it allows no disruption'
    case 'none':
      return 'none selects this pod'
    case 'allows':
      return `${budget.name} allows it now`
    case 'refuses':
      return `${budget.name} ${budget.code === 500 ? 'refuse' : 'refuses'} it now, ${budget.code}`
    default:
      return assertNever(budget, 'budget')
  }
}

/** What protects the pod or not. Pure. */
export function protectionsOf(input: ForecastInput): ActForecast['protections'] {
  const { act, facts } = input
  if (act === 'restartContainer') return restartFacts(input)
  if (act === 'deleteMirror')
    return [
      {
        label: 'to stop the pod itself',
        value:
          facts.kind === 'mirror' && facts.seenIn === '' ? 'nothing runs' : 'remove its manifest',
      },
      { label: 'events to expect', value: 'none' },
    ]
  return [
    { label: 'PodDisruptionBudget', value: budgetWord(input) },
    { label: 'static', value: facts.kind === 'static' ? 'yes' : 'no' },
    { label: 'critical', value: criticalWord(facts) },
    {
      label: 'finalizers',
      value: facts.finalizers.length === 0 ? 'none' : facts.finalizers.join(', '),
    },
  ]
}
