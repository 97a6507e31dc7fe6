import type { Pod, Toleration } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Hash } from '../ports.ts'
import { apiReferenceRefusal } from './api-references.ts'
import { canonicalJson } from './canonical-json.ts'
import { configHashAnnotation } from './identity.ts'

/** Where a manifest came from. `location`: the file's absolute path, or the URL. */
export interface StaticPodOrigin {
  readonly source: 'file' | 'http'
  readonly nodeName: string
  readonly location: string
  readonly hash: Hash
}

const tolerateNoExecute: Toleration = { operator: 'Exists', effect: 'NoExecute' }

function isSameToleration(a: Toleration, b: Toleration): boolean {
  return (
    (a.key ?? '') === (b.key ?? '') &&
    (a.operator ?? 'Equal') === (b.operator ?? 'Equal') &&
    (a.value ?? '') === (b.value ?? '') &&
    a.effect === b.effect
  )
}

function withToleration(
  tolerations: readonly Toleration[],
  added: Toleration,
): readonly Toleration[] {
  const others = tolerations.filter((toleration) => !isSameToleration(toleration, added))
  // One that matches but is limited in seconds is replaced where it stands, as the kubelet does.
  if (others.length === tolerations.length) return [...tolerations, added]
  return tolerations.map((toleration) => (isSameToleration(toleration, added) ? added : toleration))
}

function uidOf(pod: Pod, origin: StaticPodOrigin): string {
  if (pod.metadata.uid) return pod.metadata.uid
  const place =
    origin.source === 'file'
      ? `host:${origin.nodeName}file:${origin.location}`
      : `url:${origin.location}`
  return origin.hash.md5Hex(canonicalJson(pod) + place)
}

/**
 * Makes a static pod of a decoded, defaulted and validated manifest (identity#static-pods steps 2 to 8 and
 * 10): uid, name with the node's as suffix, namespace, node, hash annotation, toleration (files only),
 * phase Pending. Errors are sentences for the person who wrote the manifest.
 *
 * The uid is an MD5 of canonical JSON (keys sorted) of the pod as given, then of its origin. A kubelet
 * hashes Go's dump of its own structs, so the same manifest has another uid there; what changes it
 * (content, node, path) and what does not (comments, order, layout) is the same.
 */
export function applyStaticDefaults(
  pod: Pod,
  options: StaticPodOrigin,
): Result<Pod, readonly string[]> {
  if (!pod.metadata.name) return err(['invalid pod: name is needed for the pod'])
  const refusal = apiReferenceRefusal(pod)
  if (refusal !== undefined) return err([refusal])
  const uid = uidOf(pod, options)
  return ok({
    ...pod,
    metadata: {
      ...pod.metadata,
      uid,
      name: `${pod.metadata.name}-${options.nodeName.toLowerCase()}`,
      namespace: pod.metadata.namespace || 'default',
      annotations: { ...pod.metadata.annotations, [configHashAnnotation]: uid },
    },
    spec: {
      ...pod.spec,
      nodeName: options.nodeName,
      ...(options.source === 'file'
        ? { tolerations: withToleration(pod.spec.tolerations ?? [], tolerateNoExecute) }
        : {}),
    },
    status: { ...pod.status, phase: 'Pending' },
  })
}
