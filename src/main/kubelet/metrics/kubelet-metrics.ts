import { defaultBuckets, exponentialBuckets } from './buckets.ts'
import type { MetricDescription } from './metric-family.ts'
import { MetricsRegistry } from './metrics-registry.ts'
import { PodStartupLatency } from './pod-startup-latency.ts'
import { ProbeMetrics } from './probe-metrics.ts'

/** From the kubelet's first sight of a pod, or its creation, to its start. Seconds. */
const podStartBuckets: readonly number[] = [
  0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800,
  2700, 3600,
]
const imagePullBuckets: readonly number[] = [
  1, 5, 10, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600,
]
const statusSyncBuckets: readonly number[] = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 30, 45, 60]

const httpLabels = ['method', 'path', 'server_type', 'long_running'] as const

/** Most of a kubelet's metrics are called so. */
function kubelet(name: string, help: string, labels?: readonly string[]): MetricDescription {
  const description = { name: `kubelet_${name}`, help, stability: 'ALPHA' } as const
  return labels === undefined ? description : { ...description, labels }
}

/** `static` of a metric: pods that are not from the API server. */
export function staticLabel(isStatic: boolean): string {
  return isStatic ? 'true' : ''
}

/**
 * What a kubelet counts for /metrics (pkg/kubelet/metrics/metrics.go), as far as Nodescope knows it: the names, texts, labels and
 * buckets are the interface of monitoring systems, and are the kubelet's own. api-server#kubelet-endpoints
 */
export class KubeletMetrics {
  readonly registry = new MetricsRegistry()
  readonly probes = new ProbeMetrics()
  /** What /metrics/slis has: a kubelet registers no health check there. */
  readonly slis = new MetricsRegistry()
  readonly podStartup: PodStartupLatency
  /** Seconds since the epoch. */
  readonly startedAt: number
  /** `ms` since the epoch. */
  readonly secondsSince: (ms: number) => number

  readonly nodeName = this.registry.gauge(
    kubelet('node_name', "The node's name. The count is always 1.", ['node']),
  )
  readonly processStartTime = this.registry.gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
  })

  readonly desiredPods = this.registry.gauge(
    kubelet(
      'desired_pods',
      'The number of pods the kubelet is being instructed to run. static is true if the pod is not from the apiserver.',
      ['static'],
    ),
  )
  readonly activePods = this.registry.gauge(
    kubelet(
      'active_pods',
      'The number of pods the kubelet considers active and which are being considered when admitting new pods. static is true if the pod is not from the apiserver.',
      ['static'],
    ),
  )
  readonly mirrorPods = this.registry.gauge(
    kubelet(
      'mirror_pods',
      'The number of mirror pods the kubelet will try to create (one per admitted static pod)',
    ),
  )
  readonly workingPods = this.registry.gauge(
    kubelet(
      'working_pods',
      'Number of pods the kubelet is actually running, broken down by lifecycle phase, whether the pod is desired, orphaned, or runtime only (also orphaned), and whether the pod is static. An orphaned pod has been removed from local configuration or force deleted in the API and consumes resources that are not otherwise visible.',
      ['lifecycle', 'config', 'static'],
    ),
  )
  readonly restartedPods = this.registry.counter(
    kubelet(
      'restarted_pods_total',
      'Number of pods that have been restarted because they were deleted and recreated with the same UID while the kubelet was watching them (common for static pods, extremely uncommon for API pods)',
      ['static'],
    ),
  )
  readonly orphanedRuntimePods = this.registry.counter(
    kubelet(
      'orphaned_runtime_pods_total',
      'Number of pods that have been detected in the container runtime without being already known to the pod worker. This typically indicates the kubelet was restarted while a pod was force deleted in the API or in the local configuration, which is unusual.',
    ),
  )
  readonly runningPods = this.registry.gauge(
    kubelet('running_pods', 'Number of pods that have a running pod sandbox'),
  )
  readonly runningContainers = this.registry.gauge(
    kubelet('running_containers', 'Number of containers currently running', ['container_state']),
  )
  readonly admissionRejections = this.registry.counter(
    kubelet(
      'admission_rejections_total',
      'Cumulative number pod admission rejections by the Kubelet.',
      ['reason'],
    ),
  )
  readonly preemptions = this.registry.counter(
    kubelet('preemptions', 'Cumulative number of pod preemptions by preemption resource', [
      'preemption_signal',
    ]),
  )
  readonly evictions = this.registry.counter(
    kubelet('evictions', 'Cumulative number of pod evictions by eviction signal', [
      'eviction_signal',
    ]),
  )
  readonly evictionStatsAge = this.registry.histogram(
    kubelet(
      'eviction_stats_age_seconds',
      'Time between when stats are collected, and when pod is evicted based on those stats by eviction signal',
      ['eviction_signal'],
    ),
    defaultBuckets,
  )

  readonly plegRelistDuration = this.registry.histogram(
    kubelet('pleg_relist_duration_seconds', 'Duration in seconds for relisting pods in PLEG.'),
    defaultBuckets,
  )
  readonly plegRelistInterval = this.registry.histogram(
    kubelet('pleg_relist_interval_seconds', 'Interval in seconds between relisting in PLEG.'),
    defaultBuckets,
  )
  readonly plegLastSeen = this.registry.gauge(
    kubelet('pleg_last_seen_seconds', 'Timestamp in seconds when PLEG was last seen active.'),
  )

  readonly podWorkerDuration = this.registry.histogram(
    kubelet(
      'pod_worker_duration_seconds',
      'Duration in seconds to sync a single pod. Broken down by operation type: create, update, or sync',
      ['operation_type'],
    ),
    defaultBuckets,
  )
  readonly podWorkerStartDuration = this.registry.histogram(
    kubelet(
      'pod_worker_start_duration_seconds',
      'Duration in seconds from kubelet seeing a pod to starting a worker.',
    ),
    defaultBuckets,
  )
  readonly containersPerPod = this.registry.histogram(
    kubelet('containers_per_pod_count', 'The number of containers per pod.'),
    exponentialBuckets(1, 2, 5),
  )
  readonly podStartDuration = this.registry.histogram(
    kubelet(
      'pod_start_duration_seconds',
      'Duration in seconds from kubelet seeing a pod for the first time to the pod starting to run',
    ),
    podStartBuckets,
  )
  readonly podStartSliDuration = this.registry.histogram(
    kubelet(
      'pod_start_sli_duration_seconds',
      'Duration in seconds to start a pod, excluding time to pull images and run init containers, measured from pod creation timestamp to when all its containers are reported as started and observed via watch',
      [],
    ),
    podStartBuckets,
  )
  readonly podStartTotalDuration = this.registry.histogram(
    kubelet(
      'pod_start_total_duration_seconds',
      'Duration in seconds to start a pod since creation, including time to pull images and run init containers, measured from pod creation timestamp to when all its containers are reported as started and observed via watch',
      [],
    ),
    podStartBuckets,
  )
  readonly podStatusSyncDuration = this.registry.histogram(
    kubelet(
      'pod_status_sync_duration_seconds',
      'Duration in seconds to sync a pod status update. Measures time from detection of a change to pod status until the API is successfully updated for that pod, even if multiple intevening changes to pod status occur.',
    ),
    statusSyncBuckets,
  )
  readonly startedPods = this.registry.counter(
    kubelet('started_pods_total', 'Cumulative number of pods started'),
  )
  readonly startedPodsErrors = this.registry.counter(
    kubelet('started_pods_errors_total', 'Cumulative number of errors when starting pods'),
  )
  readonly startedContainers = this.registry.counter(
    kubelet('started_containers_total', 'Cumulative number of containers started', [
      'container_type',
    ]),
  )
  readonly startedContainersErrors = this.registry.counter(
    kubelet(
      'started_containers_errors_total',
      'Cumulative number of errors when starting containers',
      ['container_type', 'code'],
    ),
  )
  readonly imagePullDuration = this.registry.histogram(
    kubelet('image_pull_duration_seconds', 'Duration in seconds to pull an image.', [
      'image_size_in_bytes',
    ]),
    imagePullBuckets,
  )

  readonly runtimeOperations = this.registry.counter(
    kubelet(
      'runtime_operations_total',
      'Cumulative number of runtime operations by operation type.',
      ['operation_type'],
    ),
  )
  readonly runtimeOperationsErrors = this.registry.counter(
    kubelet(
      'runtime_operations_errors_total',
      'Cumulative number of runtime operation errors by operation type.',
      ['operation_type'],
    ),
  )
  readonly runtimeOperationsDuration = this.registry.histogram(
    kubelet(
      'runtime_operations_duration_seconds',
      'Duration in seconds of runtime operations. Broken down by operation type.',
      ['operation_type'],
    ),
    exponentialBuckets(0.005, 2.5, 14),
  )
  readonly runPodSandboxDuration = this.registry.histogram(
    kubelet(
      'run_podsandbox_duration_seconds',
      'Duration in seconds of the run_podsandbox operations. Broken down by RuntimeClass.Handler.',
      ['runtime_handler'],
    ),
    defaultBuckets,
  )
  readonly runPodSandboxErrors = this.registry.counter(
    kubelet(
      'run_podsandbox_errors_total',
      'Cumulative number of the run_podsandbox operation errors by RuntimeClass.Handler.',
      ['runtime_handler'],
    ),
  )

  readonly httpRequests = this.registry.counter(
    kubelet(
      'http_requests_total',
      'Number of the http requests received since the server started',
      httpLabels,
    ),
  )
  readonly httpRequestsDuration = this.registry.histogram(
    kubelet(
      'http_requests_duration_seconds',
      'Duration in seconds to serve http requests',
      httpLabels,
    ),
    defaultBuckets,
  )
  readonly httpInflightRequests = this.registry.gauge(
    kubelet('http_inflight_requests', 'Number of the inflight http requests', httpLabels),
  )

  /** Counts from now on. */
  constructor({
    clock,
    nodeName,
  }: {
    readonly clock: { readonly now: () => number }
    readonly nodeName: string
  }) {
    this.podStartup = new PodStartupLatency({ now: () => clock.now(), metrics: this })
    this.nodeName.with(nodeName).set(1)
    this.secondsSince = (ms) => (clock.now() - ms) / 1000
    this.startedAt = clock.now() / 1000
    this.processStartTime.with().set(this.startedAt)
    this.probes.processStartTime.with().set(this.startedAt)
    const { description } = this.probes.processStartTime
    this.slis.gauge(description).with().set(this.startedAt)
  }
}
