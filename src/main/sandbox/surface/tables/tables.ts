import type { PodDisruptionBudget } from '../../../../shared/kubernetes/disruption-budget.ts'
import type { Lease, Namespace, Node, Pod } from '../../../../shared/kubernetes/objects.ts'
import {
  nodeColumns,
  nodeWideColumns,
} from '../../../../shared/kubernetes/printers/node-columns.ts'
import {
  podColumns,
  podWideColumns,
  restartsText,
} from '../../../../shared/kubernetes/printers/pod-columns.ts'
import { ageColumn, boolean, column, integer, nameColumn, tableOf, wide } from './columns.ts'

export const podTable = tableOf(
  [
    nameColumn,
    column('Ready', 'ready', 'How many of the containers of the pod are ready.'),
    column('Status', 'status', 'The status computed from the container states.'),
    column('Restarts', 'restarts', 'How often containers restarted, and when the last time was.'),
    ageColumn,
    column('IP', 'ip', 'The address of the pod.', wide),
    column('Node', 'node', 'The node the pod is bound to.', wide),
    column('Nominated Node', 'nominatedNode', 'The node on which pods are preempted for it.', wide),
    column('Readiness Gates', 'readinessGates', 'How many readiness gates are true.', wide),
  ],
  (pod: Pod, now) => {
    const columns = podColumns(pod, now)
    return {
      ...podWideColumns(pod),
      status: columns.status,
      ready: `${columns.readyContainers}/${columns.totalContainers}`,
      restarts: restartsText(columns, now),
    }
  },
)

export const nodeTable = tableOf(
  [
    nameColumn,
    column('Status', 'status', 'Whether the node is ready and accepts pods.'),
    column('Roles', 'roles', 'The roles that its labels name.'),
    ageColumn,
    column('Version', 'version', 'The version of its kubelet.'),
    column('Internal-IP', 'internalIp', 'Its address inside the cluster.', wide),
    column('External-IP', 'externalIp', 'Its address outside the cluster.', wide),
    column('OS-Image', 'osImage', 'The operating system that it reports.', wide),
    column('Kernel-Version', 'kernelVersion', 'The kernel that it reports.', wide),
    column('Container-Runtime', 'containerRuntime', 'The container runtime that it reports.', wide),
  ],
  (node: Node, now) => ({ ...nodeColumns(node, now), ...nodeWideColumns(node) }),
)

export const namespaceTable = tableOf(
  [
    nameColumn,
    column('Status', 'status', 'Whether the namespace is active or terminating.'),
    ageColumn,
  ],
  ({ status }: Namespace) => ({ status: status?.phase ?? '' }),
)

export const leaseTable = tableOf(
  [nameColumn, column('Holder', 'holder', 'Who holds the lease.'), ageColumn],
  ({ spec }: Lease) => ({ holder: spec?.holderIdentity ?? '' }),
)

/** The number of entries of a list or a map. */
function entries(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

const dataColumn = column('Data', 'data', 'How many entries it has.')

export const serviceAccountTable = tableOf(
  [nameColumn, column('Secrets', 'secrets', 'How many secrets the account may use.'), ageColumn],
  (account) => ({ secrets: entries(account['secrets']) }),
)

export const configMapTable = tableOf([nameColumn, dataColumn, ageColumn], (map) => ({
  data: entries(map['data']) + entries(map['binaryData']),
}))

export const secretTable = tableOf(
  [nameColumn, column('Type', 'type', 'What the secret is for.'), dataColumn, ageColumn],
  (secret) => ({ type: String(secret['type']), data: entries(secret['data']) }),
)

export const priorityClassTable = tableOf(
  [
    nameColumn,
    column('Value', 'value', 'The priority of its pods.', integer),
    column('Global-Default', 'isDefault', 'Whether pods without a class belong to it.', boolean),
    ageColumn,
    column('PreemptionPolicy', 'policy', 'Whether its pods preempt pods of lower priority.'),
  ],
  (one) => ({
    value: Number(one['value']),
    isDefault: one['globalDefault'] === true,
    policy: String(one['preemptionPolicy']),
  }),
)

export const runtimeClassTable = tableOf(
  [nameColumn, column('Handler', 'handler', 'What runs its pods.'), ageColumn],
  (one) => ({ handler: String(one['handler']) }),
)

export const disruptionBudgetTable = tableOf(
  [
    nameColumn,
    column('Min Available', 'min', 'How many pods must stay healthy.'),
    column('Max Unavailable', 'max', 'How many pods may be unavailable.'),
    column('Allowed Disruptions', 'allowed', 'How many pods can be evicted now.', integer),
    ageColumn,
  ],
  ({ spec, status }: PodDisruptionBudget) => ({
    min: String(spec.minAvailable ?? 'N/A'),
    max: String(spec.maxUnavailable ?? 'N/A'),
    allowed: status.disruptionsAllowed,
  }),
)
