import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { Deployment, ReplicaSet } from '../../../src/shared/kubernetes/workloads.ts'
import {
  isActive,
  isAvailable,
  isTerminal,
} from '../../../src/main/sandbox/control-plane/workloads/active-pods.ts'
import { controllerOf } from '../../../src/main/sandbox/control-plane/workloads/controller-ref.ts'
import type { ReportViolation } from '../invariants.ts'
import { controllerManager } from './owner-history.ts'
import type { ObjectChange, OwnerHistory } from './owner-history.ts'

/** Part of a whole, as apimachinery's intstr.GetScaledValueFromIntOrPercent. */
export function partOf(
  value: number | string,
  whole: number,
  round: (part: number) => number,
): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * whole) / 100)
}

interface Bounds {
  /** The most replicas of all ReplicaSets together. */
  readonly most: number
  /** The fewest available pods that a rollout leaves. */
  readonly fewest: number
}

function boundsOf({ spec }: Deployment): Bounds {
  const { replicas = 1, strategy } = spec
  if (strategy?.type === 'Recreate') return { most: replicas, fewest: 0 }
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {}
  const surge = partOf(maxSurge, replicas, Math.ceil)
  const unavailable = partOf(maxUnavailable, replicas, Math.floor)
  // One of the two is at least 1 (ResolveFenceposts).
  const missing = surge === 0 && unavailable === 0 ? 1 : unavailable
  return { most: replicas + surge, fewest: Math.max(0, replicas - missing) }
}

function sizeOf({ spec }: { readonly spec: { readonly replicas?: number } }): number {
  return spec.replicas ?? 1
}

function titleOf({ metadata }: { readonly metadata: ReplicaSet['metadata'] }): string {
  return `${metadata.namespace ?? ''}/${metadata.name} (${metadata.uid})`
}

/** What ReplicaSets, ReplicationControllers and Deployments do (invariants 29 and 30). */
export class ReplicaChecks {
  readonly #history: OwnerHistory
  readonly #now: () => number
  readonly #report: ReportViolation

  constructor(deps: {
    readonly history: OwnerHistory
    readonly now: () => number
    readonly report: ReportViolation
  }) {
    this.#history = deps.history
    this.#now = deps.now
    this.#report = deps.report
  }

  take({ resource, type, object, before, user }: ObjectChange): void {
    if (user !== controllerManager) return
    if (resource === 'pods' && type === 'ADDED') this.#onPodCreated(object as unknown as Pod)
    if (resource !== 'apps/v1/replicasets' || type === 'DELETED') return
    const [set, old] = [object as ReplicaSet, before as ReplicaSet | undefined]
    const [size, oldSize] = [sizeOf(set), old === undefined ? 0 : sizeOf(old)]
    const deployment = this.#history.get('apps/v1/deployments', controllerOf(set)?.uid ?? '')
    if (deployment === undefined) return
    if (size > oldSize) this.#onGrown(deployment, set)
    if (size < oldSize) this.#onShrunk(deployment, set)
  }

  #onPodCreated(pod: Pod): void {
    const { kind, uid = '' } = controllerOf(pod) ?? {}
    const owner =
      kind === 'ReplicaSet'
        ? this.#history.get('apps/v1/replicasets', uid)
        : kind === 'ReplicationController'
          ? this.#history.get('v1/replicationcontrollers', uid)
          : undefined
    if (owner === undefined) return
    const most = Math.max(...this.#history.recent(owner).map(sizeOf))
    const active = this.#history.ownedBy('pods', uid).filter((one) => this.#isOwn(one, uid))
    if (active.length > most)
      this.#report(
        29,
        `${titleOf(owner)} has ${active.length} pods of ${most} with ${pod.metadata.name}`,
      )
  }

  /** Active, and not just adopted. */
  #isOwn(pod: Pod, uid: string): boolean {
    return isActive(pod) && this.#history.recent(pod).every((one) => controllerOf(one)?.uid === uid)
  }

  #onGrown(deployment: Deployment, set: ReplicaSet): void {
    const recent = this.#history.recent(deployment)
    const sets = this.#history.ownedBy('apps/v1/replicasets', deployment.metadata.uid)
    const total = sets.reduce((sum, one) => sum + sizeOf(one), 0)
    const most = Math.max(...recent.map((one) => boundsOf(one).most))
    if (total > most)
      this.#report(30, `${titleOf(deployment)} gives its ReplicaSets ${total} of ${most}`)
    const recreates = recent.every(
      ({ spec }) => spec.strategy?.type === 'Recreate' && spec.paused !== true,
    )
    if (!recreates) return
    const old = sets
      .filter(({ metadata }) => metadata.uid !== set.metadata.uid)
      .flatMap(({ metadata }) => this.#history.ownedBy('pods', metadata.uid))
      .find(({ status }) => !isTerminal(status?.phase))
    if (old !== undefined)
      this.#report(
        30,
        `${titleOf(deployment)} recreates ${set.metadata.name} while ${old.metadata.name} is there`,
      )
  }

  #onShrunk(deployment: Deployment, set: ReplicaSet): void {
    const recent = this.#history.recent(deployment)
    const isScaled = recent.some((one) => sizeOf(one) !== sizeOf(deployment))
    if (isScaled || recent.some(({ spec }) => spec.strategy?.type === 'Recreate')) return
    const fewest = Math.min(...recent.map((one) => boundsOf(one).fewest))
    // Pods that have just become unavailable may go: cleanupUnhealthyReplicas.
    if (sizeOf(set) >= this.#availableOf(set, 'every')) return
    const sets = this.#history.ownedBy('apps/v1/replicasets', deployment.metadata.uid)
    const left = sets.reduce((sum, one) => sum + Math.min(sizeOf(one), this.#availableOf(one)), 0)
    if (left < fewest)
      this.#report(
        30,
        `${titleOf(deployment)} leaves ${left} available pods of ${fewest} with ${set.metadata.name}`,
      )
  }

  /** How many pods of a ReplicaSet are available, or were when its controller counted them; `every`: and were all the time. */
  #availableOf(set: ReplicaSet, when: 'some' | 'every' = 'some'): number {
    const { minReadySeconds = 0 } = set.spec
    return this.#history
      .ownedBy('pods', set.metadata.uid)
      .filter((pod) =>
        this.#history
          .recent(pod)
          [when]((one) => isActive(one) && isAvailable(one, minReadySeconds, this.#now())),
      ).length
  }
}
