import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import { budgetsOf, isHealthy } from '../../../src/shared/kubernetes/disruption-budget.ts'
import type { PodDisruptionBudget } from '../../../src/shared/kubernetes/disruption-budget.ts'
import { controllerOf } from '../../../src/main/sandbox/control-plane/workloads/controller-ref.ts'
import { isTerminal } from '../../../src/main/sandbox/control-plane/workloads/active-pods.ts'
import type { ReportViolation } from '../invariants.ts'
import { controllerManager } from './owner-history.ts'
import type { ObjectChange, OwnerHistory } from './owner-history.ts'
import { partOf } from './replica-checks.ts'

const orphanFinalizer = 'orphan'
/** So long the disruption controller may not have counted a change of a pod, in ms. */
const uncountedMs = 2000

/** What becomes of dependents, and of pods with a budget (invariants 34 and 35). */
export class DependentChecks {
  readonly #history: OwnerHistory
  readonly #report: ReportViolation
  /** UIDs of dependents that were orphaned and have found no other owner. */
  readonly #orphans = new Set<string>()
  /** UIDs of pods whose eviction was granted: their budgets have counted them off at once. */
  readonly #evicted = new Set<string>()

  constructor(deps: { readonly history: OwnerHistory; readonly report: ReportViolation }) {
    this.#history = deps.history
    this.#report = deps.report
  }

  take(change: ObjectChange): void {
    const { type, object, user } = change
    this.#noteOrphans(change)
    if (user !== controllerManager) return
    if (type === 'ADDED') this.#onCreated(change)
    if (type === 'DELETED' || object.metadata.deletionTimestamp !== undefined)
      this.#onDeleted(change)
  }

  #noteOrphans({ object, before }: ObjectChange): void {
    const { uid } = object.metadata
    if (controllerOf(object) !== undefined) this.#orphans.delete(uid)
    const lost = (before?.metadata.ownerReferences ?? []).filter(
      (owner) => object.metadata.ownerReferences?.some((one) => one.uid === owner.uid) !== true,
    )
    const isOrphaned = lost.some((owner) =>
      this.#history
        .everything()
        .some(
          (one) =>
            one.object.metadata.uid === owner.uid &&
            one.object.metadata.finalizers?.includes(orphanFinalizer) === true,
        ),
    )
    if (isOrphaned && controllerOf(object) === undefined) this.#orphans.add(uid)
  }

  #onCreated({ resource, object }: ObjectChange): void {
    for (const { uid, kind, name } of object.metadata.ownerReferences ?? []) {
      const title = `${object.metadata.name} for ${kind} ${name} (${uid})`
      if (!this.#history.wasThere(uid)) this.#report(34, `${title}, which is gone`)
      const owner = this.#history
        .everything()
        .find((one) => one.object.metadata.uid === uid)?.object
      const isGoing =
        owner !== undefined &&
        kind !== 'Service' &&
        // performUpdate (stateful_set_control.go) creates the revision before updateStatefulSet looks at the deletion.
        !(kind === 'StatefulSet' && resource === 'apps/v1/controllerrevisions') &&
        this.#history
          .recent(owner)
          .every(({ metadata }) => metadata.deletionTimestamp !== undefined)
      if (isGoing) this.#report(34, `${title}, which is being deleted`)
    }
  }

  /** Of orphans, controllers delete only pods that have ended, or whose node or namespace goes. */
  #onDeleted({ resource, object, before }: ObjectChange): void {
    const { uid, name, namespace } = object.metadata
    if (!this.#orphans.delete(uid) || before?.metadata.deletionTimestamp !== undefined) return
    const home = this.#history.all('namespaces').find((one) => one.metadata.name === namespace)
    if (home === undefined || home.metadata.deletionTimestamp !== undefined) return
    if (resource === 'pods' && this.#isTakenAway(object as unknown as Pod)) return
    this.#report(
      34,
      `${resource} ${namespace ?? ''}/${name} (${uid}) was orphaned, and then deleted`,
    )
  }

  #isTakenAway({ spec, status }: Pod): boolean {
    if (isTerminal(status?.phase)) return true
    const node = this.#history.all('nodes').find((one) => one.metadata.name === spec.nodeName)
    return (
      node === undefined || (node.spec?.taints ?? []).some(({ effect }) => effect === 'NoExecute')
    )
  }

  /** An eviction was granted to a pod, which is given as it was before. */
  readonly onEvicted = (pod: Pod): void => {
    this.#evicted.add(pod.metadata.uid)
    const wasSpared = pod.metadata.deletionTimestamp !== undefined || !isHealthy(pod)
    if (wasSpared || isTerminal(pod.status?.phase) || pod.status?.phase === 'Pending') return
    for (const budget of budgetsOf(pod, this.#history.all('poddisruptionbudgets'))) {
      const others = this.#history
        .all('pods')
        .filter((one) => one.metadata.uid !== pod.metadata.uid)
        .filter((one) => budgetsOf(one, [budget]).length > 0)
      const healthy = others.filter((one) => this.#countsAsHealthy(one)).length
      const needed = this.#neededBy(budget, [pod, ...others])
      if (healthy < needed)
        this.#report(
          35,
          `${pod.metadata.name} (${pod.metadata.uid}) was evicted: ${healthy} of ${needed} are healthy`,
        )
    }
  }

  #countsAsHealthy(pod: Pod): boolean {
    if (this.#evicted.has(pod.metadata.uid)) return false
    return this.#history
      .recent(pod, uncountedMs)
      .some((one) => isHealthy(one) && one.metadata.deletionTimestamp === undefined)
  }

  /** The fewest healthy pods that the budget needed lately. */
  #neededBy(budget: PodDisruptionBudget, pods: readonly Pod[]): number {
    const scales = new Map(
      pods.flatMap((pod) => {
        const scale = this.#scaleOf(pod)
        return scale === undefined ? [] : [scale]
      }),
    )
    const expected = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0)
    return Math.min(
      ...this.#history.recent(budget).map(({ spec }) => {
        const { minAvailable, maxUnavailable } = spec
        if (maxUnavailable !== undefined)
          return expected - partOf(maxUnavailable, expected, Math.ceil)
        return partOf(minAvailable ?? 0, expected, Math.ceil)
      }),
    )
  }

  /** The fewest replicas that the pod's topmost controller had lately. */
  #scaleOf(pod: Pod): readonly [uid: string, replicas: number] | undefined {
    const { uid = '' } = controllerOf(pod) ?? {}
    const set = this.#history.get('apps/v1/replicasets', uid)
    const above = set === undefined ? undefined : controllerOf(set)
    const owner =
      this.#history.get('apps/v1/deployments', above?.uid ?? '') ??
      set ??
      this.#history.get('apps/v1/statefulsets', uid) ??
      this.#history.get('v1/replicationcontrollers', uid)
    if (owner === undefined) return undefined
    const sizes = this.#history
      .recent(owner)
      .map(({ spec }) => (spec as { readonly replicas?: number }).replicas ?? 1)
    return [owner.metadata.uid, Math.min(...sizes)]
  }
}
