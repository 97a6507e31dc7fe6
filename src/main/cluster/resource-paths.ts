import type { ResourceName } from '../kubelet/ports.ts'

/** What a request is about: a collection, or with `name` one object, or with `subresource` a part of it. */
export interface ResourceAddress {
  readonly resource: ResourceName
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: 'status' | 'eviction' | undefined
}

interface ResourceType {
  readonly apiVersion: string
  readonly kind: string
}

const resourceTypes: { readonly [R in ResourceName]: ResourceType } = {
  pods: { apiVersion: 'v1', kind: 'Pod' },
  nodes: { apiVersion: 'v1', kind: 'Node' },
  events: { apiVersion: 'v1', kind: 'Event' },
  namespaces: { apiVersion: 'v1', kind: 'Namespace' },
  leases: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
  secrets: { apiVersion: 'v1', kind: 'Secret' },
  daemonsets: { apiVersion: 'apps/v1', kind: 'DaemonSet' },
}

/** What `apiVersion` and `kind` an object of this resource has. Items of lists come without. */
export function resourceType(resource: ResourceName): ResourceType {
  return resourceTypes[resource]
}

function groupVersionPath(resource: ResourceName): string {
  const { apiVersion } = resourceTypes[resource]
  return apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
}

/** The API path; segments are percent-encoded, so a name from outside can never reach another path. */
export function resourcePath(address: ResourceAddress): string {
  const segments = [
    ...(address.namespace === undefined ? [] : ['namespaces', address.namespace]),
    address.resource,
    ...(address.name === undefined ? [] : [address.name]),
    ...(address.subresource === undefined ? [] : [address.subresource]),
  ]
  return [groupVersionPath(address.resource), ...segments.map(encodeURIComponent)].join('/')
}
