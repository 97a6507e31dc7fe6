import type {
  Bucket,
  KubeletFigures,
  Latency,
} from '../../../shared/model/inspect/kubelet-facts.ts'
import { bucketsOf, bucketsSince, quantile, totalOf } from './histogram.ts'
import { samplesIn } from './prometheus-text.ts'
import type { Sample } from './prometheus-text.ts'

const wanted: ReadonlySet<string> = new Set([
  'process_start_time_seconds',
  'process_cpu_seconds_total',
  'kubelet_working_pods',
  'kubelet_desired_pods',
  'kubelet_running_pods',
  'kubelet_running_containers',
  'kubelet_mirror_pods',
  'kubelet_pleg_last_seen_seconds',
  'kubelet_pleg_relist_duration_seconds',
  'kubelet_pleg_relist_interval_seconds',
  'kubelet_pod_worker_duration_seconds',
  'kubelet_evictions',
])

/** The samples of one /metrics that `figuresOf` reads. */
export function wantedSamples(text: string): readonly Sample[] {
  return samplesIn(text, wanted)
}

class Samples {
  readonly #byName: ReadonlyMap<string, readonly Sample[]>

  constructor(samples: readonly Sample[]) {
    const byName = new Map<string, Sample[]>()
    for (const sample of samples) {
      const same = byName.get(sample.name)
      if (same === undefined) byName.set(sample.name, [sample])
      else same.push(sample)
    }
    this.#byName = byName
  }

  of(name: string): readonly Sample[] {
    return this.#byName.get(name) ?? []
  }

  sum(name: string): number | null {
    const found = this.of(name)
    return found.length === 0 ? null : found.reduce((total, { value }) => total + value, 0)
  }

  by(name: string, label: string): Readonly<Record<string, number>> {
    const sums = new Map<string, number>()
    for (const { labels, value } of this.of(name)) {
      const key = labels[label] ?? ''
      sums.set(key, (sums.get(key) ?? 0) + value)
    }
    return Object.fromEntries(sums)
  }

  /** Of one operation. */
  buckets(name: string, operation?: string): readonly Bucket[] {
    const found = this.of(`${name}_bucket`).filter(
      ({ labels }) => operation === undefined || labels['operation_type'] === operation,
    )
    return bucketsOf(
      new Map(
        found.map(({ labels, value }) => [
          labels['le'] === '+Inf' ? Infinity : Number(labels['le']),
          value,
        ]),
      ),
    )
  }
}

function latency(now: readonly Bucket[], before: readonly Bucket[] | undefined): Latency {
  const buckets = before === undefined ? now : bucketsSince(now, before)
  return { count: totalOf(buckets), p50: quantile(buckets, 0.5), p99: quantile(buckets, 0.99) }
}

function times1000(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000
}

/** The figures of /metrics; latencies since `before`, an earlier reading of the same kubelet. */
export function figuresOf(samples: readonly Sample[], before?: readonly Sample[]): KubeletFigures {
  const now = new Samples(samples)
  const earlier = before === undefined ? undefined : new Samples(before)
  const since = (name: string, operation?: string): Latency =>
    latency(now.buckets(name, operation), earlier?.buckets(name, operation))
  const duration = 'kubelet_pod_worker_duration_seconds'
  const relists = 'kubelet_pleg_relist_duration_seconds'
  const operations = Object.keys(now.by(`${duration}_count`, 'operation_type'))
  const running = now.by('kubelet_running_containers', 'container_state')
  return {
    startedAt: times1000(now.sum('process_start_time_seconds')),
    cpuSeconds: now.sum('process_cpu_seconds_total'),
    workers:
      now.of('kubelet_working_pods').length === 0
        ? null
        : now.by('kubelet_working_pods', 'lifecycle'),
    desiredPods: now.sum('kubelet_desired_pods'),
    runningPods: now.sum('kubelet_running_pods'),
    runningContainers: running['running'] ?? null,
    mirrorPods: now.sum('kubelet_mirror_pods'),
    plegLastSeenAt: times1000(now.sum('kubelet_pleg_last_seen_seconds')),
    plegRelist: since(relists),
    plegRelists: now.buckets(relists),
    plegInterval: since('kubelet_pleg_relist_interval_seconds'),
    workerDurations: Object.fromEntries(
      operations.map((operation) => [operation, since(duration, operation)]),
    ),
    evictions: now.by('kubelet_evictions', 'eviction_signal'),
  }
}
