import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Log, NodeLister, Trace } from '../ports.ts'
import { fullNameOf, isMirrorOf, isStatic, podSubject } from './identity.ts'
import type { MirrorClient } from './mirror-client.ts'

/** Keeps the mirror of a static pod as it should be (kubelet tryReconcileMirrorPods; semantics 3.3). */
export class MirrorReconciler {
  readonly #mirrorClient: MirrorClient
  readonly #nodeLister: NodeLister
  readonly #trace: Trace
  readonly #log: Log

  constructor(deps: {
    readonly mirrorClient: MirrorClient
    readonly nodeLister: NodeLister
    readonly trace: Trace
    readonly log: Log
  }) {
    this.#mirrorClient = deps.mirrorClient
    this.#nodeLister = deps.nodeLister
    this.#trace = deps.trace
    this.#log = deps.log
  }

  /**
   * Deletes `mirror` if it is stale or on its way out, and creates one if there is none (any more).
   * `mirror` is what the update carried, which may be older than what the API holds. Failures are only
   * logged: the next sync looks again.
   */
  async reconcile(pod: Pod, mirror: Pod | undefined, causes: TraceCauses): Promise<void> {
    if (!isStatic(pod)) return
    const isDeleted = mirror !== undefined && (await this.#deleteIfWrong(pod, mirror, causes))
    if (mirror !== undefined && !isDeleted) return
    const obstacle = this.#obstacle()
    if (obstacle !== undefined) {
      this.#trace.emit({
        kind: 'mirror.skipped',
        subject: podSubject(pod),
        causes,
        data: { message: `not created: ${obstacle}` },
      })
      return
    }
    const why = mirror === undefined ? 'missing' : 'replaced'
    const created = await this.#mirrorClient.createMirrorPod(pod, { why, causes })
    if (!created.ok)
      this.#log.warn('failed creating a mirror pod', {
        podUid: pod.metadata.uid,
        error: created.error,
      })
  }

  async #deleteIfWrong(pod: Pod, mirror: Pod, causes: TraceCauses): Promise<boolean> {
    const isDeleting = mirror.metadata.deletionTimestamp !== undefined
    if (!isDeleting && isMirrorOf(mirror, pod)) return false
    const deleted = await this.#mirrorClient.deleteMirrorPod(fullNameOf(pod), {
      uid: mirror.metadata.uid,
      why: isDeleting ? 'deleting' : 'stale',
      pod,
      causes,
    })
    return deleted.ok && deleted.value
  }

  #obstacle(): string | undefined {
    const node = this.#nodeLister.get()
    if (node === undefined) return 'the node is not in the API'
    return node.metadata.deletionTimestamp === undefined ? undefined : 'the node is being deleted'
  }
}
