import type { PodRuntimeStatus, RuntimePod } from './runtime.ts'

/**
 * What a kill works on (ConvertPodStatusToRunningPod): the running containers and every sandbox of a
 * pod, as its status shows them.
 */
export function toRunningPod(status: PodRuntimeStatus): RuntimePod {
  const { uid, name, namespace, sandboxes } = status
  const containers = status.containers.filter((container) => container.state === 'running')
  const times = [...sandboxes, ...status.containers].map(({ createdAt }) => createdAt)
  return {
    uid,
    name,
    namespace,
    createdAt: times.length === 0 ? 0 : Math.min(...times),
    containers,
    sandboxes,
  }
}
