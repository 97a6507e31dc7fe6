/** A part of an object with a path of its own; group and version are those of the body it takes. */
export interface Subresource {
  readonly name: string
  readonly kind: string
  readonly group: string
  readonly version: string
  readonly verbs: readonly string[]
}

/** One resource that the sandbox's API server knows. `group` is empty for the core group. */
export interface ResourceType {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly shortNames: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly categories: readonly string[]
  readonly subresources: readonly Subresource[]
}

// In the order in which real discovery answers list them.
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

// Namespaces can be deleted one by one only.
const namespaceVerbs = allVerbs.filter((verb) => verb !== 'deletecollection')

// Resources without behaviour here: always empty lists, so that `kubectl get all`, drain, `describe
// namespace` and the DaemonSet look-up before a join have something to ask.
const readVerbs = ['get', 'list', 'watch'] as const

const statusVerbs = ['get', 'patch', 'update'] as const

function core(
  type: Pick<ResourceType, 'plural' | 'singular' | 'kind' | 'shortNames'> & Partial<ResourceType>,
): ResourceType {
  return {
    group: '',
    version: 'v1',
    namespaced: true,
    verbs: allVerbs,
    categories: [],
    subresources: [],
    ...type,
  }
}

function readOnlyApps(plural: string, kind: string, shortName: string): ResourceType {
  return {
    group: 'apps',
    version: 'v1',
    plural,
    singular: kind.toLowerCase(),
    kind,
    shortNames: [shortName],
    namespaced: true,
    verbs: readVerbs,
    categories: ['all'],
    subresources: [],
  }
}

function coreStatus(kind: string): Subresource {
  return { name: 'status', kind, group: '', version: 'v1', verbs: statusVerbs }
}

/** Named here since evictions ask them. */
export const disruptionBudgets: ResourceType = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  singular: 'poddisruptionbudget',
  kind: 'PodDisruptionBudget',
  shortNames: ['pdb'],
  namespaced: true,
  verbs: allVerbs,
  categories: [],
  subresources: [
    {
      name: 'status',
      kind: 'PodDisruptionBudget',
      group: 'policy',
      version: 'v1',
      verbs: statusVerbs,
    },
  ],
}

/** Everything the sandbox serves. Discovery, tables, OpenAPI and the store are all made from this. */
export const resourceTypes: readonly ResourceType[] = [
  core({
    plural: 'pods',
    singular: 'pod',
    kind: 'Pod',
    shortNames: ['po'],
    categories: ['all'],
    subresources: [
      { name: 'binding', kind: 'Binding', group: '', version: 'v1', verbs: ['create'] },
      { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
      coreStatus('Pod'),
    ],
  }),
  core({
    plural: 'nodes',
    singular: 'node',
    kind: 'Node',
    shortNames: ['no'],
    namespaced: false,
    subresources: [coreStatus('Node')],
  }),
  core({
    plural: 'namespaces',
    singular: 'namespace',
    kind: 'Namespace',
    shortNames: ['ns'],
    namespaced: false,
    verbs: namespaceVerbs,
    subresources: [
      { name: 'finalize', kind: 'Namespace', group: '', version: 'v1', verbs: ['update'] },
      coreStatus('Namespace'),
    ],
  }),
  core({ plural: 'events', singular: 'event', kind: 'Event', shortNames: ['ev'] }),
  core({
    plural: 'serviceaccounts',
    singular: 'serviceaccount',
    kind: 'ServiceAccount',
    shortNames: ['sa'],
  }),
  core({ plural: 'configmaps', singular: 'configmap', kind: 'ConfigMap', shortNames: ['cm'] }),
  core({
    plural: 'services',
    singular: 'service',
    kind: 'Service',
    shortNames: ['svc'],
    verbs: readVerbs,
    categories: ['all'],
  }),
  core({
    plural: 'replicationcontrollers',
    singular: 'replicationcontroller',
    kind: 'ReplicationController',
    shortNames: ['rc'],
    verbs: readVerbs,
    categories: ['all'],
  }),
  core({
    plural: 'resourcequotas',
    singular: 'resourcequota',
    kind: 'ResourceQuota',
    shortNames: ['quota'],
    verbs: readVerbs,
  }),
  core({
    plural: 'limitranges',
    singular: 'limitrange',
    kind: 'LimitRange',
    shortNames: ['limits'],
    verbs: readVerbs,
  }),
  {
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    singular: 'lease',
    kind: 'Lease',
    shortNames: [],
    namespaced: true,
    verbs: allVerbs,
    categories: [],
    subresources: [],
  },
  readOnlyApps('daemonsets', 'DaemonSet', 'ds'),
  disruptionBudgets,
]

/** How errors and events name a resource: `pods`, `leases.coordination.k8s.io`. */
export function groupResource(type: Pick<ResourceType, 'group' | 'plural'>): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`
}

/** `v1`, `apps/v1`. */
export function groupVersion(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}
