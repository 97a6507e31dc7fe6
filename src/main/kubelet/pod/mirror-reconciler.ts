import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Log, NodeLister, Trace } from '../ports.ts'
import { fullNameOf, isMirrorPodOf, isStaticPod, tracePod } from './identity.ts'
import type { MirrorClient } from './mirror-client.ts'

interface MirrorReconcilerDeps {
  readonly mirrorClient: MirrorClient
  readonly nodeLister: NodeLister
  readonly trace: Trace
  readonly log: Log
}

/** Keeps the mirror of a static pod as it should be (kubelet tryReconcileMirrorPods; mirror-pods#reconciliation). */
export class MirrorReconciler {
  readonly #deps: MirrorReconcilerDeps
  /** Why the last attempt made no mirror, by the static pod's uid. */
  readonly #failures = new Map<string, string>()

  constructor(deps: MirrorReconcilerDeps) {
    this.#deps = deps
  }

  /** Why the static pod has no mirror: the server's sentence or the obstacle of the last try. Undefined once there is one. */
  readonly failure = (uid: string): string | undefined => this.#failures.get(uid)

  /** The pod has ended: its mirror is not created again. */
  forget(uid: string): void {
    this.#failures.delete(uid)
  }

  /**
   * Deletes `mirror` if it is stale or being deleted, and creates one if there is none.
   * `mirror` is what the update carried, which may be older than what the API holds. Failures are only
   * logged: the next sync retries. Returns whether a mirror was created.
   */
  async tryReconcileMirrorPods(
    pod: Pod,
    mirror: Pod | undefined,
    causes: TraceCauses,
  ): Promise<boolean> {
    if (!isStaticPod(pod)) return false
    const isDeleted = mirror !== undefined && (await this.#deleteIfWrong(pod, mirror, causes))
    const { uid } = pod.metadata
    if (mirror !== undefined && !isDeleted) {
      this.#failures.delete(uid)
      return false
    }
    const obstacle = this.#obstacle()
    if (obstacle !== undefined) {
      this.#failures.set(uid, obstacle)
      tracePod(this.#deps.trace, pod, 'mirror.skipped', causes, {
        message: `not created: ${obstacle}`,
      })
      return false
    }
    const why = mirror === undefined ? 'missing' : 'replaced'
    const created = await this.#deps.mirrorClient.createMirrorPod(pod, { why, causes })
    if (created.ok) {
      this.#failures.delete(uid)
      return true
    }
    this.#failures.set(uid, created.error)
    this.#deps.log.warn('failed creating a mirror pod', { podUid: uid, error: created.error })
    return false
  }

  async #deleteIfWrong(pod: Pod, mirror: Pod, causes: TraceCauses): Promise<boolean> {
    const isDeleting = mirror.metadata.deletionTimestamp !== undefined
    if (!isDeleting && isMirrorPodOf(mirror, pod)) return false
    const deleted = await this.#deps.mirrorClient.deleteMirrorPod(fullNameOf(pod), {
      uid: mirror.metadata.uid,
      why: isDeleting ? 'deleting' : 'stale',
      pod,
      causes,
    })
    return deleted.ok && deleted.value
  }

  #obstacle(): string | undefined {
    const node = this.#deps.nodeLister.get()
    if (node === undefined) return 'the node is not in the API'
    return node.metadata.deletionTimestamp === undefined ? undefined : 'the node is being deleted'
  }
}
