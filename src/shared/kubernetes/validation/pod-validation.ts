import { isSidecar } from '../pod-containers.ts'
import { isJsonObject, numberAt, objectAt, objectsAt, textAt } from '../../json.ts'
import type { JsonObject } from '../../json.ts'
import { containerProblems, hostPortConflicts } from './container-validation.ts'
import {
  duplicateField,
  enumProblems,
  forbiddenField,
  invalidEach,
  invalidField,
  problemIf,
  requiredField,
  unknownReference,
  unsupportedField,
} from './field-problem.ts'
import type { FieldProblem } from './field-problem.ts'
import { containerHandlerProblems, forbiddenHandlerProblems } from './handler-validation.ts'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from './name-rules.ts'
import { labelProblems, objectMetaProblems } from './object-meta-validation.ts'
import { apiServerRules } from '../pod-rules.ts'
import type { PodRules } from '../pod-rules.ts'
import { podSecurityProblems } from './security-validation.ts'
import { volumesProblems } from './volume-validation.ts'

interface SpecContext {
  readonly volumes: ReadonlySet<string>
  readonly graceSeconds: number
  /** restartPolicy of the pod. */
  readonly podPolicy: string
  /** The pod has no users of its own. */
  readonly hasHostUsers: boolean
  readonly rules: PodRules
}

const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

function whitespaceProblems(container: JsonObject, field: string): readonly FieldProblem[] {
  const image = textAt(container, 'image')
  if (image.trim() === image) return []
  return [invalidField(`${field}.image`, image, 'must not have leading or trailing whitespace')]
}

/** A policy of its own is a sidecar's alone; what a feature gate would allow more of is off. */
function ownRestartPolicyProblems(
  container: JsonObject,
  kind: 'regular' | 'init',
  field: string,
): readonly FieldProblem[] {
  const policy = container['restartPolicy']
  if (typeof policy !== 'string' || (kind === 'init' && policy === 'Always')) return []
  const at = `${field}.restartPolicy`
  return kind === 'init'
    ? [unsupportedField(at, policy, ['Always'])]
    : [forbiddenField(at, 'may not be set for non-init containers')]
}

function containersProblems(spec: JsonObject, context: SpecContext): readonly FieldProblem[] {
  const containers = objectsAt(spec, 'containers')
  if (containers.length === 0) return [requiredField('spec.containers')]
  const names = new Set<string>()
  const problems = containers.flatMap((container, index) => {
    const field = `spec.containers[${index}]`
    const name = textAt(container, 'name')
    const isRepeated = names.has(name)
    names.add(name)
    return [
      ...containerProblems(container, { ...context, field }),
      ...(isRepeated ? [duplicateField(`${field}.name`, name)] : []),
      ...containerHandlerProblems(container, { ...context, field }),
      ...ownRestartPolicyProblems(container, 'regular', field),
    ]
  })
  return [...problems, ...hostPortConflicts(containers, 'spec.containers')]
}

function initContainersProblems(spec: JsonObject, context: SpecContext): readonly FieldProblem[] {
  const names = new Set(objectsAt(spec, 'containers').map((one) => textAt(one, 'name')))
  return objectsAt(spec, 'initContainers').flatMap((container, index) => {
    const field = `spec.initContainers[${index}]`
    const name = textAt(container, 'name')
    const isRepeated = names.has(name)
    if (name !== '') names.add(name)
    return [
      ...containerProblems(container, { ...context, field }),
      ...ownRestartPolicyProblems(container, 'init', field),
      ...(isRepeated ? [duplicateField(`${field}.name`, name)] : []),
      // Each is looked at by itself, and so is always the first.
      ...hostPortConflicts([container], 'spec.initContainers'),
      ...(isSidecar(container)
        ? containerHandlerProblems(container, { ...context, field })
        : forbiddenHandlerProblems(container, field)),
    ]
  })
}

/** Fields of services that must not depend on an ephemeral container, in the order of Go's struct. */
const notForEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const

/** An object without fields is Go's zero of a struct that is not a pointer. */
function isSet(value: unknown, field: (typeof notForEphemeral)[number]): boolean {
  const isZero = field === 'resources' && isJsonObject(value) && Object.keys(value).length === 0
  return value !== undefined && !isZero
}

/** What an ephemeral container cannot have. Source: validateFieldAllowList, allowedEphemeralContainerFields. */
function ephemeralFieldProblems(container: JsonObject, field: string): readonly FieldProblem[] {
  const detail = 'cannot be set for an Ephemeral Container'
  return [
    ...notForEphemeral
      .filter((name) => isSet(container[name], name))
      .map((name) => forbiddenField(`${field}.${name}`, detail)),
    ...objectsAt(container, 'volumeMounts').flatMap((mount, index) =>
      ['subPath', 'subPathExpr']
        .filter((name) => textAt(mount, name) !== '')
        .map((name) => forbiddenField(`${field}.volumeMounts[${index}].${name}`, detail)),
    ),
  ]
}

/** Source: validateEphemeralContainers. */
function ephemeralContainersProblems(
  spec: JsonObject,
  context: SpecContext,
): readonly FieldProblem[] {
  const targets = new Set(
    ['containers', 'initContainers'].flatMap((list) =>
      objectsAt(spec, list).map((one) => textAt(one, 'name')),
    ),
  )
  const names = new Set(targets)
  return objectsAt(spec, 'ephemeralContainers').flatMap((container, index) => {
    const field = `spec.ephemeralContainers[${index}]`
    const name = textAt(container, 'name')
    const target = textAt(container, 'targetContainerName')
    const isRepeated = names.has(name)
    names.add(name)
    return [
      ...containerProblems(container, { ...context, field }),
      ...whitespaceProblems(container, field),
      ...problemIf(isRepeated, duplicateField(`${field}.name`, name)),
      ...problemIf(
        target !== '' && !targets.has(target),
        unknownReference(`${field}.targetContainerName`, target),
      ),
      ...ephemeralFieldProblems(container, field),
    ]
  })
}

function hostNetworkProblems(spec: JsonObject): readonly FieldProblem[] {
  if (spec['hostNetwork'] !== true) return []
  return objectsAt(spec, 'containers').flatMap((container, containerIndex) =>
    objectsAt(container, 'ports').flatMap((port, portIndex) => {
      const hostPort = numberAt(port, 'hostPort') ?? 0
      // Zero is what defaulting fills.
      if (hostPort === 0 || hostPort === numberAt(port, 'containerPort')) return []
      const field = `spec.containers[${containerIndex}].ports[${portIndex}].hostPort`
      const detail = 'must match `containerPort` when `hostNetwork` is true'
      return [invalidField(field, hostPort, detail)]
    }),
  )
}

function policyProblems(spec: JsonObject): readonly FieldProblem[] {
  // Defaulting fills an empty one.
  const restart = textAt(spec, 'restartPolicy') || 'Always'
  const dns = textAt(spec, 'dnsPolicy') || 'ClusterFirst'
  return [
    ...enumProblems('spec.restartPolicy', restart, restartPolicies),
    ...enumProblems('spec.dnsPolicy', dns, dnsPolicies),
    ...labelProblems(objectAt(spec, 'nodeSelector'), 'spec.nodeSelector'),
  ]
}

function nameFieldProblems(
  spec: JsonObject,
  key: string,
  rule: (value: string) => readonly string[],
): readonly FieldProblem[] {
  const value = textAt(spec, key)
  return value === '' ? [] : invalidEach(`spec.${key}`, value, rule(value))
}

function dnsConfigProblems(spec: JsonObject): readonly FieldProblem[] {
  if (textAt(spec, 'dnsPolicy') !== 'None') return []
  if (!isJsonObject(spec['dnsConfig'])) {
    return [requiredField('spec.dnsConfig', 'must provide `dnsConfig` when `dnsPolicy` is None')]
  }
  if (objectAt(spec, 'dnsConfig')['nameservers'] !== undefined) return []
  const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None'
  return [requiredField('spec.dnsConfig.nameservers', detail)]
}

function gateProblems(spec: JsonObject): readonly FieldProblem[] {
  const seen = new Set<string>()
  return [
    ...objectsAt(spec, 'readinessGates').flatMap((gate, index) => {
      const type = textAt(gate, 'conditionType')
      const field = `spec.readinessGates[${index}].conditionType`
      return invalidEach(field, type, qualifiedNameProblems(type))
    }),
    ...objectsAt(spec, 'schedulingGates').flatMap((gate, index) => {
      const name = textAt(gate, 'name')
      const field = `spec.schedulingGates[${index}]`
      const isRepeated = seen.has(name)
      seen.add(name)
      return [
        ...invalidEach(field, name, qualifiedNameProblems(name)),
        ...(isRepeated ? [duplicateField(field, name)] : []),
      ]
    }),
  ]
}

function deadlineProblems(spec: JsonObject): readonly FieldProblem[] {
  const seconds = numberAt(spec, 'activeDeadlineSeconds')
  if (seconds === undefined || (seconds >= 1 && seconds <= 2_147_483_647)) return []
  const detail = 'must be between 1 and 2147483647, inclusive'
  return [invalidField('spec.activeDeadlineSeconds', seconds, detail)]
}

function tolerationValueProblems(toleration: JsonObject, at: string): readonly FieldProblem[] {
  const operator = textAt(toleration, 'operator')
  const value = textAt(toleration, 'value')
  switch (operator) {
    case '':
    case 'Equal': {
      const malformed = labelValueProblems(value)
      return malformed.length === 0
        ? []
        : [invalidField(`${at}.operator`, value, malformed.join(';'))]
    }
    case 'Exists':
      return value === ''
        ? []
        : [invalidField(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'")]
    default:
      return [unsupportedField(`${at}.operator`, operator, ['Equal', 'Exists'])]
  }
}

/** Problems of a list of tolerations at `field`. */
export function tolerationProblems(
  tolerations: readonly JsonObject[],
  field: string,
): readonly FieldProblem[] {
  return tolerations.flatMap((toleration, index) => {
    const at = `${field}[${index}]`
    const key = textAt(toleration, 'key')
    const operator = textAt(toleration, 'operator')
    const effect = textAt(toleration, 'effect')
    const hasSeconds = numberAt(toleration, 'tolerationSeconds') !== undefined
    const matchAll =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"'
    return [
      ...(key === '' ? [] : invalidEach(`${at}.key`, key, qualifiedNameProblems(key))),
      ...(key === '' && operator !== 'Exists'
        ? [invalidField(`${at}.operator`, operator, matchAll)]
        : []),
      ...(hasSeconds && effect !== 'NoExecute'
        ? [
            invalidField(
              `${at}.effect`,
              effect,
              "effect must be 'NoExecute' when `tolerationSeconds` is set",
            ),
          ]
        : []),
      ...tolerationValueProblems(toleration, at),
      ...(effect === '' ? [] : enumProblems(`${at}.effect`, effect, effects)),
    ]
  })
}

/** Problems of a pod's spec of the right types, new or updated; what is missing there is for defaulting to fill. */
export function podSpecProblems(
  spec: JsonObject,
  rules: PodRules = apiServerRules,
): readonly FieldProblem[] {
  const volumes = volumesProblems(spec, rules)
  const grace = numberAt(spec, 'terminationGracePeriodSeconds') ?? 30
  const context = {
    volumes: volumes.names,
    graceSeconds: grace < 0 ? 1 : grace,
    podPolicy: textAt(spec, 'restartPolicy') || 'Always',
    hasHostUsers: spec['hostUsers'] !== false,
    rules,
  }
  return [
    ...volumes.problems,
    ...containersProblems(spec, context),
    ...initContainersProblems(spec, context),
    ...ephemeralContainersProblems(spec, context),
    ...hostNetworkProblems(spec),
    ...policyProblems(spec),
    ...podSecurityProblems(spec),
    ...dnsConfigProblems(spec),
    ...gateProblems(spec),
    ...nameFieldProblems(spec, 'serviceAccountName', dnsSubdomainProblems),
    ...nameFieldProblems(spec, 'nodeName', dnsSubdomainProblems),
    ...deadlineProblems(spec),
    ...nameFieldProblems(spec, 'hostname', dnsLabelProblems),
    ...nameFieldProblems(spec, 'subdomain', dnsLabelProblems),
    ...tolerationProblems(objectsAt(spec, 'tolerations'), 'spec.tolerations'),
    ...nameFieldProblems(spec, 'priorityClassName', dnsSubdomainProblems),
    ...['containers', 'initContainers'].flatMap((list) =>
      objectsAt(spec, list).flatMap((one, index) =>
        whitespaceProblems(one, `spec.${list}[${index}]`),
      ),
    ),
  ]
}

/**
 * Why an API server, or a kubelet that reads a manifest, would refuse this new pod; empty when it would not. Expects the right types
 * (`decodeAs`). Fields that defaulting fills may be absent, and so may the namespace. Each message is
 * without its field, as in a Status' causes; `fieldProblemsText` joins both.
 * Source: pkg/apis/core/validation ValidatePodCreate (v1.34); rarer fields are let through.
 */
export function validatePod(
  pod: { readonly metadata?: object; readonly spec?: object },
  rules: PodRules = apiServerRules,
): readonly FieldProblem[] {
  const fields: JsonObject = { ...pod }
  return [
    ...objectMetaProblems(objectAt(fields, 'metadata'), { namespaced: true }),
    ...newPodSpecProblems(objectAt(fields, 'spec'), rules),
  ]
}

/** Problems of the spec of a pod to create: also what only updates may set. */
export function newPodSpecProblems(
  spec: JsonObject,
  rules: PodRules = apiServerRules,
): readonly FieldProblem[] {
  const isGated = textAt(spec, 'nodeName') !== '' && objectsAt(spec, 'schedulingGates').length > 0
  return [
    ...podSpecProblems(spec, rules),
    ...(objectsAt(spec, 'ephemeralContainers').length > 0
      ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(isGated
      ? [
          forbiddenField(
            'spec.nodeName',
            'cannot be set until all schedulingGates have been cleared',
          ),
        ]
      : []),
  ]
}
