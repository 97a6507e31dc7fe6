import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../shared/json.ts'
import {
  schemaNamed,
  schemaOfKind,
  type GroupVersionKind,
} from '../../../shared/kubernetes/schema/api-schema.ts'
import { referenceTo } from '../../../shared/kubernetes/schema/schema-names.ts'
import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import type { ResourceRegistry } from '../registry/resource-registry.ts'
import { type ResourceType, groupVersion } from '../registry/resource-type.ts'
import { resourceTypes } from '../registry/resource-types.ts'
import { customOpenApiSchema, customSchemaName } from './custom-openapi.ts'
import { unstoredTypes } from '../review/review-types.ts'
import { openApiV2Document, openApiV2Response } from './openapi-v2.ts'
import { missingTypes } from '../registry/missing-kinds.ts'
import type { OpenApiDocument } from './openapi-v2.ts'
import { openApiSchemas } from './openapi-schemas.ts'
import { kubernetesVersion } from './server-version.ts'

const patchTypes = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
] as const

function queryParameter(name: string, type: 'string' | 'boolean'): object {
  return { name, in: 'query', schema: { type, uniqueItems: true } }
}

// If an operation has fieldValidation, kubectl leaves validation to the server.
const writeParameters = [
  queryParameter('dryRun', 'string'),
  queryParameter('fieldManager', 'string'),
  queryParameter('fieldValidation', 'string'),
]

type Verb = 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete'

/** The values of x-kubernetes-action. All but `list` are the HTTP method. */
const actions = {
  get: 'get',
  list: 'list',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
} as const

/** The name of the schema of a kind; of a custom one it is given. */
function requestBody(verb: Verb, kind: GroupVersionKind, custom: string | undefined): object {
  const name = schemaOfKind(kind)?.name ?? custom
  const schema = name === undefined ? {} : referenceTo(name)
  switch (verb) {
    case 'create':
    case 'update':
      return { requestBody: { content: { 'application/json': { schema } }, required: true } }
    case 'patch': {
      const content = Object.fromEntries(
        patchTypes
          .filter((type) => custom === undefined || !type.includes('strategic'))
          .map((type) => [type, { schema: { type: 'object' } }]),
      )
      return { requestBody: { content, required: true } }
    }
    default:
      return {}
  }
}

function operation(
  verb: Verb,
  kind: GroupVersionKind,
  custom: string | undefined,
): readonly [string, object] {
  const action = actions[verb]
  const isWrite = verb === 'create' || verb === 'update' || verb === 'patch'
  return [
    verb === 'list' ? 'get' : action,
    {
      ...(isWrite ? { parameters: writeParameters } : {}),
      ...requestBody(verb, kind, custom),
      responses: { '200': { description: 'OK' } },
      'x-kubernetes-action': action,
      'x-kubernetes-group-version-kind': kind,
    },
  ]
}

function pathItem(
  verbs: readonly string[],
  served: readonly Verb[],
  kind: GroupVersionKind,
  custom?: string,
): Record<string, unknown> {
  return Object.fromEntries(
    served.filter((verb) => verbs.includes(verb)).map((verb) => operation(verb, kind, custom)),
  )
}

function gvk({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind }
}

const itemVerbs: readonly Verb[] = ['get', 'update', 'patch', 'delete']

function hasOperations([, item]: readonly [string, object]): boolean {
  return Object.keys(item).length > 0
}

function pathsOf(type: ResourceType): readonly (readonly [string, object])[] {
  const root = type.group === '' ? '/api' : '/apis'
  const base = `${root}/${groupVersion(type)}`
  const scope = type.namespaced ? `${base}/namespaces/{namespace}` : base
  const item = `${scope}/${type.plural}/{name}`
  const custom = type.custom === undefined ? undefined : customSchemaName(type)
  const of = (verbs: readonly Verb[]): object => pathItem(type.verbs, verbs, gvk(type), custom)
  const all: readonly (readonly [string, object])[] = [
    [`${scope}/${type.plural}`, of(['list', 'create'])],
    [item, of(itemVerbs)],
    ...(type.namespaced ? [[`${base}/${type.plural}`, of(['list'])] as const] : []),
    ...type.subresources.map((subresource) => {
      const path = `${item}/${subresource.name}`
      return [
        path,
        pathItem(subresource.verbs, ['create', ...itemVerbs], gvk(subresource), custom),
      ] as const
    }),
  ]
  return all.filter(hasOperations)
}

function versionDocument(types: readonly ResourceType[]): OpenApiDocument & JsonObject {
  const kinds = types.flatMap((type) => [gvk(type), ...type.subresources.map(gvk)])
  const custom = types.flatMap((type) => (type.custom === undefined ? [] : [type]))
  const roots = [
    ...kinds.map(schemaOfKind).filter((schema) => schema !== undefined),
    ...(custom.length === 0 ? [] : [schemaNamed('meta.v1.ObjectMeta')]),
  ]
  const schemas = custom.map((type) => [customSchemaName(type), customOpenApiSchema(type)])
  return {
    openapi: '3.0.0',
    info: { title: 'Nodescope sandbox', version: kubernetesVersion },
    paths: Object.fromEntries(types.flatMap(pathsOf)),
    components: { schemas: { ...openApiSchemas(roots), ...Object.fromEntries(schemas) } },
  }
}

interface VersionDocument {
  readonly document: OpenApiDocument
  readonly text: string
  readonly hash: string
}

/** By path: `api/v1`, `apis/apps/v1`. */
function makeDocuments(types: readonly ResourceType[]): ReadonlyMap<string, VersionDocument> {
  const typesByPath = new Map<string, ResourceType[]>()
  for (const type of types) {
    const path = `${type.group === '' ? 'api' : 'apis'}/${groupVersion(type)}`
    typesByPath.set(path, [...(typesByPath.get(path) ?? []), type])
  }
  return new Map(
    [...typesByPath].map(([path, types]) => {
      const document = versionDocument(types)
      const text = JSON.stringify(document)
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 32).toUpperCase()
      return [path, { document, text, hash }]
    }),
  )
}

interface Documents {
  readonly byPath: ReadonlyMap<string, VersionDocument>
  /** Made at the first request. */
  ofV2?: ReturnType<typeof openApiV2Document>
}

const noCustom: readonly ResourceType[] = []
/** By the custom kinds in them, created at the first request and kept: the tables behind the others never change. */
const known = new WeakMap<readonly ResourceType[], Documents>()

function documentsOf({ custom }: Pick<ResourceRegistry, 'custom'>): Documents {
  const key = custom.length === 0 ? noCustom : custom
  const before = known.get(key)
  if (before !== undefined) return before
  const builtIn =
    key === noCustom
      ? makeDocuments([...resourceTypes, ...unstoredTypes])
      : documentsOf({ custom: noCustom }).byPath
  const documents: Documents = {
    // A group of Kubernetes that has custom kinds, too, keeps its document.
    byPath: key === noCustom ? builtIn : new Map([...makeDocuments(custom), ...builtIn]),
  }
  known.set(key, documents)
  return documents
}

/**
 * The kinds that the sandbox does not have are patched in no document of v3. In v2 they are: of a kind without a path kubectl says that
 * it could not list the CRDs, instead of sending the object and printing why it is refused.
 */
function missingKinds(): OpenApiDocument {
  const patched = missingTypes.map((type) => ({ ...type, verbs: ['patch'] }))
  return { paths: Object.fromEntries(patched.flatMap(pathsOf)), components: { schemas: {} } }
}

/** kubectl before 1.29 asks for it, and `kubectl explain --output plaintext-openapiv2`. */
function v2Document(documents: Documents): ReturnType<typeof openApiV2Document> {
  const all = [...documents.byPath.values()].map(({ document }) => document)
  return (documents.ofV2 ??= openApiV2Document([...all, missingKinds()], kubernetesVersion))
}

function indexResponse({ byPath }: Documents): KubeResponse {
  const paths = [...byPath].map(([path, { hash }]) => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` },
  ])
  return { kind: 'object', status: 200, body: { paths: Object.fromEntries(paths) } }
}

const root = '/openapi/v3'

/** The answer to a request for an OpenAPI document; `undefined` for other requests and unknown documents. */
export function openApiResponse(
  request: KubeRequest,
  registry: Pick<ResourceRegistry, 'custom'>,
): KubeResponse | undefined {
  if (!request.path.startsWith('/openapi/')) return undefined
  const documents = documentsOf(registry)
  const old = openApiV2Response(request, () => v2Document(documents))
  if (old !== undefined) return old
  if (request.method !== 'GET') return undefined
  if (request.path === root || request.path === `${root}/`) return indexResponse(documents)
  if (!request.path.startsWith(`${root}/`)) return undefined
  const document = documents.byPath.get(request.path.slice(root.length + 1))
  if (document === undefined) return undefined
  return { kind: 'text', status: 200, body: document.text, contentType: 'application/json' }
}
