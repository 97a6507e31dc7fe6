import { isJsonObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts'
import type { JsonObject } from '../json.ts'
import { duplicateField, invalidField, requiredField, unsupportedField } from './field-problem.ts'
import type { FieldProblem } from './field-problem.ts'
import {
  dnsLabelProblems,
  environmentNameProblems,
  portNameProblems,
  portNumberProblems,
} from './name-rules.ts'
import { resourceProblems } from './resource-validation.ts'
import { mountProblems } from './volume-validation.ts'

const protocols = ['SCTP', 'TCP', 'UDP']
const pullPolicies = ['Always', 'IfNotPresent', 'Never']
const messagePolicies = ['File', 'FallbackToLogsOnError']

function enumProblems(
  object: JsonObject,
  key: string,
  supported: readonly string[],
  field: string,
): readonly FieldProblem[] {
  const value = textAt(object, key)
  // Empty is what defaulting fills.
  if (value === '' || supported.includes(value)) return []
  return [unsupportedField(`${field}.${key}`, value, supported)]
}

function numberedPortProblems(port: JsonObject, field: string): readonly FieldProblem[] {
  const containerPort = numberAt(port, 'containerPort') ?? 0
  const hostPort = numberAt(port, 'hostPort') ?? 0
  const invalid = (key: string, value: number): readonly FieldProblem[] =>
    portNumberProblems(value).map((message) => invalidField(`${field}.${key}`, value, message))
  return [
    ...(containerPort === 0
      ? [requiredField(`${field}.containerPort`)]
      : invalid('containerPort', containerPort)),
    ...(hostPort === 0 ? [] : invalid('hostPort', hostPort)),
    ...enumProblems(port, 'protocol', protocols, field),
  ]
}

function portsProblems(container: JsonObject, field: string): readonly FieldProblem[] {
  const names = new Set<string>()
  return objectsAt(container, 'ports').flatMap((port, index) => {
    const at = `${field}.ports[${index}]`
    const name = textAt(port, 'name')
    const malformed = name === '' ? [] : portNameProblems(name)
    const isRepeated = malformed.length === 0 && names.has(name)
    if (name !== '' && malformed.length === 0) names.add(name)
    return [
      ...malformed.map((message) => invalidField(`${at}.name`, name, message)),
      ...(isRepeated ? [duplicateField(`${at}.name`, name)] : []),
      ...numberedPortProblems(port, at),
    ]
  })
}

const valueSources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef']

const environmentFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]

function fieldReferenceProblems(source: JsonObject, field: string): readonly FieldProblem[] {
  if (!isJsonObject(source['fieldRef'])) return []
  const at = `${field}.fieldRef.fieldPath`
  const path = textAt(objectAt(source, 'fieldRef'), 'fieldPath')
  if (path === '') return [requiredField(at)]
  const isKnown =
    environmentFields.includes(path) || /^metadata\.(labels|annotations)\['[^']+'\]$/.test(path)
  if (isKnown) return []
  return [invalidField(at, path, `error converting fieldPath: field label not supported: ${path}`)]
}

function valueFromProblems(variable: JsonObject, field: string): readonly FieldProblem[] {
  const source = variable['valueFrom']
  if (!isJsonObject(source)) return []
  const given = valueSources.filter((kind) => isJsonObject(source[kind]))
  const at = `${field}.valueFrom`
  const problems = fieldReferenceProblems(source, at)
  if (given.length === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'
    return [...problems, invalidField(at, '', detail)]
  }
  if (textAt(variable, 'value') !== '') {
    return [...problems, invalidField(at, '', 'may not be specified when `value` is not empty')]
  }
  if (given.length === 1) return problems
  return [...problems, invalidField(at, '', 'may not have more than one field specified at a time')]
}

function environmentProblems(container: JsonObject, field: string): readonly FieldProblem[] {
  return objectsAt(container, 'env').flatMap((variable, index) => {
    const at = `${field}.env[${index}]`
    const name = textAt(variable, 'name')
    const nameProblems =
      name === ''
        ? [requiredField(`${at}.name`)]
        : environmentNameProblems(name).map((message) => invalidField(`${at}.name`, name, message))
    return [...nameProblems, ...valueFromProblems(variable, at)]
  })
}

function nameProblems(container: JsonObject, field: string): readonly FieldProblem[] {
  const name = textAt(container, 'name')
  if (name === '') return [requiredField(`${field}.name`)]
  return dnsLabelProblems(name).map((message) => invalidField(`${field}.name`, name, message))
}

/** What holds for every container, init containers too. Fields that defaulting fills may be absent. */
export function containerProblems(
  container: JsonObject,
  options: { readonly volumes: ReadonlySet<string>; readonly field: string },
): readonly FieldProblem[] {
  const { field, volumes } = options
  return [
    ...nameProblems(container, field),
    ...(textAt(container, 'image') === '' ? [requiredField(`${field}.image`)] : []),
    ...enumProblems(container, 'terminationMessagePolicy', messagePolicies, field),
    ...portsProblems(container, field),
    ...environmentProblems(container, field),
    ...mountProblems(container, volumes, field),
    ...enumProblems(container, 'imagePullPolicy', pullPolicies, field),
    ...resourceProblems(objectAt(container, 'resources'), `${field}.resources`),
  ]
}

/** Host ports that two ports of these containers share. */
export function hostPortConflicts(
  containers: readonly JsonObject[],
  field: string,
): readonly FieldProblem[] {
  const taken = new Set<string>()
  return containers.flatMap((container, containerIndex) =>
    objectsAt(container, 'ports').flatMap((port, portIndex) => {
      const hostPort = numberAt(port, 'hostPort') ?? 0
      if (hostPort === 0) return []
      const key = `${textAt(port, 'protocol') || 'TCP'}/${textAt(port, 'hostIP')}/${hostPort}`
      if (!taken.has(key)) {
        taken.add(key)
        return []
      }
      return [duplicateField(`${field}[${containerIndex}].ports[${portIndex}].hostPort`, key)]
    }),
  )
}
