import type { ProbeResult, TraceCauses } from '../../../shared/model/trace-event.ts'

/** A result that changed. */
export interface ProbeUpdate {
  /** The runtime's own id. */
  readonly containerId: string
  readonly result: ProbeResult
  readonly podUid: string
  readonly causes: TraceCauses
}

/** The newest results of one type of probe, by container id (pkg/kubelet/prober/results Manager). */
export class ResultsManager {
  readonly #results = new Map<string, ProbeResult>()
  readonly #onUpdate: (update: ProbeUpdate) => void

  /** `onUpdate`: called when a result changes, and for the first of a container; not for a removal. */
  constructor(onUpdate: (update: ProbeUpdate) => void) {
    this.#onUpdate = onUpdate
  }

  readonly get = (containerId: string): ProbeResult | undefined => this.#results.get(containerId)

  set(
    containerId: string,
    result: ProbeResult,
    about: { readonly podUid: string; readonly causes: TraceCauses },
  ): void {
    if (this.#results.get(containerId) === result) return
    this.#results.set(containerId, result)
    this.#onUpdate({ containerId, result, ...about })
  }

  remove(containerId: string): void {
    this.#results.delete(containerId)
  }
}
