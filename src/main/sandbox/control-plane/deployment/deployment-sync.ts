import { equalJson } from '../../../../shared/json.ts'
import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type {
  Deployment,
  DeploymentStatus,
  ReplicaSet,
  WorkloadCondition,
} from '../../../../shared/kubernetes/workloads.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { TransportApiClient } from '../../../cluster/client/api-client.ts'
import { addressOf } from '../../../cluster/client/resource-paths.ts'
import type { ApiError, Clock } from '../../../kubelet/ports.ts'
import type { EventWriter } from '../event-writer.ts'
import { isTerminal } from '../workloads/active-pods.ts'
import { withNewCondition } from '../workloads/conditions.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import {
  allOf,
  deploymentStatus,
  hasProgressDeadline,
  isComplete,
  newCondition,
  progressing,
  rolloutStatus,
} from './deployment-status.ts'
import type { Sets } from './deployment-status.ts'
import { createNewSet } from './new-replica-set.ts'
import {
  countAnnotation,
  desiredReplicasAnnotation,
  equalIgnoringHash,
  maxRevision,
  newSetAnnotations,
  replicasAnnotations,
  revisionAnnotation,
  revisionOf,
} from './revisions.ts'
import {
  availableOf,
  byAge,
  desiredReplicas,
  isRollingUpdate,
  isSaturated,
  maxSurge,
  maxUnavailable,
  newSetReplicas,
  proportionalSizes,
  replicasOf,
  total,
} from './rolling-update.ts'

export interface DeploymentSyncDeps {
  readonly client: TransportApiClient
  readonly clock: Clock
  readonly events: EventWriter
  readonly causes: TraceCauses
  /** A set by its name, as the cache has it. */
  readonly setNamed: (name: string) => ReplicaSet | undefined
  /** The pods of a set, also those that have ended. */
  readonly podsOf: (set: ReplicaSet) => readonly Pod[]
  /** Called if the rollout makes no progress now: it has to be looked at when its deadline is over. */
  readonly onStalled: (since: WorkloadCondition) => void
}

const unlimited = 2 ** 31 - 1

/** One sync of a Deployment. Source: pkg/controller/deployment sync.go, rolling.go, recreate.go, progress.go (v1.34). */
export class DeploymentSync {
  readonly #deps: DeploymentSyncDeps
  #deployment: Deployment
  #sets: readonly ReplicaSet[]

  constructor(deps: DeploymentSyncDeps, deployment: Deployment, sets: readonly ReplicaSet[]) {
    this.#deps = deps
    this.#deployment = deployment
    this.#sets = sets.toSorted(byAge)
  }

  async run(): Promise<Outcome> {
    const { metadata, spec } = this.#deployment
    if (metadata.deletionTimestamp !== undefined) return await this.#syncStatusOnly()
    const paused = await this.#checkPausedConditions()
    if (paused !== undefined) return paused
    if (spec.paused === true) return await this.#scaleOrPause()
    const sets = await this.#setsAndRevision()
    if (!sets.ok) return sets.error
    if (this.#isScaling(sets.value)) return await this.#scaleOrPause()
    return isRollingUpdate(this.#deployment) ? await this.#roll() : await this.#recreate()
  }

  async #syncStatusOnly(): Promise<Outcome> {
    const sets = await this.#setsAndRevision()
    return sets.ok ? await this.#writeStatus(this.#statusOf(sets.value)) : sets.error
  }

  #statusOf(sets: Sets): DeploymentStatus {
    return deploymentStatus(this.#deployment, sets, this.#deps.clock.now())
  }

  /** Scaling events, and everything while a rollout is paused. */
  async #scaleOrPause(): Promise<Outcome> {
    const found = await this.#setsAndRevision()
    if (!found.ok) return found.error
    const scaled = await this.#scale(found.value)
    if (!scaled.ok) return scaled.error
    if (this.#deployment.spec.paused === true) {
      const failed = await this.#cleanUp(scaled.value.old)
      if (failed !== undefined) return failed
    }
    return await this.#writeStatus(this.#statusOf(found.value))
  }

  async #checkPausedConditions(): Promise<Outcome> {
    if (!hasProgressDeadline(this.#deployment)) return undefined
    const { reason } = progressing(this.#deployment) ?? {}
    if (reason === 'ProgressDeadlineExceeded') return undefined
    const isPaused = this.#deployment.spec.paused === true
    if (isPaused === (reason === 'DeploymentPaused')) return undefined
    return await this.#setProgressing(
      isPaused
        ? ['Unknown', 'DeploymentPaused', 'Deployment is paused']
        : ['Unknown', 'DeploymentResumed', 'Deployment is resumed'],
    )
  }

  #isScaling(sets: Sets): boolean {
    return allOf(sets).some((set) => {
      const desired = countAnnotation(set, desiredReplicasAnnotation)
      return (
        replicasOf(set) > 0 &&
        desired !== undefined &&
        desired !== desiredReplicas(this.#deployment)
      )
    })
  }

  /** The new set and the old ones, after the new set's annotations and the Deployment's revision were brought up to date. */
  async #setsAndRevision(): Promise<Result<Sets, ApiError>> {
    const current = this.#sets.find((set) =>
      equalIgnoringHash(set.spec.template, this.#deployment.spec.template),
    )
    const old = this.#sets.filter((set) => set !== current)
    if (current === undefined) return ok({ current, old })
    const annotations = newSetAnnotations(
      this.#deployment,
      current.metadata.annotations,
      maxRevision(old) + 1,
    )
    const { minReadySeconds = 0 } = this.#deployment.spec
    const isSlower = (current.spec.minReadySeconds ?? 0) !== minReadySeconds
    if (isSlower || !equalJson(annotations, current.metadata.annotations ?? {})) {
      const spec = isSlower ? { ...current.spec, minReadySeconds } : current.spec
      const updated = await this.#updateSet(current, {
        ...current,
        metadata: { ...current.metadata, annotations },
        spec,
      })
      return updated.ok ? ok({ current: updated.value, old }) : updated
    }
    const failed = await this.#noteRevision(current)
    return failed === undefined ? ok({ current, old }) : err(failed)
  }

  async #noteRevision(current: ReplicaSet): Promise<Outcome> {
    const revision = current.metadata.annotations?.[revisionAnnotation] ?? ''
    const isNew = progressing(this.#deployment) === undefined
    const message = `Found new replica set ${JSON.stringify(current.metadata.name)}`
    return await this.#setProgressing(
      hasProgressDeadline(this.#deployment) && isNew
        ? ['True', 'FoundNewReplicaSet', message]
        : undefined,
      revision,
    )
  }

  /** Writes a condition and the revision, where they are new. */
  async #setProgressing(
    condition: Parameters<typeof newCondition>[1] | undefined,
    revision = this.#deployment.metadata.annotations?.[revisionAnnotation],
  ): Promise<Outcome> {
    const { metadata, status } = this.#deployment
    const isNewRevision = metadata.annotations?.[revisionAnnotation] !== revision
    if (condition === undefined && !isNewRevision) return undefined
    const conditions =
      condition === undefined
        ? status?.conditions
        : withNewCondition(
            status?.conditions,
            newCondition('Progressing', condition, this.#deps.clock.now()),
          )
    const annotations =
      revision === undefined
        ? metadata.annotations
        : { ...metadata.annotations, [revisionAnnotation]: revision }
    return await this.#update({
      ...this.#deployment,
      metadata: { ...metadata, ...(annotations === undefined ? {} : { annotations }) },
      status: { ...status, ...(conditions === undefined ? {} : { conditions }) },
    })
  }

  async #writeStatus(status: DeploymentStatus): Promise<Outcome> {
    if (equalJson(status, this.#deployment.status ?? {})) return undefined
    return await this.#update({ ...this.#deployment, status })
  }

  async #update(deployment: Deployment): Promise<Outcome> {
    const { client, causes } = this.#deps
    const address = addressOf('apps/v1/deployments', deployment)
    const updated = await client.update({ ...address, subresource: 'status' }, deployment, causes)
    if (!updated.ok) return updated.error
    // With the resource version from before: a second write in the same sync conflicts and is tried again, as upstream.
    this.#deployment = deployment
    return undefined
  }

  async #updateSet(before: ReplicaSet, after: ReplicaSet): Promise<Result<ReplicaSet, ApiError>> {
    const { client, causes } = this.#deps
    const updated = await client.update(addressOf('apps/v1/replicasets', before), after, causes)
    if (updated.ok) {
      this.#sets = this.#sets.map((set) => (set === before ? updated.value : set))
    }
    return updated
  }

  async #scaleSet(
    set: ReplicaSet,
    replicas: number,
  ): Promise<Result<{ readonly set: ReplicaSet; readonly isScaled: boolean }, ApiError>> {
    const desired = desiredReplicas(this.#deployment)
    const counts = replicasAnnotations(desired, desired + maxSurge(this.#deployment))
    const annotations = { ...set.metadata.annotations, ...counts }
    const before = replicasOf(set)
    if (before === replicas && equalJson(annotations, set.metadata.annotations)) {
      return ok({ set, isScaled: false })
    }
    const updated = await this.#updateSet(set, {
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, replicas },
    })
    if (!updated.ok) return updated
    if (before !== replicas) this.#recordScaling(set, before, replicas)
    return ok({ set: updated.value, isScaled: before !== replicas })
  }

  #recordScaling(set: ReplicaSet, from: number, to: number): void {
    const direction = from < to ? 'up' : 'down'
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${from} to ${to}`
    this.#record('Normal', 'ScalingReplicaSet', message)
  }

  #record(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { events, causes } = this.#deps
    void events.write('apps/v1/deployments', this.#deployment, { type, reason, message }, causes)
  }

  /** Scales several sets; the sets as they are afterwards. */
  async #scaleSets(
    sets: Sets,
    sizes: readonly (readonly [set: ReplicaSet, size: number])[],
    onlyChanged = true,
  ): Promise<Result<Sets & { readonly isScaled: boolean }, ApiError>> {
    const after = new Map<ReplicaSet, ReplicaSet>()
    let isScaled = false
    for (const [set, size] of sizes) {
      if (onlyChanged && replicasOf(set) === size) continue
      const scaled = await this.#scaleSet(set, size)
      if (!scaled.ok) return scaled
      isScaled ||= scaled.value.isScaled
      after.set(set, scaled.value.set)
    }
    const { current, old } = sets
    return ok({
      current: current === undefined ? undefined : (after.get(current) ?? current),
      old: old.map((set) => after.get(set) ?? set),
      isScaled,
    })
  }

  async #scale(sets: Sets): Promise<Result<Sets, ApiError>> {
    const active = allOf(sets).filter((set) => replicasOf(set) > 0)
    const [only] = active.length === 0 ? [sets.current ?? sets.old.at(-1)] : active
    if (only === undefined) return ok(sets)
    const desired = desiredReplicas(this.#deployment)
    if (active.length <= 1) return await this.#scaleSets(sets, [[only, desired]])
    if (isSaturated(this.#deployment, sets.current)) {
      const old = sets.old.filter((set) => replicasOf(set) > 0)
      return await this.#scaleSets(
        sets,
        old.map((set) => [set, 0]),
      )
    }
    if (!isRollingUpdate(this.#deployment)) return ok(sets)
    // Also sets of the right size, whose annotations change.
    return await this.#scaleSets(sets, proportionalSizes(this.#deployment, active), false)
  }

  async #roll(): Promise<Outcome> {
    const found = await this.#withNewSet()
    if (!found.ok) return found.error
    const { current } = found.value
    const desired = desiredReplicas(this.#deployment)
    const replicas = replicasOf(current)
    if (replicas !== desired) {
      const size =
        replicas > desired
          ? desired
          : newSetReplicas(this.#deployment, allOf(found.value), replicas)
      const scaled = await this.#scaleSets(found.value, [[current, size]])
      if (!scaled.ok) return scaled.error
      if (scaled.value.isScaled) return await this.#writeRolloutStatus(found.value)
    }
    const shrunk = await this.#shrinkOldSets(found.value)
    if (shrunk?.isScaled === true) return await this.#writeRolloutStatus(found.value)
    return await this.#finish(found.value)
  }

  async #finish(sets: Sets): Promise<Outcome> {
    if (isComplete(this.#deployment, this.#deployment.status)) {
      const failed = await this.#cleanUp(sets.old)
      if (failed !== undefined) return failed
    }
    return await this.#writeRolloutStatus(sets)
  }

  /** First unhealthy pods of old sets go, then as many as may be unavailable. A failure counts as no scaling, as upstream. */
  async #shrinkOldSets(
    sets: Sets & { readonly current: ReplicaSet },
  ): Promise<{ readonly isScaled: boolean } | undefined> {
    const active = sets.old.filter((set) => replicasOf(set) > 0)
    if (active.length === 0) return undefined
    const minAvailable = desiredReplicas(this.#deployment) - maxUnavailable(this.#deployment)
    const unavailable = replicasOf(sets.current) - availableOf(sets.current)
    let room = total(allOf(sets)) - minAvailable - unavailable
    if (room <= 0) return undefined
    const healthySizes: [ReplicaSet, number][] = active.map((set) => {
      const unhealthy = Math.max(0, replicasOf(set) - availableOf(set))
      const less = Math.min(Math.max(0, room), unhealthy)
      room -= less
      return [set, replicasOf(set) - less]
    })
    const cleaned = await this.#scaleSets({ ...sets, old: active }, healthySizes)
    if (!cleaned.ok) return undefined
    let surplus = total([...cleaned.value.old, sets.current], availableOf) - minAvailable
    const sizes: [ReplicaSet, number][] = cleaned.value.old.map((set) => {
      const less = Math.min(Math.max(0, surplus), replicasOf(set))
      surplus -= less
      return [set, replicasOf(set) - less]
    })
    const scaled = await this.#scaleSets(cleaned.value, sizes)
    if (!scaled.ok) return undefined
    return { isScaled: cleaned.value.isScaled || scaled.value.isScaled }
  }

  async #recreate(): Promise<Outcome> {
    const found = await this.#setsAndRevision()
    if (!found.ok) return found.error
    const active = found.value.old.filter((set) => replicasOf(set) > 0)
    const down = await this.#scaleSets(
      found.value,
      active.map((set) => [set, 0]),
    )
    if (!down.ok) return down.error
    if (down.value.isScaled || this.#hasOldPods(found.value)) {
      return await this.#writeRolloutStatus(found.value)
    }
    const complete = await this.#withNewSet()
    if (!complete.ok) return complete.error
    const { current } = complete.value
    const up = await this.#scaleSets(complete.value, [[current, desiredReplicas(this.#deployment)]])
    return up.ok ? await this.#finish(complete.value) : up.error
  }

  #hasOldPods({ old }: Sets): boolean {
    return old.some(
      (set) =>
        (set.status?.replicas ?? 0) > 0 ||
        this.#deps.podsOf(set).some(({ status }) => !isTerminal(status?.phase)),
    )
  }

  /** The sets with the new one, which is created if it is missing. */
  async #withNewSet(): Promise<Result<Sets & { readonly current: ReplicaSet }, ApiError>> {
    const found = await this.#setsAndRevision()
    if (!found.ok) return found
    const { current, old } = found.value
    if (current !== undefined) return ok({ current, old })
    const deployment = this.#deployment
    const { client, causes, setNamed } = this.#deps
    const created = await createNewSet({ client, causes, setNamed, deployment, old })
    switch (created.kind) {
      case 'collision': {
        const collisionCount = (deployment.status?.collisionCount ?? 0) + 1
        await this.#update({ ...deployment, status: { ...deployment.status, collisionCount } })
        return err(created.error)
      }
      case 'failed': {
        const { error, name, isTerminating } = created
        if (isTerminating) return err(error)
        const message = `Failed to create new replica set ${JSON.stringify(name)}: ${error.message}`
        if (hasProgressDeadline(deployment)) {
          await this.#setProgressing(['False', 'ReplicaSetCreateError', message])
        }
        this.#record('Warning', 'ReplicaSetCreateError', message)
        return err(error)
      }
      case 'created':
    }
    const { set, isNew, revision } = created
    if (isNew && replicasOf(set) > 0) this.#recordScaling(set, 0, replicasOf(set))
    const message = `Created new replica set ${JSON.stringify(set.metadata.name)}`
    const isNoted = isNew && hasProgressDeadline(deployment)
    const failed = await this.#setProgressing(
      isNoted ? ['True', 'NewReplicaSetCreated', message] : undefined,
      revision,
    )
    if (failed !== undefined) return err(failed)
    if (isNew) this.#sets = [...this.#sets, set]
    return ok({ current: set, old })
  }

  async #writeRolloutStatus(sets: Sets): Promise<Outcome> {
    const deployment = this.#deployment
    const status = rolloutStatus(deployment, sets, this.#deps.clock.now())
    if (!equalJson(status, deployment.status ?? {}))
      return await this.#update({ ...deployment, status })
    const condition = progressing(deployment)
    if (!hasProgressDeadline(deployment) || condition === undefined) return undefined
    const isOver = isComplete(deployment, status) || condition.reason === 'ProgressDeadlineExceeded'
    if (!isOver) this.#deps.onStalled(condition)
    return undefined
  }

  /** Deletes the oldest sets without pods beyond the limit of the history. */
  async #cleanUp(old: readonly ReplicaSet[]): Promise<Outcome> {
    const limit = this.#deployment.spec.revisionHistoryLimit ?? 10
    const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    if (limit === unlimited || alive.length <= limit) return undefined
    const sorted = alive.toSorted((a, b) => {
      const [first, second] = [revisionOf(a), revisionOf(b)]
      if (first === undefined || second === undefined || first === second) return byAge(a, b)
      return first - second
    })
    for (const set of sorted.slice(0, alive.length - limit)) {
      const isObserved = (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0)
      if ((set.status?.replicas ?? 0) !== 0 || replicasOf(set) !== 0 || !isObserved) continue
      const { client, causes } = this.#deps
      const deleted = await client.delete(addressOf('apps/v1/replicasets', set), {}, causes)
      if (!deleted.ok && deleted.error.kind !== 'not-found') return deleted.error
    }
    return undefined
  }
}
