import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { evictionRefusal, hardEvictionGraceSeconds } from './eviction/evict-pod.ts'
import type { Eviction, PodEvictor } from './eviction/evict-pod.ts'
import type { PodManager } from './pod/pod-manager.ts'
import type { KillPodFunc } from './workers/kill-pod.ts'
import type { PodWorkers } from './workers/pod-workers.ts'

/** As under a hard threshold; where a kubelet under pressure names the resource, it says what it is. */
const byHand: Eviction = {
  message: 'Evicted by hand from Nodescope: the node is not under pressure. ',
  gracePeriodSeconds: hardEvictionGraceSeconds,
  disruptionTarget: true,
}

/** What a person can make the kubelet do to one pod. A mirror's uid stands for its static pod. */
export class ActsByHand {
  readonly #podManager: PodManager
  readonly #podWorkers: PodWorkers
  readonly #kill: KillPodFunc
  readonly #evictor: PodEvictor

  constructor(deps: {
    readonly podManager: PodManager
    readonly podWorkers: PodWorkers
    readonly kill: KillPodFunc
    readonly evictor: PodEvictor
  }) {
    this.#podManager = deps.podManager
    this.#podWorkers = deps.podWorkers
    this.#kill = deps.kill
    this.#evictor = deps.evictor
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
    const pod = this.#find(uid)
    if (pod === undefined) return err(unknownUid(uid))
    const worker = this.#podWorkers.workerView(pod.metadata.uid)
    const refusal = this.#nothingToStop(pod)
    if (refusal !== undefined) return err(refusal)
    if (worker?.state === 'waiting') {
      // It ends without a sync, and nobody is told when (semantics 4.5).
      this.#podWorkers.updatePod({ updateType: 'kill', pod, causes })
      return ok(undefined)
    }
    const killed = await this.#kill(pod, {
      evict: false,
      gracePeriodSecondsOverride: gracePeriodSeconds,
      causes,
    })
    return killed.ok
      ? killed
      : err('Its containers have not stopped in time; the kill goes on in the background.')
  }

  /** The kubelet's own eviction (semantics 8.7). Error: a sentence saying why not. */
  async evict(uid: string, causes: TraceCauses): Promise<Result<undefined, string>> {
    const pod = this.#find(uid)
    if (pod === undefined) return err(unknownUid(uid))
    // What the rules refuse is refused by the evictor, which says so in the trace.
    const refusal = evictionRefusal(pod) === undefined ? this.#nothingToStop(pod) : undefined
    return refusal === undefined ? this.#evictor.evict(pod, byHand, causes) : err(refusal)
  }

  /** Also a pod that has left every source while its worker stops it. */
  #find(uid: string): Pod | undefined {
    const resolvedUid = this.#podManager.translatePodUID(uid)
    return this.#podManager.getPodByUID(resolvedUid) ?? this.#podWorkers.lastPod(resolvedUid)
  }

  #nothingToStop(pod: Pod): string | undefined {
    const worker = this.#podWorkers.workerView(pod.metadata.uid)
    if (worker === undefined) return 'It has no worker, so there is nothing to stop.'
    return worker.terminatedAt === null ? undefined : 'Its containers have stopped already.'
  }
}

function unknownUid(uid: string): string {
  return `There is no pod with the uid ${uid} on this node.`
}
