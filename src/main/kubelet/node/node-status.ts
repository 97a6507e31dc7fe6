/** What the kubelet says of its node (pkg/kubelet/nodestatus; semantics 9.2). Pure. */
import { equalJson } from '../../../shared/json.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type {
  ConditionStatus,
  NodeCondition,
  NodeStatus,
} from '../../../shared/kubernetes/objects.ts'

/** What the node is, for its whole life. Quantities as Kubernetes writes them. */
export interface NodeDescription {
  readonly capacity: Readonly<Record<string, string>>
  readonly allocatable: Readonly<Record<string, string>>
  readonly addresses: readonly { readonly type: string; readonly address: string }[]
  readonly nodeInfo: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly {
    readonly key: string
    readonly value?: string
    readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
  }[]
}

/** Why the node is not Ready; empty when it is. */
export type ReadyErrors = readonly string[]

interface ConditionNow {
  readonly type: string
  readonly status: ConditionStatus
  readonly reason: string
  readonly message: string
}

function conditionsNow(readyErrors: ReadyErrors): readonly ConditionNow[] {
  return [
    {
      type: 'MemoryPressure',
      status: 'False',
      reason: 'KubeletHasSufficientMemory',
      message: 'kubelet has sufficient memory available',
    },
    {
      type: 'DiskPressure',
      status: 'False',
      reason: 'KubeletHasNoDiskPressure',
      message: 'kubelet has no disk pressure',
    },
    {
      type: 'PIDPressure',
      status: 'False',
      reason: 'KubeletHasSufficientPID',
      message: 'kubelet has sufficient PID available',
    },
    readyErrors.length === 0
      ? {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'kubelet is posting ready status',
        }
      : {
          type: 'Ready',
          status: 'False',
          reason: 'KubeletNotReady',
          message:
            readyErrors.length === 1 ? (readyErrors[0] ?? '') : `[${readyErrors.join(', ')}]`,
        },
  ]
}

function stamped(
  condition: ConditionNow,
  before: NodeCondition | undefined,
  now: string,
): NodeCondition {
  return {
    type: condition.type,
    status: condition.status,
    lastHeartbeatTime: now,
    lastTransitionTime:
      before?.status === condition.status ? (before.lastTransitionTime ?? now) : now,
    reason: condition.reason,
    message: condition.message,
  }
}

/** The node's status now. Conditions of others are kept, behind which the kubelet's own keep their transition times. */
export function nodeStatus(
  description: NodeDescription,
  before: NodeStatus,
  readyErrors: ReadyErrors,
  nowMs: number,
): NodeStatus {
  const now = toTimestamp(nowMs)
  const own = conditionsNow(readyErrors)
  const known = before.conditions ?? []
  const foreign = known.filter((one) => !own.some((mine) => mine.type === one.type))
  return {
    ...before,
    addresses: description.addresses,
    allocatable: description.allocatable,
    capacity: description.capacity,
    conditions: [
      ...foreign,
      ...own.map((condition) =>
        stamped(
          condition,
          known.find((one) => one.type === condition.type),
          now,
        ),
      ),
    ],
    nodeInfo: description.nodeInfo,
  }
}

function withoutHeartbeats(status: NodeStatus): unknown {
  return {
    ...status,
    conditions: (status.conditions ?? []).map((condition) => {
      const { lastHeartbeatTime: _, ...rest } = condition
      return rest
    }),
  }
}

/** Whether the two differ in more than heartbeats. */
export function hasNodeStatusChanged(before: NodeStatus, after: NodeStatus): boolean {
  return !equalJson(withoutHeartbeats(before), withoutHeartbeats(after))
}

/** The reasons of the node events that a change of conditions makes, in order: `NodeReady`, `NodeHasSufficientMemory`, … */
export function nodeConditionEvents(
  before: readonly NodeCondition[],
  after: readonly NodeCondition[],
): readonly string[] {
  const reasons: string[] = []
  for (const condition of after) {
    const old = before.find((one) => one.type === condition.type)
    if (old?.status === condition.status) continue
    const reason = conditionEvent(condition, old)
    if (reason !== undefined) reasons.push(reason)
  }
  return reasons
}

function conditionEvent(
  condition: NodeCondition,
  old: NodeCondition | undefined,
): string | undefined {
  switch (condition.type) {
    case 'MemoryPressure':
      return 'NodeHasSufficientMemory'
    case 'DiskPressure':
      return 'NodeHasNoDiskPressure'
    case 'PIDPressure':
      return 'NodeHasSufficientPID'
    case 'Ready':
      // A node that has never said anything is not news.
      if (old === undefined) return undefined
      return condition.status === 'True' ? 'NodeReady' : 'NodeNotReady'
    default:
      return undefined
  }
}
