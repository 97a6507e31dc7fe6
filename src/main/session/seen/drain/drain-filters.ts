import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import type { DrainFate, DrainOptions } from '../../../../shared/model/seen/drain.ts'
import { isMirrorPod } from '../../../kubelet/pod/identity.ts'

/** What the server says of the DaemonSet that controls a pod. */
export type DaemonSetAnswer =
  { readonly kind: 'exists' | 'missing' } | { readonly kind: 'unknown'; readonly message: string }

/** Whether a drain evicts a pod, leaves it, or does not begin because of it. `why` in kubectl's words. */
export interface DrainVerdict {
  readonly fate: Exclude<DrainFate, 'blocks'>
  readonly why: string
}

const evicts: DrainVerdict = { fate: 'evicts', why: '' }

/** The reference to its controller, `Kind name`; undefined for none. */
export function controllerOf(
  pod: Pod,
): { readonly kind: string; readonly name: string } | undefined {
  return pod.metadata.ownerReferences?.find(({ controller }) => controller === true)
}

function ofDaemonSet(pod: Pod, options: DrainOptions, daemonSet: DaemonSetAnswer): DrainVerdict {
  if (daemonSet.kind === 'unknown') return { fate: 'refuses', why: daemonSet.message }
  if (daemonSet.kind === 'missing') {
    const name = controllerOf(pod)?.name ?? ''
    const why = `daemonsets.apps "${name}" not found`
    return options.force ? { fate: 'evicts', why } : { fate: 'refuses', why }
  }
  return options.ignoreDaemonSets
    ? { fate: 'skips', why: 'ignoring DaemonSet-managed Pods' }
    : { fate: 'refuses', why: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' }
}

/** Whether the filters of a drain ask which DaemonSet controls the pod. Pure. */
export function asksDaemonSet(pod: Pod): boolean {
  return controllerOf(pod)?.kind === 'DaemonSet' && !hasEnded(pod)
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

function hasEmptyDir({ spec }: Pod): boolean {
  return (spec.volumes ?? []).some((volume) => volume['emptyDir'] !== undefined)
}

/**
 * What kubectl drain does with a pod: its filters, in its order, the first that does not evict decides, else the last
 * warning. Source: kubectl pkg/drain/filters.go (v1.34). Pure.
 */
export function drainVerdict(
  pod: Pod,
  options: DrainOptions,
  daemonSet: DaemonSetAnswer,
): DrainVerdict {
  const first = asksDaemonSet(pod) ? ofDaemonSet(pod, options, daemonSet) : evicts
  if (first.fate !== 'evicts') return first
  if (isMirrorPod(pod)) return { fate: 'skips', why: 'a mirror pod: the API cannot evict it' }
  if (hasEnded(pod)) return first
  const warnings = first.why === '' ? [] : [first.why]
  if (hasEmptyDir(pod)) {
    if (!options.deleteEmptyDirData)
      return {
        fate: 'refuses',
        why: 'Pods with local storage (use --delete-emptydir-data to override)',
      }
    warnings.push('deleting Pods with local storage')
  }
  if (controllerOf(pod) === undefined) {
    if (!options.force)
      return {
        fate: 'refuses',
        why: 'Pods that declare no controller (use --force to override)',
      }
    warnings.push('deleting Pods that declare no controller')
  }
  return { fate: 'evicts', why: warnings.at(-1) ?? '' }
}
