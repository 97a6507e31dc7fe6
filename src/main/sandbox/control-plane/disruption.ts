import { equalJson, ownField } from '../../../shared/json.ts'
import {
  budgetsOf,
  isHealthy,
  selectsLabels,
} from '../../../shared/kubernetes/disruption-budget.ts'
import type {
  LabelSelector,
  PodDisruptionBudget,
} from '../../../shared/kubernetes/disruption-budget.ts'
import type { ObjectMeta, OwnerReference, Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../cluster/client/resource-paths.ts'
import {
  withBudgetCondition,
  withDisruptionAllowed,
} from '../registry/disruption-budget-strategy.ts'
import { groupResource, groupVersion } from '../registry/resource-type.ts'
import { resourceTypes } from '../registry/resource-types.ts'
import { Controller } from './controller.ts'
import type { ControllerContext } from './controller.ts'
import { EventWriter } from './event-writer.ts'
import { controllerOf } from './workloads/controller-ref.ts'
import { scaledValue } from './workloads/scaled-value.ts'

/** How long an evicted pod counts as disrupted before its deletion is observed (DeletionTimeout). */
const deletionTimeoutMs = 120_000

// What a rate-limited queue adds. Without it, the check would run before the timeout ends.
const recheckDelayMs = 5

/** Kinds whose scale the controller reads. */
const scalable = ['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet']

/** How many pods a budget counts on, and how many of them must be healthy. */
export interface ExpectedPods {
  readonly expected: number
  readonly desired: number
  /** Names of pods without a controller, if the expected count depends on one. */
  readonly unmanaged: readonly string[]
}

function noScale({ kind, apiVersion }: OwnerReference, pod: string): string {
  if (scalable.includes(kind)) return `found no controllers for pod ${JSON.stringify(pod)}`
  const type = resourceTypes.find((one) => one.kind === kind && groupVersion(one) === apiVersion)
  return type === undefined
    ? `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`
    : `${groupResource(type)} does not implement the scale subresource`
}

/** How many pods a controller wants, and its identity: a Deployment speaks for its ReplicaSets. */
export interface Scale {
  readonly uid: string
  readonly replicas: number
}

type ScaleOf = (owner: OwnerReference, namespace: string) => Scale | undefined

/**
 * An integer `minAvailable` is compared with the existing pods. Anything else is a part of the pods that their controllers
 * want: pods without a controller add nothing, and a controller without a scale is an error.
 * Source: pkg/controller/disruption/disruption.go getExpectedPodCount (v1.34).
 */
export function expectedPods(
  { minAvailable, maxUnavailable }: PodDisruptionBudget['spec'],
  pods: readonly { readonly metadata: ObjectMeta }[],
  scaleOf: ScaleOf,
): Result<ExpectedPods, string> {
  if (maxUnavailable === undefined && typeof minAvailable === 'number') {
    return ok({ expected: pods.length, desired: minAvailable, unmanaged: [] })
  }
  if (maxUnavailable === undefined && minAvailable === undefined) {
    return ok({ expected: 0, desired: 0, unmanaged: [] })
  }
  const unmanaged: string[] = []
  const scales = new Map<string, number>()
  for (const { metadata } of pods) {
    const controller = metadata.ownerReferences?.find((owner) => owner.controller === true)
    if (controller === undefined) {
      unmanaged.push(metadata.name)
      continue
    }
    const scale = scaleOf(controller, metadata.namespace ?? '')
    if (scale === undefined) return err(noScale(controller, metadata.name))
    scales.set(scale.uid, scale.replicas)
  }
  const expected = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0)
  const desired =
    maxUnavailable === undefined
      ? scaledValue(minAvailable, expected, 'up')
      : Math.max(0, expected - scaledValue(maxUnavailable, expected, 'up'))
  return ok({ expected, desired, unmanaged })
}

interface Scaled {
  readonly metadata: ObjectMeta
  readonly spec: { readonly replicas?: number }
}

function scaleIn(found: Scaled | undefined): Scale | undefined {
  return found === undefined
    ? undefined
    : { uid: found.metadata.uid, replicas: found.spec.replicas ?? 1 }
}

/** As Go prints the type. */
function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil'
  const labels = Object.entries(selector.matchLabels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const requirements = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  )
  const matchLabels = labels.map(([key, value]) => `${key}: ${value},`).join('')
  return `&LabelSelector{MatchLabels:map[string]string{${matchLabels}},MatchExpressions:[]LabelSelectorRequirement{${requirements.join('')}},}`
}

/**
 * Counts for every disruption budget how many of its pods may be disrupted now. Evictions read these numbers, which follow the
 * pods with a short delay. Source: pkg/controller/disruption (v1.34).
 */
export class DisruptionController extends Controller {
  readonly #events: EventWriter

  constructor(context: ControllerContext) {
    super(context)
    this.#events = new EventWriter({ ...context, component: 'controllermanager' })
    const onBudget = ({ metadata }: PodDisruptionBudget, causes: TraceCauses): void => {
      this.queue.add(objectKey(metadata), causes)
    }
    context.budgets.addEventHandler({ onAdd: onBudget, onUpdate: onBudget, onDelete: onBudget })
    const onPod = (pod: Pod, causes: TraceCauses): void => {
      this.#onPod(pod, causes)
    }
    context.pods.addEventHandler({ onAdd: onPod, onUpdate: onPod, onDelete: onPod })
  }

  #onPod(pod: Pod, causes: TraceCauses): void {
    const budgets = budgetsOf(pod, this.context.budgets.list())
    const [chosen] = budgets
    if (chosen === undefined) return
    if (budgets.length > 1) {
      const { namespace = '', name } = pod.metadata
      const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen.metadata.name}" arbitrarily.`
      const reason = 'MultiplePodDisruptionBudgets'
      void this.#events.write('pods', pod, { type: 'Warning', reason, message }, causes)
    }
    this.queue.add(objectKey(chosen.metadata), causes)
  }

  protected async sync(key: string, causes: TraceCauses): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const budget = this.context.budgets.get(namespace, name)
    if (budget === undefined) return
    const pods = this.context.pods
      .list()
      .filter(
        ({ metadata }) =>
          metadata.namespace === namespace &&
          selectsLabels(budget.spec.selector, metadata.labels ?? {}),
      )
    const expected = expectedPods(budget.spec, pods, (owner, of) => this.#scaleOf(owner, of))
    await this.#recordEvents(budget, pods, expected, causes)
    if (expected.ok) await this.#count(budget, pods, expected.value, causes)
    else await this.#failSafe(budget, expected.error, causes)
  }

  #scaleOf({ kind, apiVersion, name, uid }: OwnerReference, namespace: string): Scale | undefined {
    const { replicaSets, replicationControllers, statefulSets, deployments } = this.context
    const of = <T extends Scaled>(found: T | undefined): T | undefined =>
      found?.metadata.uid === uid ? found : undefined
    switch (`${apiVersion} ${kind}`) {
      case 'v1 ReplicationController':
        return scaleIn(of(replicationControllers.get(namespace, name)))
      case 'apps/v1 StatefulSet':
        return scaleIn(of(statefulSets.get(namespace, name)))
      case 'apps/v1 ReplicaSet': {
        const set = of(replicaSets.get(namespace, name))
        const parent = set === undefined ? undefined : controllerOf(set)
        if (parent?.kind !== 'Deployment') return scaleIn(set)
        const deployment = deployments.get(namespace, parent.name)
        return scaleIn(deployment?.metadata.uid === parent.uid ? deployment : undefined)
      }
      default:
        return undefined
    }
  }

  async #recordEvents(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
    expected: Result<ExpectedPods, string>,
    causes: TraceCauses,
  ): Promise<void> {
    const record = (type: 'Normal' | 'Warning', reason: string, message: string): Promise<void> =>
      this.#events.write('poddisruptionbudgets', budget, { type, reason, message }, causes)
    if (pods.length === 0) await record('Normal', 'NoPods', 'No matching pods found')
    if (!expected.ok) {
      const message = `Failed to calculate the number of expected pods: ${expected.error}`
      await record('Warning', 'CalculateExpectedPodCountFailed', message)
    } else if (expected.value.unmanaged.length > 0) {
      const selector = selectorText(budget.spec.selector)
      const message = `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`
      await record('Warning', 'UnmanagedPods', message)
    }
  }

  async #count(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
    { expected, desired }: ExpectedPods,
    causes: TraceCauses,
  ): Promise<void> {
    const disruptedPods = await this.#disruptedPods(budget, pods, causes)
    const now = this.context.clock.now()
    const healthy = pods.filter((pod) => {
      const since = ownField(disruptedPods, pod.metadata.name)
      const isGoing = since !== undefined && Date.parse(since) + deletionTimeoutMs > now
      return pod.metadata.deletionTimestamp === undefined && !isGoing && isHealthy(pod)
    }).length
    const { conditions } = budget.status
    const counted = {
      observedGeneration: budget.metadata.generation,
      ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
      disruptionsAllowed: expected <= 0 ? 0 : Math.max(0, healthy - desired),
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      ...(conditions === undefined ? {} : { conditions }),
    }
    await this.#write(budget, withDisruptionAllowed(counted, now), causes)
    this.#recheck(budget, Object.values(disruptedPods))
  }

  /** The disrupted pods whose deletion is not observed yet. A pod that was not deleted in time gets an event. */
  async #disruptedPods(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
    causes: TraceCauses,
  ): Promise<Readonly<Record<string, string>>> {
    const known = budget.status.disruptedPods ?? {}
    const kept: Record<string, string> = {}
    for (const pod of pods) {
      const { name, deletionTimestamp } = pod.metadata
      const since = ownField(known, name)
      if (since === undefined || deletionTimestamp !== undefined) continue
      if (Date.parse(since) + deletionTimeoutMs >= this.context.clock.now()) {
        kept[name] = since
        continue
      }
      // Upstream prints the namespace twice.
      const { namespace = '' } = budget.metadata
      const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`
      const event = { type: 'Warning', reason: 'NotDeleted', message } as const
      await this.#events.write('pods', pod, event, causes)
    }
    return kept
  }

  #recheck(budget: PodDisruptionBudget, times: readonly string[]): void {
    if (times.length === 0) return
    const first = Math.min(...times.map((time) => Date.parse(time))) + deletionTimeoutMs
    const delayMs = first - this.context.clock.now() + recheckDelayMs
    this.queue.addAfter(objectKey(budget.metadata), [], delayMs)
  }

  /** If the pods cannot be counted, no disruption is allowed. */
  async #failSafe(
    budget: PodDisruptionBudget,
    message: string,
    causes: TraceCauses,
  ): Promise<void> {
    const failed = withBudgetCondition(
      { ...budget.status, disruptionsAllowed: 0 },
      this.context.clock.now(),
      { status: 'False', reason: 'SyncFailed', message },
    )
    await this.#write(budget, failed, causes)
  }

  /** A conflict needs no retry: the change that caused it adds the budget to the queue again. */
  async #write(budget: PodDisruptionBudget, status: object, causes: TraceCauses): Promise<void> {
    if (equalJson(status, budget.status)) return
    await this.context.client.update(
      { ...addressOf('poddisruptionbudgets', budget), subresource: 'status' },
      { ...budget, status },
      causes,
    )
  }
}
