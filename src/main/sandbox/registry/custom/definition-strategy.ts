import {
  defined,
  isJsonObject,
  listAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { schemaNamed } from '../../../../shared/kubernetes/schema/api-schema.ts'
import { decodeAs } from '../../../../shared/kubernetes/schema/decode.ts'
import { plainStrategy, withFieldOf, withMetadataOf } from '../strategy.ts'
import { isSpecChanged, withNextGeneration } from '../workload/workload-strategy.ts'
import { storageVersionOf } from './custom-types.ts'
import { schemaOfVersion } from './custom-strategy.ts'
import {
  definitionProblems,
  definitionStatusProblems,
  definitionUpdateProblems,
} from './definition-problems.ts'
import { hasRules, unknownFormats } from './schema-problems.ts'

const schemaType = 'apiextensions.v1.JSONSchemaProps'

/** A schema inside a field that also takes something else, which the general decoder does not look into. */
function decodedSchema(value: unknown): unknown {
  if (!isJsonObject(value)) return Array.isArray(value) ? value.map(decodedSchema) : value
  return completeSchema(decodeAs(schemaNamed(schemaType), value).object)
}

/** A decoded schema with the schemas in `items` and `additionalProperties` decoded, too. */
function completeSchema(schema: JsonObject): JsonObject {
  const inEach = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.map((one) => (isJsonObject(one) ? completeSchema(one) : one))
    return isJsonObject(value) ? completeSchema(value) : value
  }
  const inMap = (value: unknown): unknown =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inEach(one)]))
      : value
  const { items, additionalProperties, allOf, anyOf, oneOf, not, properties } = schema
  return {
    ...schema,
    ...defined({
      items: items === undefined ? undefined : decodedSchema(items),
      additionalProperties:
        additionalProperties === undefined ? undefined : decodedSchema(additionalProperties),
      allOf: inEach(allOf),
      anyOf: inEach(anyOf),
      oneOf: inEach(oneOf),
      not: inEach(not),
      properties: inMap(properties),
    }),
  }
}

const omitted = ['shortNames', 'categories', 'additionalPrinterColumns', 'selectableFields']

function withoutEmpty(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(
    ([name, one]) => !(omitted.includes(name) && Array.isArray(one) && one.length === 0),
  )
  return Object.fromEntries(kept)
}

function withCompleteVersion(version: JsonObject): JsonObject {
  const schema = schemaOfVersion(version)
  const hasSchema = isJsonObject(objectAt(version, 'schema')['openAPIV3Schema'])
  return withoutEmpty({
    ...version,
    ...(hasSchema ? { schema: { openAPIV3Schema: completeSchema(schema) } } : {}),
    name: textAt(version, 'name'),
    served: version['served'] === true,
    storage: version['storage'] === true,
  })
}

function namesWithDefaults(names: JsonObject): JsonObject {
  const kind = textAt(names, 'kind')
  return withoutEmpty({
    plural: textAt(names, 'plural'),
    ...names,
    kind,
    ...(textAt(names, 'singular') !== '' || kind === '' ? {} : { singular: kind.toLowerCase() }),
    ...(textAt(names, 'listKind') !== '' || kind === '' ? {} : { listKind: `${kind}List` }),
  })
}

/** Source: apiextensions v1/defaults.go (v1.34), and what Go writes of empty fields. */
function withDefaults(definition: KubeObject): KubeObject {
  const spec = objectAt(definition, 'spec')
  const status = objectAt(definition, 'status')
  const { versions } = spec
  const { preserveUnknownFields: isKept, ...rest } = spec
  return {
    ...definition,
    spec: {
      ...rest,
      ...(isKept === true ? { preserveUnknownFields: true } : {}),
      group: textAt(spec, 'group'),
      names: namesWithDefaults(objectAt(spec, 'names')),
      scope: textAt(spec, 'scope'),
      ...(versions === undefined
        ? {}
        : { versions: objectsAt(spec, 'versions').map(withCompleteVersion) }),
      conversion: isJsonObject(spec['conversion']) ? spec['conversion'] : { strategy: 'None' },
    },
    status: {
      conditions: null,
      ...status,
      acceptedNames: { plural: '', kind: '', ...withoutEmpty(objectAt(status, 'acceptedNames')) },
    },
  }
}

/** With the storage version among the versions that objects were stored in. */
function withStoredVersion(definition: KubeObject): KubeObject {
  const status = objectAt(definition, 'status')
  const stored = listAt(status, 'storedVersions')
  const version = storageVersionOf(definition)
  if (version === '' || stored.includes(version)) return definition
  return { ...definition, status: { ...status, storedVersions: [...stored, version] } }
}

/** Of the first of several versions upstream takes, for a list without any. */
function withFirstStored(definition: KubeObject): KubeObject {
  const versions = objectsAt(objectAt(definition, 'spec'), 'versions')
  const first = versions.find((one) => one['storage'] === true)
  const storedVersions = first === undefined ? {} : { storedVersions: [textAt(first, 'name')] }
  const acceptedNames = { plural: '', kind: '' }
  const status = { conditions: null, acceptedNames, ...storedVersions }
  return { ...definition, status, metadata: { ...definition.metadata, generation: 1 } }
}

/** What is stored of a definition and not acted on. */
export function definitionWarnings(
  next: KubeObject,
  old: KubeObject | undefined,
): readonly string[] {
  const schemasOf = (definition: KubeObject): readonly JsonObject[] =>
    objectsAt(objectAt(definition, 'spec'), 'versions').map(schemaOfVersion)
  const before = new Set(old === undefined ? [] : schemasOf(old).flatMap(unknownFormats))
  const formats = schemasOf(next)
    .flatMap(unknownFormats)
    .filter((format) => !before.has(format))
  const isNew = old === undefined || isSpecChanged(next, old)
  return [
    ...formats.map((format) => `unrecognized format ${JSON.stringify(format)}`),
    ...(isNew && schemasOf(next).some(hasRules) ? [uncheckedRules] : []),
  ]
}

export const uncheckedRules =
  'the Nodescope sandbox does not check x-kubernetes-validations (rules in CEL)'

/** CustomResourceDefinitions. Source: apiextensions registry/customresourcedefinition/strategy.go (v1.34). */
export const definitionStrategy = plainStrategy({
  withDefaults,
  defaultsWholeObject: true,
  prepareForCreate: withFirstStored,
  createProblems: definitionProblems,
  prepareForUpdate: (next, old) => {
    const isChanged = isSpecChanged(next, old)
    const kept = withFieldOf(isChanged ? next : withFieldOf(next, 'spec', old), 'status', old)
    return withStoredVersion(withNextGeneration(kept, old, isChanged))
  },
  updateProblems: definitionUpdateProblems,
  prepareForStatusUpdate: (next, old) => withFieldOf(withMetadataOf(next, old), 'spec', old),
  statusProblems: definitionStatusProblems,
  updatesUnconditionally: false,
})
