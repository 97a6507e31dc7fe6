import type {
  EndpointReading,
  FigureSample,
  KubeletFigures,
} from '../../shared/model/inspect/kubelet-facts.ts'

/** Half an hour of readings each 15 s. */
const kept = 120

/** The figures of a kubelet over time, one sample for each reading of /metrics; the oldest go. */
export class FigureCourse {
  #samples: readonly FigureSample[] = []

  get samples(): readonly FigureSample[] {
    return this.#samples
  }

  /** `syncLoop`: the last reading of /healthz/syncloop. Taking the same reading again does nothing. */
  take(
    { at, value }: { readonly at: number; readonly value: KubeletFigures },
    syncLoop: EndpointReading | undefined,
  ): void {
    if (this.#samples.at(-1)?.at === at) return
    const sample: FigureSample = {
      at,
      plegRelistP99: value.plegRelist.p99,
      plegIntervalP99: value.plegInterval.p99,
      workerSyncP99: value.workerDurations['sync']?.p99 ?? null,
      syncLoopAnswer: syncLoop?.problem === null ? syncLoop.tookMs / 1000 : null,
      runningPods: value.runningPods,
      evictions: Object.values(value.evictions).reduce((sum, count) => sum + count, 0),
    }
    this.#samples = [...this.#samples, sample].slice(-kept)
  }
}
