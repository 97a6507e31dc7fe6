import type { ActFacts } from '../../../shared/model/act.ts'
import type { PodDisruptionBudget } from '../../../shared/kubernetes/disruption-budget.ts'
import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { lifecycleHookOf } from '../../kubelet/kuberuntime/lifecycle-hooks.ts'
import { criticalBecause } from '../../kubelet/pod/identity.ts'
import { budgetFact } from './budget-fact.ts'
import { containerFacts } from './container-facts.ts'
import { podRow, shownPod } from './pod-row.ts'
import type { PodKnowledge } from './pod-knowledge.ts'
import { stopEnds } from './stop-ends.ts'

function preStopFacts(pod: Pod): Pick<ActFacts, 'preStopSleepSeconds' | 'hasOtherPreStop'> {
  const hooks = pod.spec.containers.map((container) => lifecycleHookOf(container, 'preStop'))
  const sleeps = hooks.map((hook) => (hook?.kind === 'sleep' ? hook.seconds : 0))
  return {
    preStopSleepSeconds: Math.max(0, ...sleeps),
    hasOtherPreStop: hooks.some((hook) => hook !== undefined && hook.kind !== 'sleep'),
  }
}

function runningSidecars(pod: Pod, status: PodStatus | undefined): number {
  const sidecars = (pod.spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name)
  return (status?.initContainerStatuses ?? []).filter(
    ({ name, state }) => state?.running !== undefined && sidecars.includes(name),
  ).length
}

/** What a forecast needs besides the pod. */
export interface ActOptions {
  readonly kubelet: ActFacts['kubelet']
  readonly apiServerReachable: boolean
  readonly runtime: ActFacts['runtime']
  /** See `ActFacts.readOnly`. */
  readonly readOnly: string
  /** See `ActFacts.seenIn`. */
  readonly seenIn: string
  /** ms on the cluster's clock. */
  readonly now: number
  /** The cluster's; undefined if they cannot be read. */
  readonly budgets: readonly PodDisruptionBudget[] | undefined
}

/** What a forecast needs of a pod. Pure. */
export function actFacts(known: PodKnowledge, options: ActOptions): ActFacts {
  const { pod, worker, localStatus } = known
  const row = podRow(known, 0)
  const api = shownPod(known).status
  const status = localStatus ?? api
  const controller = pod.metadata.ownerReferences?.find((owner) => owner.controller === true)
  return {
    namespace: row.namespace,
    name: row.name,
    kind: row.kind,
    criticalBecause: criticalBecause(pod),
    priority: pod.spec.priority ?? 0,
    phase: status?.phase ?? 'Pending',
    apiPhase: api?.phase ?? 'Pending',
    isScheduled: (pod.spec.nodeName ?? '') !== '',
    ends: stopEnds(known),
    specGraceSeconds: pod.spec.terminationGracePeriodSeconds ?? 30,
    graceInUseSeconds: worker?.gracePeriodSeconds ?? null,
    worker: row.worker,
    isSyncing: worker?.currentSync?.workType === 'sync',
    terminationRequested: worker?.terminationRequested ?? false,
    deletionTimestamp: row.kind === 'static' ? null : (pod.metadata.deletionTimestamp ?? null),
    deletionGraceSeconds: pod.metadata.deletionGracePeriodSeconds ?? null,
    runningContainers: known.runningContainers,
    runningSidecars: runningSidecars(pod, status),
    sigkillInSeconds:
      known.grace === undefined ? null : Math.max(0, (known.grace.killAt - options.now) / 1000),
    ...preStopFacts(pod),
    finalizers: pod.metadata.finalizers ?? [],
    controlledBy:
      controller === undefined || row.kind !== 'regular'
        ? ''
        : `${controller.kind} ${controller.name}`,
    kubelet: options.kubelet,
    apiServerReachable: options.apiServerReachable,
    hasApiObject: row.kind === 'static' ? known.mirror !== undefined : known.isListed,
    isListed: known.isListed,
    budget: budgetFact(shownPod(known), options.budgets),
    runtime: options.runtime,
    containers: containerFacts(known, options.now),
    readOnly: options.readOnly,
    seenIn: options.seenIn,
  }
}
