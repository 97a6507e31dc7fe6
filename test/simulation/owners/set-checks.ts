import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { DaemonSet, StatefulSet } from '../../../src/shared/kubernetes/workloads.ts'
import { allowsSurge } from '../../../src/main/sandbox/control-plane/daemon-set/daemon-rollout.ts'
import { targetNode } from '../../../src/main/sandbox/control-plane/daemon-set/daemon-pods.ts'
import {
  isActive,
  isReady,
  isTerminal,
} from '../../../src/main/sandbox/control-plane/workloads/active-pods.ts'
import { controllerOf } from '../../../src/main/sandbox/control-plane/workloads/controller-ref.ts'
import type { ReportViolation } from '../invariants.ts'
import { controllerManager } from './owner-history.ts'
import type { ObjectChange, OwnerHistory } from './owner-history.ts'

/** So long a StatefulSet may still act on the readiness that it has read, in ms. */
const staleMs = 10_000

/** The number at the end of the name of a StatefulSet's pod. */
export function ordinalOf({ metadata }: Pod): number {
  return Number(/-(\d+)$/.exec(metadata.name)?.[1] ?? -1)
}

/** The ordinals of a StatefulSet: the first one, and the first one above the last. */
export function ordinalsOf({ spec }: StatefulSet): readonly [start: number, end: number] {
  const start = spec.ordinals?.start ?? 0
  return [start, start + (spec.replicas ?? 1)]
}

/** What StatefulSets and DaemonSets do (invariants 31 and 32). */
export class SetChecks {
  readonly #history: OwnerHistory
  readonly #now: () => number
  readonly #report: ReportViolation
  /** By StatefulSet and ordinal: when a pod was last seen ready. */
  readonly #readyAt = new Map<string, number>()

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
    if (resource !== 'pods') return
    const pod = object as unknown as Pod
    const old = before as unknown as Pod | undefined
    const { kind, uid = '' } = controllerOf(old ?? pod) ?? {}
    const isCreated = type === 'ADDED' && user === controllerManager
    if (kind === 'DaemonSet' && isCreated) this.#onDaemonPod(pod, uid)
    if (kind !== 'StatefulSet') return
    if (isCreated) this.#onOrdinal(pod, uid)
    const wasGoing = old?.metadata.deletionTimestamp !== undefined
    const isGoing = type === 'DELETED' || pod.metadata.deletionTimestamp !== undefined
    if (user === controllerManager && isGoing && !wasGoing) this.#onOrdinalDeleted(old ?? pod, uid)
    if (old !== undefined && isHealthy(old))
      this.#readyAt.set(`${uid}/${ordinalOf(old)}`, this.#now())
  }

  #onDaemonPod(pod: Pod, uid: string): void {
    const set = this.#history.get('apps/v1/daemonsets', uid)
    if (set === undefined) return
    const most = this.#history.recent(set).some((one: DaemonSet) => allowsSurge(one)) ? 2 : 1
    const node = targetNode(pod)
    const onNode = this.#history
      .ownedBy('pods', uid)
      .filter(
        (one) =>
          isActive(one) &&
          targetNode(one) === node &&
          this.#history.recent(one).every((version) => controllerOf(version)?.uid === uid),
      )
    if (onNode.length > most)
      this.#report(32, `${set.metadata.name} (${uid}) has ${onNode.length} pods for ${node ?? ''}`)
  }

  #onOrdinal(pod: Pod, uid: string): void {
    const set = this.#history.get('apps/v1/statefulsets', uid)
    if (set === undefined || set.spec.podManagementPolicy === 'Parallel') return
    const [start] = ordinalsOf(set)
    const ordinal = ordinalOf(pod)
    for (let lower = start; lower < ordinal; lower++) {
      if (this.#wasReady(uid, lower)) continue
      this.#report(
        31,
        `${set.metadata.name} (${uid}) creates ${ordinal} while ${lower} is not ready`,
      )
    }
  }

  #wasReady(uid: string, ordinal: number): boolean {
    const isNow = this.#history
      .ownedBy('pods', uid)
      .some((one) => ordinalOf(one) === ordinal && isHealthy(one))
    const at = this.#readyAt.get(`${uid}/${ordinal}`)
    return isNow || (at !== undefined && at >= this.#now() - staleMs)
  }

  /** A pod that is none too many and has not ended is deleted for an update, unless its node or namespace goes. */
  #onOrdinalDeleted(pod: Pod, uid: string): void {
    const set = this.#history.get('apps/v1/statefulsets', uid)
    if (set === undefined || isTerminal(pod.status?.phase)) return
    const versions = this.#history.recent(set)
    const ordinal = ordinalOf(pod)
    const isWanted = versions.every((one) => {
      const [start, end] = ordinalsOf(one)
      return ordinal >= start && ordinal < end && one.metadata.deletionTimestamp === undefined
    })
    if (!isWanted || this.#isTakenAway(pod)) return
    const end = Math.min(...versions.map((one) => ordinalsOf(one)[1]))
    for (let higher = ordinal + 1; higher < end; higher++) {
      if (this.#wasReady(uid, higher)) continue
      this.#report(
        31,
        `${set.metadata.name} (${uid}) updates ${ordinal} while ${higher} is not ready`,
      )
    }
  }

  /** Whether other controllers delete the pod: its node is gone or drives it away, or its namespace goes. */
  #isTakenAway({ metadata, spec }: Pod): boolean {
    const namespace = this.#history
      .all('namespaces')
      .find((one) => one.metadata.name === metadata.namespace)
    if (namespace?.metadata.deletionTimestamp !== undefined) return true
    if ((spec.nodeName ?? '') === '') return false
    const node = this.#history.all('nodes').find((one) => one.metadata.name === spec.nodeName)
    if (node === undefined) return true
    return this.#history
      .recent(node)
      .some((one) => one.spec?.taints?.some(({ effect }) => effect === 'NoExecute') === true)
  }
}

function isHealthy(pod: Pod): boolean {
  return (
    isReady(pod) && !isTerminal(pod.status?.phase) && pod.metadata.deletionTimestamp === undefined
  )
}
