import { ageSince } from './age.ts'
import type { Node } from '../objects.ts'

/** What `kubectl get nodes` shows of one node, as text. */
export interface NodeColumns {
  /** `Ready`, `NotReady` or `Unknown` (no Ready condition at all), with `,SchedulingDisabled` when cordoned. */
  readonly status: string
  /** Sorted, comma-separated; `<none>` without any. */
  readonly roles: string
  readonly age: string
  /** The kubelet's version; empty while the node has not said. */
  readonly version: string
}

/** What `-o wide` adds. */
export interface NodeWideColumns {
  readonly internalIp: string
  readonly externalIp: string
  readonly osImage: string
  readonly kernelVersion: string
  readonly containerRuntime: string
}

const rolePrefix = 'node-role.kubernetes.io/'

function statusWord(node: Node): string {
  // A repeated condition type would be a server's fault; kubectl lets the last one win.
  const ready = node.status?.conditions?.findLast((condition) => condition.type === 'Ready')
  const word = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return node.spec?.unschedulable === true ? `${word},SchedulingDisabled` : word
}

/** The roles that a node's labels name, sorted and without repeats: `node-role.kubernetes.io/<role>` and `kubernetes.io/role=<role>`. */
export function nodeRoles(node: Node): readonly string[] {
  const roles = new Set<string>()
  for (const [key, value] of Object.entries(node.metadata.labels ?? {})) {
    const role = key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : ''
    if (role !== '') roles.add(role)
    else if (key === 'kubernetes.io/role' && value !== '') roles.add(value)
  }
  return [...roles].toSorted()
}

/**
 * STATUS, ROLES, AGE and VERSION of a node as kubectl shows them at `now` (ms).
 * Source: Kubernetes pkg/printers/internalversion printNode (v1.34).
 */
export function nodeColumns(node: Node, now: number): NodeColumns {
  const roles = nodeRoles(node)
  return {
    status: statusWord(node),
    roles: roles.length === 0 ? '<none>' : roles.join(','),
    age: ageSince(node.metadata.creationTimestamp, now),
    version: node.status?.nodeInfo?.['kubeletVersion'] ?? '',
  }
}

/** INTERNAL-IP, EXTERNAL-IP, OS-IMAGE, KERNEL-VERSION and CONTAINER-RUNTIME. Same source as `nodeColumns`. */
export function nodeWideColumns(node: Node): NodeWideColumns {
  const address = (type: string): string =>
    node.status?.addresses?.find((entry) => entry.type === type)?.address ?? '<none>'
  const fact = (name: string): string => {
    const value = node.status?.nodeInfo?.[name] ?? ''
    return value === '' ? '<unknown>' : value
  }
  return {
    internalIp: address('InternalIP'),
    externalIp: address('ExternalIP'),
    osImage: fact('osImage'),
    kernelVersion: fact('kernelVersion'),
    containerRuntime: fact('containerRuntimeVersion'),
  }
}
