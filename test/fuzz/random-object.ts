import { schemaNamed, schemaOfKind } from '../../src/shared/kubernetes/schema/api-schema.ts'
import type {
  ApiSchema,
  FieldSchema,
  FieldType,
} from '../../src/shared/kubernetes/schema/api-schema.ts'
import { resourceTypes } from '../../src/main/sandbox/registry/resource-types.ts'
import { groupVersion } from '../../src/main/sandbox/registry/resource-type.ts'
import type { ResourceType } from '../../src/main/sandbox/registry/resource-type.ts'
import { missingTypes } from '../../src/main/sandbox/registry/missing-kinds.ts'
import { unstoredTypes } from '../../src/main/sandbox/review/review-types.ts'
import { setField } from '../../src/shared/json.ts'
import type { RandomPicker } from '../random-picker.ts'
import { hostileTexts, hostileValue } from './hostile-values.ts'

type Fields = Record<string, unknown>

type Target = Pick<
  ResourceType,
  'group' | 'version' | 'kind' | 'plural' | 'namespaced' | 'subresources'
>

const ofThings = { group: 'fuzz.example.com', version: 'v1' }

/** What `thingDefinition` defines. */
const things: Target = {
  ...ofThings,
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
  subresources: [
    { ...ofThings, name: 'status', kind: 'Thing', verbs: [] },
    { group: 'autoscaling', version: 'v1', name: 'scale', kind: 'Scale', verbs: [] },
  ],
}

const text = { type: 'string' }
const list = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
}
const part = {
  type: 'object',
  required: ['name'],
  properties: { name: text, size: { type: 'integer', default: 1 } },
}
const thingSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['word'],
      properties: {
        word: { ...text, pattern: '^(a+)+$', maxLength: 100, default: 'a' },
        replicas: { type: 'integer', minimum: 0, maximum: 10 },
        port: { 'x-kubernetes-int-or-string': true },
        parts: { ...list, items: part },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        labels: { type: 'object', additionalProperties: text },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        inner: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { a: text } },
        either: {
          type: 'object',
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
          properties: { a: text, b: text },
        },
      },
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: text } },
  },
}
const thingColumns = [
  { name: 'Word', type: 'string', jsonPath: '.spec.word' },
  { name: 'Part', type: 'string', jsonPath: '.spec.parts[?(@.name=="a")].size' },
]

/** A CustomResourceDefinition. */
export const thingDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.fuzz.example.com' },
  spec: {
    group: things.group,
    scope: 'Namespaced',
    names: { plural: things.plural, kind: things.kind, shortNames: ['th'], categories: ['all'] },
    versions: ['v1', 'v1beta1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: thingSchema },
      additionalPrinterColumns: thingColumns,
      selectableFields: [{ jsonPath: '.spec.word' }],
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    })),
  },
}

/** The kinds that a request can be about, those that are refused as well. */
const types: readonly Target[] = [
  ...resourceTypes,
  ...unstoredTypes,
  ...missingTypes,
  things,
  { ...things, version: 'v1beta1' },
]

function rootOf(type: Target): string {
  return type.group === '' ? `/api/${type.version}` : `/apis/${groupVersion(type)}`
}

/** The collections of all kinds; `NS` stands for `namespaces/<namespace>`. */
export const collections: readonly string[] = types.map(
  (type) => `${rootOf(type)}/${type.namespaced ? 'NS/' : ''}${type.plural}`,
)

/** The names of all subresources. */
export const subresources: readonly string[] = [
  ...new Set(resourceTypes.flatMap((type) => type.subresources.map(({ name }) => name))),
]

interface Kind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The kind of the body of a request to a path; undefined where there is none. */
function kindAt(path: string): Kind | undefined {
  const segments = path.split('/')
  const type = types.findLast(
    ({ plural, group, version }) =>
      segments.includes(plural) &&
      segments.includes(version) &&
      (group === '' || segments.includes(group)),
  )
  const last = segments.at(-1)
  return type?.subresources.find(({ name }) => name === last) ?? type
}

const image = 'registry.example/app:1'
const labels = { app: 'web' }
const template = {
  metadata: { labels },
  spec: { containers: [{ name: 'c', image }] },
}
const owner = { selector: { matchLabels: labels }, template }
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' }
const clusterRoleRef = { ...roleRef, kind: 'ClusterRole' }
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const attributes = { verb: 'get', resource: 'pods' }
const job = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image }] } }

/** A small valid object of each kind, without its metadata. */
const plain: Readonly<Record<string, object>> = {
  Pod: { spec: template.spec },
  Node: { spec: {} },
  Lease: { spec: { holderIdentity: 'n1' } },
  PodDisruptionBudget: { spec: { minAvailable: 1, selector: { matchLabels: labels } } },
  Deployment: { spec: owner },
  ReplicaSet: { spec: owner },
  DaemonSet: { spec: owner },
  StatefulSet: {
    spec: {
      ...owner,
      serviceName: 'db',
      volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: claim }],
    },
  },
  ReplicationController: { spec: { selector: labels, template } },
  Job: { spec: { template: job, completions: 2 } },
  ControllerRevision: { revision: 1, data: { a: 1 } },
  Service: { spec: { selector: labels, ports: [{ port: 80 }] } },
  Endpoints: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
  EndpointSlice: {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.0.0.1'] }],
    ports: [{ port: 80 }],
  },
  ResourceQuota: { spec: { hard: { pods: '100', 'count/jobs.batch': '50' } } },
  LimitRange: { spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } },
  Role: { rules },
  ClusterRole: { rules },
  RoleBinding: { roleRef, subjects: [{ kind: 'User', name: 'jane' }] },
  ClusterRoleBinding: { roleRef: clusterRoleRef },
  PriorityClass: { value: 10 },
  RuntimeClass: { handler: 'h' },
  StorageClass: { provisioner: 'example.com/d' },
  PersistentVolumeClaim: { spec: claim },
  PersistentVolume: {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/d' },
    },
  },
  Secret: { data: { a: 'eA==' } },
  Scale: { spec: { replicas: 2 } },
  TokenRequest: { spec: { audiences: ['a'] } },
  SubjectAccessReview: { spec: { user: 'jane', resourceAttributes: attributes } },
  SelfSubjectAccessReview: { spec: { resourceAttributes: attributes } },
  LocalSubjectAccessReview: { spec: { user: 'jane', resourceAttributes: attributes } },
  SelfSubjectRulesReview: { spec: { namespace: 'default' } },
  TokenReview: { spec: { token: 'x' } },
}

const texts = ['web', 'a', 'default', '', 'app=web', 'Always', '10.0.0.1', '100m', 'x'] as const
const quantities = ['1', '100m', '1Gi', '0', '-1', '1e3', '0.5'] as const
const instants = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000Z', 'yesterday'] as const

function scalar(pick: RandomPicker, kind: string): unknown {
  switch (kind) {
    case 'int32':
    case 'int64':
    case 'number':
      return pick.of([0, 1, 2, 3, 30, 80, 443, -1, 65_536, 2 ** 31, 2 ** 40, 1.5])
    case 'bool':
      return pick.percent(50)
    case 'bytes':
      return pick.of(['', 'eA==', 'not base64', 'e30='])
    case 'time':
    case 'microTime':
      return pick.of(instants)
    case 'quantity':
      return pick.of(quantities)
    case 'intOrString':
      return pick.of([1, 0, -1, '50%', '0%', '101%', 'http', ''])
    case 'object':
    case 'any':
      return hostileValue(pick)
    default:
      return pick.percent(80) ? pick.of(texts) : pick.of(hostileTexts)
  }
}

function valueOf(pick: RandomPicker, type: FieldType, depth: number): unknown {
  switch (type.kind) {
    case 'struct':
      return structOf(pick, schemaNamed(type.name), depth)
    case 'list':
      return Array.from({ length: pick.below(4) }, () => valueOf(pick, type.of, depth))
    case 'map':
      return Object.fromEntries(
        Array.from({ length: pick.below(3) }, () => [
          pick.percent(80) ? pick.of(['app', 'a', 'cpu', 'memory', 'pods']) : pick.of(hostileTexts),
          valueOf(pick, type.of, depth),
        ]),
      )
    default:
      return scalar(pick, type.kind)
  }
}

/** A value of a field, of its type nine times of ten. */
function fieldValue(pick: RandomPicker, field: FieldSchema, depth: number): unknown {
  if (pick.percent(6)) return hostileValue(pick)
  if (field.enum !== undefined && pick.percent(85)) {
    const word = pick.of(field.enum)
    return field.type.kind === 'list' ? [word] : word
  }
  return valueOf(pick, field.type, depth)
}

function structOf(pick: RandomPicker, schema: ApiSchema, depth: number): Fields {
  const result: Fields = {}
  for (const [name, field] of schema.fields) {
    if (depth <= 0 ? field.isRequired && depth > -3 : field.isRequired || pick.percent(25))
      setField(result, name, fieldValue(pick, field, depth - 1))
  }
  return result
}

/** Adds or replaces a random field of the schema somewhere in an object. */
function grow(pick: RandomPicker, object: Fields, schema: ApiSchema): void {
  let [at, of] = [object, schema]
  for (;;) {
    const inner = [...of.fields].flatMap(([name, { type }]): (readonly [Fields, ApiSchema])[] => {
      const value = Object.hasOwn(at, name) ? at[name] : undefined
      const isList = type.kind === 'list' && type.of.kind === 'struct' && Array.isArray(value)
      const found: unknown = isList ? value[pick.below(value.length)] : value
      const struct = isList ? type.of : type
      if (typeof found !== 'object' || found === null || struct.kind !== 'struct') return []
      return [[found as Fields, schemaNamed(struct.name)]]
    })
    if (inner.length === 0 || pick.percent(25)) break
    ;[at, of] = pick.of(inner)
  }
  const fields = [...of.fields]
  if (fields.length === 0) return
  const [name, field] = pick.of(fields)
  setField(at, name, fieldValue(pick, field, 2))
}

const thingValues: Readonly<Record<string, readonly unknown[]>> = {
  word: ['a', 'aaaa', `${'a'.repeat(90)}!`],
  replicas: [0, 3, 11, -1, 1.5],
  port: [80, 'http'],
  parts: [[], [{ name: 'a' }, { name: 'b', size: 2 }], [{ name: 'a' }, { name: 'a' }], [{}]],
  tags: [
    ['a', 'b'],
    ['a', 'a'],
  ],
  labels: [{ app: 'web' }, {}],
  any: [{ deep: { er: [1, null] } }],
  inner: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, a: '1' }, { a: '1' }],
  either: [{ a: '1' }, { a: '1', b: '2' }, {}],
}

function randomThing(pick: RandomPicker, kind: Kind, metadata: Fields): Fields {
  const spec = Object.entries(thingValues).flatMap(([name, values]) =>
    pick.percent(40) ? [[name, pick.percent(90) ? pick.of(values) : hostileValue(pick)]] : [],
  )
  return {
    apiVersion: groupVersion({ ...kind }),
    kind: kind.kind,
    metadata,
    spec: Object.fromEntries(spec),
    ...(pick.percent(30) ? { status: { replicas: 2, selector: pick.of(texts) } } : {}),
  }
}

/** The definition of things with something else somewhere, or a definition of the schema of definitions. */
function randomDefinition(pick: RandomPicker, metadata: Fields): Fields {
  const object = structuredClone(thingDefinition) as Fields
  const schema = schemaOfKind({
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: thingDefinition.kind,
  })
  if (pick.percent(20)) object['metadata'] = metadata
  const times = pick.percent(40) ? 0 : 1 + pick.below(4)
  for (let count = 0; count < times && schema !== undefined; count++) grow(pick, object, schema)
  return object
}

/** An object for a path, from the schema of its kind; undefined where the path has none. */
export function randomObject(
  pick: RandomPicker,
  path: string,
  metadata: Fields,
): Fields | undefined {
  const kind = kindAt(path)
  if (kind?.kind === things.kind) return randomThing(pick, kind, metadata)
  if (kind?.kind === thingDefinition.kind) return randomDefinition(pick, metadata)
  const schema = kind && schemaOfKind(kind)
  if (kind === undefined || schema === undefined) return undefined
  const own = plain[kind.kind]
  const made: Fields =
    own === undefined || pick.percent(10)
      ? structOf(pick, schema, 4)
      : (structuredClone(own) as Fields)
  const object: Fields = {
    ...made,
    apiVersion: groupVersion({ ...kind }),
    kind: kind.kind,
    metadata,
  }
  const times = pick.percent(40) ? 0 : 1 + pick.below(5)
  for (let count = 0; count < times; count++) grow(pick, object, schema)
  return object
}
