import { equalJson } from '../../../../shared/json.ts'
import { selectsLabels } from '../../../../shared/kubernetes/disruption-budget.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type { StatefulSet, StatefulSetStatus } from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { Result } from '../../../../shared/result.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ApiError } from '../../../kubelet/ports.ts'
import type { ControllerContext } from '../controller.ts'
import { nonZero } from '../replica-set/replica-set-status.ts'
import { claimObjects, controllerOf, orphansOf } from '../workloads/controller-ref.ts'
import { constructHistory, truncateHistory } from '../workloads/revision-history.ts'
import type { History } from '../workloads/revision-history.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { ordinalOf, revisionHash, revisionLabel } from './stateful-pods.ts'
import { StatefulSetSync } from './stateful-set-sync.ts'

/** Keeps the numbered pods of StatefulSets. Source: pkg/controller/statefulset/stateful_set.go (v1.34). */
export class StatefulSetController extends WorkloadController {
  constructor(context: ControllerContext) {
    const { statefulSets, pods, revisions, claims } = context
    super(context, {
      component: 'statefulset-controller',
      caches: [statefulSets, pods, revisions, claims],
    })
    const enqueue = ({ metadata }: StatefulSet, causes: TraceCauses): void => {
      this.queue.add(objectKey(metadata), causes)
    }
    statefulSets.addEventHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue })
    const onPod = (pod: Pod, causes: TraceCauses): void => {
      const set = this.#setOf(pod)
      if (set !== undefined) enqueue(set, causes)
      else if (controllerOf(pod) === undefined) {
        for (const one of statefulSets.list()) {
          const isOwn =
            one.metadata.namespace === pod.metadata.namespace &&
            selectsLabels(one.spec.selector, pod.metadata.labels ?? {})
          if (isOwn) enqueue(one, causes)
        }
      }
    }
    pods.addEventHandler({
      onAdd: onPod,
      onUpdate: (pod, causes, before) => {
        if (!equalJson(controllerOf(pod), controllerOf(before))) onPod(before, causes)
        onPod(pod, causes)
      },
      onDelete: (pod, causes) => {
        if (controllerOf(pod) !== undefined) onPod(pod, causes)
      },
    })
  }

  #setOf(pod: Pod): StatefulSet | undefined {
    const { kind, name = '', uid } = controllerOf(pod) ?? {}
    if (kind !== 'StatefulSet') return undefined
    const set = this.context.statefulSets.get(pod.metadata.namespace ?? '', name)
    return set?.metadata.uid === uid ? set : undefined
  }

  protected async reconcile(
    namespace: string,
    name: string,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { statefulSets, pods, client, clock, claims } = this.context
    const set = statefulSets.get(namespace, name)
    if (set === undefined) return undefined
    const claimed = await claimObjects({
      client,
      owner: { resource: 'apps/v1/statefulsets', object: set },
      resource: 'pods',
      candidates: [
        ...pods.byIndex('controller', set.metadata.uid),
        ...pods.byIndex('controller', orphansOf(namespace)),
      ],
      matches: (pod) =>
        selectsLabels(set.spec.selector, pod.metadata.labels ?? {}) && ordinalOf(pod, set) >= 0,
      causes,
    })
    if (!claimed.ok) return claimed.error
    const history = await this.#history(set, causes)
    if (!history.ok) return history.error
    const { current: update, old } = history.value
    const current =
      old.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update
    const claim = (claimName: string) => claims.get(namespace, claimName)
    const deps = { client, clock, events: this.events, causes, claim, current, update }
    const { status, error } = await new StatefulSetSync(deps, set, claimed.value).run()
    // After an error too: the counts are right.
    const failed = await this.#writeStatus(set, status, causes)
    const live = new Set([
      current.metadata.name,
      ...claimed.value.map(({ metadata }) => metadata.labels?.[revisionLabel]),
    ])
    const truncated = await truncateHistory({ client, causes }, old, {
      limit: set.spec.revisionHistoryLimit ?? 10,
      isLive: ({ metadata }) => live.has(metadata.name),
    })
    const outcome = error ?? failed ?? truncated
    if (outcome === undefined) this.#recheckAvailability(set, status)
    return outcome
  }

  #history(set: StatefulSet, causes: TraceCauses): Promise<Result<History, ApiError>> {
    const { client, revisions } = this.context
    const { name } = set.metadata
    const collisionCount = set.status?.collisionCount ?? 0
    return constructHistory({
      client,
      causes,
      owner: { resource: 'apps/v1/statefulsets', object: set },
      revisions: revisions.byIndex('controller', set.metadata.uid),
      collisionCount,
      named: (count = 0) => {
        const hash = revisionHash(set, count)
        const labels = {
          ...set.spec.template.metadata?.labels,
          'controller.kubernetes.io/hash': hash,
        }
        return { name: `${name}-${hash}`, labels }
      },
      onCollision: async () => {
        await this.#writeStatus(set, { ...set.status, collisionCount: collisionCount + 1 }, causes)
      },
    })
  }

  async #writeStatus(
    set: StatefulSet,
    status: StatefulSetStatus,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { client } = this.context
    const { readyReplicas = 0, currentReplicas = 0, updatedReplicas = 0, ...rest } = status
    const written = {
      availableReplicas: 0,
      replicas: 0,
      ...rest,
      ...nonZero({ readyReplicas, currentReplicas, updatedReplicas }),
    }
    if (equalJson(written, set.status)) return undefined
    const address = { ...addressOf('apps/v1/statefulsets', set), subresource: 'status' } as const
    const updated = await client.update(address, { ...set, status: written }, causes)
    return updated.ok ? undefined : updated.error
  }

  #recheckAvailability({ metadata, spec }: StatefulSet, status: StatefulSetStatus): void {
    const { minReadySeconds = 0 } = spec
    const isWaiting = (status.readyReplicas ?? 0) > (status.availableReplicas ?? 0)
    if (minReadySeconds > 0 && isWaiting) {
      this.queue.addAfter(objectKey(metadata), [], minReadySeconds * 1000)
    }
  }
}
