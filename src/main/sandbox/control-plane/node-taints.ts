import type { ConditionStatus, Node, Taint } from '../../../shared/kubernetes/objects.ts'

type Effect = Taint['effect']

interface ConditionTaint {
  readonly condition: string
  readonly status: ConditionStatus
  readonly key: string
  readonly effects: readonly Effect[]
}

const both = ['NoSchedule', 'NoExecute'] as const

function noScheduleTaint(condition: string, key: string): ConditionTaint {
  return { condition, status: 'True', key, effects: ['NoSchedule'] }
}

// pkg/controller/nodelifecycle nodeConditionToTaintKeyStatusMap; api-server#missing-heartbeats.
const conditionTaints: readonly ConditionTaint[] = [
  { condition: 'Ready', status: 'False', key: 'node.kubernetes.io/not-ready', effects: both },
  { condition: 'Ready', status: 'Unknown', key: 'node.kubernetes.io/unreachable', effects: both },
  noScheduleTaint('MemoryPressure', 'node.kubernetes.io/memory-pressure'),
  noScheduleTaint('DiskPressure', 'node.kubernetes.io/disk-pressure'),
  noScheduleTaint('PIDPressure', 'node.kubernetes.io/pid-pressure'),
  noScheduleTaint('NetworkUnavailable', 'node.kubernetes.io/network-unavailable'),
]

const unschedulableKey = 'node.kubernetes.io/unschedulable'

function statusOf(node: Node, type: string): ConditionStatus | undefined {
  return node.status?.conditions?.find((condition) => condition.type === type)?.status
}

/** True if the node should have the taint; `undefined` if no condition decides it, or the node has not set that condition. */
function isWanted(node: Node, taint: Taint): boolean | undefined {
  if (taint.key === unschedulableKey) return node.spec?.unschedulable === true
  const rule = conditionTaints.find(({ key }) => key === taint.key)
  if (rule === undefined || !rule.effects.includes(taint.effect)) return undefined
  const status = statusOf(node, rule.condition)
  // A new node keeps the taint from admission until its Ready condition is set.
  return status === undefined ? undefined : status === rule.status
}

/**
 * The taints that follow from the conditions and the cordon of a node, with its other taints; `undefined` if the node has
 * them already. `now`: an API time.
 */
export function wantedTaints(node: Node, now: string): readonly Taint[] | undefined {
  const present = node.spec?.taints ?? []
  const kept = present.filter((taint) => isWanted(node, taint) !== false)
  const candidates = [
    ...conditionTaints.flatMap(({ key, effects }) => effects.map((effect) => ({ key, effect }))),
    { key: unschedulableKey, effect: 'NoSchedule' as const },
  ]
  const added = candidates.filter(
    (taint) =>
      isWanted(node, taint) === true &&
      !kept.some(({ key, effect }) => key === taint.key && effect === taint.effect),
  )
  if (added.length === 0 && kept.length === present.length) return undefined
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded: now }))]
}
