import type { Node, Taint } from '../../shared/kubernetes/objects.ts'
import { timeOf } from '../../shared/kubernetes/printers/age.ts'
import { nodeRoles } from '../../shared/kubernetes/printers/node-columns.ts'
import type { NodeObject } from '../../shared/model/node/node-object.ts'

function taintText({ key, value = '', effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`
}

/** What tables show of a Node. Pure. */
export function nodeObject(node: Node): NodeObject {
  return {
    labels: node.metadata.labels ?? {},
    roles: nodeRoles(node),
    kubeletVersion: node.status?.nodeInfo?.['kubeletVersion'] ?? '',
    createdAt: timeOf(node.metadata.creationTimestamp),
    taints: (node.spec?.taints ?? []).map(taintText),
    isUnschedulable: node.spec?.unschedulable === true,
    conditions: (node.status?.conditions ?? []).map(({ type, status }) => ({ type, status })),
  }
}
