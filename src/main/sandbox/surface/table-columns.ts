import { ageSince } from '../../../shared/kubernetes/age.ts'
import type { PodDisruptionBudget } from '../../../shared/kubernetes/disruption-budget.ts'
import { nodeColumns, nodeWideColumns } from '../../../shared/kubernetes/node-columns.ts'
import type {
  KubeObject,
  Lease,
  Namespace,
  Node,
  ObjectMeta,
  Pod,
} from '../../../shared/kubernetes/objects.ts'
import { podColumns, podWideColumns, restartsText } from '../../../shared/kubernetes/pod-columns.ts'
import { groupResource, type ResourceType } from '../resource-types.ts'
import { daemonSetCells, type DaemonSet } from './daemon-set-cells.ts'
import { eventColumns, type SeriesEvent } from './event-columns.ts'

export interface ColumnDefinition {
  readonly name: string
  readonly type: 'string' | 'integer'
  /** `name` for the column with the object's name. */
  readonly format: '' | 'name'
  readonly description: string
  /** 0 always; 1 only with -o wide. */
  readonly priority: 0 | 1
}

export type Cell = string | number

/** How one resource is printed. Cells stand in the order of the columns, wide ones included. */
export interface TableColumns {
  readonly columns: readonly ColumnDefinition[]
  readonly cells: (object: KubeObject, now: number) => readonly Cell[]
}

function column(
  name: string,
  description: string,
  rest: Partial<ColumnDefinition> = {},
): ColumnDefinition {
  return { name, type: 'string', format: '', description, priority: 0, ...rest }
}

function printed<T extends { readonly metadata: ObjectMeta }>(
  columns: readonly ColumnDefinition[],
  cells: (object: T, now: number) => readonly Cell[],
): TableColumns {
  // The server stores a kind's objects under its own resource only, so the object has that kind's shape.
  return { columns, cells: (object, now) => cells(object as unknown as T, now) }
}

function age(object: { readonly metadata: ObjectMeta }, now: number): string {
  return ageSince(object.metadata.creationTimestamp, now)
}

const nameColumn = column('Name', 'The name of the object.', { format: 'name' })
const ageColumn = column('Age', 'How long ago the object was created.')
const wide = { priority: 1 } as const
const integer = { type: 'integer' } as const

const pods = printed<Pod>(
  [
    nameColumn,
    column('Ready', 'How many of the containers of the pod are ready.'),
    column('Status', 'The status computed from the container states.'),
    column('Restarts', 'How often containers were restarted, and when the last restart was.'),
    ageColumn,
    column('IP', 'The address of the pod.', wide),
    column('Node', 'The node the pod is bound to.', wide),
    column('Nominated Node', 'The node on which pods are preempted for the pod.', wide),
    column('Readiness Gates', 'How many readiness gates are true.', wide),
  ],
  (pod, now) => {
    const columns = podColumns(pod, now)
    const more = podWideColumns(pod)
    const ready = `${columns.readyContainers}/${columns.totalContainers}`
    return [
      pod.metadata.name,
      ready,
      columns.status,
      restartsText(columns, now),
      columns.age,
      more.ip,
      more.node,
      more.nominatedNode,
      more.readinessGates,
    ]
  },
)

const nodes = printed<Node>(
  [
    nameColumn,
    column('Status', 'Whether the node is ready, and whether pods can be scheduled on it.'),
    column('Roles', 'The roles that its labels name.'),
    ageColumn,
    column('Version', 'The version of its kubelet.'),
    column('Internal-IP', 'Its address inside the cluster.', wide),
    column('External-IP', 'Its address outside the cluster.', wide),
    column('OS-Image', 'The operating system that it reports.', wide),
    column('Kernel-Version', 'The kernel that it reports.', wide),
    column('Container-Runtime', 'The container runtime that it reports.', wide),
  ],
  (node, now) => {
    const columns = nodeColumns(node, now)
    const more = nodeWideColumns(node)
    return [
      node.metadata.name,
      columns.status,
      columns.roles,
      columns.age,
      columns.version,
      more.internalIp,
      more.externalIp,
      more.osImage,
      more.kernelVersion,
      more.containerRuntime,
    ]
  },
)

const events = printed<SeriesEvent>(
  [
    column('Last Seen', 'When the event was last observed.'),
    column('Type', 'Normal or Warning.'),
    column('Reason', 'Why, in one word for programs.'),
    column('Object', 'What the event is about.'),
    column('Subobject', 'The part of the object that the event is about.', wide),
    column('Source', 'Who reported the event.', wide),
    column('Message', 'What happened, for people.'),
    column('First Seen', 'When the event was first observed.', wide),
    column('Count', 'How often the event was observed.', wide),
    column('Name', 'The name of the event.', { ...wide, format: 'name' }),
  ],
  (event, now) => {
    const { lastSeen, firstSeen, count, target, source, message } = eventColumns(event, now)
    return [
      lastSeen,
      event.type ?? '',
      event.reason ?? '',
      target,
      event.involvedObject.fieldPath ?? '',
      source,
      message,
      firstSeen,
      count,
      event.metadata.name,
    ]
  },
)

const namespaces = printed<Namespace>(
  [nameColumn, column('Status', 'Whether the namespace is active or terminating.'), ageColumn],
  (namespace, now) => [namespace.metadata.name, namespace.status?.phase ?? '', age(namespace, now)],
)

const leases = printed<Lease>(
  [nameColumn, column('Holder', 'Who holds the lease.'), ageColumn],
  (lease, now) => [lease.metadata.name, lease.spec?.holderIdentity ?? '', age(lease, now)],
)

const serviceAccounts = printed<KubeObject>(
  [nameColumn, column('Secrets', 'How many secrets the account may use.'), ageColumn],
  (account, now) => {
    const secrets = account['secrets']
    return [account.metadata.name, Array.isArray(secrets) ? secrets.length : 0, age(account, now)]
  },
)

function entries(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

const configMaps = printed<KubeObject>(
  [nameColumn, column('Data', 'How many entries it has.'), ageColumn],
  (map, now) => [
    map.metadata.name,
    entries(map['data']) + entries(map['binaryData']),
    age(map, now),
  ],
)

const daemonSets = printed<DaemonSet>(
  [
    nameColumn,
    column('Desired', 'How many nodes should run the pod.', integer),
    column('Current', 'How many of those nodes have it.', integer),
    column('Ready', 'How many of them are ready.', integer),
    column('Up-to-date', 'How many of them have the current template.', integer),
    column('Available', 'How many of them have been ready long enough.', integer),
    column('Node Selector', 'The labels that a node must have.'),
    ageColumn,
    column('Containers', 'The names of the containers in the template.', wide),
    column('Images', 'The images of the containers in the template.', wide),
    column('Selector', 'The labels that select its pods.', wide),
  ],
  (set, now) => daemonSetCells(set, age(set, now)),
)

const disruptionBudgets = printed<PodDisruptionBudget>(
  [
    nameColumn,
    column('Min Available', 'How many pods must stay healthy.'),
    column('Max Unavailable', 'How many pods may be unavailable.'),
    column('Allowed Disruptions', 'How many pods can be evicted now.', integer),
    ageColumn,
  ],
  (budget, now) => [
    budget.metadata.name,
    String(budget.spec.minAvailable ?? 'N/A'),
    String(budget.spec.maxUnavailable ?? 'N/A'),
    budget.status.disruptionsAllowed,
    age(budget, now),
  ],
)

const others = printed<KubeObject>([nameColumn, ageColumn], (object, now) => [
  object.metadata.name,
  age(object, now),
])

const columnsByResource: ReadonlyMap<string, TableColumns> = new Map([
  ['pods', pods],
  ['nodes', nodes],
  ['events', events],
  ['namespaces', namespaces],
  ['leases.coordination.k8s.io', leases],
  ['serviceaccounts', serviceAccounts],
  ['configmaps', configMaps],
  ['daemonsets.apps', daemonSets],
  ['poddisruptionbudgets.policy', disruptionBudgets],
])

/** kubectl's own columns for the resources that are looked at, NAME and AGE for the rest. */
export function columnsFor(type: Pick<ResourceType, 'group' | 'plural'>): TableColumns {
  return columnsByResource.get(groupResource(type)) ?? others
}
