import { equalJson } from '../../../../shared/json.ts'
import { selectsLabels } from '../../../../shared/kubernetes/disruption-budget.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import { fromTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type {
  Deployment,
  ReplicaSet,
  WorkloadCondition,
} from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ControllerContext } from '../controller.ts'
import { claimObjects, controllerOf, orphansOf } from '../workloads/controller-ref.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { deadlineMs } from './deployment-status.ts'
import { DeploymentSync } from './deployment-sync.ts'
import { isRollingUpdate } from './rolling-update.ts'

/**
 * Rolls templates of Deployments out by creating and scaling ReplicaSets. Source: pkg/controller/deployment
 * deployment_controller.go (v1.34).
 */
export class DeploymentController extends WorkloadController {
  constructor(context: ControllerContext) {
    const { deployments, replicaSets, pods } = context
    super(context, {
      component: 'deployment-controller',
      caches: [deployments, replicaSets, pods],
      maxRetries: 15,
    })
    deployments.addEventHandler({
      onAdd: this.#enqueue,
      onUpdate: this.#enqueue,
      onDelete: this.#enqueue,
    })
    replicaSets.addEventHandler({
      onAdd: (set, causes) => {
        this.#onSet(set, causes)
      },
      onUpdate: (set, causes, before) => {
        this.#onSetUpdated(set, before, causes)
      },
      onDelete: (set, causes) => {
        this.#enqueueOwner(set, causes)
      },
    })
    pods.addEventHandler({
      onDelete: (pod, causes) => {
        this.#onPodDeleted(pod, causes)
      },
    })
  }

  readonly #enqueue = ({ metadata }: Deployment, causes: TraceCauses): void => {
    this.queue.add(objectKey(metadata), causes)
  }

  #ownerOf(set: ReplicaSet): Deployment | undefined {
    const { kind, name = '', uid } = controllerOf(set) ?? {}
    if (kind !== 'Deployment') return undefined
    const deployment = this.context.deployments.get(set.metadata.namespace ?? '', name)
    return deployment?.metadata.uid === uid ? deployment : undefined
  }

  #enqueueOwner(set: ReplicaSet, causes: TraceCauses): void {
    const owner = this.#ownerOf(set)
    if (owner !== undefined) this.#enqueue(owner, causes)
  }

  #onSet(set: ReplicaSet, causes: TraceCauses): void {
    const hasController = controllerOf(set) !== undefined
    if (hasController || set.metadata.deletionTimestamp !== undefined) {
      this.#enqueueOwner(set, causes)
      return
    }
    const { labels = {}, namespace } = set.metadata
    for (const deployment of this.context.deployments.list()) {
      const { metadata, spec } = deployment
      const isSelected = metadata.namespace === namespace && selectsLabels(spec.selector, labels)
      if (isSelected && Object.keys(labels).length > 0) this.#enqueue(deployment, causes)
    }
  }

  #onSetUpdated(set: ReplicaSet, before: ReplicaSet, causes: TraceCauses): void {
    const isControllerChanged = !equalJson(controllerOf(set), controllerOf(before))
    if (isControllerChanged) this.#enqueueOwner(before, causes)
    if (controllerOf(set) !== undefined) this.#enqueueOwner(set, causes)
    else if (isControllerChanged || !equalJson(set.metadata.labels, before.metadata.labels)) {
      this.#onSet(set, causes)
    }
  }

  /** A Deployment that recreates goes on when its last pod is gone. */
  #onPodDeleted(pod: Pod, causes: TraceCauses): void {
    const { kind, name = '', uid } = controllerOf(pod) ?? {}
    if (kind !== 'ReplicaSet') return
    const set = this.context.replicaSets.get(pod.metadata.namespace ?? '', name)
    if (set === undefined || set.metadata.uid !== uid) return
    const deployment = this.#ownerOf(set)
    if (deployment === undefined || isRollingUpdate(deployment)) return
    const sets = this.context.replicaSets.byIndex('controller', deployment.metadata.uid)
    if (sets.every((one) => this.#podsOf(one).length === 0)) this.#enqueue(deployment, causes)
  }

  #podsOf(set: ReplicaSet): readonly Pod[] {
    return this.context.pods.byIndex('controller', set.metadata.uid)
  }

  protected async reconcile(
    namespace: string,
    name: string,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const { deployments, replicaSets, client, clock } = this.context
    const deployment = deployments.get(namespace, name)
    if (deployment === undefined) return undefined
    if (equalJson(deployment.spec.selector, {})) return await this.#refuse(deployment, causes)
    const claimed = await claimObjects({
      client,
      owner: { resource: 'apps/v1/deployments', object: deployment },
      resource: 'apps/v1/replicasets',
      candidates: [
        ...replicaSets.byIndex('controller', deployment.metadata.uid),
        ...replicaSets.byIndex('controller', orphansOf(namespace)),
      ],
      matches: ({ metadata }) => selectsLabels(deployment.spec.selector, metadata.labels ?? {}),
      causes,
    })
    if (!claimed.ok) return claimed.error
    const deps = {
      client,
      clock,
      events: this.events,
      causes,
      setNamed: (set: string) => replicaSets.get(namespace, set),
      podsOf: (set: ReplicaSet) => this.#podsOf(set),
      onStalled: (since: WorkloadCondition) => {
        this.#recheck(deployment, since, causes)
      },
    }
    return await new DeploymentSync(deps, deployment, claimed.value).run()
  }

  /** Requeues when the deadline of the rollout is over, a second later. */
  #recheck(deployment: Deployment, since: WorkloadCondition, causes: TraceCauses): void {
    const key = objectKey(deployment.metadata)
    const updatedAt = fromTimestamp(since.lastUpdateTime) ?? 0
    const leftMs = updatedAt + deadlineMs(deployment) - this.context.clock.now()
    this.queue.addAfter(key, causes, Math.max(leftMs, 0) + 1000)
  }

  async #refuse(deployment: Deployment, causes: TraceCauses): Promise<Outcome> {
    const message = 'This deployment is selecting all pods. A non-empty selector is required.'
    const event = { type: 'Warning', reason: 'SelectingAll', message } as const
    void this.events.write('apps/v1/deployments', deployment, event, causes)
    const { generation = 0 } = deployment.metadata
    if ((deployment.status?.observedGeneration ?? 0) >= generation) return undefined
    const status = { ...deployment.status, observedGeneration: generation }
    const address = {
      ...addressOf('apps/v1/deployments', deployment),
      subresource: 'status',
    } as const
    await this.context.client.update(address, { ...deployment, status }, causes)
    return undefined
  }
}
