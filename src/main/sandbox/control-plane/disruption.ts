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
import type { KubeObject, OwnerReference } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock, Log } from '../../kubelet/ports.ts'
import {
  asDisruptionBudget,
  withBudgetCondition,
  withDisruptionAllowed,
} from '../disruption-budget-strategy.ts'
import { asPod } from '../pod-strategy.ts'
import { groupResource, groupVersion, resourceTypes } from '../resource-types.ts'
import { fieldOf } from '../strategy.ts'
import { placeOf } from './control-client.ts'
import type { ControlClient } from './control-client.ts'
import { ControlQueue } from './control-loop.ts'
import { EventWriter } from './event-writer.ts'
import type { WatchCache } from './watch-cache.ts'

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
  pods: readonly KubeObject[],
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

/**
 * Counts for every disruption budget how many of its pods may go now. Evictions ask its numbers, so they
 * are right only a moment after what they count. Source: pkg/controller/disruption (v1.34).
 */
export class Disruption {
  readonly #client: ControlClient
  readonly #pods: WatchCache
  readonly #budgets: WatchCache
  readonly #clock: Clock
  readonly #events: EventWriter
  readonly #queue: ControlQueue
  /** By budget: cancels the look at it that its disrupted pods wait for. */
  readonly #rechecks = new Map<string, () => void>()

  constructor(deps: {
    readonly client: ControlClient
    readonly pods: WatchCache
    readonly budgets: WatchCache
    readonly clock: Clock
    readonly log: Log
  }) {
    const { client, pods, budgets, clock, log } = deps
    this.#client = client
    this.#pods = pods
    this.#budgets = budgets
    this.#clock = clock
    this.#events = new EventWriter({ client, clock, log, component: 'controllermanager' })
    this.#queue = new ControlQueue({ handle: (key, causes) => this.#sync(key, causes), log })
    budgets.listen(({ object, causes }) => {
      this.#add(object, causes)
    })
    pods.listen(({ object, causes }) => {
      this.#onPod(object, causes)
    })
  }

  stop(): void {
    this.#queue.stop()
    for (const cancel of this.#rechecks.values()) cancel()
  }

  #add({ metadata }: Pick<KubeObject, 'metadata'>, causes: Causes): void {
    this.#queue.add(`${metadata.namespace ?? ''}/${metadata.name}`, causes)
  }

  #onPod(pod: KubeObject, causes: Causes): void {
    const budgets = budgetsOf(pod, this.#budgets.list().map(asDisruptionBudget))
    const [chosen] = budgets
    if (chosen === undefined) return
    if (budgets.length > 1) {
      const { namespace = '', name } = pod.metadata
      const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen.metadata.name}" arbitrarily.`
      const reason = 'MultiplePodDisruptionBudgets'
      void this.#events.write(pod, { type: 'Warning', reason, message }, causes)
    }
    this.#add(chosen, causes)
  }

  async #sync(key: string, causes: Causes): Promise<void> {
    const [namespace = '', name = ''] = key.split('/', 2)
    const object = this.#budgets.get(namespace, name)
    this.#rechecks.get(key)?.()
    this.#rechecks.delete(key)
    if (object === undefined) return
    const budget = asDisruptionBudget(object)
    const pods = this.#pods
      .list()
      .filter(
        ({ metadata }) =>
          metadata.namespace === namespace &&
          selectsLabels(budget.spec.selector, metadata.labels ?? {}),
      )
    const expected = expectedPods(budget.spec, pods)
    await this.#tell(object, pods, expected, causes)
    if (expected.ok) await this.#count(object, pods, expected.value, causes)
    else await this.#failSafe(object, expected.error, causes)
  }

  async #tell(
    object: KubeObject,
    pods: readonly KubeObject[],
    expected: Result<ExpectedPods, string>,
    causes: Causes,
  ): Promise<void> {
    if (pods.length === 0) {
      const message = 'No matching pods found'
      await this.#events.write(object, { type: 'Normal', reason: 'NoPods', message }, causes)
    }
    if (!expected.ok) {
      const reason = 'CalculateExpectedPodCountFailed'
      const message = `Failed to calculate the number of expected pods: ${expected.error}`
      await this.#events.write(object, { type: 'Warning', reason, message }, causes)
    } else if (expected.value.unmanaged.length > 0) {
      const selector = selectorText(asDisruptionBudget(object).spec.selector)
      const message = `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`
      await this.#events.write(
        object,
        { type: 'Warning', reason: 'UnmanagedPods', message },
        causes,
      )
    }
  }

  async #count(
    object: KubeObject,
    pods: readonly KubeObject[],
    { expected, desired }: ExpectedPods,
    causes: Causes,
  ): Promise<void> {
    const disruptedPods = await this.#disruptedPods(object, pods, causes)
    const now = this.#clock.now()
    const healthy = pods.filter((pod) => {
      const since = ownField(disruptedPods, pod.metadata.name)
      const isGoing = since !== undefined && Date.parse(since) + deletionTimeoutMs > now
      return pod.metadata.deletionTimestamp === undefined && !isGoing && isHealthy(asPod(pod))
    }).length
    const { conditions } = fieldOf(object, 'status')
    const counted = {
      observedGeneration: object.metadata.generation,
      ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
      disruptionsAllowed: expected <= 0 ? 0 : Math.max(0, healthy - desired),
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      ...(conditions === undefined ? {} : { conditions }),
    }
    await this.#write(object, withDisruptionAllowed(counted, now), causes)
    this.#recheck(object, Object.values(disruptedPods))
  }

  /** Those whose deletion is still to be seen; of one that was not deleted in time, the pod is told. */
  async #disruptedPods(
    object: KubeObject,
    pods: readonly KubeObject[],
    causes: Causes,
  ): Promise<Readonly<Record<string, string>>> {
    const known = asDisruptionBudget(object).status.disruptedPods ?? {}
    const kept: Record<string, string> = {}
    for (const pod of pods) {
      const { name, deletionTimestamp } = pod.metadata
      const since = ownField(known, name)
      if (since === undefined || deletionTimestamp !== undefined) continue
      if (Date.parse(since) + deletionTimeoutMs >= this.#clock.now()) {
        kept[name] = since
        continue
      }
      // The namespace twice, as in the original.
      const { namespace = '' } = object.metadata
      const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`
      await this.#events.write(pod, { type: 'Warning', reason: 'NotDeleted', message }, causes)
    }
    return kept
  }

  #recheck(object: KubeObject, times: readonly string[]): void {
    if (times.length === 0) return
    const { namespace = '', name } = object.metadata
    const first = Math.min(...times.map((time) => Date.parse(time))) + deletionTimeoutMs
    const cancel = this.#clock.after(first - this.#clock.now() + recheckDelayMs, () => {
      this.#add(object, [])
    })
    this.#rechecks.set(`${namespace}/${name}`, cancel)
  }

  /** Where it cannot count, no disruption is allowed. */
  async #failSafe(object: KubeObject, message: string, causes: Causes): Promise<void> {
    const failed = withBudgetCondition(
      { ...fieldOf(object, 'status'), disruptionsAllowed: 0 },
      this.#clock.now(),
      { status: 'False', reason: 'SyncFailed', message },
    )
    await this.#write(object, failed, causes)
  }

  /** A conflict is let be: what the cache has not seen yet brings the budget here again. */
  async #write(object: KubeObject, status: object, causes: Causes): Promise<void> {
    if (equalJson(status, object['status'])) return
    const { collection, name } = placeOf('policy/v1/poddisruptionbudgets', object)
    await this.#client.update(`${collection}/${name}/status`, { ...object, status }, causes)
  }
}
