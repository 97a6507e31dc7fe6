import type { ConditionStatus, Node, Taint } from '../../../../shared/kubernetes/objects.ts'

const noSchedule = 'NoSchedule' as const
const noExecute = 'NoExecute' as const

interface ConditionTaint {
  readonly condition: string
  readonly status: ConditionStatus
  readonly key: string
}

export const notReadyKey = 'node.kubernetes.io/not-ready'
export const unreachableKey = 'node.kubernetes.io/unreachable'

function whenTrue(condition: string, key: string): ConditionTaint {
  return { condition, status: 'True', key }
}

// pkg/controller/nodelifecycle nodeConditionToTaintKeyStatusMap; api-server#missing-heartbeats.
const conditionTaints: readonly ConditionTaint[] = [
  { condition: 'Ready', status: 'False', key: notReadyKey },
  { condition: 'Ready', status: 'Unknown', key: unreachableKey },
  whenTrue('MemoryPressure', 'node.kubernetes.io/memory-pressure'),
  whenTrue('DiskPressure', 'node.kubernetes.io/disk-pressure'),
  whenTrue('PIDPressure', 'node.kubernetes.io/pid-pressure'),
  whenTrue('NetworkUnavailable', 'node.kubernetes.io/network-unavailable'),
]

const unschedulableKey = 'node.kubernetes.io/unschedulable'

function statusOf(node: Node, type: string): ConditionStatus | undefined {
  return node.status?.conditions?.find((condition) => condition.type === type)?.status
}

/** True if the node should have the taint; `undefined` if no condition decides it, or the node has not set that condition. */
function isWanted(node: Node, taint: Taint): boolean | undefined {
  if (taint.effect !== 'NoSchedule') return undefined
  if (taint.key === unschedulableKey) return node.spec?.unschedulable === true
  const rule = conditionTaints.find(({ key }) => key === taint.key)
  if (rule === undefined) return undefined
  const status = statusOf(node, rule.condition)
  // A new node keeps the taint from admission until its Ready condition is set.
  return status === undefined ? undefined : status === rule.status
}

/**
 * The NoSchedule taints that follow from the conditions and the cordon of a node, with its other taints; `undefined` if the node has
 * them already. `now`: an API time.
 */
export function noScheduleTaints(node: Node, now: string): readonly Taint[] | undefined {
  const present = node.spec?.taints ?? []
  const kept = present.filter((taint) => isWanted(node, taint) !== false)
  const candidates = [
    ...conditionTaints.map(({ key }) => ({ key, effect: noSchedule })),
    { key: unschedulableKey, effect: noSchedule },
  ]
  const added = candidates.filter(
    (taint) =>
      isWanted(node, taint) === true &&
      !kept.some(({ key, effect }) => key === taint.key && effect === taint.effect),
  )
  if (added.length === 0 && kept.length === present.length) return undefined
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded: now }))]
}

/** Whether the node has this taint of a lost node with the effect NoExecute. */
export function isEvicting(node: Node, key: string): boolean {
  return (node.spec?.taints ?? []).some((taint) => taint.key === key && taint.effect === noExecute)
}

/** The keys of the NoExecute taints of lost nodes that a node has. */
export function evictionKeys(node: Node): readonly string[] {
  return [unreachableKey, notReadyKey].filter((key) => isEvicting(node, key))
}

/** The taints of a node without those NoExecute taints; `undefined` if it has none of them. Source: RemoveTaintOffNode. */
export function withoutEviction(node: Node, keys: readonly string[]): readonly Taint[] | undefined {
  const present = node.spec?.taints ?? []
  const kept = present.filter(({ key, effect }) => effect !== noExecute || !keys.includes(key))
  return kept.length === present.length ? undefined : kept
}

/**
 * The taints of a node with one NoExecute taint of a lost node and not the other; `undefined` if it has them already. `now`: an API
 * time. Source: SwapNodeControllerTaint.
 */
export function evictionTaints(node: Node, key: string, now: string): readonly Taint[] | undefined {
  const others = evictionKeys(node).filter((other) => other !== key)
  const kept = withoutEviction(node, others)
  if (isEvicting(node, key)) return kept
  const timed = { key, effect: noExecute, timeAdded: now } as const
  return [...(kept ?? node.spec?.taints ?? []), timed]
}
