import { equalJson, objectAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject, Pod } from '../../../../shared/kubernetes/objects.ts'
import type { ControllerRevision, StatefulSet } from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import type { Result } from '../../../../shared/result.ts'
import type { TransportApiClient } from '../../../cluster/client/api-client.ts'
import { addressOf } from '../../../cluster/client/resource-paths.ts'
import type { ApiError, Clock } from '../../../kubelet/ports.ts'
import type { EventWriter } from '../event-writer.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import { changedOwners, hasOtherController, isStale } from './claim-retention.ts'
import type { PodPlace } from './claim-retention.ts'
import { claimsOf, ordinalOf, statefulPod, templateOf, withIdentity } from './stateful-pods.ts'

const claimResource = 'v1/persistentvolumeclaims'

export interface StatefulPodControlDeps {
  readonly client: TransportApiClient
  readonly clock: Clock
  readonly events: EventWriter
  readonly causes: TraceCauses
  /** A claim of the set's namespace, from the cache. */
  readonly claim: (name: string) => KubeObject | undefined
}

// client-go retry.DefaultBackoff, without its jitter.
const retryDelaysMs = [10, 50, 250]

/** The pods and claims of one StatefulSet, with its events. Source: pkg/controller/statefulset/stateful_pod_control.go (v1.34). */
export class StatefulPodControl {
  readonly #deps: StatefulPodControlDeps
  readonly #set: StatefulSet

  constructor(deps: StatefulPodControlDeps, set: StatefulSet) {
    this.#deps = deps
    this.#set = set
  }

  /** Its claims first. */
  async createPod(ordinal: number, revision: ControllerRevision): Promise<Result<Pod, ApiError>> {
    const { client, causes } = this.#deps
    const { name, namespace = '' } = this.#set.metadata
    const podName = `${name}-${ordinal}`
    const failed = await this.#createMissing(ordinal)
    if (failed !== undefined) {
      this.#recordPod('create', podName, failed)
      return { ok: false, error: failed }
    }
    const pod = statefulPod(this.#set, templateOf(revision), revision.metadata.name, ordinal)
    const created = await client.create({ resource: 'pods', namespace }, pod, causes)
    if (!created.ok && created.error.kind === 'already-exists') return created
    const unowned = await this.fixClaims({ ordinal, uid: '' })
    if (unowned !== undefined) {
      this.#recordPod('update', podName, unowned)
      return { ok: false, error: unowned }
    }
    this.#recordPod('create', podName, created.ok ? undefined : created.error)
    return created
  }

  /** Creates the claims of a pending pod that are missing. */
  async createClaims(pod: PodPlace): Promise<Outcome> {
    const failed = await this.#createMissing(pod.ordinal)
    if (failed !== undefined) return failed
    const unowned = await this.fixClaims(pod)
    if (unowned !== undefined) this.#recordPod('update', this.#podName(pod), unowned)
    return unowned
  }

  async deletePod(pod: Pod): Promise<Outcome> {
    const { client, causes } = this.#deps
    const deleted = await client.delete(addressOf('pods', pod), {}, causes)
    this.#recordPod('delete', pod.metadata.name, deleted.ok ? undefined : deleted.error)
    return deleted.ok ? undefined : deleted.error
  }

  /** Whether the claims of a pod that is to be made will be deleted with an earlier one. */
  isAnyClaimStale(ordinal: number): boolean {
    const place = { ordinal, uid: '' }
    return this.#presentClaims(ordinal).some((claim) => isStale(claim, this.#set, place))
  }

  /** Puts the labels, volumes and claims of a pod right, if they are not what the set says. */
  async updatePod(pod: Pod): Promise<Outcome> {
    const failed = await this.#update(pod)
    if (failed === 'unchanged') return undefined
    this.#recordPod('update', pod.metadata.name, failed)
    return failed
  }

  async #update(pod: Pod): Promise<Outcome | 'unchanged'> {
    const { client, clock, causes } = this.#deps
    const place = { ordinal: ordinalOf(pod, this.#set), uid: pod.metadata.uid }
    for (let current = pod, attempt = 0; ; attempt++) {
      const { pod: next, hasOtherVolumes } = withIdentity(current, this.#set)
      const isRight = equalJson(next, current)
      if (hasOtherVolumes) {
        const missing = await this.#createMissing(place.ordinal)
        if (missing !== undefined) return missing
      }
      const needsOwners = this.#hasWrongOwners(place)
      if (isRight && !needsOwners) return 'unchanged'
      const unowned = needsOwners ? await this.fixClaims(place) : undefined
      if (unowned !== undefined) return unowned
      const updated = await client.update(addressOf('pods', pod), next, causes)
      if (updated.ok) return undefined
      const delayMs = retryDelaysMs[attempt]
      if (updated.error.kind !== 'conflict' || delayMs === undefined) return updated.error
      await new Promise<void>((resolve) => {
        clock.after(delayMs, resolve)
      })
      const fresh = await client.get(addressOf('pods', pod), causes)
      if (fresh.ok) current = fresh.value
    }
  }

  #hasWrongOwners(pod: PodPlace): boolean {
    return this.#presentClaims(pod.ordinal).some(
      (claim) => changedOwners(claim, this.#set, pod) !== undefined,
    )
  }

  /** Gives the claims of a pod the owners that the retention policy asks for. */
  async fixClaims(pod: PodPlace): Promise<Outcome> {
    const { client, causes } = this.#deps
    for (const claim of this.#presentClaims(pod.ordinal)) {
      const { name } = claim.metadata
      if (hasOtherController(claim, this.#set, pod)) {
        const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`
        this.#write('Warning', 'ConflictingController', message)
      }
      const ownerReferences = changedOwners(claim, this.#set, pod)
      if (ownerReferences === undefined) continue
      const next = { ...claim, metadata: { ...claim.metadata, ownerReferences } }
      const updated = await client.update(addressOf(claimResource, claim), next, causes)
      if (updated.ok) continue
      const { error } = updated
      const message = `could not update claim ${name} for delete policy ownerRefs: ${error.message}`
      return { ...error, message }
    }
    return undefined
  }

  #presentClaims(ordinal: number): readonly KubeObject[] {
    return [...claimsOf(this.#set, ordinal).values()].flatMap(
      (claim) => this.#deps.claim(nameOf(claim)) ?? [],
    )
  }

  async #createMissing(ordinal: number): Promise<Outcome> {
    const { client, causes } = this.#deps
    const { namespace = '' } = this.#set.metadata
    const errors: ApiError[] = []
    for (const claim of claimsOf(this.#set, ordinal).values()) {
      const name = nameOf(claim)
      const present = this.#deps.claim(name)
      if (present?.metadata.deletionTimestamp !== undefined)
        errors.push({ kind: 'unknown', message: `pvc ${name} is being deleted` })
      if (present !== undefined) continue
      const scope = { resource: claimResource, namespace } as const
      const created = await client.create(scope, claim, causes)
      const isThere = !created.ok && created.error.kind === 'already-exists'
      if (!isThere) this.#recordClaim(name, ordinal, created.ok ? undefined : created.error)
      if (created.ok) continue
      const message = `failed to create PVC ${name}: ${created.error.message}`
      errors.push({ ...created.error, message })
    }
    return aggregate(errors)
  }

  #podName({ ordinal }: PodPlace): string {
    return `${this.#set.metadata.name}-${ordinal}`
  }

  #recordPod(verb: 'create' | 'update' | 'delete', pod: string, error: Outcome): void {
    const what = `${verb} Pod ${pod} in StatefulSet ${this.#set.metadata.name}`
    this.#record(verb, what, error, 'successful')
  }

  #recordClaim(name: string, ordinal: number, error: Outcome): void {
    const { name: set } = this.#set.metadata
    const pod = `${error === undefined ? '' : 'for '}Pod ${set}-${ordinal} in StatefulSet ${set}`
    this.#record('create', `create Claim ${name} ${pod}`, error, 'success')
  }

  #record(verb: string, what: string, error: Outcome, success: string): void {
    const suffix = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`
    if (error === undefined) this.#write('Normal', `Successful${suffix}`, `${what} ${success}`)
    else this.#write('Warning', `Failed${suffix}`, `${what} failed error: ${error.message}`)
  }

  #write(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { events, causes } = this.#deps
    void events.write('apps/v1/statefulsets', this.#set, { type, reason, message }, causes)
  }
}

function nameOf(claim: JsonObject): string {
  return textAt(objectAt(claim, 'metadata'), 'name')
}

/** One error as it is, several as a list. Source: apimachinery errors.NewAggregate. */
function aggregate(errors: readonly ApiError[]): Outcome {
  const [first] = errors
  if (first === undefined || errors.length === 1) return first
  const messages = [...new Set(errors.map(({ message }) => message))]
  return { ...first, message: `[${messages.join(', ')}]` }
}
