import type {
  PodVolumes,
  ReferredKind,
  ReferredObject,
  VolumeSource,
} from '../../../../shared/model/inside-pod/pod-volumes.ts'

/** A key that the pod needs, and where: in a volume it is a file, in a variable one line. */
interface NeededKey {
  readonly key: string
  readonly isFile: boolean
}

/** A ConfigMap or Secret that is missing, or lacks keys. */
export interface MissingObject {
  readonly kind: ReferredKind
  readonly name: string
  /** False: only keys are missing. */
  readonly isWhole: boolean
  /** The keys that are missing, as far as the pod names them. */
  readonly keys: readonly NeededKey[]
}

/** The ConfigMaps and Secrets that a volume is made of. Pure. */
export function objectsOf(source: VolumeSource): readonly ReferredObject[] {
  if (source.kind === 'object') return [source.object]
  if (source.kind !== 'projected') return []
  return source.parts.flatMap((part) => (part.kind === 'object' ? [part.object] : []))
}

/** Whether the volume cannot be set up without it. Pure. */
export function isLacking({ state, isOptional, missingKeys }: ReferredObject): boolean {
  return !isOptional && (state === 'missing' || missingKeys.length > 0)
}

function wantsOf({ volumes, environments }: PodVolumes): readonly MissingObject[] {
  const inVolumes = volumes
    .filter(({ state }) => state !== 'unused')
    .flatMap(({ source }) => objectsOf(source))
    .filter(isLacking)
    .map(({ kind, name, state, keys, missingKeys }) => {
      const isWhole = state === 'missing'
      const wanted = (isWhole ? keys : missingKeys).map((key) => ({ key, isFile: true }))
      return { kind, name, isWhole, keys: wanted }
    })
  const inVariables = environments.flatMap(({ variables }) =>
    variables.flatMap(({ source, state }) => {
      if (source.kind !== 'key' && source.kind !== 'envFrom') return []
      if (state !== 'objectMissing' && state !== 'keyMissing') return []
      const keys = source.key === '' ? [] : [{ key: source.key, isFile: false }]
      return [{ kind: source.of, name: source.name, isWhole: state === 'objectMissing', keys }]
    }),
  )
  return [...inVolumes, ...inVariables]
}

/** What the pod lacks, those of volumes first, because they are needed first; each object once. Pure. */
export function missingObjects(seen: PodVolumes): readonly MissingObject[] {
  const byName = new Map<string, MissingObject>()
  for (const wanted of wantsOf(seen)) {
    const id = `${wanted.kind} ${wanted.name}`
    const before = byName.get(id)
    const known = new Set(before?.keys.map(({ key }) => key))
    const more = wanted.keys.filter(({ key }) => !known.has(key))
    byName.set(id, { ...wanted, keys: [...(before?.keys ?? []), ...more] })
  }
  return [...byName.values()]
}
