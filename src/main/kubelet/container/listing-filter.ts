import type { ContainerFilter, PodSandbox, PodSandboxFilter, RuntimeContainer } from '../ports.ts'
import { podUidOf } from '../kuberuntime/container-labels.ts'

function fits<T>(wanted: T | undefined, found: T): boolean {
  return wanted === undefined || wanted === found
}

/** Whether a sandbox belongs into a listing with this filter, for implementers of the port. */
export function isSandboxListed(sandbox: PodSandbox, filter: PodSandboxFilter): boolean {
  const { id, state, podUid } = filter
  return fits(id, sandbox.id) && fits(state, sandbox.state) && fits(podUid, sandbox.metadata.uid)
}

/** Whether a container belongs into a listing with this filter, for implementers of the port. */
export function isContainerListed(container: RuntimeContainer, filter: ContainerFilter): boolean {
  const { id, state, podSandboxId, podUid } = filter
  return (
    fits(id, container.id) &&
    fits(state, container.state) &&
    fits(podSandboxId, container.podSandboxId) &&
    (podUid === undefined || podUid === podUidOf(container))
  )
}
