import { ageSince } from '../../../shared/kubernetes/printers/age.ts'
import type { PodDisruptionBudget } from '../../../shared/kubernetes/disruption-budget.ts'
import { nodeColumns, nodeWideColumns } from '../../../shared/kubernetes/printers/node-columns.ts'
import type {
  KubeObject,
  Lease,
  Namespace,
  Node,
  ObjectMeta,
  Pod,
} from '../../../shared/kubernetes/objects.ts'
import {
  podColumns,
  podWideColumns,
  restartsText,
} from '../../../shared/kubernetes/printers/pod-columns.ts'
import { daemonSetCells, type DaemonSet } from './daemon-set-cells.ts'
import { eventColumns, type SeriesEvent } from './event-columns.ts'
import { serviceCells } from './service-cells.ts'
import { claimCells, storageClassCells, volumeCells } from './storage-cells.ts'

export interface ColumnDefinition {
  readonly name: string
  readonly type: 'string' | 'integer' | 'boolean'
  /** `name` for the column with the object's name. */
  readonly format: '' | 'name'
  readonly description: string
  /** 0 always; 1 only with -o wide. */
  readonly priority: 0 | 1
}

export type Cell = string | number | boolean

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
const boolean = { type: 'boolean' } as const

export const podTable = printed<Pod>(
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

export const nodeTable = printed<Node>(
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

export const eventTable = printed<SeriesEvent>(
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

export const namespaceTable = printed<Namespace>(
  [nameColumn, column('Status', 'Whether the namespace is active or terminating.'), ageColumn],
  (namespace, now) => [namespace.metadata.name, namespace.status?.phase ?? '', age(namespace, now)],
)

export const leaseTable = printed<Lease>(
  [nameColumn, column('Holder', 'Who holds the lease.'), ageColumn],
  (lease, now) => [lease.metadata.name, lease.spec?.holderIdentity ?? '', age(lease, now)],
)

export const serviceAccountTable = printed<KubeObject>(
  [nameColumn, column('Secrets', 'How many secrets the account may use.'), ageColumn],
  (account, now) => {
    const secrets = account['secrets']
    return [account.metadata.name, Array.isArray(secrets) ? secrets.length : 0, age(account, now)]
  },
)

function entries(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

export const configMapTable = printed<KubeObject>(
  [nameColumn, column('Data', 'How many entries it has.'), ageColumn],
  (map, now) => [
    map.metadata.name,
    entries(map['data']) + entries(map['binaryData']),
    age(map, now),
  ],
)

export const secretTable = printed<KubeObject>(
  [
    nameColumn,
    column('Type', 'What the secret is for.'),
    column('Data', 'How many entries it has.'),
    ageColumn,
  ],
  (secret, now) => [
    secret.metadata.name,
    String(secret['type']),
    entries(secret['data']),
    age(secret, now),
  ],
)

export const serviceTable = printed<KubeObject>(
  [
    nameColumn,
    column('Type', 'How the service is exposed.'),
    column('Cluster-IP', 'Its address inside the cluster.'),
    column('External-IP', 'Its addresses or its name outside the cluster.'),
    column('Port(s)', 'Its ports, with the ports on the nodes.'),
    ageColumn,
    column('Selector', 'The labels that select its pods.', wide),
  ],
  (service, now) => serviceCells(service, age(service, now)),
)

const volumeModeColumn = column('VolumeMode', 'Whether it is a file system or a device.', wide)
const classColumns = [
  column('StorageClass', 'The class that it belongs to.'),
  column('VolumeAttributesClass', 'The class of its attributes.'),
]

export const claimTable = printed<KubeObject>(
  [
    nameColumn,
    column('Status', 'Whether the claim is bound to a volume.'),
    column('Volume', 'The volume that it is bound to.'),
    column('Capacity', 'The size of that volume.'),
    column('Access Modes', 'How that volume can be mounted.'),
    ...classColumns,
    ageColumn,
    volumeModeColumn,
  ],
  (claim, now) => claimCells(claim, age(claim, now)),
)

export const volumeTable = printed<KubeObject>(
  [
    nameColumn,
    column('Capacity', 'The size of the volume.'),
    column('Access Modes', 'How the volume can be mounted.'),
    column('Reclaim Policy', 'What happens to the volume when its claim is deleted.'),
    column('Status', 'Whether the volume is bound to a claim.'),
    column('Claim', 'The claim that it is bound to.'),
    ...classColumns,
    column('Reason', 'Why it is in that status.'),
    ageColumn,
    volumeModeColumn,
  ],
  (volume, now) => volumeCells(volume, age(volume, now)),
)

export const storageClassTable = printed<KubeObject>(
  [
    nameColumn,
    column('Provisioner', 'What makes the volumes.'),
    column('ReclaimPolicy', 'What happens to a volume when its claim is deleted.'),
    column('VolumeBindingMode', 'When volumes are made and bound.'),
    column('AllowVolumeExpansion', 'Whether claims can grow.'),
    ageColumn,
  ],
  (one, now) => storageClassCells(one, age(one, now)),
)

export const priorityClassTable = printed<KubeObject>(
  [
    nameColumn,
    column('Value', 'The priority of its pods.', integer),
    column('Global-Default', 'Whether pods that name no class belong to it.', boolean),
    ageColumn,
    column('PreemptionPolicy', 'Whether its pods preempt pods of lower priority.'),
  ],
  (one, now) => [
    one.metadata.name,
    Number(one['value']),
    one['globalDefault'] === true,
    age(one, now),
    String(one['preemptionPolicy']),
  ],
)

export const runtimeClassTable = printed<KubeObject>(
  [nameColumn, column('Handler', 'What runs its pods.'), ageColumn],
  (one, now) => [one.metadata.name, String(one['handler']), age(one, now)],
)

export const daemonSetTable = printed<DaemonSet>(
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

export const disruptionBudgetTable = printed<PodDisruptionBudget>(
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

export const plainTable = printed<KubeObject>([nameColumn, ageColumn], (object, now) => [
  object.metadata.name,
  age(object, now),
])
