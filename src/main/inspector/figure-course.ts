import type {
  Bucket,
  EndpointReading,
  FigureSample,
  KubeletFigures,
  RelistCounts,
} from '../../shared/model/inspect/kubelet-facts.ts'
import { bucketsSince, quantile, totalOf } from './kubelet-client/histogram.ts'

/** Half an hour of readings each 15 s. */
const kept = 120

interface RelistReading {
  readonly at: number
  readonly startedAt: number | null
  readonly buckets: readonly Bucket[]
}

/** The figures of a kubelet over time, one sample for each reading of /metrics; the oldest go. */
export class FigureCourse {
  #samples: readonly FigureSample[] = []
  /** Of the running kubelet only. */
  #relists: readonly RelistReading[] = []

  get samples(): readonly FigureSample[] {
    return this.#samples
  }

  /** From the first reading to the last; from the kubelet's start where there is only one. */
  get relists(): RelistCounts | null {
    const [first] = this.#relists
    const last = this.#relists.at(-1)
    if (first === undefined || last === undefined) return null
    const isOne = first === last
    const buckets = isOne ? last.buckets : bucketsSince(last.buckets, first.buckets)
    if (totalOf(buckets) === 0) return null
    return {
      since: isOne ? first.startedAt : first.at,
      buckets,
      p50: quantile(buckets, 0.5),
      p99: quantile(buckets, 0.99),
    }
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
    const { startedAt, plegRelists } = value
    const before = this.#relists.filter((reading) => reading.startedAt === startedAt)
    this.#relists = [...before, { at, startedAt, buckets: plegRelists }].slice(-kept)
  }
}
