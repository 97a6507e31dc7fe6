import { parseQuantity, quantityValue } from '../../../shared/kubernetes/quantity.ts'
import type { NodeDescription } from '../node/node-status.ts'
import type { CgroupView } from '../stats/cgroup-views.ts'
import { defaultCpuPeriod } from '../stats/cgroup-views.ts'
import { MetricsRegistry } from './metrics-registry.ts'

const ofCgroup = ['container', 'id', 'image', 'name', 'namespace', 'pod'] as const
const ofMachine = ['boot_id', 'machine_id', 'system_uuid'] as const

/** What the node says of its machine. */
interface MachineFacts {
  readonly cpuCores: number
  readonly memoryBytes: number
  readonly bootId: string
  readonly machineId: string
  readonly systemUuid: string
}

export function machineFacts({
  capacity,
  nodeInfo,
}: Pick<NodeDescription, 'capacity' | 'nodeInfo'>): MachineFacts {
  const of = (resource: string): number => {
    const quantity = parseQuantity(capacity[resource])
    return quantity === undefined ? 0 : Number(quantityValue(quantity))
  }
  const { bootID: bootId = '', machineID: machineId = '', systemUUID: systemUuid = '' } = nodeInfo
  return { cpuCores: of('cpu'), memoryBytes: of('memory'), bootId, machineId, systemUuid }
}

/** A registry for one answer. Names and texts: cAdvisor metrics/prometheus.go, prometheus_machine.go. */
function cadvisorMetrics() {
  const registry = new MetricsRegistry()
  const gauge = (name: string, help: string, labels: readonly string[] = ofCgroup) =>
    registry.gauge({ name, help, labels })
  return {
    registry,
    cpu: registry.counter({
      name: 'container_cpu_usage_seconds_total',
      help: 'Cumulative cpu time consumed in seconds.',
      labels: [...ofCgroup, 'cpu'],
    }),
    lastSeen: gauge('container_last_seen', 'Last time a container was seen by the exporter'),
    memoryUsage: gauge(
      'container_memory_usage_bytes',
      'Current memory usage in bytes, including all memory regardless of when it was accessed',
    ),
    workingSet: gauge('container_memory_working_set_bytes', 'Current working set in bytes.'),
    rss: gauge('container_memory_rss', 'Size of RSS in bytes.'),
    startTime: gauge(
      'container_start_time_seconds',
      'Start time of the container since unix epoch in seconds.',
    ),
    cpuPeriod: gauge('container_spec_cpu_period', 'CPU period of the container.'),
    cpuQuota: gauge('container_spec_cpu_quota', 'CPU quota of the container.'),
    cpuShares: gauge('container_spec_cpu_shares', 'CPU share of the container.'),
    memoryLimit: gauge('container_spec_memory_limit_bytes', 'Memory limit for the container.'),
    memoryReservation: gauge(
      'container_spec_memory_reservation_limit_bytes',
      'Memory reservation limit for the container.',
    ),
    memorySwapLimit: gauge(
      'container_spec_memory_swap_limit_bytes',
      'Memory swap limit for the container.',
    ),
    machineCores: gauge('machine_cpu_cores', 'Number of logical CPU cores.', ofMachine),
    machineMemory: gauge(
      'machine_memory_bytes',
      'Amount of memory installed on the machine.',
      ofMachine,
    ),
    machineError: registry.gauge({
      name: 'machine_scrape_error',
      help: '1 if there was an error while getting machine metrics, 0 otherwise.',
    }),
    scrapeError: registry.gauge({
      name: 'container_scrape_error',
      help: '1 if there was an error while getting container metrics, 0 otherwise',
    }),
  }
}

type CadvisorMetrics = ReturnType<typeof cadvisorMetrics>

function addCgroup(metrics: CadvisorMetrics, view: CgroupView, now: number): void {
  const { container, id, image, name, namespace, pod, resources, use } = view
  const labels = [container, id, image, name, namespace, pod]
  const { cpuShares = 0, cpuQuota = 0, cpuPeriod = defaultCpuPeriod } = resources
  metrics.startTime.with(...labels).set(Math.trunc(view.createdAt / 1000))
  metrics.cpuPeriod.with(...labels).set(cpuPeriod)
  if (cpuQuota > 0) metrics.cpuQuota.with(...labels).set(cpuQuota)
  metrics.cpuShares.with(...labels).set(cpuShares)
  metrics.memoryLimit.with(...labels).set(resources.memoryLimitInBytes ?? 0)
  metrics.memoryReservation.with(...labels).set(0)
  metrics.memorySwapLimit.with(...labels).set(0)
  metrics.lastSeen.with(...labels).set(Math.trunc(now / 1000), now)
  // Nothing was measured yet.
  if (use.time === 0) return
  if (use.coreNanoSeconds > 0)
    metrics.cpu.with(...labels, 'total').set(use.coreNanoSeconds / 1e9, use.time)
  metrics.memoryUsage.with(...labels).set(use.usageBytes, use.time)
  metrics.workingSet.with(...labels).set(use.workingSetBytes, use.time)
  metrics.rss.with(...labels).set(use.rssBytes, use.time)
}

/**
 * What /metrics/cadvisor answers, of the families that follow from what the runtime measures; undefined views: it did not answer. Labels
 * as in a kubelet (server.go containerPrometheusLabelsFunc). api-server#kubelet-endpoints
 */
export function cadvisorMetricsText(
  views: readonly CgroupView[] | undefined,
  { cpuCores, memoryBytes, bootId, machineId, systemUuid }: MachineFacts,
  now: number,
): string {
  const metrics = cadvisorMetrics()
  metrics.scrapeError.with().set(views === undefined ? 1 : 0)
  for (const view of views ?? []) addCgroup(metrics, view, now)
  const machine = [bootId, machineId, systemUuid]
  metrics.machineCores.with(...machine).set(cpuCores)
  metrics.machineMemory.with(...machine).set(memoryBytes)
  metrics.machineError.with().set(0)
  return metrics.registry.text()
}
