import {
  enumProblems,
  forbiddenField,
  immutableProblems,
  invalidField,
  invalidEach,
  problemIf,
  problemUnless,
  requiredField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../shared/kubernetes/validation/field-problem.ts'
import { isJsonObject, listAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
} from '../../../shared/kubernetes/quantity.ts'
import { dnsSubdomainProblems } from '../../../shared/kubernetes/validation/name-rules.ts'
import { selectorProblems } from './selector-validation.ts'
import { canonicalQuantities } from './quantities.ts'
import { changedFieldProblems } from './spec-difference.ts'
import { plainStrategy, withFieldOf } from './strategy.ts'

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const volumeModes = ['Block', 'Filesystem']

/** Access modes of a claim or a volume. Source: pkg/apis/core/validation. */
export function accessModeProblems(spec: JsonObject, detail: string): FieldProblems {
  const field = 'spec.accessModes'
  const modes = listAt(spec, 'accessModes')
  const isShared = modes.some(
    (mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(String(mode)),
  )
  const alone = 'may not use ReadWriteOncePod with other access modes'
  return [
    ...problemIf(modes.length === 0, requiredField(field, detail)),
    ...modes.flatMap((mode) => enumProblems(field, mode, accessModes)),
    ...problemIf(isShared && modes.includes('ReadWriteOncePod'), forbiddenField(field, alone)),
  ]
}

function subdomainProblems(field: string, value: string): FieldProblems {
  return value === '' ? [] : invalidEach(field, value, dnsSubdomainProblems(value))
}

/** The class and the mode of a claim or a volume. */
export function classAndModeProblems(spec: JsonObject): FieldProblems {
  const className = textAt(spec, 'storageClassName')
  const mode = textAt(spec, 'volumeMode')
  return [
    ...subdomainProblems('spec.storageClassName', className),
    ...enumProblems('spec.volumeMode', mode, volumeModes),
  ]
}

/** FieldProblems of a quantity that must be positive. */
export function positiveQuantityProblems(value: unknown, field: string): FieldProblems {
  const quantity = parseQuantity(value)
  if (quantity === undefined || quantity.nanos > 0n) return []
  return [invalidField(field, formatQuantity(quantity), 'must be greater than zero')]
}

function sourceProblems(spec: JsonObject, name: 'dataSource' | 'dataSourceRef'): FieldProblems {
  const source = spec[name]
  if (!isJsonObject(source)) return []
  const field = `spec.${name}`
  const kind = textAt(source, 'kind')
  const group = textAt(source, 'apiGroup')
  const isOwn = group !== '' || kind === 'PersistentVolumeClaim'
  const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
  return [
    ...problemIf(textAt(source, 'name') === '', requiredField(`${field}.name`)),
    ...problemIf(kind === '', requiredField(`${field}.kind`)),
    ...problemUnless(isOwn, invalidField(field, kind, detail)),
    ...subdomainProblems(`${field}.apiGroup`, group),
  ]
}

function claimProblems(claim: KubeObject): FieldProblems {
  const spec = objectAt(claim, 'spec')
  const requested = requestedStorage(claim)
  const field = 'spec.resources[storage]'
  return [
    ...accessModeProblems(spec, 'at least 1 access mode is required'),
    ...(isJsonObject(spec['selector']) ? selectorProblems(spec['selector'], 'spec.selector') : []),
    ...(requested === undefined
      ? [requiredField(field)]
      : positiveQuantityProblems(requested, field)),
    ...classAndModeProblems(spec),
    ...sourceProblems(spec, 'dataSource'),
    ...sourceProblems(spec, 'dataSourceRef'),
  ]
}

/** Problems of the spec of a claim to create, at `field`. */
export function claimSpecProblems(spec: JsonObject, field: string): FieldProblems {
  const problems = claimProblems({ metadata: { name: '', uid: '' }, spec })
  return problems.map((one) => ({ ...one, field: one.field.replace(/^spec/, field) }))
}

/** The resource lists among these fields with canonical quantities. */
function canonicalLists(fields: JsonObject, ...names: readonly string[]): JsonObject {
  const lists = names.filter((name) => isJsonObject(fields[name]))
  const canonical = lists.map((name) => [name, canonicalQuantities(objectAt(fields, name))])
  return Object.fromEntries(canonical)
}

/** `apiGroup` is shown even if it is absent. */
function sourcesWithDefaults(spec: JsonObject): JsonObject {
  const given = ['dataSource', 'dataSourceRef'].filter((name) => isJsonObject(spec[name]))
  return Object.fromEntries(
    given.map((name) => [name, { apiGroup: null, ...objectAt(spec, name) }]),
  )
}

/** Source: pkg/apis/core/v1 SetDefaults_PersistentVolumeClaim. */
function withDefaults(claim: KubeObject): KubeObject {
  const spec = objectAt(claim, 'spec')
  const status = objectAt(claim, 'status')
  return {
    ...claim,
    spec: {
      ...spec,
      resources: canonicalLists(objectAt(spec, 'resources'), 'limits', 'requests'),
      volumeMode: textAt(spec, 'volumeMode') || 'Filesystem',
      ...sourcesWithDefaults(spec),
    },
    status: {
      ...status,
      phase: textAt(status, 'phase') || 'Pending',
      ...canonicalLists(status, 'capacity', 'allocatedResources'),
    },
  }
}

/** A claim in the template of a stateful set. Source: Convert_apps_StatefulSetSpec_To_v1_StatefulSetSpec. */
export function claimTemplateWithDefaults(template: JsonObject): JsonObject {
  const metadata = objectAt(template, 'metadata')
  const claim = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...template, metadata }
  // Its name and UID are not read.
  return { ...withDefaults(claim as unknown as KubeObject) }
}

function isClaimOrSnapshot(source: JsonObject): boolean {
  const kind = textAt(source, 'kind')
  const group = textAt(source, 'apiGroup')
  if (kind === 'PersistentVolumeClaim') return group === ''
  return kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io'
}

/**
 * Keeps `dataSource` and `dataSourceRef` equal. A source that only the newer field can name is dropped from the older one.
 * Source: pkg/api/persistentvolumeclaim EnforceDataSourceBackwardsCompatibility, NormalizeDataSources.
 */
function withDataSources(claim: KubeObject): KubeObject {
  const { dataSource, dataSourceRef, ...rest } = objectAt(claim, 'spec')
  if (isJsonObject(dataSourceRef)) {
    const isElsewhere = textAt(dataSourceRef, 'namespace') !== ''
    const copied = isElsewhere || dataSource !== undefined ? dataSource : dataSourceRef
    const own = copied === undefined ? {} : { dataSource: copied }
    return { ...claim, spec: { ...rest, ...own, dataSourceRef } }
  }
  if (!isJsonObject(dataSource) || !isClaimOrSnapshot(dataSource)) return { ...claim, spec: rest }
  return { ...claim, spec: { ...rest, dataSource, dataSourceRef: dataSource } }
}

/** The storage that a claim requests. */
export function requestedStorage(claim: KubeObject): unknown {
  return objectAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests')['storage']
}

/** The new spec with the old values of fields that may change. */
function fixedSpec(next: KubeObject, old: KubeObject): JsonObject {
  const spec = objectAt(next, 'spec')
  const oldSpec = objectAt(old, 'spec')
  const isBound = objectAt(next, 'status')['phase'] === 'Bound'
  const resources = objectAt(spec, 'resources')
  const requests = { ...objectAt(resources, 'requests'), storage: requestedStorage(old) }
  return {
    ...spec,
    ...(textAt(oldSpec, 'volumeName') === '' ? { volumeName: oldSpec['volumeName'] } : {}),
    ...(oldSpec['storageClassName'] === undefined ? { storageClassName: undefined } : {}),
    ...(isBound ? { resources: { ...resources, requests } } : {}),
    ...(isBound ? { volumeAttributesClassName: oldSpec['volumeAttributesClassName'] } : {}),
  }
}

function sizeProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const size = parseQuantity(requestedStorage(next))
  const before = parseQuantity(requestedStorage(old))
  if (size === undefined || before === undefined || compareQuantities(size, before) >= 0) return []
  const capacity = parseQuantity(objectAt(objectAt(old, 'status'), 'capacity')['storage'] ?? '0')
  if (capacity === undefined || compareQuantities(size, capacity) > 0) return []
  const detail = 'field can not be less than status.capacity'
  return [forbiddenField('spec.resources.requests.storage', detail)]
}

const mostlyImmutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

function updateProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const fixed = fixedSpec(next, old)
  const oldSpec = objectAt(old, 'spec')
  const ofClaim = claimProblems(next)
  const mode = objectAt(next, 'spec')['volumeMode']
  return [
    // Twice: the strategy checks the claim before the update's validation does.
    ...ofClaim,
    ...ofClaim,
    ...changedFieldProblems('spec', fixed, oldSpec, mostlyImmutable),
    ...sizeProblems(next, old),
    ...immutableProblems('volumeMode', mode, oldSpec['volumeMode']),
  ]
}

function statusProblems(claim: KubeObject): FieldProblems {
  const capacity = objectAt(objectAt(claim, 'status'), 'capacity')
  return Object.entries(capacity).flatMap(([name, value]) => {
    const quantity = parseQuantity(value)
    if (quantity === undefined || quantity.nanos >= 0n) return []
    const detail = 'must be a valid resource quantity'
    const whole = Number(quantity.nanos / 1_000_000_000n)
    return [invalidField(`status.capacity[${name}]`, whole, detail)]
  })
}

/** Claims. Source: pkg/registry/core/persistentvolumeclaim/strategy.go (v1.34). */
export const claimStrategy = plainStrategy({
  withDefaults,
  prepareForCreate: (claim) => ({ ...withDataSources(claim), status: { phase: 'Pending' } }),
  createProblems: claimProblems,
  prepareForUpdate: (next, old) => withDataSources(withFieldOf(next, 'status', old)),
  updateProblems,
  prepareForStatusUpdate: (next, old) => withFieldOf(next, 'spec', old),
  statusProblems,
  returnsDeletedObject: true,
})
