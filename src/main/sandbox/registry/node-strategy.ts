import { isJsonObject, objectAt, objectsAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import {
  enumProblems,
  forbiddenField,
  invalidField,
  invalidEach,
  problemIf,
  problemUnless,
  requiredField,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import type {
  FieldProblem,
  FieldProblems,
} from '../../../shared/kubernetes/validation/field-problem.ts'
import {
  labelValueProblems,
  qualifiedNameProblems,
} from '../../../shared/kubernetes/validation/name-rules.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { formatQuantity, parseQuantity } from '../../../shared/kubernetes/quantity.ts'
import { canonicalQuantities } from './quantities.ts'
import { plainStrategy, withFieldOf } from './strategy.ts'
import type { ResourceStrategy } from './strategy.ts'

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

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

/** The fields of a node's status that the API always shows. */
export const emptyNodeStatus = {
  daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
  nodeInfo: emptyNodeInfo,
} as const

function withDefaults(given: KubeObject): KubeObject {
  const { daemonEndpoints, nodeInfo, ...rest } = objectAt(given, 'status')
  const status = {
    ...rest,
    daemonEndpoints: isJsonObject(daemonEndpoints)
      ? { ...emptyNodeStatus.daemonEndpoints, ...daemonEndpoints }
      : emptyNodeStatus.daemonEndpoints,
    nodeInfo: { ...emptyNodeInfo, ...(isJsonObject(nodeInfo) ? nodeInfo : {}) },
  }
  const node = { ...given, spec: objectAt(given, 'spec'), status }
  const capacity = canonicalQuantities(objectAt(status, 'capacity'))
  const allocatable = canonicalQuantities(objectAt(status, 'allocatable'))
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

function taintProblems(node: KubeObject): FieldProblems {
  const seen = new Set<string>()
  return objectsAt(objectAt(node, 'spec'), 'taints').flatMap((taint, index) => {
    // Upstream names it under metadata.
    const field = `metadata.taints[${index}]`
    const key = textAt(taint, 'key')
    const value = textAt(taint, 'value')
    const effect = textAt(taint, 'effect')
    const badValue = labelValueProblems(value)
    const pair = `${key}:${effect}`
    const isRepeated = seen.has(pair)
    seen.add(pair)
    return [
      ...invalidEach(`${field}.key`, key, qualifiedNameProblems(key)),
      ...problemUnless(
        badValue.length === 0,
        invalidField(`${field}.value`, value, badValue.join(';')),
      ),
      ...(effect === ''
        ? [requiredField(`${field}.effect`)]
        : enumProblems(`${field}.effect`, effect, effects)),
      ...problemIf(isRepeated, repeatedTaint(field, taint)),
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

function resourceProblems(node: KubeObject): FieldProblems {
  const status = objectAt(node, 'status')
  return ['capacity', 'allocatable'].flatMap((list) =>
    Object.entries(objectAt(status, list)).flatMap(([name, value]) => {
      const parsed = parseQuantity(value)
      if (parsed === undefined || parsed.nanos >= 0n) return []
      const message = 'must be greater than or equal to 0'
      return [invalidField(`status.${list}.${name}`, formatQuantity(parsed), message)]
    }),
  )
}

function fixedFieldProblems(next: KubeObject, old: KubeObject): FieldProblems {
  return ['podCIDR', 'providerID'].flatMap((field) => {
    const before = textAt(objectAt(old, 'spec'), field)
    if (before === '' || before === textAt(objectAt(next, 'spec'), field)) return []
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

/** The TaintNodesByCondition admission plugin: no pods are scheduled on a new node before it is ready. */
export function withNotReadyTaint(node: KubeObject): KubeObject {
  const spec = objectAt(node, 'spec')
  const taints = objectsAt(spec, 'taints')
  const hasTaint = taints.some(
    (taint) => taint['key'] === notReadyTaint.key && taint['effect'] === notReadyTaint.effect,
  )
  if (hasTaint) return node
  return { ...node, spec: { ...spec, taints: [...taints, notReadyTaint] } }
}
