import { isJsonObject, objectAt, textAt } from '../../../src/shared/json.ts'
import type { JsonObject } from '../../../src/shared/json.ts'
import type { SchemaEntry } from '../../../src/shared/kubernetes/schema/api-schema.ts'
import { shortName } from '../../../src/shared/kubernetes/schema/schema-names.ts'

/** The kinds of the table, by package: what the sandbox serves, and what its controllers will. */
const tableKinds: Readonly<Record<string, string>> = {
  'meta.v1': 'Status DeleteOptions APIResourceList',
  'core.v1':
    'Pod Node Namespace Event ConfigMap Secret Service ServiceAccount ReplicationController PersistentVolumeClaim PersistentVolume Endpoints ResourceQuota LimitRange Binding',
  'coordination.v1': 'Lease',
  'policy.v1': 'PodDisruptionBudget Eviction',
  'apps.v1': 'Deployment ReplicaSet DaemonSet StatefulSet ControllerRevision',
  'batch.v1': 'Job CronJob',
  'autoscaling.v1': 'Scale',
  'scheduling.v1': 'PriorityClass',
  'rbac.v1': 'Role RoleBinding ClusterRole ClusterRoleBinding',
  'authentication.v1': 'TokenRequest TokenReview SelfSubjectReview',
  'authorization.v1':
    'SubjectAccessReview LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview',
  'certificates.v1': 'CertificateSigningRequest',
  'events.v1': 'Event',
  'discovery.v1': 'EndpointSlice',
  'storage.v1': 'StorageClass CSINode',
  'node.v1': 'RuntimeClass',
  'apiextensions.v1': 'CustomResourceDefinition',
}

type Field = readonly [type: string, options: readonly string[]]

const scalarRefs: Readonly<Record<string, string>> = {
  'meta.v1.Time': 't',
  'meta.v1.MicroTime': 'u',
  'mach.api.resource.Quantity': 'q',
  'mach.util.intstr.IntOrString': 'x',
}

/** A reference may be direct or, with other keys, in an allOf with one element. */
function referenceIn(schema: JsonObject): string | undefined {
  const alone = textAt(schema, '$ref')
  if (alone !== '') return shortName(alone)
  const all = schema['allOf']
  const [first]: readonly unknown[] = Array.isArray(all) ? all : []
  return isJsonObject(first) ? shortName(textAt(first, '$ref')) : undefined
}

function scalarType(schema: JsonObject): string {
  const type = textAt(schema, 'type')
  const format = textAt(schema, 'format')
  switch (type) {
    case 'string':
      return format === 'byte' ? 'y' : 's'
    case 'integer':
      return format === 'int64' ? 'l' : 'i'
    case 'number':
      return 'n'
    case 'boolean':
      return 'b'
    case 'object':
      return 'o'
    default:
      throw new Error(`no letter for ${JSON.stringify(schema)}`)
  }
}

function typeOf(schema: JsonObject): string {
  const reference = referenceIn(schema)
  if (reference !== undefined) {
    const isValue = JSON.stringify(schema['default']) === '{}'
    return scalarRefs[reference] ?? `${isValue ? '&' : '@'}${reference}`
  }
  if (schema['type'] === 'array') return `[${typeOf(objectAt(schema, 'items'))}`
  const values = schema['additionalProperties']
  return isJsonObject(values) ? `{${typeOf(values)}` : scalarType(schema)
}

const zeroValues: Readonly<Record<string, unknown>> = { s: '', i: 0, l: 0, n: 0, b: false }

/** `d=` where a default is not the zero value that Go always writes of a required field; `d` for a required field without one. */
function defaultOption(schema: JsonObject, type: string, isRequired: boolean): readonly string[] {
  const usual = isRequired ? zeroValues[type] : undefined
  const value = schema['default']
  if (value === usual || isJsonObject(value)) return []
  return [value === undefined ? 'd' : `d=${JSON.stringify(value)}`.replaceAll('"', '')]
}

const extensions: Readonly<Record<string, string>> = {
  k: 'x-kubernetes-patch-merge-key',
  p: 'x-kubernetes-patch-strategy',
  l: 'x-kubernetes-list-type',
  m: 'x-kubernetes-list-map-keys',
  a: 'x-kubernetes-map-type',
}

function fieldOf(schema: JsonObject, isRequired: boolean): Field {
  const type = typeOf(schema)
  const inside = { '[': 'items', '{': 'additionalProperties' }[type[0] ?? '']
  const element = inside === undefined ? schema : objectAt(schema, inside)
  const enumeration = element['enum']
  const options = Object.entries(extensions)
    .filter(([, name]) => schema[name] !== undefined)
    .map(([letter, name]) => `${letter}=${String(schema[name])}`)
  return [
    type,
    [
      ...options,
      ...(textAt(schema, '$ref') === '' ? [] : ['r']),
      // `server_auth`: spaces are between options.
      ...(Array.isArray(enumeration) ? [`e=${enumeration.join(',').replaceAll(' ', '_')}`] : []),
      ...defaultOption(schema, type, isRequired),
    ],
  ]
}

function kindsOf(schema: JsonObject): string | undefined {
  const kinds = schema['x-kubernetes-group-version-kind']
  if (!Array.isArray(kinds)) return undefined
  // What every group has, as DeleteOptions.
  if (kinds.length > 5) return '*'
  return kinds
    .filter(isJsonObject)
    .map((kind) => ['group', 'version', 'kind'].map((part) => textAt(kind, part)).join('/'))
    .join(' ')
}

/** `type localhostProfile=LocalhostProfile`: the discriminator, and the fields that it decides on. */
function unionsOf(schema: JsonObject): string | undefined {
  const unions = schema['x-kubernetes-unions']
  const [union]: readonly unknown[] = Array.isArray(unions) ? unions : []
  if (!isJsonObject(union)) return undefined
  const fields = Object.entries(objectAt(union, 'fields-to-discriminateBy'))
  const named = fields.map(([field, value]) => `${field}=${String(value)}`)
  return [textAt(union, 'discriminator'), ...named].join(' ')
}

function entryOf(schema: JsonObject): SchemaEntry {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const fields = Object.entries(objectAt(schema, 'properties')).map(([name, field]) => {
    const [type, options] = fieldOf(isJsonObject(field) ? field : {}, required.has(name))
    return [name, [type, ...options].join(' ')]
  })
  const kinds = kindsOf(schema)
  const unions = unionsOf(schema)
  const mapType = textAt(schema, 'x-kubernetes-map-type')
  const isAny = schema['type'] === undefined && schema['oneOf'] === undefined
  return {
    ...(fields.length === 0 ? {} : { f: Object.fromEntries(fields) }),
    ...(required.size === 0 ? {} : { r: [...required].join(' ') }),
    ...(kinds === undefined ? {} : { g: kinds }),
    ...(mapType === '' ? {} : { a: mapType }),
    ...(isAny ? { n: '*' } : {}),
    ...(unions === undefined ? {} : { u: unions }),
  }
}

/** All schemas of OpenAPI v3 documents, by short name: `core.v1.Pod`. */
export function schemasIn(documents: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  const all = documents.flatMap((document) =>
    Object.entries(objectAt(objectAt(document, 'components'), 'schemas')),
  )
  return new Map(all.map(([name, schema]) => [shortName(name), isJsonObject(schema) ? schema : {}]))
}

/** The entries of the kinds above and of all they are made of, sorted by name. */
export function tableOf(documents: readonly JsonObject[]): Readonly<Record<string, SchemaEntry>> {
  const schemas = schemasIn(documents)
  const roots = Object.entries(tableKinds).flatMap(([group, kinds]) =>
    kinds.split(' ').map((kind) => `${group}.${kind}`),
  )
  const table = new Map<string, SchemaEntry>()
  const names = new Set(roots)
  // A set takes additions while it is walked.
  for (const name of names) {
    const schema = schemas.get(name)
    if (schema === undefined) throw new Error(`the API server's documents have no schema ${name}`)
    const entry = entryOf(schema)
    table.set(name, entry)
    for (const type of Object.values(entry.f ?? {})) {
      const reference = /^[[{]*[@&]([^ ]+)/.exec(type)?.[1]
      if (reference !== undefined) names.add(reference)
    }
  }
  return Object.fromEntries([...table].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** As the file has it: one line a schema, so that a change of the API is read as one. */
export function tableText(table: Readonly<Record<string, SchemaEntry>>): string {
  const lines = Object.entries(table).map(
    ([name, entry]) => `${JSON.stringify(name)}:${JSON.stringify(entry)}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}
