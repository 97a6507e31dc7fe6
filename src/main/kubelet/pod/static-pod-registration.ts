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
 * their next sync (kubelet.go fastStaticPodsRegistration; mirror-pods#reconciliation). It does not wait for the sources: a kubelet
 * whose node is there already finds it before its sync loop has taken the first pod, and does nothing then.
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
    this.#poll(causes)
  }

  stop(): void {
    this.#isRunning = false
    this.#cancelPoll?.()
    this.#cancelPoll = undefined
  }

  #poll(causes: TraceCauses): void {
    if (this.#deps.nodeLister.get() !== undefined) void this.#registerAll(causes)
    else this.#cancelPoll = this.#deps.clock.after(pollMs, () => this.#poll(causes))
  }

  async #registerAll(causes: TraceCauses): Promise<void> {
    for (const [pod, mirror] of this.#deps.podManager.getStaticPodToMirrorPodMap()) {
      if (!this.#isRunning) return
      await this.#deps.mirrorReconciler.tryReconcileMirrorPods(pod, mirror, causes)
    }
  }
}
