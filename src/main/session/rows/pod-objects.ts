import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { PodObjects } from '../../../shared/model/pod-objects.ts'
import { isMirrorPod, isStaticPod } from '../../kubelet/pod/identity.ts'
import type { PodKnowledge } from './pod-knowledge.ts'

function deepFrozen<T extends object>(value: T): T {
  for (const field of Object.values(value))
    if (typeof field === 'object' && field !== null) deepFrozen(field)
  return Object.freeze(value)
}

/** As `kubectl get -o yaml` shows it: the type first, without managed fields. */
function plainObject(pod: Pod): object {
  const { managedFields: _left, ...metadata } = structuredClone(pod.metadata)
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = structuredClone(pod)
  return deepFrozen({ apiVersion: 'v1', kind: 'Pod', metadata, ...rest })
}

/** The API object of an ordinary pod as it was read, or why it was not. */
export interface ReadObject {
  readonly object: Pod | null
  readonly note: string
}

/** The objects of one row: frozen copies, so that the kubelet's own cannot be changed. Pure. */
export function podObjects(
  { pod, mirror, localStatus, noKubelet }: PodKnowledge,
  api: ReadObject,
): PodObjects {
  const isOrphan = isMirrorPod(pod) && !isStaticPod(pod)
  const shownMirror = isOrphan ? pod : mirror
  return {
    pod: isOrphan || noKubelet !== '' ? null : plainObject(pod),
    api: api.object === null ? null : plainObject(api.object),
    apiNote: api.note,
    mirror: shownMirror === undefined ? null : plainObject(shownMirror),
    status: isOrphan || localStatus === undefined ? null : deepFrozen(structuredClone(localStatus)),
  }
}
