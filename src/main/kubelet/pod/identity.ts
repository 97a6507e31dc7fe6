/** How the kubelet tells pods apart: full names, its own annotations, what a pod is (docs/kubelet/identity.md). */
import { systemCriticalPriority } from '../../../shared/kubernetes/critical-pod.ts'
import type { CriticalReason } from '../../../shared/kubernetes/critical-pod.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type {
  TraceCauses,
  TraceData,
  TraceInput,
  TraceKind,
  TraceSeq,
  TraceSubject,
} from '../../../shared/model/trace-event.ts'
import {
  configHashAnnotation,
  configMirrorAnnotation,
  configSourceAnnotation,
  isMirrorPod,
  isStaticPod,
  isTerminalPhase,
  podHash,
  podSource,
} from '../../../shared/kubernetes/static-pods.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Trace } from '../ports.ts'

// What the inspector knows too.
export {
  configHashAnnotation,
  configMirrorAnnotation,
  configSourceAnnotation,
  isMirrorPod,
  isStaticPod,
  isTerminalPhase,
  podHash,
  podSource,
}

/** When this kubelet first saw the uid: RFC 3339 with nine digits. Set once by PodConfig. */
export const configSeenAnnotation = 'kubernetes.io/config.seen'

/** `<name>_<namespace>`: what static exclusivity, mirrors and orphans are keyed by. Made by `buildPodFullName`. */
export type PodFullName = string & { readonly brand: 'PodFullName' }

/** The full name of a name and a namespace. Neither may contain `_`; the API's names cannot. */
export function buildPodFullName(name: string, namespace: string): PodFullName {
  // Joined: a template keeps its parts in memory, for every pod.
  return [name, namespace].join('_') as PodFullName
}

/** The namespace, `default` where a pod has none yet. */
export function podNamespace(pod: Pod): string {
  return pod.metadata.namespace ?? 'default'
}

/** The full name of a pod; a static pod and its mirror share it. */
export function fullNameOf(pod: Pod): PodFullName {
  return buildPodFullName(pod.metadata.name, podNamespace(pod))
}

/** Splits a full name. Error: it has not exactly two non-empty parts. */
export function parsePodFullName(
  fullName: string,
): Result<{ readonly name: string; readonly namespace: string }, string> {
  const [name, namespace, ...rest] = fullName.split('_')
  if (!name || !namespace || rest.length > 0)
    return err(`failed to parse the pod full name "${fullName}"`)
  return ok({ name, namespace })
}

/** `<name>_<namespace>(<uid>)`, as the kubelet writes a pod in its messages. */
export function podDescription(pod: Pod): string {
  return `${fullNameOf(pod)}(${pod.metadata.uid})`
}

/** Annotations that do not describe the desired pod: a change of them is not an update (identity#annotations). */
export function isLocalAnnotation(key: string): boolean {
  return (
    key === configSourceAnnotation || key === configMirrorAnnotation || key === configSeenAnnotation
  )
}

/** Whether the mirror was made from exactly this version of the static pod. */
export function isMirrorPodOf(mirror: Pod, pod: Pod): boolean {
  const hash = mirror.metadata.annotations?.[configMirrorAnnotation]
  return hash !== undefined && fullNameOf(mirror) === fullNameOf(pod) && hash === podHash(pod)
}

/** Why a pod is never evicted under pressure and admitted under it; empty for one that is not critical. */
export function criticalBecause(pod: Pod): CriticalReason | '' {
  if (isStaticPod(pod)) return 'static'
  if (isMirrorPod(pod)) return 'mirror'
  return (pod.spec.priority ?? 0) >= systemCriticalPriority ? 'priority' : ''
}

/** Never evicted under pressure, admitted under it: static, mirror, or of a system priority. */
export function isCriticalPod(pod: Pod): boolean {
  return criticalBecause(pod) !== ''
}

/** Critical, and of the class `system-node-critical`. */
export function isNodeCriticalPod(pod: Pod): boolean {
  return isCriticalPod(pod) && pod.spec.priorityClassName === 'system-node-critical'
}

/** Whether `by` may push `victim` off the node: critical before others, else strictly higher priority. */
export function isPreemptable(by: Pod, victim: Pod): boolean {
  if (isCriticalPod(by) && !isCriticalPod(victim)) return true
  const { priority } = by.spec
  const other = victim.spec.priority
  return priority !== undefined && other !== undefined && priority > other
}

/** The trace subject of a pod. For a mirror whose static pod is known, pass the static pod. */
export function podSubject(pod: Pod): TraceSubject & { readonly kind: 'pod' } {
  return {
    kind: 'pod',
    uid: pod.metadata.uid,
    namespace: podNamespace(pod),
    name: pod.metadata.name,
  }
}

/** Writes a trace event. */
export function traceAbout<K extends TraceKind>(
  trace: Trace,
  subject: TraceSubject,
  kind: K,
  causes: TraceCauses,
  data: TraceData[K],
): TraceSeq {
  // Kind and data belong together.
  return trace.emit({ kind, subject, causes, data } as TraceInput)
}

/** Writes a trace event about a pod. */
export function tracePod<K extends TraceKind>(
  trace: Trace,
  pod: Pod,
  kind: K,
  causes: TraceCauses,
  data: TraceData[K],
): TraceSeq {
  return traceAbout(trace, podSubject(pod), kind, causes, data)
}
