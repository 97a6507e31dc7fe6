import { defaultBuckets } from './buckets.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { ProbeResult, ProbeType } from '../../../shared/model/trace-event.ts'
import { MetricsRegistry } from './metrics-registry.ts'

interface CountedProbe {
  readonly type: ProbeType
  readonly container: Pick<Container, 'name'>
  readonly pod: Pod
}

/** The type of the probe, and the names of container, pod and namespace. */
type ProbeLabels = readonly [string, string, string, string]

/** What /metrics/probes has (pkg/kubelet/prober/prober_manager.go ProberResults, ProberDuration). A probe's series end with its worker. */
export class ProbeMetrics {
  readonly registry = new MetricsRegistry()

  readonly processStartTime = this.registry.gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    stability: 'ALPHA',
    labels: [],
  })
  readonly probes = this.registry.counter({
    name: 'prober_probe_total',
    help: 'Cumulative number of a liveness, readiness or startup probe for a container by result.',
    stability: 'BETA',
    labels: ['probe_type', 'result', 'container', 'pod', 'namespace', 'pod_uid'],
  })
  readonly duration = this.registry.histogram(
    {
      name: 'prober_probe_duration_seconds',
      help: 'Duration in seconds for a probe response.',
      stability: 'ALPHA',
      labels: ['probe_type', 'container', 'pod', 'namespace'],
    },
    defaultBuckets,
  )

  /** A prober's error counts nowhere, and a failure has no duration, as in the kubelet. */
  record(of: CountedProbe, result: ProbeResult, seconds: number): void {
    this.probes.with(...resultLabels(of, resultNames[result])).increment()
    if (result !== 'failure') this.duration.with(...durationLabels(of)).observe(seconds)
  }

  /** The worker has ended. */
  forget(of: CountedProbe): void {
    for (const name of Object.values(resultNames)) this.probes.delete(...resultLabels(of, name))
    this.duration.delete(...durationLabels(of))
  }
}

const typeNames = { liveness: 'Liveness', readiness: 'Readiness', startup: 'Startup' } as const
const resultNames = { success: 'successful', failure: 'failed', unknown: 'unknown' } as const

function resultLabels(of: CountedProbe, result: string): readonly string[] {
  const [type, container, name, namespace] = durationLabels(of)
  return [type, result, container, name, namespace, of.pod.metadata.uid]
}

function durationLabels({ type, container, pod }: CountedProbe): ProbeLabels {
  return [typeNames[type], container.name, pod.metadata.name, pod.metadata.namespace ?? 'default']
}
