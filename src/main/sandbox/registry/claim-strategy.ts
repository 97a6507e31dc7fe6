import { equalJson, isJsonObject, listAt, objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
} from '../../../shared/kubernetes/quantity.ts'
import {
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblem } from '../../../shared/kubernetes/validation/field-problem.ts'
import { dnsSubdomainProblems } from '../../../shared/kubernetes/validation/name-rules.ts'
import { selectorProblems } from '../endpoints/selector-validation.ts'
import { canonicalQuantities } from './quantities.ts'
import { specDifference } from './spec-difference.ts'
import { fieldOf, plainStrategy, withFieldOf } from './strategy.ts'

type Problems = readonly FieldProblem[]

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const volumeModes = ['Block', 'Filesystem']

/** Access modes of a claim or a volume. Source: pkg/apis/core/validation. */
export function accessModeProblems(spec: JsonObject, detail: string): Problems {
  const field = 'spec.accessModes'
  const modes = listAt(spec, 'accessModes')
  const isShared = modes.some(
    (mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(String(mode)),
  )
  return [
    ...(modes.length === 0 ? [requiredField(field, detail)] : []),
    ...modes
      .filter((mode) => !accessModes.includes(String(mode)))
      .map((mode) => unsupportedField(field, mode, accessModes)),
    ...(isShared && modes.includes('ReadWriteOncePod')
      ? [forbiddenField(field, 'may not use ReadWriteOncePod with other access modes')]
      : []),
  ]
}

/** The class and the mode of a claim or a volume. */
export function classAndModeProblems(spec: JsonObject): Problems {
  const className = textAt(spec, 'storageClassName')
  const mode = textAt(spec, 'volumeMode')
  return [
    ...(className === '' ? [] : dnsSubdomainProblems(className)).map((message) =>
      invalidField('spec.storageClassName', className, message),
    ),
    ...(volumeModes.includes(mode) ? [] : [unsupportedField('spec.volumeMode', mode, volumeModes)]),
  ]
}

/** An amount of storage that must be there. */
export function positiveQuantityProblems(value: unknown, field: string): Problems {
  const quantity = parseQuantity(value)
  if (quantity === undefined || quantity.nanos > 0n) return []
  return [invalidField(field, formatQuantity(quantity), 'must be greater than zero')]
}

function sourceProblems(spec: JsonObject, name: 'dataSource' | 'dataSourceRef'): Problems {
  const source = spec[name]
  if (!isJsonObject(source)) return []
  const field = `spec.${name}`
  const kind = textAt(source, 'kind')
  const group = textAt(source, 'apiGroup')
  const isOwn = group !== '' || kind === 'PersistentVolumeClaim'
  const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
  return [
    ...(textAt(source, 'name') === '' ? [requiredField(`${field}.name`)] : []),
    ...(kind === '' ? [requiredField(`${field}.kind`)] : []),
    ...(isOwn ? [] : [invalidField(field, kind, detail)]),
    ...(group === '' ? [] : dnsSubdomainProblems(group)).map((message) =>
      invalidField(`${field}.apiGroup`, group, message),
    ),
  ]
}

function claimProblems(claim: KubeObject): Problems {
  const spec = fieldOf(claim, 'spec')
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

function resourcesWithDefaults(resources: JsonObject): JsonObject {
  const lists = ['limits', 'requests'].filter((list) => isJsonObject(resources[list]))
  const canonical = lists.map((list) => [list, canonicalQuantities(objectAt(resources, list))])
  return Object.fromEntries(canonical)
}

/** A group of its own is shown even where there is none. */
function sourcesWithDefaults(spec: JsonObject): JsonObject {
  const given = ['dataSource', 'dataSourceRef'].filter((name) => isJsonObject(spec[name]))
  return Object.fromEntries(
    given.map((name) => [name, { apiGroup: null, ...objectAt(spec, name) }]),
  )
}

function statusWithDefaults(status: JsonObject): JsonObject {
  const lists = ['capacity', 'allocatedResources'].filter((list) => isJsonObject(status[list]))
  const canonical = lists.map((list) => [list, canonicalQuantities(objectAt(status, list))])
  return {
    ...status,
    phase: textAt(status, 'phase') || 'Pending',
    ...Object.fromEntries(canonical),
  }
}

/** Source: pkg/apis/core/v1 SetDefaults_PersistentVolumeClaim. */
function withDefaults(claim: KubeObject): KubeObject {
  const spec = fieldOf(claim, 'spec')
  return {
    ...claim,
    spec: {
      ...spec,
      resources: resourcesWithDefaults(objectAt(spec, 'resources')),
      volumeMode: textAt(spec, 'volumeMode') || 'Filesystem',
      ...sourcesWithDefaults(spec),
    },
    status: statusWithDefaults(fieldOf(claim, 'status')),
  }
}

function isClaimOrSnapshot(source: JsonObject): boolean {
  const kind = textAt(source, 'kind')
  const group = textAt(source, 'apiGroup')
  if (kind === 'PersistentVolumeClaim') return group === ''
  return kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io'
}

/**
 * `dataSource` and `dataSourceRef` say the same. What only the newer one can name is dropped from the older one.
 * Source: pkg/api/persistentvolumeclaim EnforceDataSourceBackwardsCompatibility, NormalizeDataSources.
 */
function withDataSources(claim: KubeObject): KubeObject {
  const { dataSource, dataSourceRef, ...rest } = fieldOf(claim, 'spec')
  if (isJsonObject(dataSourceRef)) {
    const isElsewhere = textAt(dataSourceRef, 'namespace') !== ''
    const copied = isElsewhere || dataSource !== undefined ? dataSource : dataSourceRef
    const own = copied === undefined ? {} : { dataSource: copied }
    return { ...claim, spec: { ...rest, ...own, dataSourceRef } }
  }
  if (!isJsonObject(dataSource) || !isClaimOrSnapshot(dataSource)) return { ...claim, spec: rest }
  return { ...claim, spec: { ...rest, dataSource, dataSourceRef: dataSource } }
}

/** How much a claim asks for. */
export function requestedStorage(claim: KubeObject): unknown {
  return objectAt(objectAt(fieldOf(claim, 'spec'), 'resources'), 'requests')['storage']
}

/** The spec as far as it may not change. */
function fixedSpec(next: KubeObject, old: KubeObject): JsonObject {
  const spec = fieldOf(next, 'spec')
  const oldSpec = fieldOf(old, 'spec')
  const isBound = fieldOf(next, 'status')['phase'] === 'Bound'
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

function sizeProblems(next: KubeObject, old: KubeObject): Problems {
  const size = parseQuantity(requestedStorage(next))
  const before = parseQuantity(requestedStorage(old))
  if (size === undefined || before === undefined || compareQuantities(size, before) >= 0) return []
  const capacity = parseQuantity(objectAt(fieldOf(old, 'status'), 'capacity')['storage'] ?? '0')
  if (capacity === undefined || compareQuantities(size, capacity) > 0) return []
  const detail = 'field can not be less than status.capacity'
  return [forbiddenField('spec.resources.requests.storage', detail)]
}

const mostlyImmutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

function updateProblems(next: KubeObject, old: KubeObject): Problems {
  const fixed = fixedSpec(next, old)
  const oldSpec = fieldOf(old, 'spec')
  const ofClaim = claimProblems(next)
  const mode = fieldOf(next, 'spec')['volumeMode']
  return [
    // Twice: the strategy checks the claim before the update's validation does.
    ...ofClaim,
    ...ofClaim,
    ...(equalJson(fixed, oldSpec)
      ? []
      : [forbiddenField('spec', `${mostlyImmutable}\n${specDifference(fixed, oldSpec)}`)]),
    ...sizeProblems(next, old),
    ...(mode === oldSpec['volumeMode']
      ? []
      : [invalidField('volumeMode', mode, 'field is immutable')]),
  ]
}

function statusProblems(claim: KubeObject): Problems {
  const capacity = objectAt(fieldOf(claim, 'status'), 'capacity')
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
