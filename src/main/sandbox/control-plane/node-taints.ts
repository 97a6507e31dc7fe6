import type { ConditionStatus, Node, Taint } from '../../../shared/kubernetes/objects.ts'

type Effect = Taint['effect']

interface ConditionTaint {
  readonly condition: string
  readonly status: ConditionStatus
  readonly key: string
  readonly effects: readonly Effect[]
}

const both = ['NoSchedule', 'NoExecute'] as const
const noSchedule = ['NoSchedule'] as const

// pkg/controller/nodelifecycle nodeConditionToTaintKeyStatusMap; api-server#missing-heartbeats.
const conditionTaints: readonly ConditionTaint[] = [
  { condition: 'Ready', status: 'False', key: 'node.kubernetes.io/not-ready', effects: both },
  { condition: 'Ready', status: 'Unknown', key: 'node.kubernetes.io/unreachable', effects: both },
  {
    condition: 'MemoryPressure',
    status: 'True',
    key: 'node.kubernetes.io/memory-pressure',
    effects: noSchedule,
  },
  {
    condition: 'DiskPressure',
    status: 'True',
    key: 'node.kubernetes.io/disk-pressure',
    effects: noSchedule,
  },
  {
    condition: 'PIDPressure',
    status: 'True',
    key: 'node.kubernetes.io/pid-pressure',
    effects: noSchedule,
  },
  {
    condition: 'NetworkUnavailable',
    status: 'True',
    key: 'node.kubernetes.io/network-unavailable',
    effects: noSchedule,
  },
]

const unschedulableKey = 'node.kubernetes.io/unschedulable'

function statusOf(node: Node, type: string): ConditionStatus | undefined {
  return node.status?.conditions?.find((condition) => condition.type === type)?.status
}

/** True, False or unknown: whether a taint belongs on the node; unknown where the node has not said. */
function isWanted(node: Node, taint: Taint): boolean | undefined {
  if (taint.key === unschedulableKey) return node.spec?.unschedulable === true
  const rule = conditionTaints.find(({ key }) => key === taint.key)
  if (rule === undefined || !rule.effects.includes(taint.effect)) return undefined
  const status = statusOf(node, rule.condition)
  // A new node keeps the taint that admission gave it until it says that it is ready.
  return status === undefined ? undefined : status === rule.status
}

/**
 * The taints a node should have by its conditions and its cordon; `undefined` when it has them.
 * Taints of other keys stay as they are. `now`: an API time.
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
