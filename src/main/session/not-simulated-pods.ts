import type { Pod } from '../../shared/kubernetes/objects.ts'
import { notSimulated, notSimulatedText } from '../../shared/not-simulated/not-simulated.ts'
import type { NotSimulated } from '../../shared/not-simulated/not-simulated.ts'
import { isMirror, isStatic } from '../kubelet/pod/identity.ts'
import { unreadableCommand } from '../runtimes/simulated/unreadable-command.ts'

/** What the simulator does not do of a pod. `hasSandbox`: the sandbox's control plane is the pod's. */
function found(pod: Pod, hasSandbox: boolean): readonly NotSimulated[] {
  const isSandboxed = hasSandbox && !isStatic(pod) && !isMirror(pod)
  return notSimulated(pod, { unreadableCommand, isSandboxed })
}

const known = {
  sandboxed: new WeakMap<Pod, readonly NotSimulated[]>(),
  joined: new WeakMap<Pod, readonly NotSimulated[]>(),
}

/** The same for a pod that is asked about again and again: rows are made anew whenever anything of a pod changes. */
export function notSimulatedOf(pod: Pod, hasSandbox: boolean): readonly NotSimulated[] {
  const cache = hasSandbox ? known.sandboxed : known.joined
  const before = cache.get(pod)
  if (before !== undefined) return before
  const now = found(pod, hasSandbox)
  cache.set(pod, now)
  return now
}

/** For the writer of a pod in the sandbox. A kubelet that writes a mirror is told nothing: nobody reads it there. */
export function sandboxPodWarnings(pod: Pod): readonly string[] {
  return isMirror(pod) ? [] : found(pod, true).map(notSimulatedText)
}
