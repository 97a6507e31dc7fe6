import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { CancelTimer, Clock, NodeLister } from '../ports.ts'
import type { MirrorReconciler } from './mirror-reconciler.ts'
import type { PodManager } from './pod-manager.ts'

const pollMs = 100

interface StaticPodRegistrationDeps {
  readonly nodeLister: NodeLister
  readonly podManager: PodManager
  readonly mirrorReconciler: Pick<MirrorReconciler, 'tryReconcileMirrorPods'>
  readonly clock: Clock
}

/**
 * Reconciles the mirrors of all static pods once, as soon as the node is in the API, so that they do not wait for
 * their next sync (kubelet.go fastStaticPodsRegistration; mirror-pods#reconciliation). It does not wait for the sources: a mirror
 * that the API source has not delivered yet is created again, and the server refuses it.
 */
export class StaticPodRegistration {
  readonly #deps: StaticPodRegistrationDeps
  #cancelPoll: CancelTimer | undefined
  #isRunning = false

  constructor(deps: StaticPodRegistrationDeps) {
    this.#deps = deps
  }

  /** Begins to wait. Running already: nothing. */
  start(causes: TraceCauses): void {
    if (this.#isRunning) return
    this.#isRunning = true
    // A goroutine of its own: the sync loop begins before its first check (seen on a real kubelet), so
    // that a kubelet that starts again has its static pods when it finds the node, 100 ms later.
    this.#pollAfter(0, causes)
  }

  stop(): void {
    this.#isRunning = false
    this.#cancelPoll?.()
    this.#cancelPoll = undefined
  }

  #pollAfter(delayMs: number, causes: TraceCauses): void {
    this.#cancelPoll = this.#deps.clock.after(delayMs, () => {
      if (this.#deps.nodeLister.get() === undefined) this.#pollAfter(pollMs, causes)
      else void this.#registerAll(causes)
    })
  }

  async #registerAll(causes: TraceCauses): Promise<void> {
    for (const [pod, mirror] of this.#deps.podManager.getStaticPodToMirrorPodMap()) {
      if (!this.#isRunning) return
      await this.#deps.mirrorReconciler.tryReconcileMirrorPods(pod, mirror, causes)
    }
  }
}
