import { defined, equalJson, listAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { metaFields } from '../../../../shared/kubernetes/selectors/selectable-fields.ts'
import type { CustomKind, ResourceType } from '../resource-type.ts'
import { groupVersion } from '../resource-type.ts'
import { customShape, typedProblems } from './custom-shape.ts'
import { customStrategy, schemaOfVersion } from './custom-strategy.ts'
import { customTable } from './custom-table.ts'
import { isConditionTrue } from './definition-status.ts'
import { hasRules } from './schema-problems.ts'
import {
  coerced,
  decodedMeta,
  defaulted,
  pruned,
  textOf,
  valueAtPath,
  withoutNulls,
} from './structural-schema.ts'
import type { StructuralSchema } from './structural-schema.ts'

/** In the order of discovery documents of custom kinds. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
const subresourceVerbs = ['get', 'patch', 'update']

/** `v2` before `v1`, then `v1beta2`, `v1alpha1`, and others by name. Source: apimachinery version.CompareKubeAwareVersionStrings. */
function compareVersions(a: string, b: string): number {
  const parsed = (text: string): readonly number[] | undefined => {
    const [, major, stage, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(text) ?? []
    if (major === undefined) return undefined
    const rank = stage === undefined ? 2 : stage === 'beta' ? 1 : 0
    return [rank, Number(major), Number(minor ?? 0)]
  }
  const [one, other] = [parsed(a), parsed(b)]
  if (one === undefined || other === undefined) {
    if (one !== undefined) return -1
    if (other !== undefined) return 1
    return a < b ? -1 : a > b ? 1 : 0
  }
  const at = one.findIndex((part, index) => part !== other[index])
  return at === -1 ? 0 : (other[at] ?? 0) - (one[at] ?? 0)
}

function decoder(schema: StructuralSchema): CustomKind['decode'] {
  return (value) => {
    const meta = decodedMeta(value['metadata'] ?? {})
    const first = pruned(value, schema)
    const inner = coerced(withoutNulls(first.value, schema) as JsonObject, schema)
    const fields = [
      ...meta.unknownFields.map((field) => `metadata.${field}`),
      ...first.unknownFields,
      ...inner.unknownFields,
    ]
    return {
      object: { ...(inner.value as JsonObject), metadata: meta.object },
      error: meta.error ?? inner.error,
      unknownFields: fields,
    }
  }
}

function deprecationOf(definition: Definition, version: JsonObject): readonly string[] {
  if (version['deprecated'] !== true) return []
  const own = textAt(version, 'deprecationWarning')
  if (own !== '') return [own]
  const { group, kind, versions } = definition
  const name = textAt(version, 'name')
  const better = versions
    .filter((one) => one['served'] === true && one['deprecated'] !== true)
    .map((one) => textAt(one, 'name'))
    .toSorted(compareVersions)
    .find((one) => compareVersions(one, name) < 0)
  const instead = better === undefined ? '' : `; use ${group}/${better} ${kind}`
  return [`${group}/${name} ${kind} is deprecated${instead}`]
}

/** What a CustomResourceDefinition says, with the names that it was given. */
interface Definition {
  readonly group: string
  readonly kind: string
  readonly versions: readonly JsonObject[]
}

/** How stored objects are shown in a version, and the other way around: without a webhook, a conversion changes the version only. */
function conversion(
  group: string,
  versions: readonly JsonObject[],
  shown: string,
  stored: string,
): Pick<CustomKind, 'fromStored' | 'toStored'> {
  const schemas = new Map(versions.map((one) => [textAt(one, 'name'), schemaOfVersion(one)]))
  const fitted = (object: KubeObject, version: string): KubeObject => {
    const schema = schemas.get(version)
    if (schema === undefined) return object
    const value = withoutNulls(pruned({ ...object }, schema).value, schema)
    // Kind, version and metadata stay.
    return value as KubeObject
  }
  const inVersion = (object: KubeObject, version: string): KubeObject => {
    const apiVersion = groupVersion({ group, version })
    if (object.apiVersion === apiVersion) return object
    return fitted({ ...object, apiVersion }, version)
  }
  return {
    fromStored: (object) => {
      const own = (object.apiVersion ?? '').split('/').at(-1) ?? ''
      const read = defaulted(fitted(object, own), schemas.get(own)) as KubeObject
      const next = inVersion(read, shown)
      return equalJson(next, object) ? object : next
    },
    toStored: (object) => inVersion(object, stored),
  }
}

function typeOfVersion(definition: KubeObject, version: JsonObject, stored: string): ResourceType {
  const spec = objectAt(definition, 'spec')
  const names = objectAt(objectAt(definition, 'status'), 'acceptedNames')
  const group = textAt(spec, 'group')
  const kind = textAt(names, 'kind')
  const name = textAt(version, 'name')
  const versions = objectsAt(spec, 'versions')
  const schema = schemaOfVersion(version)
  const subresources = objectAt(version, 'subresources')
  const scale = subresources['scale'] === undefined ? undefined : objectAt(subresources, 'scale')
  const namespaced = textAt(spec, 'scope') === 'Namespaced'
  const selectable = objectsAt(version, 'selectableFields').map((one) => {
    const path = textAt(one, 'jsonPath')
    const text = (object: JsonObject): string => textOf(valueAtPath(object, path) ?? '')
    return [path.replace(/^\./, ''), text] as const
  })
  const custom: CustomKind = {
    decode: decoder(schema),
    shape: customShape(schema),
    typedProblems: (value) => typedProblems(value, schema),
    warnings: deprecationOf({ group, kind, versions }, version),
    isTerminating: isConditionTrue(definition, 'Terminating'),
    hasUncheckedRules: hasRules(schema),
    definition: spec,
    schema,
    ...defined({ scale }),
    ...conversion(group, versions, name, stored),
  }
  return {
    group,
    version: name,
    kind,
    listKind: textAt(names, 'listKind'),
    plural: textAt(names, 'plural'),
    singular: textAt(names, 'singular'),
    shortNames: listAt(names, 'shortNames').map(String),
    categories: listAt(names, 'categories').map(String),
    namespaced,
    verbs,
    subresources: [
      ...(subresources['status'] === undefined
        ? []
        : [{ name: 'status', kind, group, version: name, verbs: subresourceVerbs }]),
      ...(scale === undefined
        ? []
        : [
            {
              name: 'scale',
              kind: 'Scale',
              group: 'autoscaling',
              version: 'v1',
              verbs: subresourceVerbs,
            },
          ]),
    ],
    strategy: customStrategy(schema, subresources),
    columns: customTable(version),
    selectableFields: new Map(
      [...metaFields, ...selectable].filter(
        ([field]) => namespaced || field !== 'metadata.namespace',
      ),
    ),
    custom,
  }
}

function isServed(definition: KubeObject): boolean {
  return isConditionTrue(definition, 'NamesAccepted') || isConditionTrue(definition, 'Established')
}

/** The name of the storage version. */
export function storageVersionOf(definition: KubeObject): string {
  const versions = objectsAt(objectAt(definition, 'spec'), 'versions')
  return textAt(versions.find((one) => one['storage'] === true) ?? {}, 'name')
}

const known = new WeakMap<KubeObject, readonly ResourceType[]>()

function typesOf(definition: KubeObject): readonly ResourceType[] {
  const before = known.get(definition)
  if (before !== undefined) return before
  const versions = isServed(definition) ? objectsAt(objectAt(definition, 'spec'), 'versions') : []
  const stored = storageVersionOf(definition)
  const types = versions
    .filter((version) => version['served'] === true)
    .map((version) => typeOfVersion(definition, version, stored))
  known.set(definition, types)
  return types
}

/** The resources of these definitions, in the order of discovery. */
export function customTypes(definitions: readonly KubeObject[]): readonly ResourceType[] {
  return definitions
    .flatMap(typesOf)
    .toSorted(
      (a, b) =>
        (a.group < b.group ? -1 : a.group > b.group ? 1 : 0) ||
        compareVersions(a.version, b.version) ||
        (a.plural < b.plural ? -1 : 1),
    )
}
