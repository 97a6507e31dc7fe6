import { isJsonObject, numberAt, objectAt, objectsAt, textAt } from '../../json.ts'
import type { JsonObject } from '../../json.ts'
import {
  duplicateField,
  enumProblems,
  invalidEach,
  invalidField,
  problemIf,
  requiredField,
  unsupportedField,
} from './field-problem.ts'
import type { FieldProblem } from './field-problem.ts'
import {
  dnsLabelProblems,
  environmentNameProblems,
  portNameProblems,
  portNumberProblems,
} from './name-rules.ts'
import type { PodRules } from '../pod-rules.ts'
import { formatQuantity, parseQuantity } from '../quantity.ts'
import { resourceProblems } from './resource-validation.ts'
import { containerSecurityProblems } from './security-validation.ts'
import { mountProblems, pullPolicies } from './volume-validation.ts'

const protocols = ['SCTP', 'TCP', 'UDP']
const messagePolicies = ['File', 'FallbackToLogsOnError']

function optionProblems(
  object: JsonObject,
  key: string,
  supported: readonly string[],
  field: string,
): readonly FieldProblem[] {
  const value = textAt(object, key)
  // Defaulting fills an empty one.
  return value === '' ? [] : enumProblems(`${field}.${key}`, value, supported)
}

function numberedPortProblems(port: JsonObject, field: string): readonly FieldProblem[] {
  const containerPort = numberAt(port, 'containerPort') ?? 0
  const hostPort = numberAt(port, 'hostPort') ?? 0
  const invalid = (key: string, value: number): readonly FieldProblem[] =>
    invalidEach(`${field}.${key}`, value, portNumberProblems(value))
  return [
    ...(containerPort === 0
      ? [requiredField(`${field}.containerPort`)]
      : invalid('containerPort', containerPort)),
    ...(hostPort === 0 ? [] : invalid('hostPort', hostPort)),
    ...optionProblems(port, 'protocol', protocols, field),
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
      ...invalidEach(`${at}.name`, name, malformed),
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

const containerResources = ['limits', 'requests'].flatMap((list) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((resource) => `${list}.${resource}`),
)
const byteDivisors = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map(
  (unit) => `1${unit}`,
)

/** What the amount may be divided by, and how the resource is called in a refusal. */
function divisorsOf(resource: string): readonly [readonly string[], string] | undefined {
  const name = resource.replace(/^(limits|requests)\./, '')
  if (name === 'cpu') return [['1m', '1'], 'cpu']
  if (name === 'memory') return [byteDivisors, 'memory']
  if (name === 'ephemeral-storage') return [byteDivisors, 'local ephemeral storage']
  return name.startsWith('hugepages-') ? [byteDivisors, 'hugepages'] : undefined
}

function divisorProblems(
  resource: string,
  divisor: unknown,
  field: string,
): readonly FieldProblem[] {
  const quantity = parseQuantity(divisor)
  const known = divisorsOf(resource)
  if (quantity === undefined || quantity.nanos === 0n || known === undefined) return []
  const [divisors, name] = known
  if (divisors.includes(formatQuantity(quantity))) return []
  const shown = name === 'cpu' ? '1m and 1' : divisors.join(', ')
  const detail = `only divisor's values ${shown} are supported with the ${name} resource`
  return [invalidField(`${field}.divisor`, resource, detail)]
}

function resourceReferenceProblems(source: JsonObject, field: string): readonly FieldProblem[] {
  const reference = source['resourceFieldRef']
  if (!isJsonObject(reference)) return []
  const at = `${field}.resourceFieldRef`
  const resource = textAt(reference, 'resource')
  const isKnown =
    containerResources.includes(resource) || /^(limits|requests)\.hugepages-/.test(resource)
  const problems = divisorProblems(resource, reference['divisor'], at)
  if (resource === '') return [requiredField(`${at}.resource`), ...problems]
  return isKnown
    ? problems
    : [unsupportedField(`${at}.resource`, resource, containerResources), ...problems]
}

function valueFromProblems(variable: JsonObject, field: string): readonly FieldProblem[] {
  const source = variable['valueFrom']
  if (!isJsonObject(source)) return []
  const given = valueSources.filter((kind) => isJsonObject(source[kind]))
  const at = `${field}.valueFrom`
  const problems = [...fieldReferenceProblems(source, at), ...resourceReferenceProblems(source, at)]
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

const environmentSources = ['configMapRef', 'secretRef']

function environmentSourceProblems(
  container: JsonObject,
  isRelaxed: boolean,
  field: string,
): readonly FieldProblem[] {
  const at = `${field}.envFrom`
  return objectsAt(container, 'envFrom').flatMap((from, index) => {
    const prefix = textAt(from, 'prefix')
    const malformed = prefix === '' ? [] : environmentNameProblems(prefix, { isRelaxed })
    const given = environmentSources.filter((kind) => isJsonObject(from[kind]))
    const nameless = given.filter((kind) => textAt(objectAt(from, kind), 'name') === '')
    const problems = [
      ...invalidEach(`${at}[${index}].prefix`, prefix, malformed),
      ...nameless.map((kind) => requiredField(`${at}[${index}].${kind}.name`)),
    ]
    if (given.length === 1) return problems
    const detail =
      given.length === 0
        ? 'must specify one of: `configMapRef` or `secretRef`'
        : 'may not have more than one field specified at a time'
    // Of the whole list, as the original says it.
    return [...problems, invalidField(at, '', detail)]
  })
}

function environmentProblems(
  container: JsonObject,
  rules: PodRules,
  field: string,
): readonly FieldProblem[] {
  const isRelaxed = rules.allowRelaxedEnvironmentVariableValidation
  const variables = objectsAt(container, 'env').flatMap((variable, index) => {
    const at = `${field}.env[${index}]`
    const name = textAt(variable, 'name')
    const nameProblems =
      name === ''
        ? [requiredField(`${at}.name`)]
        : invalidEach(`${at}.name`, name, environmentNameProblems(name, { isRelaxed }))
    return [...nameProblems, ...valueFromProblems(variable, at)]
  })
  return [...variables, ...environmentSourceProblems(container, isRelaxed, field)]
}

function nameProblems(container: JsonObject, field: string): readonly FieldProblem[] {
  const name = textAt(container, 'name')
  if (name === '') return [requiredField(`${field}.name`)]
  return invalidEach(`${field}.name`, name, dnsLabelProblems(name))
}

/** Source: validateResizePolicy. */
function resizePolicyProblems(
  container: JsonObject,
  podPolicy: string,
  field: string,
): readonly FieldProblem[] {
  const names = new Set<string>()
  return objectsAt(container, 'resizePolicy').flatMap((policy, index) => {
    const resource = textAt(policy, 'resourceName')
    const restart = textAt(policy, 'restartPolicy')
    const isRepeated = names.has(resource)
    names.add(resource)
    const supported = (value: string, values: readonly string[]): readonly FieldProblem[] =>
      value === '' ? [requiredField(field)] : enumProblems(field, value, values)
    return [
      ...problemIf(isRepeated, duplicateField(`${field}[${index}]`, resource)),
      ...supported(resource, ['cpu', 'memory']),
      ...supported(restart, ['NotRequired', 'RestartContainer']),
      ...problemIf(
        podPolicy === 'Never' && restart !== 'NotRequired',
        invalidField(field, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'"),
      ),
    ]
  })
}

/** What holds for every container, init containers too. Fields that defaulting fills may be absent. */
export function containerProblems(
  container: JsonObject,
  options: {
    readonly volumes: ReadonlySet<string>
    readonly rules: PodRules
    readonly podPolicy: string
    readonly hasHostUsers: boolean
    readonly field: string
  },
): readonly FieldProblem[] {
  const { field, volumes, rules, podPolicy } = options
  return [
    ...nameProblems(container, field),
    ...(textAt(container, 'image') === '' ? [requiredField(`${field}.image`)] : []),
    ...optionProblems(container, 'terminationMessagePolicy', messagePolicies, field),
    ...portsProblems(container, field),
    ...environmentProblems(container, rules, field),
    ...mountProblems(container, volumes, field),
    ...optionProblems(container, 'imagePullPolicy', pullPolicies, field),
    ...resourceProblems(objectAt(container, 'resources'), `${field}.resources`),
    ...resizePolicyProblems(container, podPolicy, `${field}.resizePolicy`),
    ...containerSecurityProblems(container, field, options),
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
