import type { Pod } from '../../shared/kubernetes/objects.ts'
import { notSimulated, notSimulatedText } from '../../shared/not-simulated/not-simulated.ts'
import type { NotSimulated } from '../../shared/not-simulated/not-simulated.ts'
import { isMirror, isStatic } from '../kubelet/pod/identity.ts'
import { unreadableCommand } from '../runtimes/simulated/unreadable-command.ts'

/** `hasSandbox`: the pod is in the sandbox, so that its control plane schedules it unless it is static. */
function found(pod: Pod, hasSandbox: boolean): readonly NotSimulated[] {
  const isSandboxed = hasSandbox && !isStatic(pod) && !isMirror(pod)
  return notSimulated(pod, { unreadableCommand, isSandboxed })
}

interface KnownSpec {
  readonly owners: Pod['metadata']['ownerReferences']
  readonly hasSandbox: boolean
  readonly found: readonly NotSimulated[]
}

/** By what it depends on: thousands of pods are often made of one template, and a status says nothing new of it. */
const alike = new Map<string, readonly NotSimulated[]>()
const mostAlike = 500
/** Characters of what is kept of one, since the pods themselves may be gone: a spec can have 1.5 MB. */
const longestAlike = 20_000

function foundAlike(pod: Pod, hasSandbox: boolean): readonly NotSimulated[] {
  const { nodeName: _, ...spec } = pod.spec
  const key = JSON.stringify([
    hasSandbox,
    isStatic(pod),
    isMirror(pod),
    pod.metadata.ownerReferences,
    spec,
  ])
  const entries = alike.get(key) ?? found(pod, hasSandbox)
  if (key.length > longestAlike) return entries
  if (alike.size >= mostAlike) alike.clear()
  alike.set(key, entries)
  return entries
}

/** By the spec, which stays the same object while only the status of a pod changes. */
const knownSpecs = new WeakMap<Pod['spec'], KnownSpec>()

/** What the simulator does not do of a pod. Cached, since rows are rebuilt whenever anything of a pod changes. */
export function notSimulatedOf(pod: Pod, hasSandbox: boolean): readonly NotSimulated[] {
  const owners = pod.metadata.ownerReferences
  const known = knownSpecs.get(pod.spec)
  if (known?.hasSandbox === hasSandbox && known.owners === owners) return known.found
  const now = { owners, hasSandbox, found: foundAlike(pod, hasSandbox) }
  knownSpecs.set(pod.spec, now)
  return now.found
}

/** Warnings for the writer of a pod in the sandbox; none for a mirror, since a kubelet does not read warnings. */
export function sandboxPodWarnings(pod: Pod): readonly string[] {
  return isMirror(pod) ? [] : found(pod, true).map(notSimulatedText)
}
