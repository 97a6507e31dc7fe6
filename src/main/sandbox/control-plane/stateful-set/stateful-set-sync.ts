import type { JsonObject } from '../../../../shared/json.ts'
import { objectAt, textAt } from '../../../../shared/json.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type {
  ControllerRevision,
  StatefulSet,
  StatefulSetStatus,
} from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { TransportApiClient } from '../../../cluster/client/api-client.ts'
import { addressOf } from '../../../cluster/client/resource-paths.ts'
import type { ApiError, Clock } from '../../../kubelet/ports.ts'
import type { EventWriter } from '../event-writer.ts'
import { isAvailable, isReady, isTerminal } from '../workloads/active-pods.ts'
import { slowStartBatch } from '../workloads/pod-control.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import {
  claimsOf,
  ordinalOf,
  revisionLabel,
  startOrdinal,
  statefulPod,
  templateOf,
} from './stateful-pods.ts'

export interface StatefulSetSyncDeps {
  readonly client: TransportApiClient
  readonly clock: Clock
  readonly events: EventWriter
  readonly causes: TraceCauses
  /** Whether the cache has a claim. */
  readonly hasClaim: (name: string) => boolean
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
  readonly #set: StatefulSet
  readonly #replicas: readonly Replica[]
  readonly #condemned: readonly Pod[]
  readonly #isOrdered: boolean
  #counted: readonly Pod[]
  #deletedCurrent = 0

  constructor(deps: StatefulSetSyncDeps, set: StatefulSet, pods: readonly Pod[]) {
    this.#deps = deps
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
      return isGoing(pod) ? stops : stepOf(await this.#deletePod(pod), true)
    }
    if (pod === undefined) {
      const failed = await this.#createPod(replica)
      if (failed !== undefined) return { stops: true, error: failed }
      if (this.#isOrdered) return stops
    }
    const present = replica.pod
    if (present === undefined) return goesOn
    if (present.status?.phase === 'Pending') {
      const failed = await this.#createClaims(replica)
      if (failed !== undefined) return { stops: true, error: failed }
    }
    if (!this.#isOrdered) return goesOn
    const isRunning = present.status?.phase === 'Running' && isReady(present)
    return isGoing(present) || !isRunning || !this.#isAvailable(present) ? stops : goesOn
  }

  async #processCondemned(pod: Pod, firstUnavailable: Pod | undefined): Promise<Step> {
    if (isGoing(pod)) return this.#isOrdered ? stops : goesOn
    const isRunning = pod.status?.phase === 'Running' && isReady(pod) && this.#isAvailable(pod)
    if (!isRunning && this.#isOrdered && pod !== firstUnavailable) return stops
    return stepOf(await this.#deletePod(pod), true)
  }

  /** Deletes the last pod that has another revision, if all after it are available. */
  async #roll(): Promise<Outcome> {
    const { type = 'RollingUpdate', rollingUpdate } = this.#set.spec.updateStrategy ?? {}
    if (type === 'OnDelete') return undefined
    const { update } = this.#deps
    for (const { pod } of this.#replicas.slice(rollingUpdate?.partition ?? 0).toReversed()) {
      const revision = pod?.metadata.labels?.[revisionLabel]
      if (pod !== undefined && revision !== update.metadata.name && !isGoing(pod)) {
        const error = await this.#deletePod(pod)
        this.#deletedCurrent++
        return error?.kind === 'not-found' ? undefined : error
      }
      if (this.#isUnavailable(pod)) return undefined
    }
    return undefined
  }

  async #createPod(replica: Replica): Promise<Outcome> {
    const { client, causes } = this.#deps
    const { ordinal, revision } = replica
    const { name, namespace = '' } = this.#set.metadata
    const failed = await this.#createClaims(replica)
    const podName = `${name}-${ordinal}`
    if (failed !== undefined) {
      this.#recordPod('create', podName, failed)
      return failed
    }
    const pod = statefulPod(this.#set, templateOf(revision), revision.metadata.name, ordinal)
    const created = await client.create({ resource: 'pods', namespace }, pod, causes)
    if (created.ok) replica.pod = created.value
    else if (created.error.kind === 'already-exists') return created.error
    this.#recordPod('create', podName, created.ok ? undefined : created.error)
    return created.ok ? undefined : created.error
  }

  async #createClaims({ ordinal }: Replica): Promise<Outcome> {
    const { client, causes, hasClaim } = this.#deps
    const { namespace = '' } = this.#set.metadata
    for (const claim of claimsOf(this.#set, ordinal).values()) {
      const name = textAt(objectAt(claim, 'metadata'), 'name')
      if (hasClaim(name)) continue
      const scope = { resource: 'v1/persistentvolumeclaims', namespace } as const
      const created = await client.create(scope, claim, causes)
      if (!created.ok && created.error.kind === 'already-exists') continue
      this.#recordClaim(claim, ordinal, created.ok ? undefined : created.error)
      if (!created.ok) return created.error
    }
    return undefined
  }

  async #deletePod(pod: Pod): Promise<Outcome> {
    const { client, causes } = this.#deps
    const deleted = await client.delete(addressOf('pods', pod), {}, causes)
    this.#recordPod('delete', pod.metadata.name, deleted.ok ? undefined : deleted.error)
    return deleted.ok ? undefined : deleted.error
  }

  #recordPod(verb: 'create' | 'delete', pod: string, error: Outcome): void {
    this.#record(
      verb,
      `${verb} Pod ${pod} in StatefulSet ${this.#set.metadata.name}`,
      error,
      'successful',
    )
  }

  #recordClaim(claim: JsonObject, ordinal: number, error: Outcome): void {
    const name = textAt(objectAt(claim, 'metadata'), 'name')
    const { name: set } = this.#set.metadata
    const pod = `${error === undefined ? '' : 'for '}Pod ${set}-${ordinal} in StatefulSet ${set}`
    this.#record('create', `create Claim ${name} ${pod}`, error, 'success')
  }

  #record(verb: 'create' | 'delete', what: string, error: Outcome, success: string): void {
    const { events, causes } = this.#deps
    const suffix = verb === 'create' ? 'Create' : 'Delete'
    const event =
      error === undefined
        ? ({
            type: 'Normal',
            reason: `Successful${suffix}`,
            message: `${what} ${success}`,
          } as const)
        : ({
            type: 'Warning',
            reason: `Failed${suffix}`,
            message: `${what} failed error: ${error.message}`,
          } as const)
    void events.write('apps/v1/statefulsets', this.#set, event, causes)
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

function stepOf(error: Outcome, ends: boolean): Step {
  return error === undefined ? { stops: ends } : { stops: true, error }
}
