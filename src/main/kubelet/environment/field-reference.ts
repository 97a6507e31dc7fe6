import { textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { fieldPathValue, subscriptedPath } from '../pod/field-path.ts'
import { sortPodIPs } from '../status/api-status.ts'

/** The paths that the API accepts; some have no value. */
const knownPaths: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
])

/** Source: pkg/apis/core/pods ConvertDownwardAPIFieldLabel. */
function convertedPath(apiVersion: string, fieldPath: string): Result<string, string> {
  if (apiVersion !== 'v1') return err(`unsupported pod version: ${apiVersion}`)
  const [, path] = subscriptedPath.exec(fieldPath) ?? []
  if (path !== undefined)
    return path === 'metadata.annotations' || path === 'metadata.labels'
      ? ok(fieldPath)
      : err(`field label does not support subscript: ${fieldPath}`)
  if (fieldPath === 'spec.host') return ok('spec.nodeName')
  return knownPaths.has(fieldPath) ? ok(fieldPath) : err(`field label not supported: ${fieldPath}`)
}

/** The addresses at the time a container starts, primary ones first. */
export interface PodAddresses {
  readonly podIPs: readonly string[]
  /** Empty while the node has none. */
  readonly hostIPs: readonly string[]
}

/**
 * The value of a `fieldRef` when a container starts. The error is the kubelet's sentence. Source:
 * pkg/kubelet/kubelet_pods.go podFieldSelectorRuntimeValue.
 */
export function podFieldValue(
  reference: JsonObject,
  pod: Pod,
  { podIPs, hostIPs }: PodAddresses,
): Result<string, string> {
  const path = convertedPath(textAt(reference, 'apiVersion'), textAt(reference, 'fieldPath'))
  if (!path.ok) return path
  const [hostIP] = hostIPs
  switch (path.value) {
    case 'spec.nodeName':
      return ok(pod.spec.nodeName ?? '')
    case 'spec.serviceAccountName':
      return ok(pod.spec.serviceAccountName ?? '')
    case 'status.hostIP':
    case 'status.hostIPs':
      if (hostIP === undefined) return err('host IP unknown; known addresses: []')
      return ok(path.value === 'status.hostIP' ? hostIP : hostIPs.join(','))
    case 'status.podIP':
      return ok(sortPodIPs(podIPs, hostIP)[0] ?? podIPs[0] ?? '')
    case 'status.podIPs':
      return ok(sortPodIPs(podIPs, hostIP).join(','))
    default:
      return fieldPathValue(pod, path.value)
  }
}
