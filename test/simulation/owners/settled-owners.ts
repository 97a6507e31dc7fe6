import { objectAt, objectsAt, textAt } from '../../../src/shared/json.ts'
import type { KubeObject, ObjectMeta, Pod } from '../../../src/shared/kubernetes/objects.ts'
import type {
  DaemonSet,
  Deployment,
  Job,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '../../../src/shared/kubernetes/workloads.ts'
import { selectsLabels } from '../../../src/shared/kubernetes/disruption-budget.ts'
import {
  shouldRun,
  targetNode,
} from '../../../src/main/sandbox/control-plane/daemon-set/daemon-pods.ts'
import {
  isActive,
  isReady,
  isTerminal,
} from '../../../src/main/sandbox/control-plane/workloads/active-pods.ts'
import { controllerOf } from '../../../src/main/sandbox/control-plane/workloads/controller-ref.ts'
import type { ReportViolation } from '../invariants.ts'
import { checkCronJob } from './cron-job-checks.ts'
import { hasEnded } from './job-checks.ts'
import type { OwnerHistory } from './owner-history.ts'
import { ordinalOf, ordinalsOf } from './set-checks.ts'

interface Settled {
  readonly history: OwnerHistory
  readonly report: ReportViolation
  /** Whether controllers may still wait to try again: no longer than their longest back-off. */
  readonly mayWait: boolean
  /** ms since the epoch. */
  readonly now: number
}

function titleOf({ metadata }: { readonly metadata: ObjectMeta }): string {
  return `${metadata.namespace ?? ''}/${metadata.name} (${metadata.uid})`
}

/** Invariant 36. A violation has the same sentence in every check; this holds for all of this file. */
function checkDependents({ history, report }: Settled): void {
  for (const { resource, object } of history.everything()) {
    const { metadata } = object
    if (metadata.deletionTimestamp !== undefined && resource !== 'pods')
      report(36, `${resource} ${titleOf(object)} is still there`)
    for (const { uid, kind, name } of metadata.ownerReferences ?? [])
      if (!history.exists(uid))
        report(36, `${resource} ${titleOf(object)} outlives ${kind} ${name} (${uid})`)
  }
}

/** Whether a quota may keep an owner from creating what it lacks. */
function isLimited({ history, mayWait }: Settled, { metadata }: { metadata: ObjectMeta }): boolean {
  if (metadata.namespace !== 'team') return false
  return mayWait || history.all('v1/resourcequotas').length > 0
}

/** A status of which all counts are as counted, and which is of the present generation. */
function checkStatus(
  settled: Settled,
  object: KubeObject,
  counts: Readonly<Record<string, number>>,
): void {
  const { report } = settled
  const status = objectAt({ ...object }, 'status')
  const isOld = (status['observedGeneration'] ?? 0) !== (object.metadata.generation ?? 0)
  // A Deployment observes its generation only when it has its ReplicaSets.
  if (isOld && !isLimited(settled, object))
    report(37, `the status of ${titleOf(object)} is of an earlier generation`)
  for (const [name, count] of Object.entries(counts))
    if ((status[name] ?? 0) !== count) report(37, `${name} of ${titleOf(object)} is wrong`)
}

function checkReplicas(settled: Settled, owner: ReplicaSet | ReplicationController): void {
  const pods = settled.history.ownedBy('pods', owner.metadata.uid).filter(isActive)
  const { replicas = 1 } = owner.spec
  const isShort = pods.length < replicas && isLimited(settled, owner)
  if (pods.length !== replicas && !isShort)
    settled.report(37, `${titleOf(owner)} has too ${pods.length < replicas ? 'few' : 'many'} pods`)
  checkStatus(settled, owner, {
    replicas: pods.length,
    readyReplicas: pods.filter(isReady).length,
  })
}

/** A rollout that nothing hinders is over: all pods are of the present template. */
function checkDeployment(settled: Settled, deployment: Deployment): void {
  const { history, report } = settled
  const { metadata, spec, status } = deployment
  const sets = history.ownedBy('apps/v1/replicasets', metadata.uid)
  const all = sets.flatMap((set) => history.ownedBy('pods', set.metadata.uid))
  const pods = all.filter(isActive)
  const ready = pods.filter(isReady).length
  // Of a new ReplicaSet that a quota refuses, getNewReplicaSet (sync.go) returns the error before the status is synced; after 15 of
  // them handleErr drops the Deployment until something about it changes.
  const isRefused = status?.conditions?.some(({ reason }) => reason === 'ReplicaSetCreateError')
  if (isRefused === true && metadata.namespace === 'team') return
  checkStatus(settled, deployment, { replicas: pods.length, readyReplicas: ready })
  if (isLimited(settled, deployment)) return
  const { replicas = 1, paused } = spec
  const sum = sets.reduce((total, set) => total + (set.spec.replicas ?? 1), 0)
  // A paused Deployment makes no ReplicaSet in place of one that was deleted (sync.go sync).
  if (sum < replicas && spec.strategy?.type !== 'Recreate' && paused !== true)
    report(37, `${titleOf(deployment)} gives its ReplicaSets too little`)
  if (paused === true || ready < pods.length) return
  // It is asked again when its last pod is gone (deployment_controller.go deletePod), and one that has ended does not go.
  const isStuck =
    spec.strategy?.type === 'Recreate' && all.some((pod) => isTerminal(pod.status?.phase))
  if (pods.length !== replicas && !isStuck)
    report(37, `${titleOf(deployment)} has not the pods that it asks for`)
  const used = sets.filter((set) => (set.spec.replicas ?? 1) > 0)
  if (used.length > 1) report(37, `${titleOf(deployment)} has not finished its rollout`)
  const image = ({ spec: of }: Pod): unknown => of.containers[0]?.image
  const wanted = spec.template.spec.containers[0]?.image
  const isOld = used.length === 1 && used[0]?.spec.template.spec.containers[0]?.image !== wanted
  if (isOld || (used.length === 1 && pods.some((pod) => isOwnImage(pod) && image(pod) !== wanted)))
    report(37, `${titleOf(deployment)} has not begun its rollout`)
}

/** A step may have given the pod itself another image. */
function isOwnImage({ metadata }: Pod): boolean {
  return metadata.generation === undefined || metadata.generation === 1
}

/**
 * A pod that lost the labels of the set's selector keeps its name, so that the set cannot create it again; and once the pod is
 * gone, the set tries again only after its back-off.
 */
function mayLack(settled: Settled, { metadata }: StatefulSet, ordinal: number): boolean {
  const { history, mayWait } = settled
  const { namespace = '' } = metadata
  const name = `${metadata.name}-${ordinal}`
  if (mayWait && history.wasReleased({ namespace, name })) return true
  return history
    .all('pods')
    .some(({ metadata: of }) => of.namespace === namespace && of.name === name)
}

/** As far as the pods are ready, they are there: all of them, or in order up to the first that is not. */
function checkStatefulSet(settled: Settled, set: StatefulSet): void {
  const { history, report } = settled
  const { metadata, spec } = set
  const pods = history
    .ownedBy('pods', metadata.uid)
    .filter((pod) => ordinalOf(pod) >= 0 && !isTerminal(pod.status?.phase))
  const [start, end] = ordinalsOf(set)
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]))
  const isReadyAt = (ordinal: number): boolean => {
    const pod = byOrdinal.get(ordinal)
    return pod !== undefined && isReady(pod)
  }
  checkStatus(settled, set, { readyReplicas: pods.filter(isReady).length })
  if (isLimited(settled, set)) return
  let lacksOne = false
  for (let ordinal = start; ordinal < end; ordinal++) {
    if (!byOrdinal.has(ordinal) && !mayLack(settled, set, ordinal))
      report(37, `${titleOf(set)} has no pod ${ordinal}`)
    lacksOne ||= !byOrdinal.has(ordinal)
    if (spec.podManagementPolicy !== 'Parallel' && !isReadyAt(ordinal)) return
  }
  const areReady = pods.every(isReady)
  for (const ordinal of byOrdinal.keys())
    if (areReady && (ordinal < start || ordinal >= end))
      report(37, `${titleOf(set)} still has the pod ${ordinal}`)
  // What refuses a pod ends the sync before others are updated (stateful_set_control.go updateStatefulSet).
  if (!areReady || lacksOne || spec.updateStrategy?.type === 'OnDelete') return
  const updated = set.status?.updateRevision
  const first = start + (spec.updateStrategy?.rollingUpdate?.partition ?? 0)
  for (const [ordinal, pod] of byOrdinal)
    if (ordinal >= first && pod.metadata.labels?.['controller-revision-hash'] !== updated)
      report(37, `${titleOf(set)} has not updated the pod ${ordinal}`)
}

function checkDaemonSet(settled: Settled, set: DaemonSet): void {
  const { history, report } = settled
  const pods = history.ownedBy('pods', set.metadata.uid)
  if (isLimited(settled, set)) return
  for (const node of history.all('nodes')) {
    const { name } = node.metadata
    const here = pods.filter((pod) => targetNode(pod) === name)
    // One that failed is replaced after a back-off of up to 15 minutes. A kubelet may reject all of them: a static pod whose mirror was preempted has its room.
    if (here.some(({ status }) => isTerminal(status?.phase))) continue
    const live = here.filter(isActive)
    const { runs, stays } = shouldRun(set, node)
    if (runs && live.length === 0) report(37, `${titleOf(set)} has no pod for ${name}`)
    if (!stays && live.length > 0) report(37, `${titleOf(set)} still has a pod for ${name}`)
    const isSurging = live.length === 2 && live.some((pod) => !isReady(pod))
    if (live.length > 1 && !isSurging) report(37, `${titleOf(set)} has too many pods for ${name}`)
  }
}

function checkJob(settled: Settled, job: Job): void {
  const { history, report, mayWait } = settled
  const pods = history.ownedBy('pods', job.metadata.uid)
  const active = pods.filter(isActive)
  const { status = {}, spec } = job
  if ((status.active ?? 0) !== active.length) report(37, `active of ${titleOf(job)} is wrong`)
  if ((status.ready ?? 0) !== active.filter(isReady).length)
    report(37, `ready of ${titleOf(job)} is wrong`)
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {}
  if (succeeded.length + failed.length > 0) report(37, `${titleOf(job)} has not counted all pods`)
  const isIdle = hasEnded(job) || spec.suspend === true
  if (isIdle && active.length > 0) report(37, `${titleOf(job)} still has pods`)
  // A Job whose pods fail waits for up to ten minutes.
  if (isIdle || (mayWait && (status.failed ?? 0) > 0) || isLimited(settled, job)) return
  const { parallelism = 1, completions } = spec
  const left = completions === undefined ? parallelism : completions - (status.succeeded ?? 0)
  const isOver = completions === undefined && (status.succeeded ?? 0) > 0
  if (
    !isOver &&
    active.length !== Math.min(parallelism, left) &&
    spec.backoffLimitPerIndex === undefined
  )
    report(37, `${titleOf(job)} has not the pods that it asks for`)
}

/** Pods that have an end keep no finalizer of a Job that has counted them or is gone. */
function checkTracking({ history, report }: Settled): void {
  for (const pod of history.all('pods')) {
    const isTracked = pod.metadata.finalizers?.includes('batch.kubernetes.io/job-tracking') === true
    const job = history.get('batch/v1/jobs', controllerOf(pod)?.uid ?? '')
    if (!isTracked || (job !== undefined && !isTerminal(pod.status?.phase))) continue
    report(37, `the pod ${titleOf(pod)} is still tracked`)
  }
}

function checkBudgets({ history, report }: Settled): void {
  for (const { metadata, spec, status } of history.all('poddisruptionbudgets')) {
    const isSelected = (pod: Pod): boolean =>
      pod.metadata.namespace === metadata.namespace &&
      selectsLabels(spec.selector, pod.metadata.labels ?? {})
    // The controller does not look at the budget that a pod leaves.
    if (history.relabeled.some(isSelected)) continue
    const healthy = history
      .all('pods')
      .filter(isSelected)
      .filter((pod) => isReady(pod) && pod.metadata.deletionTimestamp === undefined).length
    const isFailed = JSON.stringify(status.conditions ?? []).includes('SyncFailed')
    if (isFailed) continue
    if (status.currentHealthy !== healthy)
      report(37, `currentHealthy of the budget ${titleOf({ metadata })} is wrong`)
    const allowed = status.expectedPods <= 0 ? 0 : Math.max(0, healthy - status.desiredHealthy)
    if (status.disruptionsAllowed !== allowed)
      report(37, `disruptionsAllowed of the budget ${titleOf({ metadata })} is wrong`)
  }
}

function selectorOf(service: KubeObject): Readonly<Record<string, string>> | undefined {
  const selector = objectAt({ ...service }, 'spec')['selector']
  return selector === undefined || selector === null
    ? undefined
    : (selector as Readonly<Record<string, string>>)
}

/** Invariant 38. */
function checkService({ history, report }: Settled, service: KubeObject): void {
  const selector = selectorOf(service)
  if (selector === undefined) return
  const { namespace, name } = service.metadata
  const selected = history
    .all('pods')
    .filter((pod) => pod.metadata.namespace === namespace)
    .filter((pod) => selectsLabels({ matchLabels: selector }, pod.metadata.labels ?? {}))
  // Their address is the node's, 127.0.0.1, which the server refuses as an endpoint.
  if (selected.some(({ spec }) => spec.hostNetwork === true)) return
  const pods = selected.filter(
    (pod) => isActive(pod) && isReady(pod) && (pod.status?.podIP ?? '') !== '',
  )
  const expected = pods
    .map(({ metadata }) => metadata.uid)
    .toSorted()
    .join(' ')
  const slices = history
    .all('discovery.k8s.io/v1/endpointslices')
    .filter(
      ({ metadata }) =>
        metadata.namespace === namespace &&
        metadata.labels?.['kubernetes.io/service-name'] === name,
    )
  const uidOf = (one: object): string => textAt(objectAt({ ...one }, 'targetRef'), 'uid')
  const inSlices = slices
    .flatMap((slice) => objectsAt({ ...slice }, 'endpoints'))
    .filter((endpoint) => objectAt(endpoint, 'conditions')['ready'] === true)
    .map(uidOf)
  if (inSlices.toSorted().join(' ') !== expected)
    report(38, `the EndpointSlices of ${titleOf(service)} are wrong`)
  const endpoints = history
    .all('v1/endpoints')
    .find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
  const inEndpoints = objectsAt({ ...endpoints }, 'subsets')
    .flatMap((subset) => objectsAt(subset, 'addresses'))
    .map(uidOf)
  if (inEndpoints.toSorted().join(' ') !== expected)
    report(38, `the Endpoints of ${titleOf(service)} are wrong`)
}

/** What holds of owners in a cluster that has settled. */
export function checkSettledOwners(settled: Settled): void {
  const { history } = settled
  checkDependents(settled)
  for (const set of history.all('apps/v1/replicasets')) checkReplicas(settled, set)
  for (const set of history.all('v1/replicationcontrollers')) checkReplicas(settled, set)
  for (const one of history.all('apps/v1/deployments')) checkDeployment(settled, one)
  for (const set of history.all('apps/v1/statefulsets')) checkStatefulSet(settled, set)
  for (const set of history.all('apps/v1/daemonsets')) checkDaemonSet(settled, set)
  for (const job of history.all('batch/v1/jobs')) checkJob(settled, job)
  for (const one of history.all('batch/v1/cronjobs')) checkCronJob(settled, one)
  checkTracking(settled)
  checkBudgets(settled)
  for (const service of history.all('services')) checkService(settled, service as KubeObject)
}
