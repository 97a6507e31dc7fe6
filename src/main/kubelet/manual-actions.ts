import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { isCriticalPod } from './pod/identity.ts'
import { hardEvictionGraceSeconds } from './eviction/evict-pod.ts'
import type { Eviction, PodEvictor } from './eviction/evict-pod.ts'
import type { PodManager } from './pod/pod-manager.ts'
import type { KillPodFunc } from './workers/kill-pod.ts'
import type { PodWorkers } from './workers/pod-workers.ts'

/** As under a hard threshold; the message says that a user requested it. */
const byHand: Eviction = {
  message: 'Evicted by hand from Nodescope: the node is not under pressure. ',
  gracePeriodSeconds: hardEvictionGraceSeconds,
  disruptionTarget: true,
}

export interface ManualActionsDeps {
  readonly podManager: PodManager
  readonly podWorkers: PodWorkers
  readonly kill: KillPodFunc
  readonly evictor: PodEvictor
  /** Whether the kubelet has stopped: then each action is refused. */
  readonly isStopped: () => boolean
}

/** What a user can make the kubelet do to one pod. A mirror's uid stands for its static pod. */
export class ManualActions {
  readonly #deps: ManualActionsDeps

  constructor(deps: ManualActionsDeps) {
    this.#deps = deps
  }

  /**
   * killPodNow without evict. Seconds; undefined: the pod's own grace. Resolves when its containers have
   * stopped. Errors are sentences: no such pod, nothing to stop, or not stopped in time.
   */
  async kill(
    uid: string,
    gracePeriodSeconds: number | undefined,
    causes: TraceCauses,
  ): Promise<Result<undefined, string>> {
    const { podWorkers, kill } = this.#deps
    const found = this.#find(uid)
    if (!found.ok) return found
    const pod = found.value
    const worker = podWorkers.workerView(pod.metadata.uid)
    const refusal = this.#nothingToStop(pod)
    if (refusal !== undefined) return err(refusal)
    if (worker?.state === 'waiting') {
      // It ends without a sync, so no kill is notified (pod-workers#starting-a-sync).
      podWorkers.updatePod({ updateType: 'kill', pod, causes })
      return ok(undefined)
    }
    const killed = await kill(pod, {
      evict: false,
      gracePeriodSecondsOverride: gracePeriodSeconds,
      causes,
    })
    return killed.ok
      ? killed
      : err('Its containers have not stopped in time; the kill goes on in the background.')
  }

  /** The kubelet's own eviction (eviction#evicting-one-pod). Error: a sentence saying why not. */
  async evict(uid: string, causes: TraceCauses): Promise<Result<undefined, string>> {
    const found = this.#find(uid)
    if (!found.ok) return found
    const pod = found.value
    // The evictor refuses critical pods, and traces the refusal.
    const refusal = isCriticalPod(pod) ? undefined : this.#nothingToStop(pod)
    return refusal === undefined ? this.#deps.evictor.evictPod(pod, byHand, causes) : err(refusal)
  }

  /** Also a pod that has left every source while its worker stops it. */
  #find(uid: string): Result<Pod, string> {
    const { podManager, podWorkers, isStopped } = this.#deps
    if (isStopped()) return err('The kubelet has stopped.')
    const resolvedUid = podManager.translatePodUID(uid)
    const pod = podManager.getPodByUID(resolvedUid) ?? podWorkers.lastPod(resolvedUid)
    return pod === undefined ? err(`There is no pod with the uid ${uid} on this node.`) : ok(pod)
  }

  #nothingToStop(pod: Pod): string | undefined {
    const worker = this.#deps.podWorkers.workerView(pod.metadata.uid)
    if (worker === undefined) return 'It has no worker, so there is nothing to stop.'
    return worker.terminatedAt === null ? undefined : 'Its containers have stopped already.'
  }
}
