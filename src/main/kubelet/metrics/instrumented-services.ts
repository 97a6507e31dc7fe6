import type { Result } from '../../../shared/result.ts'
import { aroundCalls } from '../around-calls.ts'
import type { Clock } from '../ports.ts'
import type { KubeletMetrics } from './kubelet-metrics.ts'

/** What the kubelet calls each of them in its metrics (pkg/kubelet/kuberuntime/instrumented_services.go). */
const operations: Readonly<Record<string, string>> = {
  getVersion: 'version',
  status: 'status',
  runtimeConfig: 'runtime_config',
  updateRuntimeConfig: 'update_runtime_config',
  runPodSandbox: 'run_podsandbox',
  stopPodSandbox: 'stop_podsandbox',
  removePodSandbox: 'remove_podsandbox',
  podSandboxStatus: 'podsandbox_status',
  listPodSandboxes: 'list_podsandbox',
  createContainer: 'create_container',
  startContainer: 'start_container',
  stopContainer: 'stop_container',
  removeContainer: 'remove_container',
  listContainers: 'list_containers',
  containerStatus: 'container_status',
  updateContainerResources: 'update_container',
  reopenContainerLog: 'reopen_container_log',
  execSync: 'exec_sync',
  exec: 'exec',
  attach: 'attach',
  portForward: 'port_forward',
  containerStats: 'container_stats',
  listContainerStats: 'list_container_stats',
  podSandboxStats: 'podsandbox_stats',
  listPodSandboxStats: 'list_podsandbox_stats',
  listImages: 'list_images',
  imageStatus: 'image_status',
  pullImage: 'pull_image',
  removeImage: 'remove_image',
  imageFsInfo: 'image_fs_info',
}

/** The same runtime or image service; its calls are counted and timed. */
export function instrumented<T extends object>(
  service: T,
  { metrics, clock }: { readonly metrics: KubeletMetrics; readonly clock: Clock },
): T {
  return aroundCalls(service, (call, make, given) => {
    const operation = operations[call]
    if (operation === undefined) return make()
    const startedAt = clock.now()
    const handler = call === 'runPodSandbox' ? handlerOf(given) : undefined
    // The kubelet evaluates the duration when the call begins, so that it is never more than some nanoseconds.
    if (handler !== undefined) metrics.runPodSandboxDuration.with(handler).observe(0)
    const answer = make() as Promise<Result<unknown, unknown>>
    const record = (isOk: boolean): void => {
      metrics.runtimeOperations.with(operation).increment()
      metrics.runtimeOperationsDuration.with(operation).observe((clock.now() - startedAt) / 1000)
      if (isOk) return
      metrics.runtimeOperationsErrors.with(operation).increment()
      if (handler !== undefined) metrics.runPodSandboxErrors.with(handler).increment()
    }
    // The caller gets the answer itself and waits no longer than without the metrics.
    answer.then(
      ({ ok }) => {
        record(ok)
      },
      () => {
        record(false)
      },
    )
    return answer
  })
}

/** Its third argument; the default one is empty. */
function handlerOf([, , handler]: readonly unknown[]): string {
  return typeof handler === 'string' ? handler : ''
}
