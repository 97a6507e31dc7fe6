import type { Pod, PodStatus } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses, TraceSeq } from '../../../shared/model/trace-event.ts'
import { isMirrorPod, isTerminalPhase, podNamespace, tracePod } from '../pod/identity.ts'
import type { ApiClient, CorePorts } from '../ports.ts'
import { mergePodStatus } from './merge-status.ts'
import { podStatusMergeKeys, strategicPatch } from './strategic-patch.ts'

/** Says whether containers of a uid may still run; asked with the uid of the object in the API (status#sending-a-status step 3). */
export interface PodDeletionSafety {
  readonly couldHaveRunningContainers: (uid: string) => boolean
}

/** One version of a pod's status, as the status manager caches it. */
export interface VersionedStatus {
  /** From 1, one more for every change. */
  readonly version: number
  readonly pod: Pod
  /** The worker is done. Sticky, except for static pods. */
  readonly isFinished: boolean
  readonly status: PodStatus
  /** ms; when the pod's first status was cached. */
  readonly since: number
  /** Where it was cached in the trace. */
  readonly cause: TraceSeq
  /** The object in the API that it was last found equal to. */
  readonly equalTo: Pod | undefined
}

/** How a write ended. `apiUid` is the uid of the object in the API, a mirror's for a static pod. */
export type StatusWriteOutcome =
  /** The API server has it now, or had it already. */
  | { readonly kind: 'written'; readonly apiUid: string }
  /** Written, and the object is deleted. */
  | { readonly kind: 'deleted'; readonly apiUid: string }
  /** The API server has no such pod. */
  | { readonly kind: 'gone' }
  /** The name belongs to another pod by now. */
  | { readonly kind: 'recreated' }
  | { readonly kind: 'failed' }

interface PodStatusWriterDeps extends CorePorts {
  readonly api: ApiClient
  readonly podManager: { readonly translatePodUID: (uid: string) => string }
  readonly podDeletionSafety: PodDeletionSafety
}

/** Whether the API object may go now: deleting, no mirror, ended in the API, and its worker is done (status#sending-a-status). */
export function canBeDeleted(pod: Pod, isFinished: boolean): boolean {
  if (pod.metadata.deletionTimestamp === undefined || isMirrorPod(pod)) return false
  return isTerminalPhase(pod.status?.phase) && isFinished
}

/** Brings one status to the API server: GET, merge, PATCH what changed, DELETE what is done (status#sending-a-status). */
export class PodStatusWriter {
  readonly #deps: PodStatusWriterDeps

  constructor(deps: PodStatusWriterDeps) {
    this.#deps = deps
  }

  /** `uid`: the kubelet's own of the pod. Never throws for a server's answer. */
  async sync(uid: string, cached: VersionedStatus): Promise<StatusWriteOutcome> {
    const { api, podManager } = this.#deps
    const fetched = await api.get(keyOf(cached.pod), [cached.cause])
    if (!fetched.ok) {
      return fetched.error.kind === 'not-found'
        ? { kind: 'gone' }
        : this.#failed(cached, fetched.error.message)
    }
    const translated = podManager.translatePodUID(fetched.value.metadata.uid)
    if (translated !== '' && translated !== uid) return this.#recreated(cached, translated)
    const written = await this.#write(fetched.value, cached)
    if (written === undefined) return { kind: 'failed' }
    if (canBeDeleted(written, cached.isFinished)) return this.#delete(written, cached)
    return { kind: 'written', apiUid: written.metadata.uid }
  }

  /** The object as it is after the write, or as it was when nothing differed; undefined when the write failed. */
  async #write(pod: Pod, cached: VersionedStatus): Promise<Pod | undefined> {
    const old = pod.status ?? {}
    const status = this.#merge(pod, cached)
    const patch = strategicPatch(old, status, podStatusMergeKeys)
    if (Object.keys(patch).length === 0) return pod
    const causes: TraceCauses = [cached.cause]
    // The uid makes the server refuse the write when the name belongs to another pod by now.
    const body = { metadata: { uid: pod.metadata.uid }, status: patch }
    const result = await this.#deps.api.patch(
      keyOf(cached.pod),
      { type: 'strategic', subresource: 'status', body },
      causes,
    )
    if (!result.ok) {
      this.#failed(cached, result.error.message)
      return undefined
    }
    this.#deps.metrics?.podStartup.statusUpdated(result.value)
    const { phase = '', reason = '' } = status
    const data = { version: cached.version, phase, reason }
    tracePod(this.#deps.trace, cached.pod, 'status.patched', causes, data)
    return result.value
  }

  #merge(pod: Pod, cached: VersionedStatus): PodStatus {
    const { clock, trace, podDeletionSafety } = this.#deps
    const { status, isWithheld } = mergePodStatus({
      pod,
      old: pod.status ?? {},
      next: cached.status,
      couldHaveRunningContainers: podDeletionSafety.couldHaveRunningContainers(pod.metadata.uid),
      now: clock.now(),
    })
    if (isWithheld) {
      tracePod(trace, cached.pod, 'status.withheld', [cached.cause], {
        phase: cached.status.phase ?? '',
        message: 'containers could still be running',
      })
    }
    return status
  }

  async #delete(pod: Pod, cached: VersionedStatus): Promise<StatusWriteOutcome> {
    const { uid } = pod.metadata
    const causes: TraceCauses = [cached.cause]
    const options = { gracePeriodSeconds: 0, preconditions: { uid } }
    const result = await this.#deps.api.delete(keyOf(pod), options, causes)
    if (!result.ok) {
      this.#failed(cached, result.error.message)
      // The status itself arrived; the ten-second round retries the deletion.
      return { kind: 'written', apiUid: uid }
    }
    tracePod(this.#deps.trace, cached.pod, 'status.podDeleted', causes, { uid })
    return { kind: 'deleted', apiUid: uid }
  }

  #recreated(cached: VersionedStatus, translated: string): StatusWriteOutcome {
    tracePod(this.#deps.trace, cached.pod, 'status.dropped', [cached.cause], {
      message: `pod was deleted and then recreated: the API has ${translated}`,
    })
    return { kind: 'recreated' }
  }

  #failed(cached: VersionedStatus, message: string): StatusWriteOutcome {
    const { log, trace } = this.#deps
    log.warn('status not written', { podUid: cached.pod.metadata.uid, error: message })
    tracePod(trace, cached.pod, 'status.failed', [cached.cause], { message })
    return { kind: 'failed' }
  }
}

function keyOf(pod: Pod): { resource: 'pods'; namespace: string; name: string } {
  return { resource: 'pods', namespace: podNamespace(pod), name: pod.metadata.name }
}
