import { assertNever } from '../../../shared/assert-never.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { RuntimeContainerStatus } from '../ports.ts'
import type { PodRuntimeStatus } from '../container/runtime.ts'

/** The newest container of that name. */
export function findContainerStatus(
  status: PodRuntimeStatus,
  name: string,
): RuntimeContainerStatus | undefined {
  return status.containers.find((container) => container.name === name)
}

/**
 * Whether a container that does not run should be started (containers#pod-actions): never in a deleted pod, by the
 * restart policy when it has ended, always when it never ran. Per-container restart rules are not read.
 */
export function shouldContainerBeRestarted(
  container: Container,
  pod: Pod,
  status: PodRuntimeStatus,
): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false
  const last = findContainerStatus(status, container.name)
  if (last === undefined) return true
  switch (last.state) {
    case 'running':
      return false
    case 'created':
    case 'unknown':
      return true
    case 'exited':
      return shouldRestartAfter(pod, last.exitCode)
    default:
      return assertNever(last.state, 'container state')
  }
}

function shouldRestartAfter(pod: Pod, exitCode: number): boolean {
  switch (pod.spec.restartPolicy) {
    case 'Never':
      return false
    case 'OnFailure':
      return exitCode !== 0
    case 'Always':
    case undefined:
      return true
    default:
      return assertNever(pod.spec.restartPolicy, 'restart policy')
  }
}
