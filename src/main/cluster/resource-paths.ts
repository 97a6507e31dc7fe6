import type { PodDisruptionBudget } from '../../shared/kubernetes/disruption-budget.ts'
import type { KubeObject, ObjectMeta } from '../../shared/kubernetes/objects.ts'
import type { Resources } from '../kubelet/ports.ts'

/** Every resource of an API server: by plural name where its objects have a type here, else as `v1/configmaps` or `apps/v1/deployments`. */
export interface AnyResources extends Resources {
  readonly serviceaccounts: KubeObject
  readonly poddisruptionbudgets: PodDisruptionBudget
  readonly [groupVersionResource: `${string}/${string}`]: KubeObject
}

export type AnyResource = keyof AnyResources

type KnownResource = Exclude<AnyResource, `${string}/${string}`>

/** What a request is about: a collection, or with `name` one object, or with `subresource` a part of it. */
export interface ResourceAddress<R extends AnyResource = AnyResource> {
  readonly resource: R
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: 'status' | 'eviction' | 'binding' | 'finalize' | undefined
}

interface ResourceType {
  readonly apiVersion: string
  readonly kind: string
}

const resourceTypes: { readonly [R in KnownResource]: ResourceType } = {
  pods: { apiVersion: 'v1', kind: 'Pod' },
  nodes: { apiVersion: 'v1', kind: 'Node' },
  events: { apiVersion: 'v1', kind: 'Event' },
  namespaces: { apiVersion: 'v1', kind: 'Namespace' },
  leases: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
  secrets: { apiVersion: 'v1', kind: 'Secret' },
  daemonsets: { apiVersion: 'apps/v1', kind: 'DaemonSet' },
  serviceaccounts: { apiVersion: 'v1', kind: 'ServiceAccount' },
  poddisruptionbudgets: { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
}

function isKnown(resource: AnyResource): resource is KnownResource {
  return Object.hasOwn(resourceTypes, resource)
}

/** What `apiVersion` and `kind` an object of this resource has, where they are known. Items of lists come without. */
export function resourceType(resource: AnyResource): Partial<ResourceType> {
  return isKnown(resource) ? resourceTypes[resource] : {}
}

function collectionOf(resource: AnyResource): readonly [groupVersion: string, plural: string] {
  if (isKnown(resource)) return [resourceTypes[resource].apiVersion, resource]
  const slash = resource.lastIndexOf('/')
  return [resource.slice(0, slash), resource.slice(slash + 1)]
}

/** client-go's MetaNamespaceKeyFunc, but with the slash also where there is no namespace. */
export function objectKey({ namespace = '', name }: ObjectMeta): string {
  return `${namespace}/${name}`
}

/** Where an object of a resource is. */
export function addressOf<R extends AnyResource>(
  resource: R,
  { metadata: { namespace, name } }: { readonly metadata: ObjectMeta },
): { readonly resource: R; readonly namespace?: string; readonly name: string } {
  return { resource, name, ...(namespace === undefined ? {} : { namespace }) }
}

/** The API path; segments are percent-encoded, so a name from outside can never reach another path. */
export function resourcePath(address: ResourceAddress): string {
  const [groupVersion, plural] = collectionOf(address.resource)
  const segments = [
    ...(address.namespace === undefined ? [] : ['namespaces', address.namespace]),
    plural,
    ...(address.name === undefined ? [] : [address.name]),
    ...(address.subresource === undefined ? [] : [address.subresource]),
  ]
  const root = groupVersion.includes('/') ? 'apis' : 'api'
  return ['', root, groupVersion, ...segments.map(encodeURIComponent)].join('/')
}
