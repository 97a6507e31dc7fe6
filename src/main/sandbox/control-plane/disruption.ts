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
import type { TransportApiClient } from '../../cluster/client/api-client.ts'
import type { Informer } from '../../cluster/informer/informer.ts'
import { addressOf, objectKey } from '../../cluster/client/resource-paths.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import {
  withBudgetCondition,
  withDisruptionAllowed,
} from '../registry/disruption-budget-strategy.ts'
import { groupResource, groupVersion } from '../registry/resource-type.ts'
import { resourceTypes } from '../registry/resource-types.ts'
import { ControlQueue } from './control-loop.ts'
import { EventWriter } from './event-writer.ts'
import type { PodInformer } from './pod-informer.ts'

type Causes = readonly number[]

/** How long a pod may be there yet whose eviction the API server let pass. */
const deletionTimeoutMs = 120_000

// What a rate-limited queue adds; without it the timeout would be looked at a moment too early.
const recheckDelayMs = 5

/** Whom the real controller could ask how many pods there should be; none of them is here. */
const scalable = ['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet']

/** How many pods a budget counts on, and how many of them must be healthy. */
export interface ExpectedPods {
  readonly expected: number
  readonly desired: number
  /** Names of pods that no controller stands behind, where one would have to say how many there should be. */
  readonly unmanaged: readonly string[]
}

function noScale({ kind, apiVersion }: OwnerReference, pod: string): string {
  if (scalable.includes(kind)) return `found no controllers for pod ${JSON.stringify(pod)}`
  const type = resourceTypes.find((one) => one.kind === kind && groupVersion(one) === apiVersion)
  return type === undefined
    ? `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`
    : `${groupResource(type)} does not implement the scale subresource`
}

/** An amount as it is, a percentage of so many rounded up. */
function scaled(amount: number | string, of: number): number {
  return typeof amount === 'number' ? amount : Math.ceil((Number.parseInt(amount, 10) * of) / 100)
}

/**
 * A number of pods that must stay is taken as it is, of the pods there are. Anything else is measured by
 * what their controllers want: pods without one want nothing, and a controller that cannot be asked is
 * an error. Source: pkg/controller/disruption/disruption.go getExpectedPodCount (v1.34).
 */
export function expectedPods(
  { minAvailable, maxUnavailable }: PodDisruptionBudget['spec'],
  pods: readonly { readonly metadata: ObjectMeta }[],
): Result<ExpectedPods, string> {
  if (maxUnavailable === undefined && typeof minAvailable === 'number') {
    return ok({ expected: pods.length, desired: minAvailable, unmanaged: [] })
  }
  const amount = maxUnavailable ?? minAvailable
  if (amount === undefined) return ok({ expected: 0, desired: 0, unmanaged: [] })
  const unmanaged: string[] = []
  for (const { metadata } of pods) {
    const controller = metadata.ownerReferences?.find((owner) => owner.controller === true)
    if (controller !== undefined) return err(noScale(controller, metadata.name))
    unmanaged.push(metadata.name)
  }
  const expected = 0
  const desired =
    maxUnavailable === undefined
      ? scaled(amount, expected)
      : Math.max(0, expected - scaled(amount, expected))
  return ok({ expected, desired, unmanaged })
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

interface DisruptionDeps {
  readonly client: TransportApiClient
  readonly pods: PodInformer
  readonly budgets: Informer<'poddisruptionbudgets'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Counts for every disruption budget how many of its pods may go now. Evictions ask its numbers, so they
 * are right only a moment after what they count. Source: pkg/controller/disruption (v1.34).
 */
export class Disruption {
  readonly #deps: DisruptionDeps
  readonly #events: EventWriter
  readonly #queue: ControlQueue

  constructor(deps: DisruptionDeps) {
    this.#deps = deps
    const { pods, budgets } = deps
    this.#events = new EventWriter({ ...deps, component: 'controllermanager' })
    const handle = (key: string, causes: Causes): Promise<void> => this.#sync(key, causes)
    this.#queue = new ControlQueue({ ...deps, handle })
    const onBudget = (budget: PodDisruptionBudget, causes: Causes): void => {
      this.#add(budget, causes)
    }
    budgets.addEventHandler({ onAdd: onBudget, onUpdate: onBudget, onDelete: onBudget })
    const onPod = (pod: Pod, causes: Causes): void => {
      this.#onPod(pod, causes)
    }
    pods.addEventHandler({ onAdd: onPod, onUpdate: onPod, onDelete: onPod })
  }

  stop(): void {
    this.#queue.stop()
  }

  #add({ metadata }: PodDisruptionBudget, causes: Causes): void {
    this.#queue.add(objectKey(metadata), causes)
  }

  #onPod(pod: Pod, causes: Causes): void {
    const budgets = budgetsOf(pod, this.#deps.budgets.list())
    const [chosen] = budgets
    if (chosen === undefined) return
    if (budgets.length > 1) {
      const { namespace = '', name } = pod.metadata
      const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen.metadata.name}" arbitrarily.`
      const reason = 'MultiplePodDisruptionBudgets'
      void this.#events.write('pods', pod, { type: 'Warning', reason, message }, causes)
    }
    this.#add(chosen, causes)
  }

  async #sync(key: string, causes: Causes): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const budget = this.#deps.budgets.get(namespace, name)
    if (budget === undefined) return
    const pods = this.#deps.pods
      .list()
      .filter(
        ({ metadata }) =>
          metadata.namespace === namespace &&
          selectsLabels(budget.spec.selector, metadata.labels ?? {}),
      )
    const expected = expectedPods(budget.spec, pods)
    await this.#tell(budget, pods, expected, causes)
    if (expected.ok) await this.#count(budget, pods, expected.value, causes)
    else await this.#failSafe(budget, expected.error, causes)
  }

  async #tell(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
    expected: Result<ExpectedPods, string>,
    causes: Causes,
  ): Promise<void> {
    if (pods.length === 0) {
      const message = 'No matching pods found'
      await this.#events.write(
        'poddisruptionbudgets',
        budget,
        { type: 'Normal', reason: 'NoPods', message },
        causes,
      )
    }
    if (!expected.ok) {
      const reason = 'CalculateExpectedPodCountFailed'
      const message = `Failed to calculate the number of expected pods: ${expected.error}`
      await this.#events.write(
        'poddisruptionbudgets',
        budget,
        { type: 'Warning', reason, message },
        causes,
      )
    } else if (expected.value.unmanaged.length > 0) {
      const selector = selectorText(budget.spec.selector)
      const message = `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`
      await this.#events.write(
        'poddisruptionbudgets',
        budget,
        { type: 'Warning', reason: 'UnmanagedPods', message },
        causes,
      )
    }
  }

  async #count(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
    { expected, desired }: ExpectedPods,
    causes: Causes,
  ): Promise<void> {
    const disruptedPods = await this.#disruptedPods(budget, pods, causes)
    const now = this.#deps.clock.now()
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

  /** Those whose deletion is still to be seen; of one that was not deleted in time, the pod is told. */
  async #disruptedPods(
    budget: PodDisruptionBudget,
    pods: readonly Pod[],
    causes: Causes,
  ): Promise<Readonly<Record<string, string>>> {
    const known = budget.status.disruptedPods ?? {}
    const kept: Record<string, string> = {}
    for (const pod of pods) {
      const { name, deletionTimestamp } = pod.metadata
      const since = ownField(known, name)
      if (since === undefined || deletionTimestamp !== undefined) continue
      if (Date.parse(since) + deletionTimeoutMs >= this.#deps.clock.now()) {
        kept[name] = since
        continue
      }
      // The namespace twice, as in the original.
      const { namespace = '' } = budget.metadata
      const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`
      await this.#events.write(
        'pods',
        pod,
        { type: 'Warning', reason: 'NotDeleted', message },
        causes,
      )
    }
    return kept
  }

  #recheck(budget: PodDisruptionBudget, times: readonly string[]): void {
    if (times.length === 0) return
    const first = Math.min(...times.map((time) => Date.parse(time))) + deletionTimeoutMs
    const delayMs = first - this.#deps.clock.now() + recheckDelayMs
    this.#queue.addAfter(objectKey(budget.metadata), [], delayMs)
  }

  /** Where it cannot count, no disruption is allowed. */
  async #failSafe(budget: PodDisruptionBudget, message: string, causes: Causes): Promise<void> {
    const failed = withBudgetCondition(
      { ...budget.status, disruptionsAllowed: 0 },
      this.#deps.clock.now(),
      { status: 'False', reason: 'SyncFailed', message },
    )
    await this.#write(budget, failed, causes)
  }

  /** A conflict is let be: what the cache has not seen yet brings the budget here again. */
  async #write(budget: PodDisruptionBudget, status: object, causes: Causes): Promise<void> {
    if (equalJson(status, budget.status)) return
    await this.#deps.client.update(
      { ...addressOf('poddisruptionbudgets', budget), subresource: 'status' },
      { ...budget, status },
      causes,
    )
  }
}
