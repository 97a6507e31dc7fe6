import {
  enumProblems,
  forbiddenField,
  immutableProblems,
  invalidField,
  invalidEach,
  problemIf,
  problemUnless,
  requiredField,
  unsupportedField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { isJsonObject, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { dnsSubdomainProblems } from '../../../shared/kubernetes/validation/name-rules.ts'
import { hostPathProblems } from '../../../shared/kubernetes/validation/volume-validation.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import {
  accessModeProblems,
  classAndModeProblems,
  positiveQuantityProblems,
} from './claim-strategy.ts'
import { canonicalQuantities } from './quantities.ts'
import { changedFieldProblems } from './spec-difference.ts'
import { plainStrategy, withFieldOf } from './strategy.ts'

type SourceProblems = (source: JsonObject, field: string) => FieldProblems

function nfsProblems(source: JsonObject, field: string): FieldProblems {
  const path = textAt(source, 'path')
  const needed = ['server', 'path'].filter((name) => textAt(source, name) === '')
  return [
    ...needed.map((name) => requiredField(`${field}.${name}`)),
    ...problemUnless(
      path.startsWith('/'),
      invalidField(`${field}.path`, path, 'must be an absolute path'),
    ),
  ]
}

function localProblems(source: JsonObject, field: string): FieldProblems {
  const path = textAt(source, 'path')
  if (path === '') return [requiredField(`${field}.path`)]
  if (!path.split('/').includes('..')) return []
  return [invalidField(`${field}.path`, path, "must not contain '..'")]
}

function csiProblems(source: JsonObject, field: string): FieldProblems {
  const driver = textAt(source, 'driver')
  return [
    ...problemIf(driver === '', requiredField(`${field}.driver`)),
    ...invalidEach(`${field}.driver`, driver, dnsSubdomainProblems(driver.toLowerCase())),
    ...problemIf(textAt(source, 'volumeHandle') === '', requiredField(`${field}.volumeHandle`)),
  ]
}

const unchecked: SourceProblems = () => []

// In upstream's order: the first one counts.
const sources: ReadonlyMap<string, SourceProblems> = new Map([
  ['hostPath', hostPathProblems],
  ['gcePersistentDisk', unchecked],
  ['awsElasticBlockStore', unchecked],
  ['glusterfs', unchecked],
  ['flocker', unchecked],
  ['nfs', nfsProblems],
  ['rbd', unchecked],
  ['quobyte', unchecked],
  ['cephfs', unchecked],
  ['iscsi', unchecked],
  ['cinder', unchecked],
  ['fc', unchecked],
  ['flexVolume', unchecked],
  ['azureFile', unchecked],
  ['vsphereVolume', unchecked],
  ['photonPersistentDisk', unchecked],
  ['portworxVolume', unchecked],
  ['azureDisk', unchecked],
  ['scaleIO', unchecked],
  ['local', localProblems],
  ['storageos', unchecked],
  ['csi', csiProblems],
])

const reclaimPolicies = ['Delete', 'Recycle', 'Retain']

function capacityProblems(spec: JsonObject): FieldProblems {
  const capacity = objectAt(spec, 'capacity')
  const names = Object.keys(capacity).toSorted()
  const field = 'spec.capacity'
  const isStorage = names.length === 1 && names[0] === 'storage'
  const shown =
    names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, capacity[name]]))
  return [
    ...problemIf(names.length === 0, requiredField(field)),
    ...problemUnless(isStorage, unsupportedField(field, shown, ['storage'])),
    ...names.flatMap((name) => positiveQuantityProblems(capacity[name], `${field}[${name}]`)),
  ]
}

function affinityProblems(spec: JsonObject): FieldProblems {
  if (!isJsonObject(spec['nodeAffinity'])) return []
  if (isJsonObject(spec['nodeAffinity']['required'])) return []
  return [requiredField('spec.nodeAffinity.required', 'must specify required node constraints')]
}

function sourceProblems(spec: JsonObject): FieldProblems {
  const given = [...sources].filter(([name]) => isJsonObject(spec[name]))
  if (given.length === 0) return [requiredField('spec', 'must specify a volume type')]
  const lacksAffinity = !isJsonObject(spec['nodeAffinity'])
  return given.flatMap(([name, problems], index) => {
    const field = `spec.${name}`
    if (index > 0) return [forbiddenField(field, 'may not specify more than 1 volume type')]
    return [
      ...problems(objectAt(spec, name), field),
      ...problemIf(
        name === 'local' && lacksAffinity,
        requiredField('spec.nodeAffinity', 'Local volume requires node affinity'),
      ),
    ]
  })
}

function volumeProblems(volume: KubeObject): FieldProblems {
  const spec = objectAt(volume, 'spec')
  const policy = spec['persistentVolumeReclaimPolicy']
  const field = 'spec.persistentVolumeReclaimPolicy'
  const isRoot = /^\/[./]*$/.test(textAt(objectAt(spec, 'hostPath'), 'path'))
  return [
    ...accessModeProblems(spec, ''),
    ...capacityProblems(spec),
    ...enumProblems(field, policy, reclaimPolicies),
    ...affinityProblems(spec),
    ...sourceProblems(spec),
    ...problemIf(
      isRoot && policy === 'Recycle',
      forbiddenField(field, "may not be 'recycle' for a hostPath mount of '/'"),
    ),
    ...classAndModeProblems(spec),
  ]
}

/** Source: pkg/apis/core/v1 SetDefaults_PersistentVolume. */
function withDefaults(volume: KubeObject): KubeObject {
  const spec = objectAt(volume, 'spec')
  const { hostPath, capacity } = spec
  const status = objectAt(volume, 'status')
  return {
    ...volume,
    spec: {
      ...spec,
      ...(isJsonObject(capacity) ? { capacity: canonicalQuantities(capacity) } : {}),
      ...(isJsonObject(hostPath) ? { hostPath: { type: '', ...hostPath } } : {}),
      persistentVolumeReclaimPolicy: textAt(spec, 'persistentVolumeReclaimPolicy') || 'Retain',
      volumeMode: textAt(spec, 'volumeMode') || 'Filesystem',
    },
    status: { ...status, phase: textAt(status, 'phase') || 'Pending' },
  }
}

function sourceOf(volume: KubeObject): JsonObject {
  const spec = objectAt(volume, 'spec')
  const given = [...sources.keys()].filter((name) => spec[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, spec[name]]))
}

function updateProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const ofVolume = volumeProblems(next)
  const mode = objectAt(next, 'spec')['volumeMode']
  const immutable = 'spec.persistentvolumesource is immutable after creation'
  return [
    // Twice: the strategy checks the volume before the update's validation does.
    ...ofVolume,
    ...ofVolume,
    ...changedFieldProblems(
      'spec.persistentvolumesource',
      sourceOf(next),
      sourceOf(old),
      immutable,
    ),
    ...immutableProblems('volumeMode', mode, objectAt(old, 'spec')['volumeMode']),
  ]
}

/** The server sets the time of a new phase unless the client does. */
function withTransitionTime(next: KubeObject, old: KubeObject, now: number): KubeObject {
  const status = objectAt(next, 'status')
  const before = objectAt(old, 'status')
  const given = status['lastPhaseTransitionTime']
  const isSamePhase = status['phase'] === before['phase']
  const isGiven =
    given !== undefined && (isSamePhase || given !== before['lastPhaseTransitionTime'])
  if (isGiven) return next
  const time = isSamePhase ? before['lastPhaseTransitionTime'] : toTimestamp(now)
  return { ...next, status: { ...status, lastPhaseTransitionTime: time } }
}

/** Persistent volumes. Source: pkg/registry/core/persistentvolume/strategy.go (v1.34). */
export const volumeStrategy = plainStrategy({
  withDefaults,
  prepareForCreate: (volume) => {
    const lastPhaseTransitionTime = volume.metadata.creationTimestamp
    return { ...volume, status: { phase: 'Pending', lastPhaseTransitionTime } }
  },
  createProblems: volumeProblems,
  prepareForUpdate: (next, old) => withFieldOf(next, 'status', old),
  updateProblems,
  prepareForStatusUpdate: (next, old, now) =>
    withTransitionTime(withFieldOf(next, 'spec', old), old, now),
  returnsDeletedObject: true,
})
