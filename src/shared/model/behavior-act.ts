import type { BehaviorName } from '../simulated-behavior.ts'
import { behaviorKey, behaviorProblem, liveBehaviors } from '../simulated-behavior.ts'
import type { ActFacts } from './act.ts'
import { mirrorWithoutPod } from './forecast/forecast-refusal.ts'
import { quoted } from '../shell-words.ts'
import type { PodSource } from './pod-source.ts'

/** One annotation of the simulated runtime, to set or, with `value` null, to take back. */
export interface BehaviorChange {
  readonly name: BehaviorName
  /** Empty: for all containers of the pod. */
  readonly container: string
  readonly value: string | null
}

/** What must be known of the pod. */
export interface BehaviorFacts {
  readonly pod: ActFacts
  readonly source: PodSource
  /** Null: the runtime of its node is not a simulated one. */
  readonly behavior: Readonly<Record<string, string>> | null
}

/** What a change of behavior does, shown before it is made. Texts are whole sentences. */
export interface BehaviorForecast {
  readonly isAllowed: boolean
  /** Why not, as one sentence; empty: it is allowed. */
  readonly refusal: string
  readonly takesEffect: 'atOnce' | 'atNextStart' | 'inAnotherPod'
  readonly summary: string
  /** `simulated.nodescope.dev/probes.c: fail`; without the value when it is taken back. */
  readonly annotation: string
  /** The line that does the same; of a static pod what is changed in the manifest. */
  readonly line: string
}

function refusalOf(
  { pod, source, behavior }: BehaviorFacts,
  { name, container, value }: BehaviorChange,
): string {
  if (pod.readOnly !== '') return pod.readOnly
  if (behavior === null) return 'The containers of this node are real: no annotation changes them.'
  if (pod.kind === 'mirror') return mirrorWithoutPod
  if (pod.kind === 'static' && source === 'http')
    return 'The manifest of this pod comes from a URL, so only its server can change it.'
  if (pod.kind === 'regular' && !pod.hasApiObject)
    return 'The API object is deleted already, so it takes no annotation.'
  if (pod.kind === 'regular' && !pod.apiServerReachable)
    return 'The API server does not answer now, and only it can change the pod.'
  if (value !== null) return behaviorProblem(name, value)
  return Object.hasOwn(behavior, behaviorKey(name, container)) ? '' : 'It is not set.'
}

function takesEffect(
  { pod }: BehaviorFacts,
  { name }: BehaviorChange,
): BehaviorForecast['takesEffect'] {
  if (pod.kind === 'static') return 'inAnotherPod'
  return liveBehaviors.has(name) ? 'atOnce' : 'atNextStart'
}

function summaryOf({ pod }: BehaviorFacts, when: BehaviorForecast['takesEffect']): string {
  if (when === 'inAnotherPod')
    return `Changes the manifest file. To the kubelet that is another pod with a new UID: it stops this one with its grace period of ${pod.specGraceSeconds} s, then starts the new one, and replaces the mirror.`
  const change = 'Changes the annotation through the API server.'
  if (pod.kubelet === 'stopped') return `${change} It takes effect when a kubelet runs on the node.`
  if (pod.kubelet === 'cutOff')
    return `${change} It takes effect when the node reaches the API server again.`
  return when === 'atOnce'
    ? `${change} It takes effect as soon as the kubelet receives the pod.`
    : `${change} It takes effect at the next start of the container: restart it.`
}

/** What a change of one annotation does. Pure; the page shows it and main checks it. */
export function forecastBehavior(facts: BehaviorFacts, change: BehaviorChange): BehaviorForecast {
  const { namespace, name, kind } = facts.pod
  const key = behaviorKey(change.name, change.container)
  const refusal = refusalOf(facts, change)
  const when = takesEffect(facts, change)
  const annotation = change.value === null ? key : `${key}: ${change.value}`
  const argument = change.value === null ? `${key}-` : quoted(`${key}=${change.value}`)
  return {
    isAllowed: refusal === '',
    refusal,
    takesEffect: when,
    summary: summaryOf(facts, when),
    annotation,
    line:
      kind === 'static'
        ? `metadata.annotations in the manifest: ${annotation}`
        : `kubectl annotate pod -n ${namespace} ${name}${change.value === null ? '' : ' --overwrite'} ${argument}`,
  }
}
