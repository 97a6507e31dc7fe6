import type { ContainerSummary, PodSummary, Summary } from '../stats/summary.ts'
import type { MetricDescription } from './metric-family.ts'
import { MetricsRegistry } from './metrics-registry.ts'

const ofContainer = ['container', 'pod', 'namespace'] as const
const ofPod = ['pod', 'namespace'] as const

function description(
  name: string,
  help: string,
  labels?: readonly string[],
): MetricDescription & { readonly labels?: readonly string[] } {
  const stable = { name, help, stability: 'STABLE' } as const
  return labels === undefined ? stable : { ...stable, labels }
}

/** A registry for one answer: its series are those of the containers that run now. */
function resourceMetrics() {
  const registry = new MetricsRegistry()
  const cpu = (of: string, labels: readonly string[]) =>
    registry.counter(
      description(
        `${of}_cpu_usage_seconds_total`,
        `Cumulative cpu time consumed by the ${of} in core-seconds`,
        labels,
      ),
    )
  const memory = (of: string, labels: readonly string[]) =>
    registry.gauge(
      description(
        `${of}_memory_working_set_bytes`,
        `Current working set of the ${of} in bytes`,
        labels,
      ),
    )
  return {
    registry,
    container: {
      cpu: cpu('container', ofContainer),
      memory: memory('container', ofContainer),
      startTime: registry.gauge(
        description(
          'container_start_time_seconds',
          'Start time of the container since unix epoch in seconds',
          ofContainer,
        ),
      ),
    },
    pod: { cpu: cpu('pod', ofPod), memory: memory('pod', ofPod) },
    node: { cpu: cpu('node', []), memory: memory('node', []) },
    scrapeError: registry.gauge(
      description(
        'resource_scrape_error',
        '1 if there was an error while getting container metrics, 0 otherwise',
      ),
    ),
  }
}

type UseMetrics = ReturnType<typeof resourceMetrics>['node']

function setUse(
  { cpu, memory }: UseMetrics,
  use: Pick<ContainerSummary, 'cpu' | 'memory'>,
  labels: readonly string[],
): void {
  cpu.with(...labels).set(use.cpu.usageCoreNanoSeconds / 1e9, use.cpu.time)
  memory.with(...labels).set(use.memory.workingSetBytes, use.memory.time)
}

/**
 * What /metrics/resource answers (pkg/kubelet/metrics/collectors/resource_metrics.go); undefined: there is no summary. Swap, which a
 * simulated container does not have, is left out.
 */
export function resourceMetricsText(summary: Summary | undefined): string {
  const metrics = resourceMetrics()
  metrics.scrapeError.with().set(summary === undefined ? 1 : 0)
  if (summary === undefined) return metrics.registry.text()
  setUse(metrics.node, summary.node, [])
  for (const pod of summary.pods) addPod(metrics, pod)
  return metrics.registry.text()
}

function addPod(metrics: ReturnType<typeof resourceMetrics>, pod: PodSummary): void {
  const { name, namespace } = pod.podRef
  for (const container of pod.containers) {
    const labels = [container.name, name, namespace]
    setUse(metrics.container, container, labels)
    metrics.container.startTime.with(...labels).set(container.startTime / 1000)
  }
  setUse(metrics.pod, pod, [name, namespace])
}
