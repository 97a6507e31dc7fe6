import { listAt, objectAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { isDefaultClass } from '../../admission/storage-class.ts'
import { ageColumn, column, nameColumn, tableOf, wide } from './columns.ts'

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
  return textAt(objectAt(object, 'status'), 'phase')
}

function storageOf(object: JsonObject): string {
  return textAt(objectAt(object, 'capacity'), 'storage') || '0'
}

/** The columns that claims and volumes share. */
const classColumns = [
  column('StorageClass', 'storageClass', 'The class that it belongs to.'),
  column('VolumeAttributesClass', 'attributesClass', 'The class of its attributes.'),
]
const modeColumn = column('VolumeMode', 'mode', 'Whether it is a file system or a device.', wide)

function classAndMode(spec: JsonObject) {
  return {
    storageClass: textAt(spec, 'storageClassName'),
    attributesClass: textAt(spec, 'volumeAttributesClassName') || unset,
    mode: textAt(spec, 'volumeMode') || unset,
  }
}

/** Source: pkg/printers/internalversion printPersistentVolumeClaim (v1.34). */
export const claimTable = tableOf(
  [
    nameColumn,
    column('Status', 'status', 'Whether the claim is bound to a volume.'),
    column('Volume', 'volume', 'The volume that it is bound to.'),
    column('Capacity', 'capacity', 'The size of that volume.'),
    column('Access Modes', 'accessModes', 'How that volume can be mounted.'),
    ...classColumns,
    ageColumn,
    modeColumn,
  ],
  (claim) => {
    const spec = objectAt(claim, 'spec')
    const status = objectAt(claim, 'status')
    const volume = textAt(spec, 'volumeName')
    return {
      ...classAndMode(spec),
      status: phaseOf(claim),
      volume,
      capacity: volume === '' ? '' : storageOf(status),
      accessModes: volume === '' ? '' : accessModes(status),
    }
  },
)

/** Source: pkg/printers/internalversion printPersistentVolume (v1.34). */
export const volumeTable = tableOf(
  [
    nameColumn,
    column('Capacity', 'capacity', 'The size of the volume.'),
    column('Access Modes', 'accessModes', 'How the volume can be mounted.'),
    column('Reclaim Policy', 'policy', 'What happens to the volume when its claim is deleted.'),
    column('Status', 'status', 'Whether the volume is bound to a claim.'),
    column('Claim', 'claim', 'The claim that it is bound to.'),
    ...classColumns,
    column('Reason', 'reason', 'Why it is in that status.'),
    ageColumn,
    modeColumn,
  ],
  (volume) => {
    const spec = objectAt(volume, 'spec')
    const claim = objectAt(spec, 'claimRef')
    const hasClaim = spec['claimRef'] !== undefined
    return {
      ...classAndMode(spec),
      capacity: storageOf(spec),
      accessModes: accessModes(spec),
      policy: textAt(spec, 'persistentVolumeReclaimPolicy'),
      status: phaseOf(volume),
      claim: hasClaim ? `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}` : '',
      reason: textAt(objectAt(volume, 'status'), 'reason'),
    }
  },
)

/** Source: pkg/printers/internalversion printStorageClass (v1.34). */
export const storageClassTable = tableOf(
  [
    nameColumn,
    column('Provisioner', 'provisioner', 'What creates the volumes.'),
    column('ReclaimPolicy', 'policy', 'What happens to a volume when its claim is deleted.'),
    column('VolumeBindingMode', 'bindingMode', 'When volumes are created and bound.'),
    column('AllowVolumeExpansion', 'canGrow', 'Whether claims can grow.'),
    ageColumn,
  ],
  (storageClass) => ({
    name: `${storageClass.metadata.name}${isDefaultClass(storageClass) ? ' (default)' : ''}`,
    provisioner: textAt(storageClass, 'provisioner'),
    policy: textAt(storageClass, 'reclaimPolicy'),
    bindingMode: textAt(storageClass, 'volumeBindingMode'),
    canGrow: storageClass['allowVolumeExpansion'] === true,
  }),
)
