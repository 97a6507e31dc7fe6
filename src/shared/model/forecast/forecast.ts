import type { Act, ActEffect, ActFacts, ActForecast, ContainerActFacts } from '../act.ts'
import { quoted } from '../../shell-words.ts'
import { containerGrace, restartEffect, restartRefusal } from './forecast-container.ts'
import { restartConfirm, restartSummary } from './forecast-container-words.ts'
import {
  deletionEffect,
  endsOf,
  evictionEffect,
  evictionGraceSeconds,
  isTerminal,
  mirrorEffect,
  stopEffect,
} from './forecast-effect.ts'
import { effectiveGrace, effectiveKillGrace } from './forecast-grace.ts'
import type { Grace } from './forecast-grace.ts'
import { mirrorLanes } from './forecast-lanes.ts'
import { apiRefusal, evictRefusal, mirrorRefusal, workerRefusal } from './forecast-refusal.ts'
import {
  deletionSummary,
  evictionSummary,
  killSummary,
  marksOf,
  mirrorSummary,
  outcomeOf,
  protectionsOf,
  containersTextOf,
  stopSummary,
  warningsOf,
} from './forecast-words.ts'
import type { ForecastInput } from './forecast-input.ts'

/** Of an act on a container; undefined of one on the pod. */
type Target = ContainerActFacts | undefined

/** What an act has of its own; the rest of a forecast follows from its effect. Seconds; `asked` null: the pod's own grace. */
interface ActRules {
  readonly title: string
  /** On the last button, which adds the grace where the act takes one. */
  readonly verb: string
  readonly grace: (facts: ActFacts, asked: number | null, target: Target) => Grace
  readonly effect: (
    facts: ActFacts,
    grace: Grace,
    asked: number | null,
    target: Target,
  ) => ActEffect
  /** Why Nodescope does not try the act, as one sentence; empty when it does. */
  readonly refusal: (facts: ActFacts, target: Target) => string
  /** What happens to containers and API object, in whole sentences. */
  readonly summary: (input: ForecastInput) => string
  /** What kubectl would do instead, or the nearest to it. */
  readonly kubectl: (input: ForecastInput) => ActForecast['kubectl']
}

function podArguments({ facts: { namespace, name } }: ForecastInput): string {
  return `-n ${namespace} ${name}`
}

const acts: Readonly<Record<Act, ActRules>> = {
  kill: {
    title: 'Kill at the worker',
    verb: 'Kill',
    grace: effectiveKillGrace,
    effect: (facts, grace) => stopEffect(facts, grace, { ends: endsOf(facts, ''), isSure: true }),
    refusal: (facts) => workerRefusal(facts, 'kill'),
    summary: killSummary,
    kubectl: (input) =>
      input.facts.kind === 'static'
        ? {
            caption:
              'kubectl cannot do this: deleting the mirror leaves the containers running; it can watch',
            line: `kubectl get pod ${podArguments(input)} -w`,
          }
        : {
            caption: 'kubectl has no kill; the closest command also deletes the object',
            line: `kubectl delete pod ${podArguments(input)} --grace-period=${input.grace.workerSeconds}`,
          },
  },
  evictByKubelet: {
    title: 'Evict by the kubelet',
    verb: 'Evict by the kubelet',
    grace: (facts) => effectiveGrace(facts, evictionGraceSeconds),
    effect: (facts, grace) =>
      stopEffect(facts, grace, {
        ends: endsOf(facts, facts.terminationRequested ? '' : 'Evicted'),
        // The kubelet removes containers of an evicted pod as they exit; a removed one counts as failed (pod-workers#queries).
        isSure: facts.runningContainers < 2,
      }),
    refusal: evictRefusal,
    summary: (input) =>
      stopSummary(
        input,
        `As under node pressure: no budget is asked, and the grace period is ${evictionGraceSeconds} s.`,
      ),
    kubectl: ({ facts }) => ({
      caption: 'kubectl cannot ask a kubelet for this; it can show the events',
      line: `kubectl events -n ${facts.namespace} --for pod/${facts.name} --types=Warning`,
    }),
  },
  evictThroughApi: {
    title: 'Evict through the API',
    verb: 'Evict',
    grace: effectiveGrace,
    effect: evictionEffect,
    refusal: (facts) =>
      apiRefusal(
        facts,
        'evict the pod',
        'Evicting the mirror would delete the copy; the kubelet would create it again, and the containers would keep running.',
      ),
    summary: evictionSummary,
    kubectl: ({ facts, asked, effect: { answer } }) => ({
      caption:
        answer.kind === 'refuses' && answer.code === 429
          ? 'the same with kubectl; kubectl drain would ask again every 5 s'
          : 'the same with kubectl',
      line: evictionLine(facts, asked),
    }),
  },
  delete: {
    title: 'Delete',
    verb: 'Delete',
    grace: effectiveGrace,
    effect: deletionEffect,
    refusal: deletionRefusal,
    summary: deletionSummary,
    kubectl: (input) =>
      deletionLine(input, input.asked === null ? '' : ` --grace-period=${input.asked}`),
  },
  forceDelete: {
    title: 'Delete by force',
    verb: 'Delete by force',
    grace: (facts) => effectiveGrace(facts, 0),
    effect: (facts, grace) => deletionEffect(facts, grace, 0),
    refusal: deletionRefusal,
    summary: deletionSummary,
    kubectl: (input) => deletionLine(input, ' --grace-period=0 --force'),
  },
  deleteMirror: {
    title: 'Delete the mirror pod',
    verb: 'Delete mirror',
    grace: (facts) => effectiveGrace(facts, 0),
    effect: (facts, _grace, asked) => mirrorEffect(facts, asked === 0),
    refusal: mirrorRefusal,
    summary: mirrorSummary,
    kubectl: (input) => ({
      caption:
        'the same with kubectl; without --wait=false it may keep waiting for the recreated name',
      line: `kubectl delete pod ${podArguments(input)}${input.asked === 0 ? ' --grace-period=0 --force' : ''} --wait=false`,
    }),
  },
  restartContainer: {
    title: 'Restart container',
    verb: 'Stop container',
    grace: containerGrace,
    effect: (facts, grace, _asked, target) => restartEffect(facts, grace, target),
    refusal: restartRefusal,
    summary: restartSummary,
    kubectl: (input) => ({
      caption: 'the same with crictl on the node; kubectl cannot do this',
      line: crictlLine(input),
    }),
  },
}

/** The line for a cluster that is only looked at, whose context need not be kubectl's current one. */
function inContext(kubectl: ActForecast['kubectl'], { seenIn }: ActFacts): ActForecast['kubectl'] {
  if (seenIn === '') return kubectl
  const line = kubectl.line.replace(/(^|\| )kubectl /, `$1kubectl --context ${quoted(seenIn)} `)
  return { ...kubectl, line }
}

function crictlLine({ target, grace }: ForecastInput): string {
  return `crictl stop --timeout ${grace.workerSeconds} ${target?.id ?? ''}`
}

function deletionRefusal(facts: ActFacts): string {
  return apiRefusal(facts, 'delete the pod', 'To stop the pod, remove its manifest.')
}

function deletionLine(input: ForecastInput, options: string): ActForecast['kubectl'] {
  const line = `kubectl delete pod ${podArguments(input)}${options}`
  return { caption: 'the same with kubectl', line }
}

function evictionLine({ namespace, name }: ActFacts, asked: number | null): string {
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { namespace, name },
    ...(asked === null ? {} : { deleteOptions: { gracePeriodSeconds: asked } }),
  }
  return `echo '${JSON.stringify(body)}' | kubectl create --raw /api/v1/namespaces/${namespace}/pods/${name}/eviction -f -`
}

/** What an act is called. Pure. */
export function actTitle(act: Act): string {
  return acts[act].title
}

/**
 * Predicts what an act does to a pod, from facts alone: first as fields (`effect`), then in words made of them.
 * Pure; the dialogs show it before the click and main checks it before it acts, so that both agree. `graceSeconds`
 * null: the pod's own. `container`: the name of the one that is acted on; empty: the pod.
 */
export function forecastAct(
  act: Act,
  facts: ActFacts,
  graceSeconds: number | null,
  container = '',
): ActForecast {
  // As kubectl reads it: 0 is for --force alone.
  const asked = act === 'delete' && graceSeconds !== null ? Math.max(1, graceSeconds) : graceSeconds
  const rules = acts[act]
  const target = facts.containers.find(({ name }) => name === container)
  const grace = rules.grace(facts, asked, target)
  const effect = rules.effect(facts, grace, asked, target)
  const input: ForecastInput = { act, facts, target, effect, grace, asked }
  // What no switch can allow comes first.
  const impossible = facts.seenIn === '' ? '' : rules.refusal(facts, target)
  const refusal = impossible || facts.readOnly || rules.refusal(facts, target)
  return {
    act,
    effect,
    isAllowed: refusal === '',
    refusal,
    title: rules.title,
    summary: rules.summary(input),
    marks: marksOf(input),
    containersText: containersTextOf(effect),
    graceSeconds: graceSecondsOf(input),
    outcome: outcomeOf(effect, facts),
    warnings: warningsOf(input),
    protections: protectionsOf(input),
    kubectl: inContext(rules.kubectl(input), facts),
    confirm: facts.seenIn === '' ? confirmOf(input) : `${confirmOf(input)}, on ${facts.seenIn}`,
    takesGrace: takesGrace(input),
    lanes: act === 'deleteMirror' ? mirrorLanes(effect, facts) : null,
    isRestoredByKubelet: act === 'deleteMirror' && effect.object.kind === 'replaced',
  }
}

function graceSecondsOf({ act, facts, grace }: ForecastInput): number {
  if (act === 'deleteMirror') return 0
  const isDeletion = act === 'delete' || act === 'evictThroughApi'
  return isDeletion && isTerminal(facts) ? 0 : grace.workerSeconds
}

function takesGrace({ act, facts }: ForecastInput): boolean {
  if (act === 'kill' || act === 'restartContainer') return true
  return (act === 'delete' || act === 'evictThroughApi') && !isTerminal(facts) && facts.isScheduled
}

function confirmOf(input: ForecastInput): string {
  const { act, asked, grace } = input
  if (act === 'restartContainer') return restartConfirm(input)
  const { verb } = acts[act]
  if (act === 'deleteMirror' && asked === 0) return `${verb} by force`
  if (!takesGrace(input)) return verb
  return `${verb}, ${act !== 'kill' && asked === 0 ? 0 : grace.workerSeconds} s grace`
}
