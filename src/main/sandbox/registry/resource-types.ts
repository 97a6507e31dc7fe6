import { certificateRequestTable } from '../surface/tables/certificate-request-table.ts'
import { endpointSliceTable, endpointsTable } from '../surface/tables/endpoint-tables.ts'
import {
  controllerRevisionTable,
  cronJobTable,
  daemonSetTable,
  deploymentTable,
  jobTable,
  replicaSetTable,
  replicationControllerTable,
  statefulSetTable,
} from '../surface/tables/workload-tables.ts'
import { eventTable } from '../surface/tables/event-table.ts'
import { quotaTable } from '../surface/tables/quota-table.ts'
import { bindingTable, createdTable } from '../surface/tables/rbac-tables.ts'
import { serviceTable } from '../surface/tables/service-table.ts'
import { claimTable, storageClassTable, volumeTable } from '../surface/tables/storage-tables.ts'
import {
  configMapTable,
  disruptionBudgetTable,
  leaseTable,
  namespaceTable,
  nodeTable,
  podTable,
  priorityClassTable,
  runtimeClassTable,
  secretTable,
  serviceAccountTable,
} from '../surface/tables/tables.ts'
import { definitionStrategy } from './custom/definition-strategy.ts'
import { certificateRequestStrategy } from './certificate/certificate-request-strategy.ts'
import { claimStrategy } from './claim-strategy.ts'
import {
  priorityClassStrategy,
  runtimeClassStrategy,
  storageClassStrategy,
} from './class-strategies.ts'
import { endpointSliceStrategy } from './endpoint/endpoint-slice-strategy.ts'
import { endpointsStrategy } from './endpoint/endpoints-strategy.ts'
import { disruptionBudgetStrategy } from './disruption-budget-strategy.ts'
import { newEvent, oldEvent } from './event-conversion.ts'
import { eventStrategy, newEventStrategy } from './event-strategy.ts'
import { leaseStrategy } from './lease-strategy.ts'
import { namespaceStrategy } from './namespace-strategy.ts'
import { nodeStrategy } from './node-strategy.ts'
import { podStrategy } from './pod/pod-strategy.ts'
import type { ResourceType, Subresource } from './resource-type.ts'
import { configMapStrategy, secretStrategy, serviceAccountStrategy } from './secret-strategy.ts'
import {
  certificateRequestFields,
  eventFields,
  newEventFields,
  jobFields,
  namespaceFields,
  nodeFields,
  podFields,
  replicatedFields,
  secretFields,
  serviceFields,
} from '../../../shared/kubernetes/selectors/selectable-fields.ts'
import { limitRangeStrategy } from './quota/limit-range-strategy.ts'
import { quotaStrategy } from './quota/quota-strategy.ts'
import { bindingStrategies, roleStrategies } from './rbac/rbac-strategies.ts'
import { serviceStrategy } from './service/service-strategy.ts'
import { plainStrategy } from './strategy.ts'
import { volumeStrategy } from './volume-strategy.ts'
import { controllerRevisionStrategy } from './workload/controller-revision-strategy.ts'
import { cronJobStrategy } from './workload/cron-job-strategy.ts'
import { daemonSetStrategy } from './workload/daemon-set-strategy.ts'
import { deploymentStrategy } from './workload/deployment-strategy.ts'
import { jobStrategy } from './workload/job-strategy.ts'
import {
  replicaSetStrategy,
  replicationControllerStrategy,
} from './workload/replica-set-strategy.ts'
import { statefulSetStrategy } from './workload/stateful-set-strategy.ts'

// In the order of real discovery documents.
const allVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
] as const

/** A subresource whose body is a kind of `groupVersion`. */
function subresource(
  name: string,
  groupVersion: string,
  kind: string,
  verbs: readonly string[],
): Subresource {
  const [version = '', group = ''] = groupVersion.split('/').toReversed()
  return { name, kind, group, version, verbs }
}

const streamVerbs = ['create', 'get'] as const
const connectVerbs = ['create', 'delete', 'get', 'patch', 'update'] as const

function status(groupVersion: string, kind: string): Subresource {
  return subresource('status', groupVersion, kind, ['get', 'patch', 'update'])
}

/**
 * A resource: namespaced, with all verbs and a plain strategy, unless `own` says otherwise. Decoding, field
 * validation, OpenAPI and strategic merges follow from the kind's schema in shared/kubernetes/schema/api-schemas.json.
 */
export function resource(
  groupVersion: string,
  kind: string,
  plural: string,
  own: Partial<ResourceType> = {},
): ResourceType {
  const [version = '', group = ''] = groupVersion.split('/').toReversed()
  return {
    group,
    version,
    kind,
    plural,
    singular: kind.toLowerCase(),
    shortNames: [],
    namespaced: true,
    verbs: allVerbs,
    categories: [],
    subresources: [],
    strategy: plainStrategy(),
    columns: createdTable,
    selectableFields: undefined,
    ...own,
  }
}

const scale = subresource('scale', 'autoscaling/v1', 'Scale', ['get', 'patch', 'update'])

/** A kind whose controller creates pods. */
function workload(
  groupVersion: string,
  kind: string,
  plural: string,
  own: Pick<ResourceType, 'strategy' | 'columns'> & Partial<ResourceType>,
): ResourceType {
  const { subresources = [], ...rest } = own
  return resource(groupVersion, kind, plural, {
    categories: ['all'],
    subresources: [...subresources, status(groupVersion, kind)],
    ...rest,
  })
}

/** Exported for evictions. */
export const disruptionBudgets = resource(
  'policy/v1',
  'PodDisruptionBudget',
  'poddisruptionbudgets',
  {
    shortNames: ['pdb'],
    subresources: [status('policy/v1', 'PodDisruptionBudget')],
    strategy: disruptionBudgetStrategy,
    columns: disruptionBudgetTable,
  },
)

const coreEvents = resource('v1', 'Event', 'events', {
  shortNames: ['ev'],
  strategy: eventStrategy,
  columns: eventTable,
  selectableFields: eventFields,
})

/** The same events in their newer version. */
const newEvents = resource('events.k8s.io/v1', 'Event', 'events', {
  shortNames: ['ev'],
  strategy: newEventStrategy,
  columns: { ...eventTable, cells: (event, now) => eventTable.cells(oldEvent(event), now) },
  selectableFields: newEventFields,
  storedAs: { type: coreEvents, fromStored: newEvent, toStored: oldEvent },
})

/**
 * Everything the sandbox serves, in the order of discovery. This is the one place where a kind is added: a line here,
 * with its strategy, columns and selectable fields if it has any.
 */
export const resourceTypes: readonly ResourceType[] = [
  resource('v1', 'Pod', 'pods', {
    shortNames: ['po'],
    categories: ['all'],
    subresources: [
      subresource('attach', 'v1', 'PodAttachOptions', streamVerbs),
      subresource('binding', 'v1', 'Binding', ['create']),
      subresource('ephemeralcontainers', 'v1', 'Pod', ['get', 'patch', 'update']),
      subresource('eviction', 'policy/v1', 'Eviction', ['create']),
      subresource('exec', 'v1', 'PodExecOptions', streamVerbs),
      subresource('log', 'v1', 'Pod', ['get']),
      subresource('portforward', 'v1', 'PodPortForwardOptions', streamVerbs),
      subresource('resize', 'v1', 'Pod', ['get', 'patch', 'update']),
      status('v1', 'Pod'),
    ],
    strategy: podStrategy,
    columns: podTable,
    selectableFields: podFields,
  }),
  resource('v1', 'Node', 'nodes', {
    shortNames: ['no'],
    namespaced: false,
    subresources: [
      subresource('proxy', 'v1', 'NodeProxyOptions', connectVerbs),
      status('v1', 'Node'),
    ],
    strategy: nodeStrategy,
    columns: nodeTable,
    selectableFields: nodeFields,
  }),
  resource('v1', 'Namespace', 'namespaces', {
    shortNames: ['ns'],
    namespaced: false,
    // Real servers do not delete collections of namespaces.
    verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
    subresources: [
      subresource('finalize', 'v1', 'Namespace', ['update']),
      status('v1', 'Namespace'),
    ],
    strategy: namespaceStrategy,
    columns: namespaceTable,
    selectableFields: namespaceFields,
  }),
  coreEvents,
  resource('v1', 'ServiceAccount', 'serviceaccounts', {
    shortNames: ['sa'],
    subresources: [subresource('token', 'authentication.k8s.io/v1', 'TokenRequest', ['create'])],
    strategy: serviceAccountStrategy,
    columns: serviceAccountTable,
  }),
  resource('v1', 'ConfigMap', 'configmaps', {
    shortNames: ['cm'],
    strategy: configMapStrategy,
    columns: configMapTable,
  }),
  resource('v1', 'Secret', 'secrets', {
    strategy: secretStrategy,
    columns: secretTable,
    selectableFields: secretFields,
  }),
  resource('v1', 'Service', 'services', {
    shortNames: ['svc'],
    categories: ['all'],
    subresources: [status('v1', 'Service')],
    strategy: serviceStrategy,
    columns: serviceTable,
    selectableFields: serviceFields,
  }),
  resource('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', {
    shortNames: ['pvc'],
    subresources: [status('v1', 'PersistentVolumeClaim')],
    strategy: claimStrategy,
    columns: claimTable,
  }),
  resource('v1', 'PersistentVolume', 'persistentvolumes', {
    shortNames: ['pv'],
    namespaced: false,
    subresources: [status('v1', 'PersistentVolume')],
    strategy: volumeStrategy,
    columns: volumeTable,
  }),
  workload('v1', 'ReplicationController', 'replicationcontrollers', {
    shortNames: ['rc'],
    subresources: [scale],
    strategy: replicationControllerStrategy,
    columns: replicationControllerTable,
    selectableFields: replicatedFields,
  }),
  resource('v1', 'Endpoints', 'endpoints', {
    shortNames: ['ep'],
    strategy: endpointsStrategy,
    columns: endpointsTable,
  }),
  resource('v1', 'ResourceQuota', 'resourcequotas', {
    shortNames: ['quota'],
    subresources: [status('v1', 'ResourceQuota')],
    strategy: quotaStrategy,
    columns: quotaTable,
  }),
  resource('v1', 'LimitRange', 'limitranges', {
    shortNames: ['limits'],
    strategy: limitRangeStrategy,
    columns: createdTable,
  }),
  newEvents,
  resource('coordination.k8s.io/v1', 'Lease', 'leases', {
    strategy: leaseStrategy,
    columns: leaseTable,
  }),
  resource('apps/v1', 'ControllerRevision', 'controllerrevisions', {
    strategy: controllerRevisionStrategy,
    columns: controllerRevisionTable,
  }),
  workload('apps/v1', 'DaemonSet', 'daemonsets', {
    shortNames: ['ds'],
    strategy: daemonSetStrategy,
    columns: daemonSetTable,
  }),
  workload('apps/v1', 'Deployment', 'deployments', {
    shortNames: ['deploy'],
    subresources: [scale],
    strategy: deploymentStrategy,
    columns: deploymentTable,
  }),
  workload('apps/v1', 'ReplicaSet', 'replicasets', {
    shortNames: ['rs'],
    subresources: [scale],
    strategy: replicaSetStrategy,
    columns: replicaSetTable,
  }),
  workload('apps/v1', 'StatefulSet', 'statefulsets', {
    shortNames: ['sts'],
    subresources: [scale],
    strategy: statefulSetStrategy,
    columns: statefulSetTable,
  }),
  workload('batch/v1', 'CronJob', 'cronjobs', {
    shortNames: ['cj'],
    strategy: cronJobStrategy,
    columns: cronJobTable,
  }),
  workload('batch/v1', 'Job', 'jobs', {
    strategy: jobStrategy,
    columns: jobTable,
    selectableFields: jobFields,
  }),
  resource('certificates.k8s.io/v1', 'CertificateSigningRequest', 'certificatesigningrequests', {
    shortNames: ['csr'],
    namespaced: false,
    subresources: [
      subresource('approval', 'certificates.k8s.io/v1', 'CertificateSigningRequest', [
        'get',
        'patch',
        'update',
      ]),
      status('certificates.k8s.io/v1', 'CertificateSigningRequest'),
    ],
    strategy: certificateRequestStrategy,
    columns: certificateRequestTable,
    selectableFields: certificateRequestFields,
  }),
  resource('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices', {
    strategy: endpointSliceStrategy,
    columns: endpointSliceTable,
  }),
  disruptionBudgets,
  resource('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses', {
    shortNames: ['pc'],
    namespaced: false,
    strategy: priorityClassStrategy,
    columns: priorityClassTable,
  }),
  resource('node.k8s.io/v1', 'RuntimeClass', 'runtimeclasses', {
    namespaced: false,
    strategy: runtimeClassStrategy,
    columns: runtimeClassTable,
  }),
  resource('rbac.authorization.k8s.io/v1', 'Role', 'roles', {
    strategy: roleStrategies.role,
    columns: createdTable,
  }),
  resource('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings', {
    strategy: bindingStrategies.binding,
    columns: bindingTable,
  }),
  resource('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', {
    namespaced: false,
    strategy: roleStrategies.clusterRole,
    columns: createdTable,
  }),
  resource('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'clusterrolebindings', {
    namespaced: false,
    strategy: bindingStrategies.clusterBinding,
    columns: bindingTable,
  }),
  resource('storage.k8s.io/v1', 'StorageClass', 'storageclasses', {
    shortNames: ['sc'],
    namespaced: false,
    strategy: storageClassStrategy,
    columns: storageClassTable,
  }),
  resource('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions', {
    shortNames: ['crd', 'crds'],
    namespaced: false,
    categories: ['api-extensions'],
    subresources: [status('apiextensions.k8s.io/v1', 'CustomResourceDefinition')],
    strategy: definitionStrategy,
  }),
]

const typesByKind: ReadonlyMap<string, ResourceType> = new Map(
  // A kind that two groups have is that of the group in which it is stored.
  resourceTypes.flatMap((type) => (type.storedAs === undefined ? [[type.kind, type]] : [])),
)

/** The resource of a kind. Throws for a kind that the sandbox does not serve. */
export function typeOfKind(kind: string): ResourceType {
  const type = typesByKind.get(kind)
  if (type === undefined) throw new Error(`no resource of kind ${kind}`)
  return type
}
