import { createHash } from 'node:crypto'
import { healthOf } from '../../kubelet/server/healthz.ts'
import type { HealthCheck } from '../../kubelet/server/healthz.ts'
import { textAnswer } from '../../kubelet/server/kubelet-request.ts'
import type { KubeRequest, KubeResponse } from '../../../shared/kubernetes/request.ts'
import type { ResourceRegistry } from '../registry/resource-registry.ts'
import { type ResourceType, groupVersion } from '../registry/resource-type.ts'
import { serverVersion } from './server-version.ts'

type Aggregated = 'v2' | 'v2beta1'

interface ApiGroup {
  readonly name: string
  /** Versions and their resources, the preferred version first. */
  readonly versions: ReadonlyMap<string, readonly ResourceType[]>
}

function apiGroups(types: readonly ResourceType[]): readonly ApiGroup[] {
  const groups = new Map<string, Map<string, ResourceType[]>>()
  for (const type of types) {
    const versions = groups.get(type.group) ?? new Map<string, ResourceType[]>()
    groups.set(type.group, versions)
    versions.set(type.version, [...(versions.get(type.version) ?? []), type])
  }
  return [...groups].map(([name, versions]) => ({ name, versions }))
}

// --- Plain: a document for each group and each version --------------------------------------

function omitEmpty(name: string, list: readonly string[]): object {
  return list.length === 0 ? {} : { [name]: list }
}

/** Source: apiserver discovery.StorageVersionHash. */
function storageVersionHash({ group, version, kind }: ResourceType): string {
  const hash = createHash('sha256').update(`${group}/${version}/${kind}`).digest()
  return hash.subarray(0, 8).toString('base64')
}

/** While a definition is deleted, its objects can only be read and deleted. */
function verbsOf({ verbs, custom }: ResourceType): readonly string[] {
  if (custom?.isTerminating !== true) return verbs
  return verbs.filter((verb) => !['patch', 'create', 'update'].includes(verb))
}

function apiResource(type: ResourceType): object {
  return {
    name: type.plural,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: verbsOf(type),
    ...omitEmpty('shortNames', type.shortNames),
    ...omitEmpty('categories', type.categories),
    ...(type.custom === undefined ? {} : { storageVersionHash: storageVersionHash(type) }),
  }
}

function apiSubresources(type: ResourceType): readonly object[] {
  return type.subresources.map((subresource) => {
    // Only if they differ from the list's own, as for pods/eviction of policy/v1.
    const isForeign = subresource.group !== type.group || subresource.version !== type.version
    return {
      name: `${type.plural}/${subresource.name}`,
      singularName: '',
      namespaced: type.namespaced,
      ...(isForeign ? { group: subresource.group, version: subresource.version } : {}),
      kind: subresource.kind,
      verbs: subresource.verbs,
    }
  })
}

function apiResourceList(types: readonly ResourceType[]): object {
  const [first] = types
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: first === undefined ? '' : groupVersion(first),
    resources: types.flatMap((type) => [apiResource(type), ...apiSubresources(type)]),
  }
}

function apiGroup(group: ApiGroup): object {
  const versions = [...group.versions.keys()].map((version) => ({
    groupVersion: groupVersion({ group: group.name, version }),
    version,
  }))
  return { name: group.name, versions, preferredVersion: versions[0] }
}

function apiVersions(request: KubeRequest): object {
  const serverAddress = request.headers?.['host'] ?? ''
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  }
}

// --- Aggregated: everything below /api or /apis in one document ------------------------------

function discoveredResource(type: ResourceType): object {
  return {
    resource: type.plural,
    responseKind: { group: type.group, version: type.version, kind: type.kind },
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: verbsOf(type),
    ...omitEmpty('shortNames', type.shortNames),
    ...omitEmpty('categories', type.categories),
    ...(type.subresources.length === 0
      ? {}
      : {
          subresources: type.subresources.map(({ name, kind, group, version, verbs }) => ({
            subresource: name,
            responseKind: { group, version, kind },
            verbs,
          })),
        }),
  }
}

function aggregatedList(groups: readonly ApiGroup[], format: Aggregated): KubeResponse {
  return {
    kind: 'object',
    status: 200,
    contentType: `application/json;g=apidiscovery.k8s.io;v=${format};as=APIGroupDiscoveryList`,
    body: {
      kind: 'APIGroupDiscoveryList',
      apiVersion: `apidiscovery.k8s.io/${format}`,
      metadata: {},
      items: groups.map((group) => ({
        // The core group has no name.
        metadata: group.name === '' ? {} : { name: group.name },
        versions: [...group.versions].map(([version, types]) => ({
          version,
          resources: types.map(discoveredResource),
          freshness: 'Current',
        })),
      })),
    },
  }
}

/** The first supported format of the Accept header; `undefined` for the plain one. kubectl up to 1.29 knows only v2beta1. */
function acceptedFormat(request: KubeRequest): Aggregated | undefined {
  for (const offer of (request.headers?.['accept'] ?? '').split(',')) {
    const parameters = offer.split(';').map((part) => part.trim())
    if (!parameters.includes('as=APIGroupDiscoveryList')) continue
    if (!parameters.includes('g=apidiscovery.k8s.io')) continue
    if (parameters.includes('v=v2')) return 'v2'
    if (parameters.includes('v=v2beta1')) return 'v2beta1'
  }
  return undefined
}

// --- Paths ---------------------------------------------------------------------------------

function found(body: object): KubeResponse {
  return { kind: 'object', status: 200, body }
}

function versionDocument(
  registry: ResourceRegistry,
  group: string,
  version: string,
): KubeResponse | undefined {
  const types = registry.at(group, version)
  return types.length === 0 ? undefined : found(apiResourceList(types))
}

function groupDocument(
  registry: ResourceRegistry,
  [name = '', version, ...rest]: readonly string[],
): KubeResponse | undefined {
  if (name === '' || rest.length > 0) return undefined
  if (version !== undefined) return versionDocument(registry, name, version)
  const group = apiGroups(registry.discovered).find((candidate) => candidate.name === name)
  if (group === undefined) return undefined
  return found({ kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group) })
}

function rootDocument(
  request: KubeRequest,
  registry: ResourceRegistry,
  root: 'api' | 'apis',
): KubeResponse {
  const groups = apiGroups(registry.discovered).filter(
    ({ name }) => (name === '') === (root === 'api'),
  )
  const format = acceptedFormat(request)
  if (format !== undefined) return aggregatedList(groups, format)
  if (root === 'api') return found(apiVersions(request))
  return found({ kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(apiGroup) })
}

/** Those of a real server that this one has: it answers, and has created its first objects before. In the server's order. */
const healthChecks: readonly HealthCheck[] = [
  ['ping'],
  ['poststarthook/start-system-namespaces-controller'],
  ['poststarthook/scheduling/bootstrap-system-priority-classes'],
  ['poststarthook/bootstrap-controller'],
]

/** All checks, or the one at the rest of the path. */
function health(
  group: string,
  rest: readonly string[],
  query: KubeRequest['query'] = {},
): KubeResponse | undefined {
  if (rest.length === 0) return healthOf(group, healthChecks, query)
  return healthChecks.some(([name]) => name === rest.join('/')) ? textAnswer(200, 'ok') : undefined
}

/** The answer to a request for discovery, version or health; `undefined` for other requests. */
export function discoveryResponse(
  request: KubeRequest,
  registry: ResourceRegistry,
): KubeResponse | undefined {
  if (request.method !== 'GET') return undefined
  const [root, ...rest] = request.path.split('/').filter((segment) => segment !== '')
  switch (root) {
    case 'api':
      if (rest.length === 0) return rootDocument(request, registry, 'api')
      return rest.length === 1 ? versionDocument(registry, '', rest[0] ?? '') : undefined
    case 'apis':
      return rest.length === 0
        ? rootDocument(request, registry, 'apis')
        : groupDocument(registry, rest)
    case 'version':
      return rest.length === 0 ? found(serverVersion()) : undefined
    case 'healthz':
    case 'livez':
    case 'readyz':
      return health(root, rest, request.query)
    default:
      return undefined
  }
}
