import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { PodRuntimeStatus } from '../container/runtime.ts'

/** Whether a pod needs another sandbox, and what it would be. */
export interface SandboxChange {
  readonly isNeeded: boolean
  /** Attempt of the sandbox that is needed, else of the one there is. */
  readonly attempt: number
  /** The newest sandbox; undefined when there is none, or when its network mode is not the pod's. */
  readonly sandboxId: string | undefined
}

/** PodSandboxChanged (containers#pod-actions, table "Sandbox needed?"). */
export function podSandboxChanged(pod: Pod, status: PodRuntimeStatus): SandboxChange {
  const [newest] = status.sandboxes
  if (newest === undefined) return { isNeeded: true, attempt: 0, sandboxId: undefined }
  const attempt = newest.metadata.attempt
  const readyCount = status.sandboxes.filter((sandbox) => sandbox.state === 'ready').length
  if (readyCount > 1 || newest.state !== 'ready') {
    return { isNeeded: true, attempt: attempt + 1, sandboxId: newest.id }
  }
  const wantsHostNetwork = pod.spec.hostNetwork === true
  if (newest.hostNetwork !== wantsHostNetwork) {
    return { isNeeded: true, attempt: attempt + 1, sandboxId: undefined }
  }
  if (!wantsHostNetwork && newest.ips.length === 0) {
    return { isNeeded: true, attempt: attempt + 1, sandboxId: newest.id }
  }
  return { isNeeded: false, attempt, sandboxId: newest.id }
}
