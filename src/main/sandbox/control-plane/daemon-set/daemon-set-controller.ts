import { equalJson } from '../../../../shared/json.ts'
import { selectsLabels } from '../../../../shared/kubernetes/disruption-budget.ts'
import type { Node, Pod } from '../../../../shared/kubernetes/objects.ts'
import type { DaemonSet, DaemonSetStatus } from '../../../../shared/kubernetes/workloads.ts'
import { ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { addressOf, objectKey } from '../../../cluster/client/resource-paths.ts'
import type { ApiError } from '../../../kubelet/ports.ts'
import type { ControllerContext } from '../controller.ts'
import { isAvailable, isReady, isTerminal } from '../workloads/active-pods.ts'
import { claimObjects, controllerOf, orphansOf } from '../workloads/controller-ref.ts'
import { Expectations } from '../workloads/expectations.ts'
import { PodControl, slowStartBatch } from '../workloads/pod-control.ts'
import { constructHistory, truncateHistory } from '../workloads/revision-history.ts'
import type { History } from '../workloads/revision-history.ts'
import { podTemplateHash } from '../workloads/template-hash.ts'
import { WorkloadController } from '../workloads/workload-controller.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { FailedPodBackOff } from './failed-pod-back-off.ts'
import {
  byAgeAndNode,
  daemonPod,
  isUpdated,
  revisionHashLabel,
  shouldRun,
  targetNode,
} from './daemon-pods.ts'
import { allowsSurge, rollingChanges } from './daemon-rollout.ts'
import type { NodeChanges } from './daemon-rollout.ts'

const burstReplicas = 250

/** One sync's view. */
interface View {
  readonly set: DaemonSet
  readonly nodes: readonly Node[]
  readonly byNode: ReadonlyMap<string, readonly Pod[]>
  readonly hash: string
  readonly causes: TraceCauses
}

/**
 * Keeps one pod of a DaemonSet on each node that takes it. Source: pkg/controller/daemon/daemon_controller.go (v1.34).
 */
export class DaemonSetController extends WorkloadController {
  readonly #expectations: Expectations
  readonly #pods: PodControl
  readonly #backOff: FailedPodBackOff

  constructor(context: ControllerContext) {
    const { daemonSets, pods, nodes, revisions, client } = context
    super(context, {
      component: 'daemonset-controller',
      caches: [daemonSets, pods, nodes, revisions],
    })
    this.#expectations = new Expectations(context.clock)
    this.#pods = new PodControl({ client, events: this.events })
    this.#backOff = new FailedPodBackOff(context.clock)
    const enqueue = ({ metadata }: DaemonSet, causes: TraceCauses): void => {
      this.queue.add(objectKey(metadata), causes)
    }
    daemonSets.addEventHandler({
      onAdd: enqueue,
      onUpdate: enqueue,
      onDelete: (set, causes) => {
        this.#expectations.forget(objectKey(set.metadata))
        enqueue(set, causes)
      },
    })
    nodes.addEventHandler({
      onAdd: (node, causes) => {
        for (const set of daemonSets.list()) if (shouldRun(set, node).runs) enqueue(set, causes)
      },
      onUpdate: (node, causes, before) => {
        for (const set of daemonSets.list()) {
          if (!equalJson(shouldRun(set, node), shouldRun(set, before))) enqueue(set, causes)
        }
      },
      onDelete: (node, causes) => {
        for (const set of daemonSets.list()) if (shouldRun(set, node).runs) enqueue(set, causes)
      },
    })
    this.#watchPods(enqueue)
  }

  #watchPods(enqueue: (set: DaemonSet, causes: TraceCauses) => void): void {
    const onDelete = (pod: Pod, causes: TraceCauses): void => {
      const set = this.#setOf(pod)
      if (set === undefined) return
      this.#expectations.deletionObserved(objectKey(set.metadata), objectKey(pod.metadata))
      enqueue(set, causes)
    }
    const offer = (pod: Pod, causes: TraceCauses): void => {
      for (const set of this.context.daemonSets.list()) {
        const { metadata, spec } = set
        const isSelected = selectsLabels(spec.selector, pod.metadata.labels ?? {})
        if (metadata.namespace === pod.metadata.namespace && isSelected) enqueue(set, causes)
      }
    }
    this.context.pods.addEventHandler({
      onAdd: (pod, causes) => {
        if (pod.metadata.deletionTimestamp !== undefined) {
          onDelete(pod, causes)
          return
        }
        const set = this.#setOf(pod)
        if (set !== undefined) {
          this.#expectations.creationObserved(objectKey(set.metadata))
          enqueue(set, causes)
        } else if (controllerOf(pod) === undefined) offer(pod, causes)
      },
      onUpdate: (pod, causes, before) => {
        if (pod.metadata.deletionTimestamp !== undefined) {
          onDelete(pod, causes)
          return
        }
        for (const set of new Set([this.#setOf(before), this.#setOf(pod)])) {
          if (set !== undefined) enqueue(set, causes)
        }
        const isRelabeled = !equalJson(pod.metadata.labels, before.metadata.labels)
        const isReleased = controllerOf(before) !== undefined
        if (controllerOf(pod) === undefined && (isRelabeled || isReleased)) offer(pod, causes)
      },
      onDelete,
    })
  }

  #setOf(pod: Pod): DaemonSet | undefined {
    const { kind, name = '', uid } = controllerOf(pod) ?? {}
    if (kind !== 'DaemonSet') return undefined
    const set = this.context.daemonSets.get(pod.metadata.namespace ?? '', name)
    return set?.metadata.uid === uid ? set : undefined
  }

  protected async reconcile(
    namespace: string,
    name: string,
    causes: TraceCauses,
  ): Promise<Outcome> {
    const key = `${namespace}/${name}`
    const set = this.context.daemonSets.get(namespace, name)
    if (set === undefined) {
      this.#expectations.forget(key)
      return undefined
    }
    if (equalJson(set.spec.selector, {})) {
      const message = 'This daemon set is selecting all pods. A non-empty selector is required.'
      this.#record(set, 'Warning', 'SelectingAll', message, causes)
      return undefined
    }
    if (set.metadata.deletionTimestamp !== undefined) return undefined
    const history = await this.#history(set, causes)
    if (!history.ok) return history.error
    const hash = history.value.current.metadata.labels?.[revisionHashLabel] ?? ''
    const nodes = this.context.nodes.list()
    const view = async (): Promise<Result<View, ApiError>> => {
      const byNode = await this.#podsByNode(set, causes)
      return byNode.ok ? ok({ set, nodes, byNode: byNode.value, hash, causes }) : byNode
    }
    const isSatisfied = this.#expectations.areSatisfied(key)
    const seen = await view()
    if (!seen.ok) return seen.error
    const failed = isSatisfied ? await this.#update(seen.value, history.value) : undefined
    const after = await view()
    if (!after.ok) return failed ?? after.error
    const statusFailed = await this.#writeStatus(after.value, isSatisfied)
    return failed ?? statusFailed
  }

  #record(
    set: DaemonSet,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    causes: TraceCauses,
  ): void {
    void this.events.write('apps/v1/daemonsets', set, { type, reason, message }, causes)
  }

  #history(set: DaemonSet, causes: TraceCauses): Promise<Result<History, ApiError>> {
    const { client, revisions } = this.context
    const { name } = set.metadata
    const collisionCount = set.status?.collisionCount
    return constructHistory({
      client,
      causes,
      owner: { resource: 'apps/v1/daemonsets', object: set },
      revisions: revisions.byIndex('controller', set.metadata.uid),
      collisionCount,
      named: (count) => {
        const hash = podTemplateHash({ ...set.spec.template }, count)
        const labels = { ...set.spec.template.metadata?.labels, [revisionHashLabel]: hash }
        return { name: `${name}-${hash}`, labels }
      },
      onCollision: async () => {
        const status = { ...set.status, collisionCount: (collisionCount ?? 0) + 1 }
        const address = { ...addressOf('apps/v1/daemonsets', set), subresource: 'status' } as const
        await client.update(address, { ...set, status }, causes)
      },
    })
  }

  async #podsByNode(
    set: DaemonSet,
    causes: TraceCauses,
  ): Promise<Result<ReadonlyMap<string, readonly Pod[]>, ApiError>> {
    const { pods, client } = this.context
    const claimed = await claimObjects({
      client,
      owner: { resource: 'apps/v1/daemonsets', object: set },
      resource: 'pods',
      candidates: [
        ...pods.byIndex('controller', set.metadata.uid),
        ...pods.byIndex('controller', orphansOf(set.metadata.namespace)),
      ],
      matches: ({ metadata }) => selectsLabels(set.spec.selector, metadata.labels ?? {}),
      causes,
    })
    if (!claimed.ok) return claimed
    const byNode = new Map<string, Pod[]>()
    for (const pod of claimed.value) {
      const isGone = isTerminal(pod.status?.phase) && pod.metadata.deletionTimestamp !== undefined
      const node = targetNode(pod)
      if (isGone || node === undefined) continue
      const onNode = byNode.get(node)
      if (onNode === undefined) byNode.set(node, [pod])
      else onNode.push(pod)
    }
    return ok(byNode)
  }

  async #update(view: View, history: History): Promise<Outcome> {
    const { set, nodes, byNode, hash, causes } = view
    const failed = await this.#apply(view, this.#changes(view))
    if (failed !== undefined) return failed
    const key = objectKey(set.metadata)
    const isRolling = (set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate'
    if (isRolling && this.#expectations.areSatisfied(key)) {
      // Read again: what was deleted above is still in the view.
      const present = await this.#podsByNode(set, causes)
      if (!present.ok) return present.error
      const now = this.context.clock.now()
      const changes = rollingChanges(set, nodes, present.value, { hash, now })
      const rolled = await this.#apply(view, changes)
      if (rolled !== undefined) return rolled
    }
    const live = new Set(
      [...byNode.values()].flat().map(({ metadata }) => metadata.labels?.[revisionHashLabel]),
    )
    return await truncateHistory({ client: this.context.client, causes }, history.old, {
      limit: set.spec.revisionHistoryLimit ?? 10,
      isLive: ({ metadata }) => live.has(metadata.labels?.[revisionHashLabel]),
    })
  }

  /** Nodes that lack a pod, and pods that are too many or have ended. */
  #changes(view: View): NodeChanges {
    const changes = view.nodes.map((node) => this.#changesOn(view, node))
    const known = new Set(view.nodes.map(({ metadata }) => metadata.name))
    // Pods that wait for a node that is gone.
    const lost = [...view.byNode].flatMap(([name, pods]) =>
      known.has(name) ? [] : pods.filter(({ spec }) => (spec.nodeName ?? '') === ''),
    )
    return {
      nodes: changes.flatMap(({ nodes }) => nodes),
      pods: [...changes.flatMap(({ pods }) => pods), ...lost],
    }
  }

  #changesOn(view: View, node: Node): NodeChanges {
    const { name } = node.metadata
    const pods = view.byNode.get(name)
    const { runs, stays } = shouldRun(view.set, node)
    if (runs && pods === undefined) return { nodes: [name], pods: [] }
    const live = (pods ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    if (!stays) return { nodes: [], pods: live }
    const ended = live.filter((pod) => isTerminal(pod.status?.phase))
    const removed = ended.filter((pod) => this.#mayReplace(view, pod, name))
    const running = live.filter((pod) => !isTerminal(pod.status?.phase)).toSorted(byAgeAndNode)
    if (!allowsSurge(view.set)) return { nodes: [], pods: [...removed, ...running.slice(1)] }
    if (running.length <= 1) {
      return { nodes: running.length === 0 && runs ? [name] : [], pods: removed }
    }
    return { nodes: [], pods: [...removed, ...this.#surplus(view, running)] }
  }

  /** Of the running pods of a node during a surge: all but one old and one new pod, and the old one when the new one is available. */
  #surplus({ set, hash }: View, running: readonly Pod[]): readonly Pod[] {
    const isNew = ({ metadata }: Pod): boolean => metadata.labels?.[revisionHashLabel] === hash
    const fresh = running.filter(isNew)
    const old = running.filter((pod) => !isNew(pod))
    const [oldest, first] = [old[0], fresh[0]]
    const extra = [...fresh.slice(1), ...old.slice(1)]
    if (oldest === undefined || first === undefined) return extra
    const now = this.context.clock.now()
    const isOver = !isReady(oldest) || isAvailable(first, set.spec.minReadySeconds ?? 0, now)
    return isOver ? [...extra, oldest] : extra
  }

  /** Failed pods are replaced with a growing delay. */
  #mayReplace({ set, causes }: View, pod: Pod, node: string): boolean {
    const { namespace = '', name } = pod.metadata
    if (pod.status?.phase === 'Succeeded') {
      const message = `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`
      this.#record(set, 'Normal', 'SucceededDaemonPod', message, causes)
      return true
    }
    const key = `${set.metadata.uid}/${set.status?.observedGeneration ?? 0}/${node}`
    const waitMs = this.#backOff.waitMs(key)
    if (waitMs > 0) {
      this.queue.addAfter(objectKey(set.metadata), causes, waitMs)
      return false
    }
    this.#backOff.next(key)
    const message = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`
    this.#record(set, 'Warning', 'FailedDaemonPod', message, causes)
    return true
  }

  async #apply({ set, hash, causes }: View, { nodes, pods }: NodeChanges): Promise<Outcome> {
    const key = objectKey(set.metadata)
    const owner = { resource: 'apps/v1/daemonsets', object: set } as const
    const added = nodes.slice(0, burstReplicas)
    const removed = pods.slice(0, burstReplicas)
    const removedKeys = removed.map(({ metadata }) => objectKey(metadata))
    this.#expectations.expect(key, added.length, removedKeys)
    const made = await slowStartBatch(added.length, async (index) => {
      const pod = daemonPod(set, added[index] ?? '', hash)
      const created = await this.#pods.create(pod, owner, causes)
      return created?.ok === false ? created.error : undefined
    })
    for (let skipped = added.length - made.successes; skipped > 0; skipped--) {
      this.#expectations.creationObserved(key)
    }
    const outcomes = await Promise.all(
      removed.map(async (pod): Promise<Outcome> => {
        const deleted = await this.#pods.delete(pod, owner, causes)
        if (deleted.ok) return undefined
        this.#expectations.deletionObserved(key, objectKey(pod.metadata))
        return deleted.error.kind === 'not-found' ? undefined : deleted.error
      }),
    )
    return made.error ?? outcomes.find((error) => error !== undefined)
  }

  async #writeStatus(view: View, isObserved: boolean): Promise<Outcome> {
    const { set, causes } = view
    const counts = this.#counts(view)
    const observedGeneration = isObserved
      ? (set.metadata.generation ?? 0)
      : (set.status?.observedGeneration ?? 0)
    const names = Object.keys(counts) as readonly (keyof typeof counts)[]
    const isSame =
      names.every((name) => (set.status?.[name] ?? 0) === counts[name]) &&
      (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0)
    const { client } = this.context
    if (!isSame) {
      const status: DaemonSetStatus = { ...set.status, ...counts, observedGeneration }
      const address = { ...addressOf('apps/v1/daemonsets', set), subresource: 'status' } as const
      const updated = await client.update(address, { ...set, status }, causes)
      if (!updated.ok) return updated.error
    }
    const { minReadySeconds = 0 } = set.spec
    if (minReadySeconds > 0 && counts.numberReady !== counts.numberAvailable) {
      this.queue.addAfter(objectKey(set.metadata), causes, minReadySeconds * 1000)
    }
    return undefined
  }

  #counts({ set, nodes, byNode, hash }: View) {
    const counts = {
      desiredNumberScheduled: 0,
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      numberReady: 0,
      updatedNumberScheduled: 0,
      numberAvailable: 0,
      numberUnavailable: 0,
    }
    const now = this.context.clock.now()
    for (const node of nodes) {
      const [pod] = (byNode.get(node.metadata.name) ?? []).toSorted(byAgeAndNode)
      if (!shouldRun(set, node).runs) {
        if (pod !== undefined) counts.numberMisscheduled++
        continue
      }
      counts.desiredNumberScheduled++
      if (pod === undefined) continue
      counts.currentNumberScheduled++
      if (isReady(pod)) counts.numberReady++
      if (isAvailable(pod, set.spec.minReadySeconds ?? 0, now)) counts.numberAvailable++
      if (isUpdated(pod, set, hash)) counts.updatedNumberScheduled++
    }
    counts.numberUnavailable = counts.desiredNumberScheduled - counts.numberAvailable
    return counts
  }
}
