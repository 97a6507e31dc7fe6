import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import {
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblem } from '../../../shared/kubernetes/validation/field-problem.ts'
import {
  labelValueProblems,
  qualifiedNameProblems,
} from '../../../shared/kubernetes/validation/name-rules.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { formatQuantity, parseQuantity } from '../../../shared/kubernetes/quantity.ts'
import { fieldOf, plainStrategy, withFieldOf } from './strategy.ts'
import type { ResourceStrategy } from './strategy.ts'

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

function canonical(list: JsonObject): JsonObject {
  const entries = Object.entries(list).map(([name, value]): [string, unknown] => {
    const parsed = parseQuantity(value)
    return [name, parsed === undefined ? value : formatQuantity(parsed)]
  })
  return Object.fromEntries(entries)
}

const emptyNodeInfo = {
  machineID: '',
  systemUUID: '',
  bootID: '',
  kernelVersion: '',
  osImage: '',
  containerRuntimeVersion: '',
  kubeletVersion: '',
  kubeProxyVersion: '',
  operatingSystem: '',
  architecture: '',
} as const

/** What the API shows of a node's status whether it was given or not. */
export const emptyNodeStatus = {
  daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
  nodeInfo: emptyNodeInfo,
} as const

function withDefaults(given: KubeObject): KubeObject {
  const { daemonEndpoints, nodeInfo, ...rest } = fieldOf(given, 'status')
  const status = {
    ...rest,
    daemonEndpoints: isJsonObject(daemonEndpoints)
      ? { ...emptyNodeStatus.daemonEndpoints, ...daemonEndpoints }
      : emptyNodeStatus.daemonEndpoints,
    nodeInfo: { ...emptyNodeInfo, ...(isJsonObject(nodeInfo) ? nodeInfo : {}) },
  }
  const node = { ...given, spec: fieldOf(given, 'spec'), status }
  const capacity = canonical(objectAt(status, 'capacity'))
  const allocatable = canonical(objectAt(status, 'allocatable'))
  const hasCapacity = Object.keys(capacity).length > 0
  const hasAllocatable = Object.keys(allocatable).length > 0
  if (!hasCapacity && !hasAllocatable) return node
  return {
    ...node,
    status: {
      ...status,
      ...(hasCapacity ? { capacity } : {}),
      allocatable: hasAllocatable ? allocatable : capacity,
    },
  }
}

function effectProblems(effect: string, field: string): readonly FieldProblem[] {
  if (effect === '') return [requiredField(field)]
  return effects.includes(effect) ? [] : [unsupportedField(field, effect, effects)]
}

function taintProblems(node: KubeObject): readonly FieldProblem[] {
  const seen = new Set<string>()
  return objectsAt(fieldOf(node, 'spec'), 'taints').flatMap((taint, index) => {
    // Under metadata, as the original has it.
    const field = `metadata.taints[${index}]`
    const key = textAt(taint, 'key')
    const value = textAt(taint, 'value')
    const effect = textAt(taint, 'effect')
    const badValue = labelValueProblems(value)
    const pair = `${key}:${effect}`
    const isRepeated = seen.has(pair)
    seen.add(pair)
    return [
      ...qualifiedNameProblems(key).map((message) => invalidField(`${field}.key`, key, message)),
      ...(badValue.length === 0 ? [] : [invalidField(`${field}.value`, value, badValue.join(';'))]),
      ...effectProblems(effect, `${field}.effect`),
      ...(isRepeated ? [repeatedTaint(field, taint)] : []),
    ]
  })
}

function repeatedTaint(field: string, taint: JsonObject): FieldProblem {
  const shown = JSON.stringify({
    Key: textAt(taint, 'key'),
    Value: textAt(taint, 'value'),
    Effect: textAt(taint, 'effect'),
    TimeAdded: taint['timeAdded'] ?? null,
  })
  return {
    field,
    message: `Duplicate value: ${shown}: taints must be unique by key and effect pair`,
    reason: 'FieldValueDuplicate',
  }
}

function resourceProblems(node: KubeObject): readonly FieldProblem[] {
  const status = fieldOf(node, 'status')
  return ['capacity', 'allocatable'].flatMap((list) =>
    Object.entries(objectAt(status, list)).flatMap(([name, value]) => {
      const parsed = parseQuantity(value)
      if (parsed === undefined || parsed.nanos >= 0n) return []
      const message = 'must be greater than or equal to 0'
      return [invalidField(`status.${list}.${name}`, formatQuantity(parsed), message)]
    }),
  )
}

function fixedFieldProblems(next: KubeObject, old: KubeObject): readonly FieldProblem[] {
  return ['podCIDR', 'providerID'].flatMap((field) => {
    const before = textAt(fieldOf(old, 'spec'), field)
    if (before === '' || before === textAt(fieldOf(next, 'spec'), field)) return []
    const detail = `node updates may not change ${field} except from "" to valid`
    return [forbiddenField(`spec.${field}`, detail)]
  })
}

/** Nodes. Source: pkg/registry/core/node/strategy.go (v1.34). */
export const nodeStrategy: ResourceStrategy = plainStrategy({
  withDefaults,
  createProblems: (node) => [...taintProblems(node), ...resourceProblems(node)],
  prepareForUpdate: (next, old) => withFieldOf(next, 'status', old),
  updateProblems: (next, old) => [...fixedFieldProblems(next, old), ...taintProblems(next)],
  prepareForStatusUpdate: (next, old) => withFieldOf(next, 'spec', old),
  statusProblems: resourceProblems,
})

const notReadyTaint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const

/** What TaintNodesByCondition admission does: a new node takes no pods until it is seen to be ready. */
export function withNotReadyTaint(node: KubeObject): KubeObject {
  const spec = fieldOf(node, 'spec')
  const taints = objectsAt(spec, 'taints')
  const hasTaint = taints.some(
    (taint) => taint['key'] === notReadyTaint.key && taint['effect'] === notReadyTaint.effect,
  )
  if (hasTaint) return node
  return { ...node, spec: { ...spec, taints: [...taints, notReadyTaint] } }
}
