/** The status that the kubelet writes for its node (pkg/kubelet/nodestatus; node#node-conditions). Pure. */
import { ownField, withFields } from '../../../shared/json.ts'
import { formatQuantity, parseQuantity } from '../../../shared/kubernetes/quantity.ts'
import {
  isExtendedResource,
  isHugePagesResource,
} from '../../../shared/kubernetes/resource-names.ts'
import type { RuntimeStatus } from '../cri-types.ts'
import type { RuntimeImage } from '../ports.ts'
import { toTimestamp } from '../../../shared/kubernetes/timestamps.ts'
import type {
  ConditionStatus,
  Node,
  NodeCondition,
  NodeStatus,
  Taint,
} from '../../../shared/kubernetes/objects.ts'
import { aggregateText } from '../../../shared/go/text.ts'
import { isSemanticallyEqual } from '../status/semantic-equality.ts'
import { nodeStatusMergeKeys, strategicPatch } from '../status/strategic-patch.ts'

/** What the node is, from one boot to the next. Quantities as Kubernetes writes them. */
export interface NodeDescription {
  readonly capacity: Readonly<Record<string, string>>
  readonly allocatable: Readonly<Record<string, string>>
  readonly addresses: readonly { readonly type: string; readonly address: string }[]
  /** A `bootID` other than the one that the API shows means that the machine was booted since (`Rebooted`). */
  readonly nodeInfo: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  /** Names of `labels` that the kubelet corrects on an existing Node, in addition to Kubernetes' own (see `reconciledNode`). */
  readonly keptLabels?: readonly string[]
  readonly taints: readonly Taint[]
  /** Whether the host confines by AppArmor profiles; default no: pods that ask for one are not admitted. */
  readonly hasAppArmor?: boolean
  /** Of the kubelet's own server; absent: none listens. */
  readonly kubeletPort?: number
}

/** Why the node is not Ready; empty when it is. */
export type ReadyErrors = readonly string[]

/** What the node runs short of, as an eviction manager finds it. */
export interface NodePressure {
  readonly memory: boolean
  readonly disk: boolean
  readonly pid: boolean
}

/** What of the container runtime the node shows. */
export interface NodeRuntime extends Pick<RuntimeStatus, 'runtimeHandlers' | 'features'> {
  /** The largest first. */
  readonly images: readonly Pick<RuntimeImage, 'sizeBytes' | 'repoTags' | 'repoDigests'>[]
}

/** Empty lists are absent. */
interface RuntimeFields {
  readonly images?: readonly unknown[]
  readonly runtimeHandlers?: readonly unknown[]
  readonly features?: object
}

/** nodestatus MaxNamesPerImageInNodeStatus. */
const namesPerImage = 5

/** All is well. */
export const noPressure: NodePressure = { memory: false, disk: false, pid: false }

type ConditionTexts = readonly [reason: string, message: string, event: string]

interface PressureKind {
  readonly type: string
  readonly pressed: ConditionTexts
  readonly relaxed: ConditionTexts
}

const pressureKinds: Readonly<Record<keyof NodePressure, PressureKind>> = {
  memory: {
    type: 'MemoryPressure',
    pressed: [
      'KubeletHasInsufficientMemory',
      'kubelet has insufficient memory available',
      'NodeHasInsufficientMemory',
    ],
    relaxed: [
      'KubeletHasSufficientMemory',
      'kubelet has sufficient memory available',
      'NodeHasSufficientMemory',
    ],
  },
  disk: {
    type: 'DiskPressure',
    pressed: ['KubeletHasDiskPressure', 'kubelet has disk pressure', 'NodeHasDiskPressure'],
    relaxed: ['KubeletHasNoDiskPressure', 'kubelet has no disk pressure', 'NodeHasNoDiskPressure'],
  },
  pid: {
    type: 'PIDPressure',
    pressed: [
      'KubeletHasInsufficientPID',
      'kubelet has insufficient PID available',
      'NodeHasInsufficientPID',
    ],
    relaxed: [
      'KubeletHasSufficientPID',
      'kubelet has sufficient PID available',
      'NodeHasSufficientPID',
    ],
  },
}

const pressureNames = ['memory', 'disk', 'pid'] as const

/** Without these the node cannot be ready. */
const requiredCapacities = ['cpu', 'memory', 'pods', 'ephemeral-storage'] as const

interface ConditionNow {
  readonly type: string
  readonly status: ConditionStatus
  readonly reason: string
  readonly message: string
}

function pressureCondition(kind: PressureKind, isPressed: boolean): ConditionNow {
  const [reason, message] = isPressed ? kind.pressed : kind.relaxed
  return { type: kind.type, status: isPressed ? 'True' : 'False', reason, message }
}

function readyCondition(errors: ReadyErrors): ConditionNow {
  const type = 'Ready'
  const error = aggregateText(errors)
  if (error === undefined) {
    const message = 'kubelet is posting ready status'
    return { type, status: 'True', reason: 'KubeletReady', message }
  }
  return { type, status: 'False', reason: 'KubeletNotReady', message: error }
}

/** The pressure conditions first and Ready last, as old controllers want it. */
function conditionsNow(
  capacity: Readonly<Record<string, string>>,
  readyErrors: ReadyErrors,
  pressure: NodePressure,
): readonly ConditionNow[] {
  const missing = requiredCapacities.filter((name) => capacity[name] === undefined)
  const unknown =
    missing.length === 0 ? [] : [`missing node capacity for resources: ${missing.join(', ')}`]
  return [
    ...pressureNames.map((name) => pressureCondition(pressureKinds[name], pressure[name])),
    readyCondition([...readyErrors, ...unknown]),
  ]
}

function stamped(
  condition: ConditionNow,
  before: NodeCondition | undefined,
  now: string,
): NodeCondition {
  // The words of a pressure are written when it flips; Ready says each time why.
  if (condition.type !== 'Ready' && before?.status === condition.status)
    return { ...before, lastHeartbeatTime: now }
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

/**
 * The node's status now. What others wrote stays: their conditions in their places, and resources that
 * were added to the node by hand. The kubelet's own conditions keep their transition times, and those of
 * pressure their words too, until the status flips.
 */
export function nodeStatus(
  description: NodeDescription,
  before: NodeStatus,
  readyErrors: ReadyErrors,
  nowMs: number,
  pressure: NodePressure = noPressure,
  runtime?: RuntimeFields,
): NodeStatus {
  const capacity = { ...before.capacity, ...description.capacity }
  const { images: _images, runtimeHandlers: _handlers, ...others } = before
  return {
    ...(runtime === undefined ? before : others),
    addresses: description.addresses,
    allocatable: allocatableNow(description, capacity, before.allocatable ?? {}),
    capacity,
    conditions: conditionsAt(nowMs, before.conditions ?? [], capacity, readyErrors, pressure),
    nodeInfo: { ...before.nodeInfo, ...description.nodeInfo },
    ...runtime,
    ...daemonEndpoints(description, before),
  }
}

/** Without a server only the port of an earlier kubelet is corrected: the API server sets 0 by itself. */
function daemonEndpoints({ kubeletPort }: NodeDescription, before: NodeStatus): NodeStatus {
  if (kubeletPort === undefined && before.daemonEndpoints === undefined) return {}
  return { daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort ?? 0 } } }
}

/**
 * Images, handlers and features of the runtime as the node's status has them (setters.go Images, RuntimeHandlers,
 * NodeFeatures). `maxImages`: -1 is no limit.
 */
export function nodeRuntimeStatus(
  { images, runtimeHandlers = [], features }: NodeRuntime,
  maxImages: number,
): RuntimeFields {
  const shown = maxImages === -1 ? images : images.slice(0, maxImages)
  const lists = {
    images: shown.map(({ sizeBytes, repoTags = [], repoDigests = [] }) => ({
      names: [...repoDigests, ...repoTags].slice(0, namesPerImage),
      sizeBytes,
    })),
    runtimeHandlers: runtimeHandlers.map(({ name, features: own = {} }) => ({
      name,
      features: {
        recursiveReadOnlyMounts: own.recursiveReadOnlyMounts ?? false,
        userNamespaces: own.userNamespaces ?? false,
      },
    })),
  }
  return {
    ...(lists.images.length === 0 ? {} : { images: lists.images }),
    ...(lists.runtimeHandlers.length === 0 ? {} : { runtimeHandlers: lists.runtimeHandlers }),
    ...(features === undefined
      ? {}
      : { features: { supplementalGroupsPolicy: features.supplementalGroupsPolicy ?? false } }),
  }
}

/** kubelet pkg/kubelet/nodestatus/setters.go: MachineInfo. Huge pages are taken out of what memory there is for pods. */
function allocatableNow(
  description: NodeDescription,
  capacity: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const kept = Object.entries(before).filter(
    ([name]) => capacity[name] !== undefined || !isExtendedResource(name),
  )
  const allocatable = { ...Object.fromEntries(kept), ...capacity, ...description.allocatable }
  const hugePages = Object.keys(capacity).filter(isHugePagesResource)
  const memory = parseQuantity(allocatable['memory'])
  if (hugePages.length === 0 || memory === undefined) return allocatable
  const taken = hugePages.reduce(
    (sum, name) => sum + (parseQuantity(capacity[name])?.nanos ?? 0n),
    0n,
  )
  const left = memory.nanos > taken ? memory.nanos - taken : 0n
  return { ...allocatable, memory: formatQuantity({ ...memory, nanos: left }) }
}

function conditionsAt(
  nowMs: number,
  known: readonly NodeCondition[],
  capacity: Readonly<Record<string, string>>,
  readyErrors: ReadyErrors,
  pressure: NodePressure,
): readonly NodeCondition[] {
  const now = toTimestamp(nowMs)
  const own = conditionsNow(capacity, readyErrors, pressure).map((condition) =>
    stamped(
      condition,
      known.find(({ type }) => type === condition.type),
      now,
    ),
  )
  const byType = new Map(own.map((condition) => [condition.type, condition]))
  const knownTypes = new Set(known.map(({ type }) => type))
  return [
    ...known.map((condition) => byType.get(condition.type) ?? condition),
    ...own.filter(({ type }) => !knownTypes.has(type)),
  ]
}

/** In a form in which equal statuses are equal: conditions by type and without heartbeats, quantities by value. */
function comparable(status: NodeStatus): unknown {
  const conditions = (status.conditions ?? [])
    .map(({ lastHeartbeatTime: _ignored, ...condition }) => condition)
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
  const { capacity = {}, allocatable = {} } = status
  return withFields(status, {
    conditions,
    capacity: quantityValues(capacity),
    allocatable: quantityValues(allocatable),
  })
}

/** A server may write `4096Mi` as `4Gi`. */
function quantityValues(list: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(list).map(([name, text]) => [
      name,
      parseQuantity(text)?.nanos.toString() ?? text,
    ]),
  )
}

/** Whether the two differ in more than heartbeats. */
export function hasNodeStatusChanged(before: NodeStatus, after: NodeStatus): boolean {
  return !isSemanticallyEqual(comparable(before), comparable(after))
}

/** Labels that scheduling needs: the kubelet restores a removed one with the next status. */
const requiredLabels = ['kubernetes.io/os', 'kubernetes.io/arch'] as const

/** The Node with the labels of operating system and processor that it must have (kubelet updateNode); the same object where it has them. */
export function withRequiredLabels(description: NodeDescription, node: Node): Node {
  const { labels = {} } = node.metadata
  const missing = requiredLabels.flatMap((name) => {
    const value = description.labels[name]
    return value === undefined || labels[name] === value ? [] : [[name, value] as const]
  })
  if (missing.length === 0) return node
  const metadata = { ...node.metadata, labels: { ...labels, ...Object.fromEntries(missing) } }
  return { ...node, metadata }
}

/**
 * The strategic patch of nodes/status that turns one Node into the other: labels, annotations and status, only
 * what differs, and never the spec (component-helpers PatchNodeStatus).
 */
export function nodePatch(before: Node, after: Node): Readonly<Record<string, unknown>> {
  const metadata = {
    ...textsPatch('labels', before.metadata.labels, after.metadata.labels),
    ...textsPatch('annotations', before.metadata.annotations, after.metadata.annotations),
  }
  return {
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...statusPatch(before.status ?? {}, after.status ?? {}),
  }
}

type Texts = Readonly<Record<string, string>>

/** An empty text is a value here, other than in a status. */
function textsPatch(
  name: string,
  before: Texts = {},
  after: Texts = {},
): Readonly<Record<string, unknown>> {
  const changed = Object.entries(after).filter(([key, value]) => ownField(before, key) !== value)
  const gone = Object.keys(before).filter((key) => ownField(after, key) === undefined)
  if (changed.length === 0 && gone.length === 0) return {}
  if (Object.keys(after).length === 0) return { [name]: null }
  return { [name]: Object.fromEntries([...changed, ...gone.map((key) => [key, null] as const)]) }
}

function statusPatch(before: NodeStatus, after: NodeStatus): Readonly<Record<string, unknown>> {
  const { addresses = [], nodeInfo, ...rest } = after
  const { addresses: known = [], nodeInfo: oldInfo, ...old } = before
  const status = {
    ...strategicPatch(old, rest, nodeStatusMergeKeys),
    ...textsPatch('nodeInfo', oldInfo, nodeInfo),
    ...addressesPatch(known, addresses),
  }
  return Object.keys(status).length === 0 ? {} : { status }
}

type Addresses = NonNullable<NodeStatus['addresses']>

/** The API merges addresses by their type, which loses one of two of a type: they are replaced. */
function addressesPatch(before: Addresses, after: Addresses): Readonly<Record<string, unknown>> {
  if (isSemanticallyEqual(before, after)) return {}
  return { addresses: before.length === 0 ? after : [...after, { $patch: 'replace' }] }
}

/** Whether the machine was booted since the last status that the API has (nodestatus MachineInfo). */
export function isRebooted(description: NodeDescription, before: NodeStatus): boolean {
  const known = before.nodeInfo?.['bootID'] ?? ''
  return known !== '' && known !== (description.nodeInfo['bootID'] ?? '')
}

/** Whether the node's own object says that nothing may be scheduled to it. */
export function isUnschedulable(node: Node): boolean {
  return node.spec?.unschedulable === true
}

/** In the order in which the kubelet sets them, wherever they stand. */
const ownTypes = [...pressureNames.map((name) => pressureKinds[name].type), 'Ready']

/** The reasons of the node events that a change of conditions makes, in order: `NodeReady`, `NodeHasSufficientMemory`, … */
export function nodeConditionEvents(
  before: readonly NodeCondition[],
  after: readonly NodeCondition[],
): readonly string[] {
  return ownTypes.flatMap((type) => {
    const condition = after.find((one) => one.type === type)
    const old = before.find((one) => one.type === type)
    if (condition === undefined || old?.status === condition.status) return []
    const reason = conditionEvent(condition, old)
    return reason === undefined ? [] : [reason]
  })
}

function conditionEvent(
  condition: NodeCondition,
  old: NodeCondition | undefined,
): string | undefined {
  const isTrue = condition.status === 'True'
  if (condition.type === 'Ready') {
    // A node that has never said anything is not news.
    if (old === undefined) return undefined
    return isTrue ? 'NodeReady' : 'NodeNotReady'
  }
  const kind = Object.values(pressureKinds).find(({ type }) => type === condition.type)
  return kind === undefined ? undefined : (isTrue ? kind.pressed : kind.relaxed)[2]
}
