import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type {
  ControllerRevision,
  StatefulSet,
  StatefulSetStatus,
} from '../../../../shared/kubernetes/workloads.ts'
import type { ApiError } from '../../../kubelet/ports.ts'
import { isAvailable, isReady, isTerminal } from '../workloads/active-pods.ts'
import { slowStartBatch } from '../workloads/pod-control.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import type { PodPlace } from './claim-retention.ts'
import { StatefulPodControl } from './stateful-pod-control.ts'
import type { StatefulPodControlDeps } from './stateful-pod-control.ts'
import { ordinalOf, revisionLabel, startOrdinal } from './stateful-pods.ts'

export interface StatefulSetSyncDeps extends StatefulPodControlDeps {
  readonly current: ControllerRevision
  readonly update: ControllerRevision
}

/** A pod of the set, or the place of one. */
interface Replica {
  readonly ordinal: number
  pod: Pod | undefined
  readonly revision: ControllerRevision
}

/** Whether nothing more may happen in this sync, or why it failed. */
type Step = { readonly stops: boolean; readonly error?: ApiError }

const goesOn: Step = { stops: false }
const stops: Step = { stops: true }

/** One sync of a StatefulSet. Source: pkg/controller/statefulset/stateful_set_control.go updateStatefulSet (v1.34). */
export class StatefulSetSync {
  readonly #deps: StatefulSetSyncDeps
  readonly #control: StatefulPodControl
  readonly #set: StatefulSet
  readonly #replicas: readonly Replica[]
  readonly #condemned: readonly Pod[]
  readonly #isOrdered: boolean
  #counted: readonly Pod[]
  #deletedCurrent = 0

  constructor(deps: StatefulSetSyncDeps, set: StatefulSet, pods: readonly Pod[]) {
    this.#deps = deps
    this.#control = new StatefulPodControl(deps, set)
    this.#set = set
    this.#isOrdered = set.spec.podManagementPolicy !== 'Parallel'
    const start = startOrdinal(set)
    const end = start + (set.spec.replicas ?? 1)
    const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod, set), pod]))
    this.#replicas = Array.from({ length: end - start }, (_, index) => ({
      ordinal: start + index,
      pod: byOrdinal.get(start + index),
      revision: this.#revisionFor(start + index),
    }))
    this.#condemned = [...byOrdinal]
      .filter(([ordinal]) => ordinal >= 0 && (ordinal < start || ordinal >= end))
      .toSorted(([a], [b]) => b - a)
      .map(([, pod]) => pod)
    this.#counted = pods
  }

  /** Below the partition, or without one while the update has not begun, pods have the current revision. */
  #revisionFor(ordinal: number): ControllerRevision {
    const { updateStrategy, replicas = 1 } = this.#set.spec
    const { type = 'RollingUpdate', rollingUpdate } = updateStrategy ?? {}
    const { current, update } = this.#deps
    const start = startOrdinal(this.#set)
    const currentReplicas = this.#set.status?.currentReplicas ?? 0
    const limit = rollingUpdate === undefined ? currentReplicas : (rollingUpdate.partition ?? 0)
    const isCurrent =
      (rollingUpdate !== undefined || type === 'RollingUpdate') &&
      ordinal < start + Math.min(limit, rollingUpdate === undefined ? replicas : limit)
    return isCurrent ? current : update
  }

  async run(): Promise<{ readonly status: StatefulSetStatus; readonly error: Outcome }> {
    const error = await this.#run()
    return { status: this.#status(), error }
  }

  async #run(): Promise<Outcome> {
    if (this.#set.metadata.deletionTimestamp !== undefined) return undefined
    const firstUnavailable = this.#firstUnavailable()
    const replicas = await this.#forAll(this.#replicas, (one) => this.#processReplica(one))
    this.#count()
    if (replicas.stops) return replicas.error
    const fixed = await this.#forAll(this.#condemned, async (pod) =>
      stepOf(await this.#control.fixClaims(placeOf(pod, this.#set)), false),
    )
    if (fixed.stops) return fixed.error
    const condemned = await this.#forAll(this.#condemned, (pod) =>
      this.#processCondemned(pod, firstUnavailable),
    )
    if (condemned.stops) return condemned.error
    return await this.#roll()
  }

  #count(): void {
    const live = this.#replicas.flatMap(({ pod }) => pod ?? [])
    this.#counted = [...live, ...this.#condemned]
  }

  #isAvailable(pod: Pod): boolean {
    return isAvailable(pod, this.#set.spec.minReadySeconds ?? 0, this.#deps.clock.now())
  }

  #isUnavailable(pod: Pod | undefined): boolean {
    return pod === undefined || isGoing(pod) || !this.#isAvailable(pod)
  }

  #firstUnavailable(): Pod | undefined {
    const missing = this.#replicas.find(({ pod }) => this.#isUnavailable(pod))
    if (missing !== undefined) return missing.pod
    return this.#condemned.findLast((pod) => this.#isUnavailable(pod))
  }

  /** One after the other if the pods are ordered, else in growing batches. */
  async #forAll<T>(items: readonly T[], act: (item: T) => Promise<Step>): Promise<Step> {
    if (this.#isOrdered) {
      for (const item of items) {
        const step = await act(item)
        if (step.stops) return step
      }
      return goesOn
    }
    const ends: Step[] = []
    const { error } = await slowStartBatch(items.length, async (index) => {
      const item = items[index]
      const step = item === undefined ? goesOn : await act(item)
      if (step.stops) ends.push(step)
      return step.error
    })
    return ends.length === 0 ? goesOn : { stops: true, ...(error === undefined ? {} : { error }) }
  }

  async #processReplica(replica: Replica): Promise<Step> {
    const { pod } = replica
    if (pod !== undefined && isTerminal(pod.status?.phase)) {
      return isGoing(pod) ? stops : stepOf(await this.#control.deletePod(pod), true)
    }
    if (pod === undefined) {
      if (this.#control.isAnyClaimStale(replica.ordinal)) return stops
      const created = await this.#control.createPod(replica.ordinal, replica.revision)
      if (!created.ok) return { stops: true, error: created.error }
      replica.pod = created.value
      if (this.#isOrdered) return stops
    }
    const present = replica.pod
    if (present === undefined) return goesOn
    if (present.status?.phase === 'Pending') {
      const failed = await this.#control.createClaims(placeOf(present, this.#set))
      if (failed !== undefined) return { stops: true, error: failed }
    }
    const isRunning = present.status?.phase === 'Running' && isReady(present)
    const isUnfinished = isGoing(present) || !isRunning || !this.#isAvailable(present)
    if (this.#isOrdered && isUnfinished) return stops
    return stepOf(await this.#control.updatePod(present), false)
  }

  async #processCondemned(pod: Pod, firstUnavailable: Pod | undefined): Promise<Step> {
    if (isGoing(pod)) return this.#isOrdered ? stops : goesOn
    const isRunning = pod.status?.phase === 'Running' && isReady(pod) && this.#isAvailable(pod)
    if (!isRunning && this.#isOrdered && pod !== firstUnavailable) return stops
    return stepOf(await this.#control.deletePod(pod), true)
  }

  /** Deletes the last pod that has another revision, if all after it are available. */
  async #roll(): Promise<Outcome> {
    const { type = 'RollingUpdate', rollingUpdate } = this.#set.spec.updateStrategy ?? {}
    if (type === 'OnDelete') return undefined
    const { update } = this.#deps
    for (const { pod } of this.#replicas.slice(rollingUpdate?.partition ?? 0).toReversed()) {
      const revision = pod?.metadata.labels?.[revisionLabel]
      if (pod !== undefined && revision !== update.metadata.name && !isGoing(pod)) {
        const error = await this.#control.deletePod(pod)
        this.#deletedCurrent++
        return error?.kind === 'not-found' ? undefined : error
      }
      if (this.#isUnavailable(pod)) return undefined
    }
    return undefined
  }

  #status(): StatefulSetStatus {
    const { current, update } = this.#deps
    const live = this.#counted
    const running = live.filter((pod) => pod.status?.phase === 'Running' && isReady(pod))
    const ofRevision = ({ metadata }: ControllerRevision): number =>
      live.filter((pod) => !isGoing(pod) && pod.metadata.labels?.[revisionLabel] === metadata.name)
        .length
    const counts = {
      replicas: live.length,
      readyReplicas: running.length,
      availableReplicas: running.filter((pod) => this.#isAvailable(pod)).length,
      currentReplicas: ofRevision(current) - this.#deletedCurrent,
      updatedReplicas: ofRevision(update),
    }
    const desired = this.#set.spec.replicas ?? 1
    const isRolling = (this.#set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate'
    const isDone =
      isRolling &&
      counts.updatedReplicas === desired &&
      counts.readyReplicas === desired &&
      counts.replicas === desired
    return {
      observedGeneration: this.#set.metadata.generation ?? 0,
      ...counts,
      ...(isDone ? { currentReplicas: counts.updatedReplicas } : {}),
      currentRevision: (isDone ? update : current).metadata.name,
      updateRevision: update.metadata.name,
      collisionCount: this.#set.status?.collisionCount ?? 0,
    }
  }
}

function isGoing({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined
}

function placeOf(pod: Pod, set: StatefulSet): PodPlace {
  return { ordinal: ordinalOf(pod, set), uid: pod.metadata.uid }
}

function stepOf(error: Outcome, ends: boolean): Step {
  return error === undefined ? { stops: ends } : { stops: true, error }
}
