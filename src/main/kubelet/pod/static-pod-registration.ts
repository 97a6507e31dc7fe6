import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { CancelTimer, Clock, NodeLister } from '../ports.ts'
import type { MirrorReconciler } from './mirror-reconciler.ts'
import type { PodManager } from './pod-manager.ts'

const pollMs = 100

/**
 * Once after the start, as soon as the sources are ready and the node is in the API: mirrors for all static
 * pods, without waiting for their next sync (kubelet fastStaticPodsRegistration; semantics 3.3).
 */
export class StaticPodRegistration {
  readonly #isReady: () => boolean
  readonly #nodeLister: NodeLister
  readonly #podManager: PodManager
  readonly #mirrorReconciler: Pick<MirrorReconciler, 'reconcile'>
  readonly #clock: Clock
  #cancelPoll: CancelTimer | undefined
  #isRunning = false

  constructor(deps: {
    readonly isReady: () => boolean
    readonly nodeLister: NodeLister
    readonly podManager: PodManager
    readonly mirrorReconciler: Pick<MirrorReconciler, 'reconcile'>
    readonly clock: Clock
  }) {
    this.#isReady = deps.isReady
    this.#nodeLister = deps.nodeLister
    this.#podManager = deps.podManager
    this.#mirrorReconciler = deps.mirrorReconciler
    this.#clock = deps.clock
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
    this.#cancelPoll = this.#clock.after(pollMs, () => {
      if (this.#isReady() && this.#nodeLister.get() !== undefined) void this.#registerAll(causes)
      else this.#poll(causes)
    })
  }

  async #registerAll(causes: TraceCauses): Promise<void> {
    for (const [pod, mirror] of this.#podManager.getStaticPodToMirrorPodMap()) {
      if (!this.#isRunning) return
      await this.#mirrorReconciler.reconcile(pod, mirror, causes)
    }
  }
}
