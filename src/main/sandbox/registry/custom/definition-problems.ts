import {
  equalJson,
  isJsonObject,
  listAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  duplicateField,
  enumProblems,
  forbiddenField,
  immutableProblems,
  invalidField,
  problemIf,
  requiredField,
  tooManyProblems,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import {
  dns1035LabelProblems,
  dnsSubdomainProblems,
} from '../../../../shared/kubernetes/validation/name-rules.ts'
import { approvalAnnotation, approvalOf } from './api-approval.ts'
import { schemaOfVersion } from './custom-strategy.ts'
import { isConditionTrue } from './definition-status.ts'
import { schemaProblems } from './schema-problems.ts'
import { propertyOf, stepsOf } from './structural-schema.ts'
import type { StructuralSchema } from './structural-schema.ts'

/** The fields of a version that upstream's internal type has once, if all versions have the same. */
const movable = {
  schema: 'validation',
  subresources: 'subresources',
  additionalPrinterColumns: 'additionalPrinterColumns',
  selectableFields: 'selectableFields',
} as const

type Movable = keyof typeof movable

function isShared(spec: JsonObject, field: Movable): boolean {
  const versions = objectsAt(spec, 'versions')
  return versions.every((one) => equalJson(one[field], versions[0]?.[field]))
}

/** The versions as Go prints the internal type. */
function internalVersions(spec: JsonObject): unknown {
  if (spec['versions'] === undefined) return null
  const own = (version: JsonObject, field: Movable): unknown =>
    isShared(spec, field) ? null : (version[field] ?? null)
  return objectsAt(spec, 'versions').map((version) => ({
    Name: textAt(version, 'name'),
    Served: version['served'] === true,
    Storage: version['storage'] === true,
    Deprecated: version['deprecated'] === true,
    DeprecationWarning: version['deprecationWarning'] ?? null,
    Schema: own(version, 'schema'),
    Subresources: own(version, 'subresources'),
    AdditionalPrinterColumns: own(version, 'additionalPrinterColumns'),
    SelectableFields: own(version, 'selectableFields'),
  }))
}

function labelProblems(field: string, value: string, before = ''): FieldProblems {
  const problems = dns1035LabelProblems(value)
  return problemIf(problems.length > 0, invalidField(field, value, before + problems.join(',')))
}

const mixedCase = 'may have mixed case, but should otherwise match: '

function kindProblems(field: string, value: string): FieldProblems {
  const problems = value === '' ? [] : dns1035LabelProblems(value.toLowerCase())
  return problemIf(problems.length > 0, invalidField(field, value, mixedCase + problems.join(',')))
}

function namesProblems(names: JsonObject, field: string): FieldProblems {
  const kind = textAt(names, 'kind')
  const listKind = textAt(names, 'listKind')
  const label = (name: string): FieldProblems => {
    const value = textAt(names, name)
    return value === '' ? [] : labelProblems(`${field}.${name}`, value)
  }
  const each = (name: string): FieldProblems =>
    listAt(names, name).flatMap((one, index) =>
      labelProblems(`${field}.${name}[${index}]`, String(one)),
    )
  return [
    ...label('plural'),
    ...label('singular'),
    ...kindProblems(`${field}.kind`, kind),
    ...kindProblems(`${field}.listKind`, listKind),
    ...each('shortNames'),
    ...problemIf(
      kind !== '' && kind === listKind,
      invalidField(`${field}.listKind`, listKind, 'kind and listKind may not be the same'),
    ),
    ...each('categories'),
  ]
}

function groupProblems(group: string): FieldProblems {
  if (group === '') return [requiredField('spec.group')]
  const problems = dnsSubdomainProblems(group)
  if (problems.length > 0) return [invalidField('spec.group', group, problems.join(','))]
  const why = 'should be a domain with at least one dot'
  return problemIf(!group.includes('.'), invalidField('spec.group', group, why))
}

function pathProblems(path: string, field: string): FieldProblems {
  const why = 'must be a simple json path starting with .'
  return problemIf(!path.startsWith('.'), invalidField(field, path, why))
}

function pathBelow(path: string, field: string, parents: readonly string[]): FieldProblems {
  const problems = pathProblems(path, field)
  if (problems.length > 0) return problems
  const isBelow = parents.some((parent) => path.startsWith(`${parent}.`))
  const where = parents.length > 1 ? `either ${parents.join(' or ')}` : parents.join('')
  return problemIf(!isBelow, invalidField(field, path, `should be a json path under ${where}`))
}

function scaleProblems(scale: JsonObject, field: string): FieldProblems {
  const required = (name: string, parent: string): FieldProblems => {
    const path = textAt(scale, name)
    const at = `${field}.${name}`
    return path === '' ? [requiredField(at)] : pathBelow(path, at, [parent])
  }
  const selector = textAt(scale, 'labelSelectorPath')
  return [
    ...required('specReplicasPath', '.spec'),
    ...required('statusReplicasPath', '.status'),
    ...(selector === ''
      ? []
      : pathBelow(selector, `${field}.labelSelectorPath`, ['.spec', '.status'])),
  ]
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']
const columnFormats = 'byte date date-time double float int32 int64 password'.split(' ')

function columnProblems(column: JsonObject, field: string): FieldProblems {
  const type = textAt(column, 'type')
  const format = textAt(column, 'format')
  const path = textAt(column, 'jsonPath')
  const types = `must be one of ${columnTypes.join(',')}`
  const formats = `must be one of ${columnFormats.join(',')}`
  return [
    ...problemIf(textAt(column, 'name') === '', requiredField(`${field}.name`)),
    ...(type === ''
      ? [requiredField(`${field}.type`, types)]
      : problemIf(!columnTypes.includes(type), invalidField(`${field}.type`, type, types))),
    ...problemIf(
      format !== '' && !columnFormats.includes(format),
      invalidField(`${field}.format`, format, formats),
    ),
    ...(path === ''
      ? [requiredField(`${field}.JSONPath`)]
      : pathProblems(path, `${field}.JSONPath`)),
  ]
}

const mostSelectable = 8

function schemaAt(schema: StructuralSchema, path: string): StructuralSchema | undefined {
  let found: StructuralSchema | undefined = schema
  for (const step of stepsOf(path)) found = found && propertyOf(found, step)
  return found
}

function selectableProblems(
  fields: readonly JsonObject[],
  schema: StructuralSchema,
  field: string,
): FieldProblems {
  const seen = new Set<string>()
  const problems = fields.flatMap((one, index): FieldProblems => {
    const path = textAt(one, 'jsonPath')
    const at = `${field}[${index}].jsonPath`
    if (path === '') return [requiredField(at)]
    const found = schemaAt(schema, path)
    if (found === undefined)
      return [invalidField(at, path, 'is an invalid path: does not refer to a valid field')]
    const isScalar = ['string', 'boolean', 'integer'].includes(textAt(found, 'type'))
    const isRepeated = seen.has(path)
    seen.add(path)
    const types =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
    return [
      ...problemIf(
        stepsOf(path)[0] === 'metadata',
        invalidField(at, path, 'must not point to fields in metadata'),
      ),
      ...problemIf(!isScalar, invalidField(at, path, types)),
      ...problemIf(isRepeated, duplicateField(at, path)),
    ]
  })
  return [...problems, ...tooManyProblems(field, seen.size, mostSelectable)]
}

function deprecationProblems(version: JsonObject, field: string): FieldProblems {
  const warning = version['deprecationWarning']
  if (typeof warning !== 'string') return []
  const problem = (why: string): FieldProblems => [
    invalidField(`${field}.deprecationWarning`, warning, why),
  ]
  if (version['deprecated'] !== true) return problem('can only be set for deprecated versions')
  if (warning === '') return problem('must not be an empty string')
  return warning.length > 256 ? problem('must be <= 256 characters long') : []
}

/** What a version, or all of them, have of one field. */
function partProblems(part: Movable, version: JsonObject, field: string): FieldProblems {
  const at = `${field}.${part}`
  switch (part) {
    case 'schema':
      return schemaProblems(schemaOfVersion(version), at, version)
    case 'subresources': {
      const { scale } = objectAt(version, 'subresources')
      return isJsonObject(scale) ? scaleProblems(scale, `${at}.scale`) : []
    }
    case 'additionalPrinterColumns':
      return objectsAt(version, part).flatMap((column, index) =>
        columnProblems(column, `${at}[${index}]`),
      )
    default:
      return selectableProblems(objectsAt(version, part), schemaOfVersion(version), at)
  }
}

function hasPart(version: JsonObject, part: Movable): boolean {
  const value = part === 'schema' ? objectAt(version, part)['openAPIV3Schema'] : version[part]
  return value !== undefined && value !== null && !equalJson(value, [])
}

const parts = Object.keys(movable).filter((part): part is Movable => part in movable)

function versionsProblems(spec: JsonObject): FieldProblems {
  const field = 'spec.versions'
  const versions = objectsAt(spec, 'versions')
  const names = versions.map((one) => textAt(one, 'name'))
  const stored = versions.filter((one) => one['storage'] === true).length
  const first = names[0] ?? ''
  const ofVersions = versions.flatMap((version, index) => {
    const at = `${field}[${index}]`
    return [
      ...labelProblems(`${at}.name`, textAt(version, 'name')),
      ...deprecationProblems(version, at),
      ...parts
        .filter((part) => !isShared(spec, part) && hasPart(version, part))
        .flatMap((part) => partProblems(part, version, at)),
    ]
  })
  const shown = internalVersions(spec)
  const storage = 'must have exactly one version marked as storage version'
  return [
    ...versions.flatMap((version, index) =>
      problemIf(
        !hasPart(version, 'schema'),
        requiredField(`${field}[${index}].schema.openAPIV3Schema`),
      ),
    ),
    ...ofVersions,
    ...problemIf(
      new Set(names).size < names.length,
      invalidField(field, shown, 'must contain unique version names'),
    ),
    ...problemIf(stored !== 1, invalidField(field, shown, storage)),
    ...(names.length === 0 ? [] : labelProblems('spec.version', first)),
  ]
}

/** The fields that all versions have in common, which upstream names as fields of the spec. */
function sharedProblems(spec: JsonObject, only: readonly Movable[]): FieldProblems {
  const [version] = objectsAt(spec, 'versions')
  if (version === undefined) return []
  return only
    .filter((part) => isShared(spec, part) && hasPart(version, part))
    .flatMap((part) =>
      partProblems(part, version, 'spec').map((problem) => ({
        ...problem,
        field: problem.field.replace(`spec.${part}`, `spec.${movable[part]}`),
      })),
    )
}

const conversions = ['None', 'Webhook']

function conversionProblems(conversion: JsonObject, versions: number): FieldProblems {
  const field = 'spec.conversion'
  const strategy = textAt(conversion, 'strategy')
  const webhook = conversion['webhook']
  const client = isJsonObject(webhook) ? webhook['clientConfig'] : undefined
  const reviewed = isJsonObject(webhook) ? listAt(webhook, 'conversionReviewVersions') : []
  const ofStrategy =
    strategy === ''
      ? [requiredField(`${field}.strategy`)]
      : enumProblems(`${field}.strategy`, strategy, conversions)
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook'
    return [
      ...ofStrategy,
      ...problemIf(client !== undefined, forbiddenField(`${field}.webhookClientConfig`, why)),
      ...problemIf(reviewed.length > 0, forbiddenField(`${field}.conversionReviewVersions`, why)),
    ]
  }
  const needed = 'required when strategy is set to Webhook'
  return [
    ...ofStrategy,
    ...problemIf(client === undefined, requiredField(`${field}.webhookClientConfig`, needed)),
    ...problemIf(reviewed.length === 0, requiredField(`${field}.conversionReviewVersions`)),
    ...problemIf(
      client !== undefined && reviewed.length > 0 && versions > 1,
      forbiddenField(
        `${field}.strategy`,
        'the Nodescope sandbox calls no conversion webhooks; use strategy None, which changes only the apiVersion',
      ),
    ),
  ]
}

/** Groups of Kubernetes itself need an approval. */
function approvalProblems(definition: KubeObject): FieldProblems {
  const { reason, message } = approvalOf(definition) ?? { reason: '', message: '' }
  const field = `metadata.annotations[${approvalAnnotation}]`
  if (reason === 'MissingAnnotation') return [requiredField(field, message)]
  const value = definition.metadata.annotations?.[approvalAnnotation]
  return problemIf(reason === 'InvalidAnnotation', invalidField(field, value, message))
}

function storedVersionsProblems(definition: KubeObject): FieldProblems {
  const field = 'status.storedVersions'
  const status = objectAt(definition, 'status')
  const stored = listAt(status, 'storedVersions').map(String)
  const shown = status['storedVersions'] ?? null
  if (stored.length === 0)
    return [invalidField(field, shown, 'must have at least one stored version')]
  const versions = objectsAt(objectAt(definition, 'spec'), 'versions')
  const names = versions.map((one) => textAt(one, 'name'))
  return [
    ...versions.flatMap((one) => {
      const name = textAt(one, 'name')
      const isMissing = one['storage'] === true && !stored.includes(name)
      return problemIf(
        isMissing,
        invalidField(field, stored, `must have the storage version ${name}`),
      )
    }),
    ...stored.flatMap((name, index) =>
      problemIf(
        !names.includes(name),
        invalidField(
          `${field}[${index}]`,
          name,
          `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
        ),
      ),
    ),
  ]
}

function specProblems(spec: JsonObject): FieldProblems {
  const names = objectAt(spec, 'names')
  const scope = textAt(spec, 'scope')
  const required = ['plural', 'singular', 'kind', 'listKind'].flatMap((name) =>
    problemIf(textAt(names, name) === '', requiredField(`spec.names.${name}`)),
  )
  return [
    ...groupProblems(textAt(spec, 'group')),
    ...(scope === ''
      ? [requiredField('spec.scope')]
      : enumProblems('spec.scope', scope, ['Cluster', 'Namespaced'])),
    ...versionsProblems(spec),
    ...required,
    ...namesProblems(names, 'spec.names'),
    ...sharedProblems(spec, [
      'schema',
      'subresources',
      'additionalPrinterColumns',
      'selectableFields',
    ]),
    ...conversionProblems(objectAt(spec, 'conversion'), listAt(spec, 'versions').length),
  ]
}

function keptFieldsProblems(spec: JsonObject): FieldProblems {
  const why =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
  return problemIf(
    spec['preserveUnknownFields'] === true,
    invalidField('spec.preserveUnknownFields', true, why),
  )
}

/** The rule of a definition's name, which follows from its spec. */
function nameProblems(definition: KubeObject): FieldProblems {
  const spec = objectAt(definition, 'spec')
  const { name } = definition.metadata
  const wanted = `${textAt(objectAt(spec, 'names'), 'plural')}.${textAt(spec, 'group')}`
  const why = 'must be spec.names.plural+"."+spec.group'
  return problemIf(name !== '' && name !== wanted, invalidField('metadata.name', name, why))
}

/** Problems of a new definition. Source: apiextensions validation.go ValidateCustomResourceDefinition (v1.34). */
export function definitionProblems(definition: KubeObject): FieldProblems {
  const spec = objectAt(definition, 'spec')
  return [
    ...nameProblems(definition),
    ...specProblems(spec),
    ...namesProblems(
      objectAt(objectAt(definition, 'status'), 'acceptedNames'),
      'status.acceptedNames',
    ),
    ...storedVersionsProblems(definition),
    ...approvalProblems(definition),
    ...keptFieldsProblems(spec),
  ]
}

/** Problems of a changed one: what its objects are stored under stays. */
export function definitionUpdateProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const spec = objectAt(next, 'spec')
  const before = objectAt(old, 'spec')
  const names = objectAt(spec, 'names')
  const oldNames = objectAt(before, 'names')
  const immutable = isConditionTrue(old, 'Established')
    ? [
        ...immutableProblems('spec.scope', spec['scope'], before['scope']),
        ...immutableProblems('spec.names.kind', names['kind'], oldNames['kind']),
      ]
    : []
  const isSame = approvalOf(old)?.reason === approvalOf(next)?.reason
  return [
    ...specProblems(spec),
    ...immutable,
    ...immutableProblems('spec.group', spec['group'], before['group']),
    ...immutableProblems('spec.names.plural', names['plural'], oldNames['plural']),
    ...storedVersionsProblems(next),
    ...(isSame ? [] : approvalProblems(next)),
    ...keptFieldsProblems(spec),
  ]
}

export function definitionStatusProblems(definition: KubeObject): FieldProblems {
  return namesProblems(
    objectAt(objectAt(definition, 'status'), 'acceptedNames'),
    'status.acceptedNames',
  )
}
