import {
  highestUserDefinablePriority,
  systemNodeCriticalPriority,
} from '../../kubernetes/critical-pod.ts'
import { forecastAct } from '../forecast/forecast.ts'
import { endsOf, evictionGraceSeconds, isTerminal } from '../forecast/forecast-effect.ts'
import { effectiveGrace } from '../forecast/forecast-grace.ts'
import { evictRefusal } from '../forecast/forecast-refusal.ts'
import type { ActFacts } from '../act.ts'
import { usualShutdownGrace } from '../node-act.ts'
import { lossWays } from './loss.ts'
import type {
  LossBudget,
  LossFacts,
  LossForecast,
  LossReplacement,
  LossWay,
  LossWriter,
  LostObject,
} from './loss.ts'

/** What one way has of its own. */
interface WayRules {
  /** Why the pod is not lost this way; empty: it is. */
  readonly kept: (about: LossFacts) => string
  /** Null: no kubelet stops the pod. Else the seconds that are asked for; `spec`: the pod's own. */
  readonly asked: ((facts: ActFacts) => number) | 'spec' | null
  /** `status.reason` and `status.message` of a failed pod; empty for a way that deletes. */
  readonly reason: string
  readonly message: string
  readonly condition: readonly [reason: string, message: string, writer: LossWriter]
  readonly deletedBy: LossWriter | null
  readonly budget: LossBudget
}

const groupSeconds = ({ criticalBecause }: ActFacts): number => {
  const { total, critical } = usualShutdownGrace
  return criticalBecause === '' ? total - critical : critical
}

/** Why an eviction through the API is refused now, as a sentence; empty: it is accepted. */
function evictionRefused({ facts }: LossFacts): string {
  const { refusal, effect } = forecastAct('evictThroughApi', facts, null)
  if (refusal !== '' || effect.answer.kind !== 'refuses') return refusal
  const { budget } = facts
  const name = budget.kind === 'refuses' ? budget.name : ''
  return `Eviction refused (${effect.answer.code}): PodDisruptionBudget ${name} allows no disruption now.`
}

function drainKeeps(about: LossFacts): string {
  const { fate, why } = about.drain
  if (fate === 'skips' || fate === 'refuses') return `The drain leaves it: ${why}.`
  const refused = evictionRefused(about)
  return refused === '' ? '' : `${refused} The drain asks again every 5 s.`
}

function notLower(priority: number, preemptor: number): string {
  return priority < preemptor
    ? ''
    : `Its priority ${priority} is not lower than that of the pod that needs its place, ${preemptor}.`
}

const eviction = {
  asked: 'spec',
  reason: '',
  message: '',
  condition: ['EvictionByEvictionAPI', 'Eviction API: evicting', 'caller'],
  deletedBy: 'caller',
  budget: 'obeyed',
} as const

/** The kubelet ends the pod and deletes nothing. */
function endedByKubelet(reason: string, message: string, why = message) {
  return {
    reason,
    message,
    condition: ['TerminationByKubelet', why, 'kubelet'],
    deletedBy: null,
    budget: 'notAsked',
  } as const
}

function evictedByKubelet(message: string): WayRules {
  return {
    kept: ({ facts }) => evictRefusal(facts),
    asked: () => evictionGraceSeconds,
    ...endedByKubelet('Evicted', message),
  }
}

const never = (): string => ''

const ways: Readonly<Record<LossWay, WayRules>> = {
  pressure: evictedByKubelet(
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: …',
  ),
  byHand: evictedByKubelet('Evicted by hand from Nodescope: the node is not under pressure. '),
  evictionApi: { ...eviction, kept: evictionRefused },
  drain: { ...eviction, kept: drainKeeps },
  schedulerPreemption: {
    kept: ({ facts }) => notLower(facts.priority, highestUserDefinablePriority),
    asked: 'spec',
    reason: '',
    message: '',
    condition: [
      'PreemptionByScheduler',
      'default-scheduler: preempting to accommodate a higher priority pod',
      'kube-scheduler',
    ],
    deletedBy: 'kube-scheduler',
    budget: 'preferred',
  },
  kubeletPreemption: {
    kept: ({ facts }) =>
      facts.criticalBecause === '' ? '' : notLower(facts.priority, systemNodeCriticalPriority),
    asked: 'spec',
    ...endedByKubelet(
      'Preempting',
      'Preempted in order to admit critical pod',
      'Pod was preempted by Kubelet to accommodate a critical pod.',
    ),
  },
  taint: {
    kept: ({ tolerationMs }) =>
      tolerationMs === null ? 'It tolerates every NoExecute taint, without a time limit.' : '',
    asked: 'spec',
    reason: '',
    message: '',
    condition: [
      'DeletionByTaintManager',
      'Taint manager: deleting due to NoExecute taint',
      'kube-controller-manager',
    ],
    deletedBy: 'kube-controller-manager',
    budget: 'notAsked',
  },
  shutdown: {
    kept: never,
    asked: (facts) => Math.min(facts.specGraceSeconds, groupSeconds(facts)),
    ...endedByKubelet('Terminated', 'Pod was terminated in response to imminent node shutdown.'),
  },
  podGc: {
    kept: never,
    asked: null,
    reason: '',
    message: '',
    condition: ['DeletionByPodGC', 'PodGC: node no longer exists', 'kube-controller-manager'],
    deletedBy: 'kube-controller-manager',
    budget: 'notAsked',
  },
}

/** Controllers that delete a pod that has ended before they make another one. */
const deletesEnded: ReadonlySet<string> = new Set(['StatefulSet', 'DaemonSet'])

const keepsCount: ReadonlySet<string> = new Set([
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
])

function ownerKind({ controlledBy }: ActFacts): string {
  return controlledBy.split(' ', 1)[0] ?? ''
}

function replacementOf(way: LossWay, { facts, tolerationMs }: LossFacts): LossReplacement {
  const kind = ownerKind(facts)
  if (kind === '') return 'no'
  if (keepsCount.has(kind)) return 'yes'
  if (kind === 'DaemonSet') {
    // Its pods belong to their node: none is made for one that is gone, or whose taints they do not tolerate. They tolerate
    // not-ready:NoExecute of a node that shuts down, not its NoSchedule.
    const isTainted = way === 'taint' || way === 'shutdown'
    return way === 'podGc' || (isTainted && tolerationMs !== null) ? 'no' : 'yes'
  }
  return kind === 'Job' ? 'ownerDecides' : 'unknown'
}

/** The Job controller removes its own when it has counted the pod. */
const jobFinalizer = 'batch.kubernetes.io/job-tracking'

function fateOf(
  way: LossWay,
  facts: ActFacts,
): Pick<LossForecast, 'object' | 'deletedBy' | 'removedBy'> {
  const isDeletedByOwner = ways[way].deletedBy === null && deletesEnded.has(ownerKind(facts))
  const deletedBy = isDeletedByOwner ? 'kube-controller-manager' : ways[way].deletedBy
  if (deletedBy === null) return { object: 'stays', deletedBy, removedBy: null }
  const isHeld = facts.finalizers.some((name) => name !== jobFinalizer)
  const object: LostObject = isHeld ? 'held' : 'goes'
  // A pod that has ended is removed with the request; a running one when the kubelet has stopped it.
  const isAtOnce = isDeletedByOwner || way === 'podGc'
  return { object, deletedBy, removedBy: isHeld ? null : isAtOnce ? deletedBy : 'kubelet' }
}

function keptBy(way: LossWay, about: LossFacts): string {
  return isTerminal(about.facts) ? 'The pod has ended already.' : ways[way].kept(about)
}

/** What a way does to a pod that runs. Pure. */
export function forecastLoss(way: LossWay, about: LossFacts): LossForecast {
  const { facts, tolerationMs } = about
  const rules = ways[way]
  const [reason, message, writer] = rules.condition
  const asked =
    typeof rules.asked === 'function' ? rules.asked(facts) : rules.asked === 'spec' ? null : 0
  const isStopped = rules.asked !== null
  const ends = endsOf(facts, 'Evicted').map((end) => ({
    ...end,
    reason: end.reason === '' ? '' : rules.reason,
  }))
  return {
    way,
    kept: keptBy(way, about),
    delaySeconds: way === 'taint' ? (tolerationMs ?? 0) / 1000 : 0,
    graceSeconds: isStopped ? effectiveGrace(facts, asked).workerSeconds : null,
    ends: isStopped ? ends : [{ phase: 'Failed', reason: '' }],
    // The kubelet removes containers of an evicted pod as they exit; one that is removed before its exit code was read counts as
    // failed (eviction#evicting-one-pod).
    isSure: way !== 'pressure' && way !== 'byHand',
    message: rules.message,
    condition: { reason, message, writer },
    ...fateOf(way, facts),
    budget: rules.budget,
    replacement: replacementOf(way, about),
  }
}

/** All ways, in the order of the table. Pure. */
export function forecastLosses(about: LossFacts): readonly LossForecast[] {
  return lossWays.map((way) => forecastLoss(way, about))
}
