import {
  isJsonObject,
  numberAt,
  objectAt,
  objectsAt,
  ownField,
  textAt,
} from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import { allContainers } from '../../../shared/kubernetes/pod-containers.ts'
import type {
  ReferredKind,
  VolumeMountView,
  VolumePart,
  VolumeProgress,
  VolumeSource,
  VolumeView,
} from '../../../shared/model/inside-pod/pod-volumes.ts'
import type { PodVolume } from '../volume/volume-plugins.ts'
import { defaultTokenSeconds } from '../volume/token-manager.ts'
import type { TokenManager } from '../volume/token-manager.ts'
import { referredObject } from './referred-object.ts'
import type { PeekObjects } from './referred-object.ts'

interface VolumeViewDeps {
  readonly peek: PeekObjects
  /** By name. */
  readonly progress: ReadonlyMap<string, VolumeProgress>
  readonly renewsAt: TokenManager['renewsAt']
}

const maxVolumes = 300
const maxItems = 100

const noProgress = { since: null, updatedAt: null, failure: null } as const

function objectIn(kind: ReferredKind, source: JsonObject, peek: PeekObjects): VolumePart {
  const name = textAt(source, 'secretName') || textAt(source, 'name')
  const keys = objectsAt(source, 'items').map((item) => textAt(item, 'key'))
  const isOptional = ownField(source, 'optional') === true
  return { kind: 'object', object: referredObject({ kind, name, keys, isOptional }, peek) }
}

/** `labels`, `metadata.name` and the like, as the items name them. */
function downwardItems(source: JsonObject): readonly string[] {
  return objectsAt(source, 'items')
    .slice(0, maxItems)
    .map(
      (item) =>
        textAt(objectAt(item, 'fieldRef'), 'fieldPath') ||
        textAt(objectAt(item, 'resourceFieldRef'), 'resource'),
    )
}

/** The name of the field that holds an object, and the object. */
function chosenSource(of: JsonObject): readonly [string, JsonObject] {
  const type = Object.keys(of).find((key) => isJsonObject(of[key])) ?? 'emptyDir'
  return [type, objectAt(of, type)]
}

function volumePart(projection: JsonObject, peek: PeekObjects): VolumePart {
  const [type, source] = chosenSource(projection)
  switch (type) {
    case 'configMap':
      return objectIn('ConfigMap', source, peek)
    case 'secret':
      return objectIn('Secret', source, peek)
    case 'downwardAPI':
      return { kind: 'downwardAPI', items: downwardItems(source) }
    case 'serviceAccountToken': {
      const expirationSeconds = numberAt(source, 'expirationSeconds') ?? defaultTokenSeconds
      return { kind: 'token', audience: textAt(source, 'audience'), expirationSeconds }
    }
    default:
      return { kind: 'other', type }
  }
}

function volumeSource(volume: PodVolume, peek: PeekObjects): VolumeSource {
  const [type, source] = chosenSource(volume)
  switch (type) {
    case 'configMap':
    case 'secret':
    case 'downwardAPI': {
      const part = volumePart({ [type]: source }, peek)
      return part.kind === 'object' || part.kind === 'downwardAPI'
        ? part
        : { kind: 'storage', type }
    }
    case 'projected': {
      const sources = objectsAt(source, 'sources').slice(0, maxItems)
      return { kind: 'projected', parts: sources.map((one) => volumePart(one, peek)) }
    }
    case 'emptyDir': {
      const limit = ownField(source, 'sizeLimit')
      const sizeLimit = typeof limit === 'string' || typeof limit === 'number' ? String(limit) : ''
      return { kind: 'emptyDir', medium: textAt(source, 'medium'), sizeLimit }
    }
    case 'hostPath':
      return { kind: 'hostPath', path: textAt(source, 'path'), type: textAt(source, 'type') }
    case 'persistentVolumeClaim':
      return { kind: 'claim', name: textAt(source, 'claimName') }
    default:
      return { kind: 'storage', type }
  }
}

/** The mounts of all volumes, by the name of the volume. */
function mountsOf(pod: Pod): ReadonlyMap<string, readonly VolumeMountView[]> {
  const mounts = new Map<string, VolumeMountView[]>()
  for (const container of allContainers(pod))
    for (const mount of objectsAt(container, 'volumeMounts')) {
      const name = textAt(mount, 'name')
      const before = mounts.get(name) ?? []
      if (before.length >= maxItems) continue
      before.push({
        container: container.name,
        path: textAt(mount, 'mountPath'),
        isReadOnly: ownField(mount, 'readOnly') === true,
        subPath: textAt(mount, 'subPath') || textAt(mount, 'subPathExpr'),
      })
      mounts.set(name, before)
    }
  return mounts
}

function renewalOf(pod: Pod, { source }: Pick<VolumeView, 'source'>, deps: VolumeViewDeps) {
  if (source.kind !== 'projected') return null
  const times = source.parts.flatMap((part) =>
    part.kind === 'token' ? (deps.renewsAt(pod, part) ?? []) : [],
  )
  return times.length === 0 ? null : Math.min(...times)
}

/** The volumes of the pod's spec, in its order, with how far each is; `left`: how many more there are. Pure. */
export function volumeViews(
  pod: Pod,
  deps: VolumeViewDeps,
): { readonly volumes: readonly VolumeView[]; readonly left: number } {
  const all = pod.spec.volumes ?? []
  const mounts = mountsOf(pod)
  const volumes = all.slice(0, maxVolumes).map((volume): VolumeView => {
    const { name } = volume
    const source = volumeSource(volume, deps.peek)
    const own = mounts.get(name) ?? []
    const state = own.length === 0 ? 'unused' : 'absent'
    return {
      ...(deps.progress.get(name) ?? { ...noProgress, state }),
      name,
      source,
      mounts: own,
      renewsAt: renewalOf(pod, { source }, deps),
    }
  })
  return { volumes, left: all.length - volumes.length }
}
