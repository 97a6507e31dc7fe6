import { defined } from '../../../shared/json.ts'
import type { PodDisruptionBudget } from '../../../shared/kubernetes/disruption-budget.ts'
import type { KubeObject, ObjectMeta } from '../../../shared/kubernetes/objects.ts'
import type {
  ControllerRevision,
  CronJob,
  DaemonSet,
  Deployment,
  Job,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from '../../../shared/kubernetes/workloads.ts'
import type { Resources } from '../../kubelet/ports.ts'

/** Every resource of an API server: by plural name if its objects have a type here, else `v1/limitranges` or `apps/v1/deployments`. */
export interface AnyResources extends Resources {
  readonly serviceaccounts: KubeObject
  readonly poddisruptionbudgets: PodDisruptionBudget
  readonly 'apps/v1/deployments': Deployment
  readonly 'apps/v1/replicasets': ReplicaSet
  readonly 'apps/v1/controllerrevisions': ControllerRevision
  readonly 'apps/v1/daemonsets': DaemonSet
  readonly 'apps/v1/statefulsets': StatefulSet
  readonly 'batch/v1/cronjobs': CronJob
  readonly 'batch/v1/jobs': Job
  readonly 'v1/replicationcontrollers': ReplicationController
  readonly [groupVersionResource: `${string}/${string}`]: KubeObject
}

export type AnyResource = keyof AnyResources

type KnownResource = Exclude<AnyResource, `${string}/${string}`>

/** A collection; with `name` one object, with `subresource` one of its subresources. */
export interface ResourceAddress<R extends AnyResource = AnyResource> {
  readonly resource: R
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?:
    'status' | 'approval' | 'eviction' | 'binding' | 'finalize' | 'token' | undefined
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
  configmaps: { apiVersion: 'v1', kind: 'ConfigMap' },
  services: { apiVersion: 'v1', kind: 'Service' },
  runtimeclasses: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass' },
  daemonsets: { apiVersion: 'apps/v1', kind: 'DaemonSet' },
  serviceaccounts: { apiVersion: 'v1', kind: 'ServiceAccount' },
  poddisruptionbudgets: { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
}

/** Of resources that are named by their path. */
const otherKinds: Readonly<Record<string, string>> = {
  'apps/v1/controllerrevisions': 'ControllerRevision',
  'apps/v1/daemonsets': 'DaemonSet',
  'apps/v1/deployments': 'Deployment',
  'apps/v1/replicasets': 'ReplicaSet',
  'apps/v1/statefulsets': 'StatefulSet',
  'batch/v1/cronjobs': 'CronJob',
  'batch/v1/jobs': 'Job',
  'discovery.k8s.io/v1/endpointslices': 'EndpointSlice',
  'rbac.authorization.k8s.io/v1/clusterroles': 'ClusterRole',
  'v1/endpoints': 'Endpoints',
  'v1/persistentvolumeclaims': 'PersistentVolumeClaim',
  'v1/persistentvolumes': 'PersistentVolume',
  'v1/replicationcontrollers': 'ReplicationController',
}

function isKnown(resource: AnyResource): resource is KnownResource {
  return Object.hasOwn(resourceTypes, resource)
}

/** `apiVersion` and `kind` of a resource's objects, if known. Items of lists have neither. */
export function resourceType(resource: AnyResource): Partial<ResourceType> {
  if (isKnown(resource)) return resourceTypes[resource]
  const kind = otherKinds[resource]
  return kind === undefined ? {} : { kind, apiVersion: collectionOf(resource)[0] }
}

function collectionOf(resource: AnyResource): readonly [groupVersion: string, plural: string] {
  if (isKnown(resource)) return [resourceTypes[resource].apiVersion, resource]
  const slash = resource.lastIndexOf('/')
  return [resource.slice(0, slash), resource.slice(slash + 1)]
}

/** client-go's MetaNamespaceKeyFunc, but cluster-scoped objects also have the slash. */
export function objectKey({ namespace = '', name }: ObjectMeta): string {
  return `${namespace}/${name}`
}

/** The address of an object. */
export function addressOf<R extends AnyResource>(
  resource: R,
  { metadata: { namespace, name } }: { readonly metadata: ObjectMeta },
): { readonly resource: R; readonly namespace?: string; readonly name: string } {
  return { resource, name, ...defined({ namespace }) }
}

/** The API path. Segments are percent-encoded, so that a name cannot lead to another path. */
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
