import { defaultBuckets } from './buckets.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { ProbeResult, ProbeType } from '../../../shared/model/trace-event.ts'
import { Histogram, Value } from './metric-family.ts'
import type { LabelledSeries } from './metric-family.ts'
import { MetricsRegistry } from './metrics-registry.ts'

/** What one worker has counted; as a histogram, its durations. */
export class ProbeCounts extends Histogram implements Record<ProbeResult, number> {
  success = 0
  failure = 0
  unknown = 0

  constructor() {
    super(defaultBuckets)
  }

  /** A prober's error counts nowhere, and a failure has no duration, as in the kubelet. */
  record(result: ProbeResult, seconds: number): void {
    this[result]++
    if (result !== 'failure') this.observe(seconds)
  }
}

interface CountedProbe {
  readonly counts: ProbeCounts
  readonly type: ProbeType
  readonly container: Pick<Container, 'name'>
  readonly pod: Pod
}

/** What /metrics/probes has (pkg/kubelet/prober/prober_manager.go ProberResults, ProberDuration). A probe's series end with its worker. */
export class ProbeMetrics {
  readonly registry = new MetricsRegistry()

  readonly processStartTime = this.registry.gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    stability: 'ALPHA',
    labels: [],
  })
  /** Those that count, asked at each scrape: much less than a series for each result of each worker. */
  workers: () => Iterable<CountedProbe> = () => []

  constructor() {
    this.registry.collected(
      'counter',
      {
        name: 'prober_probe_total',
        help: 'Cumulative number of a liveness, readiness or startup probe for a container by result.',
        stability: 'BETA',
        labels: ['probe_type', 'result', 'container', 'pod', 'namespace', 'pod_uid'],
      },
      () => this.#totals(),
    )
    this.registry.collected(
      'histogram',
      {
        name: 'prober_probe_duration_seconds',
        help: 'Duration in seconds for a probe response.',
        stability: 'ALPHA',
        labels: ['probe_type', 'container', 'pod', 'namespace'],
      },
      () => this.#durations(),
    )
  }

  #totals(): readonly LabelledSeries[] {
    return [...this.workers()].flatMap((worker) =>
      results
        .filter((result) => worker.counts[result] > 0)
        .map((result) => {
          const [type, ...names] = labelsOf(worker)
          const series = new Value()
          series.set(worker.counts[result])
          return { values: [type, resultNames[result], ...names, worker.pod.metadata.uid], series }
        }),
    )
  }

  /** A pod that took the name of one that still ends has its labels, too: one series, that of the newer worker. */
  #durations(): readonly LabelledSeries[] {
    const byLabels = new Map<string, LabelledSeries>()
    for (const worker of this.workers()) {
      const { success, unknown } = worker.counts
      const values = labelsOf(worker)
      if (success + unknown > 0) byLabels.set(values.join('/'), { values, series: worker.counts })
    }
    return [...byLabels.values()]
  }
}

const typeNames = { liveness: 'Liveness', readiness: 'Readiness', startup: 'Startup' } as const
const resultNames = { success: 'successful', failure: 'failed', unknown: 'unknown' } as const
const results = ['success', 'failure', 'unknown'] as const

/** The type of the probe, and the names of container, pod and namespace. */
function labelsOf({
  type,
  container,
  pod,
}: CountedProbe): readonly [string, string, string, string] {
  return [typeNames[type], container.name, pod.metadata.name, pod.metadata.namespace ?? 'default']
}
