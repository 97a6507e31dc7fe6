import { equalJson } from '../../../../shared/json.ts'
import type { ObjectMeta, Pod } from '../../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { Informer } from '../../../cluster/informer/informer.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import type { AnyResources } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import { availableAt, compareForDeletion, isActive } from '../workloads/active-pods.ts'
import { claimObjects, controllerOf, orphansOf } from '../workloads/controller-ref.ts'
import { Expectations } from '../workloads/expectations.ts'
import { PodControl, podOfTemplate, slowStartBatch } from '../workloads/pod-control.ts'
import type { Owner } from '../workloads/pod-control.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { templateOf } from './replica-kinds.ts'
import type { ReplicaKind, ReplicaResource } from './replica-kinds.ts'
import { replicaSetStatus } from './replica-set-status.ts'

/** BurstReplicas: the most pods that one sync creates or deletes. */
const burstReplicas = 500

/**
 * Creates and deletes pods until there are as many as a ReplicaSet or ReplicationController asks for, and counts them in its
 * status. Source: pkg/controller/replicaset/replica_set.go (v1.34).
 */
export class ReplicaSetController<R extends ReplicaResource> extends WorkloadController {
  readonly #kind: ReplicaKind<R>
  readonly #sets: Informer<R, 'controller'>
  readonly #expectations: Expectations
  readonly #pods: PodControl

  constructor(context: ControllerContext, kind: ReplicaKind<R>, sets: Informer<R, 'controller'>) {
    super(context, { component: kind.component, caches: [context.pods, sets] })
    this.#kind = kind
    this.#sets = sets
    this.#expectations = new Expectations(context.clock)
    this.#pods = new PodControl({ client: context.client, events: this.events })
    sets.addEventHandler({
      onAdd: this.#enqueue,
      onUpdate: this.#enqueue,
      onDelete: ({ metadata }, causes) => {
        this.#expectations.forget(objectKey(metadata))
        this.queue.add(objectKey(metadata), causes)
      },
    })
    context.pods.addEventHandler({
      onAdd: (pod, causes) => {
        if (pod.metadata.deletionTimestamp === undefined) this.#onPodAdded(pod, causes)
        else this.#onPodDeleted(pod, causes)
      },
      onUpdate: (pod, causes, before) => {
        if (pod.metadata.deletionTimestamp === undefined) this.#onPodUpdated(pod, before, causes)
        else this.#onPodDeleted(pod, causes)
      },
      onDelete: (pod, causes) => {
        this.#onPodDeleted(pod, causes)
      },
    })
  }

  readonly #enqueue = (
    { metadata }: { readonly metadata: ObjectMeta },
    causes: TraceCauses,
  ): void => {
    this.queue.add(objectKey(metadata), causes)
  }

  /** The key of the set that controls a pod. */
  #keyOfController(pod: Pod): string | undefined {
    const { kind, name = '', uid } = controllerOf(pod) ?? {}
    if (kind !== this.#kind.kind) return undefined
    const set = this.#sets.get(pod.metadata.namespace ?? '', name)
    return set?.metadata.uid === uid && set !== undefined ? objectKey(set.metadata) : undefined
  }

  #onPodAdded(pod: Pod, causes: TraceCauses): void {
    if (controllerOf(pod) === undefined) {
      this.#offer(pod, causes)
      return
    }
    const key = this.#keyOfController(pod)
    if (key === undefined) return
    this.#expectations.creationObserved(key)
    this.queue.add(key, causes)
  }

  /** Adds the sets to the queue that may adopt a pod. */
  #offer(pod: Pod, causes: TraceCauses): void {
    for (const set of this.#sets.list()) {
      const isSelected =
        set.metadata.namespace === pod.metadata.namespace && this.#kind.selects(set, pod)
      if (isSelected) this.#enqueue(set, causes)
    }
  }

  #onPodUpdated(pod: Pod, before: Pod, causes: TraceCauses): void {
    const [controller, old] = [controllerOf(pod), controllerOf(before)]
    const isControllerChanged = !equalJson(controller, old)
    const oldKey = this.#keyOfController(before)
    if (isControllerChanged && oldKey !== undefined) this.queue.add(oldKey, causes)
    if (controller !== undefined) {
      const key = this.#keyOfController(pod)
      if (key !== undefined) this.queue.add(key, causes)
    } else if (isControllerChanged || !equalJson(pod.metadata.labels, before.metadata.labels)) {
      this.#offer(pod, causes)
    }
  }

  #onPodDeleted(pod: Pod, causes: TraceCauses): void {
    const key = this.#keyOfController(pod)
    if (key === undefined) return
    this.#expectations.deletionObserved(key, objectKey(pod.metadata))
    this.queue.add(key, causes)
  }

  protected async reconcile(
    namespace: string,
    name: string,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const set = this.#sets.get(namespace, name)
    const key = `${namespace}/${name}`
    if (set === undefined) {
      this.#expectations.forget(key)
      return undefined
    }
    const maySync = this.#expectations.areSatisfied(key)
    const { pods: cached, client, clock } = this.context
    const candidates = [
      ...cached.byIndex('controller', set.metadata.uid),
      ...cached.byIndex('controller', orphansOf(namespace)),
    ]
    const claimed = await claimObjects({
      client,
      owner: this.#owner(set),
      resource: 'pods',
      candidates: candidates.filter(isActive),
      matches: (pod) => this.#kind.selects(set, pod),
      causes,
    })
    if (!claimed.ok) return claimed.error
    const pods = claimed.value
    const isGoing = set.metadata.deletionTimestamp !== undefined
    const error = maySync && !isGoing ? await this.#manageReplicas(set, pods, causes) : undefined
    const now = clock.now()
    const updated = await this.#updateStatus(set, pods, { error, now }, causes)
    if (updated !== undefined || error !== undefined) return updated ?? error
    this.#recheckAvailability(set, pods, now)
    return undefined
  }

  #owner(set: AnyResources[R]): Owner {
    return { resource: this.#kind.resource, object: set }
  }

  async #manageReplicas(
    set: AnyResources[R],
    pods: readonly Pod[],
    causes: TraceCauses,
  ): Promise<Outcome> {
    const missing = (set.spec.replicas ?? 1) - pods.length
    if (missing > 0) return await this.#create(set, Math.min(missing, burstReplicas), causes)
    if (missing < 0) return await this.#delete(set, pods, Math.min(-missing, burstReplicas), causes)
    return undefined
  }

  async #create(set: AnyResources[R], count: number, causes: TraceCauses): Promise<Outcome> {
    const key = objectKey(set.metadata)
    const owner = this.#owner(set)
    const pod = podOfTemplate(templateOf(set), owner)
    this.#expectations.expect(key, count)
    const { successes, error } = await slowStartBatch(count, async () => {
      const created = await this.#pods.create(pod, owner, causes)
      return created?.ok === false ? created.error : undefined
    })
    for (let skipped = count - successes; skipped > 0; skipped--) {
      this.#expectations.creationObserved(key)
    }
    return error
  }

  async #delete(
    set: AnyResources[R],
    pods: readonly Pod[],
    count: number,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const key = objectKey(set.metadata)
    const chosen = this.#toDelete(set, pods, count)
    const keys = chosen.map(({ metadata }) => objectKey(metadata))
    this.#expectations.expect(key, 0, keys)
    const outcomes = await Promise.all(
      chosen.map(async (pod): Promise<Outcome> => {
        const deleted = await this.#pods.delete(pod, this.#owner(set), causes)
        if (deleted.ok) return undefined
        this.#expectations.deletionObserved(key, objectKey(pod.metadata))
        return deleted.error.kind === 'not-found' ? undefined : deleted.error
      }),
    )
    return outcomes.find((error) => error !== undefined)
  }

  #toDelete(set: AnyResources[R], pods: readonly Pod[], count: number): readonly Pod[] {
    if (count >= pods.length) return pods
    const perNode = new Map<string, number>()
    for (const { spec } of this.#relatedPods(set)) {
      const node = spec.nodeName ?? ''
      perNode.set(node, (perNode.get(node) ?? 0) + 1)
    }
    const rankOf = ({ spec }: Pod): number => perNode.get(spec.nodeName ?? '') ?? 0
    const now = this.context.clock.now()
    return pods.toSorted((a, b) => compareForDeletion(a, b, { rankOf, now })).slice(0, count)
  }

  /** The active pods that the sets of the same controller select. */
  #relatedPods(set: AnyResources[R]): readonly Pod[] {
    const controller = controllerOf(set)
    if (controller === undefined) return []
    const related = this.#sets.byIndex('controller', controller.uid)
    return this.context.pods
      .list()
      .filter(
        (pod) =>
          isActive(pod) &&
          pod.metadata.namespace === set.metadata.namespace &&
          related.some((one) => this.#kind.selects(one, pod)),
      )
  }

  async #updateStatus(
    set: AnyResources[R],
    pods: readonly Pod[],
    { error, now }: { readonly error: Outcome; readonly now: number },
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { replicas = 1, minReadySeconds = 0 } = set.spec
    const templateLabels = templateOf(set).metadata?.labels ?? {}
    const counted = { desired: replicas, minReadySeconds, templateLabels, pods, error, now }
    const observedGeneration = set.metadata.generation ?? 0
    const status = { ...replicaSetStatus(set.status, counted), observedGeneration }
    if (equalJson({ replicas: 0, ...set.status }, status)) return undefined
    const { client } = this.context
    const address = { ...addressOf(this.#kind.resource, set), subresource: 'status' } as const
    const updated = await client.update(address, { ...set, status }, causes)
    if (updated.ok) return undefined
    // Once more on the latest version (statusUpdateRetries).
    const fresh = await client.get(address)
    if (!fresh.ok) return fresh.error
    const again = await client.update(address, { ...fresh.value, status }, causes)
    return again.ok ? undefined : again.error
  }

  #recheckAvailability(set: AnyResources[R], pods: readonly Pod[], now: number): void {
    const times = pods.flatMap((pod) => availableAt(pod, set.spec.minReadySeconds ?? 0, now) ?? [])
    if (times.length === 0) return
    this.queue.addAfter(objectKey(set.metadata), [], Math.min(...times) - now)
  }
}
