import type { ContainerFilter, PodSandbox, PodSandboxFilter, RuntimeContainer } from '../ports.ts'
import { podUidOf } from '../kuberuntime/container-labels.ts'

function fits<T>(wanted: T | undefined, found: T): boolean {
  return wanted === undefined || wanted === found
}

type Labels = Readonly<Record<string, string>>

/** Whether every label that is asked for is there (CRI label_selector). */
export function hasLabels(selector: Labels = {}, labels: Labels): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value)
}

/** Whether a sandbox belongs into a listing with this filter, for implementers of the port. */
export function isSandboxListed(sandbox: PodSandbox, filter: PodSandboxFilter): boolean {
  const { id, state, podUid, labelSelector } = filter
  return (
    fits(id, sandbox.id) &&
    fits(state, sandbox.state) &&
    fits(podUid, sandbox.metadata.uid) &&
    hasLabels(labelSelector, sandbox.labels)
  )
}

/** Whether a container belongs into a listing with this filter, for implementers of the port. */
export function isContainerListed(container: RuntimeContainer, filter: ContainerFilter): boolean {
  const { id, state, podSandboxId, podUid, labelSelector } = filter
  return (
    fits(id, container.id) &&
    fits(state, container.state) &&
    fits(podSandboxId, container.podSandboxId) &&
    (podUid === undefined || podUid === podUidOf(container)) &&
    hasLabels(labelSelector, container.labels)
  )
}
