import { listAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { defaultClassAnnotations } from '../registry/storage-class-admission.ts'

const unset = '<unset>'

const modeNames: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
]

function accessModes(object: JsonObject): string {
  const modes = listAt(object, 'accessModes')
  return modeNames
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',')
}

function phaseOf(object: KubeObject): string {
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating'
  return textAt(objectAt({ ...object }, 'status'), 'phase')
}

function storageOf(object: JsonObject): string {
  return textAt(objectAt(object, 'capacity'), 'storage') || '0'
}

/** Source: pkg/printers/internalversion printPersistentVolumeClaim (v1.34). */
export function claimCells(claim: KubeObject, age: string): readonly string[] {
  const spec = objectAt({ ...claim }, 'spec')
  const status = objectAt({ ...claim }, 'status')
  const volume = textAt(spec, 'volumeName')
  return [
    claim.metadata.name,
    phaseOf(claim),
    volume,
    volume === '' ? '' : storageOf(status),
    volume === '' ? '' : accessModes(status),
    textAt(spec, 'storageClassName'),
    textAt(spec, 'volumeAttributesClassName') || unset,
    age,
    textAt(spec, 'volumeMode') || unset,
  ]
}

/** Source: pkg/printers/internalversion printPersistentVolume (v1.34). */
export function volumeCells(volume: KubeObject, age: string): readonly string[] {
  const spec = objectAt({ ...volume }, 'spec')
  const claim = objectAt(spec, 'claimRef')
  return [
    volume.metadata.name,
    storageOf(spec),
    accessModes(spec),
    textAt(spec, 'persistentVolumeReclaimPolicy'),
    phaseOf(volume),
    spec['claimRef'] === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`,
    textAt(spec, 'storageClassName'),
    textAt(spec, 'volumeAttributesClassName') || unset,
    textAt(objectAt({ ...volume }, 'status'), 'reason'),
    age,
    textAt(spec, 'volumeMode') || unset,
  ]
}

/** Source: pkg/printers/internalversion printStorageClass (v1.34). */
export function storageClassCells(
  storageClass: KubeObject,
  age: string,
): readonly (string | boolean)[] {
  const { name, annotations = {} } = storageClass.metadata
  const isDefault = defaultClassAnnotations.some((key) => annotations[key] === 'true')
  const fields = { ...storageClass }
  return [
    isDefault ? `${name} (default)` : name,
    textAt(fields, 'provisioner'),
    textAt(fields, 'reclaimPolicy'),
    textAt(fields, 'volumeBindingMode'),
    storageClass['allowVolumeExpansion'] === true,
    age,
  ]
}
