import { isJsonObject, listAt, numberAt, objectAt, textAt } from '../../json.ts'
import type { JsonObject } from '../../json.ts'
import {
  enumProblems,
  forbiddenField,
  invalidEach,
  invalidField,
  requiredField,
} from './field-problem.ts'
import type { FieldProblem } from './field-problem.ts'
import { portNameProblems, portNumberProblems } from './name-rules.ts'
import type { PodRules } from '../pod-rules.ts'

/** What a handler's validation depends on: the pod's grace and who validates. */
interface HandlerContext {
  readonly graceSeconds: number
  readonly rules: PodRules
}

function portProblems(port: unknown, field: string): readonly FieldProblem[] {
  if (typeof port === 'string') return invalidEach(field, port, portNameProblems(port))
  const number = typeof port === 'number' ? port : 0
  return invalidEach(field, number, portNumberProblems(number))
}

function httpGetProblems(action: JsonObject, field: string): readonly FieldProblem[] {
  return [
    ...portProblems(action['port'], `${field}.port`),
    ...enumProblems(`${field}.scheme`, textAt(action, 'scheme') || 'HTTP', ['HTTP', 'HTTPS']),
  ]
}

function sleepProblems(
  action: JsonObject,
  { graceSeconds, rules }: HandlerContext,
  field: string,
): readonly FieldProblem[] {
  const seconds = numberAt(action, 'seconds') ?? 0
  const mayBeZero = rules.allowPodLifecycleSleepActionZeroValue
  const isEnough = mayBeZero ? seconds >= 0 : seconds > 0
  if (isEnough && seconds <= graceSeconds) return []
  const limit = `less than terminationGracePeriodSeconds (${graceSeconds})`
  const detail = mayBeZero
    ? `must be non-negative and ${limit}`
    : `must be greater than 0 and ${limit}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`
  return [invalidField(field, seconds, detail)]
}

function actionProblems(
  kind: string,
  action: JsonObject,
  context: HandlerContext,
  field: string,
): readonly FieldProblem[] {
  switch (kind) {
    case 'exec':
      return listAt(action, 'command').length === 0 ? [requiredField(`${field}.command`)] : []
    case 'httpGet':
      return httpGetProblems(action, field)
    case 'sleep':
      return sleepProblems(action, context, field)
    default:
      return portProblems(action['port'], `${field}.port`)
  }
}

function handlerProblems(
  handler: JsonObject,
  kinds: readonly string[],
  context: HandlerContext,
  field: string,
): readonly FieldProblem[] {
  const given = kinds.filter((kind) => isJsonObject(handler[kind]))
  if (given.length === 0) return [requiredField(field, 'must specify a handler type')]
  return given.flatMap((kind, index) =>
    index === 0
      ? actionProblems(kind, objectAt(handler, kind), context, `${field}.${kind}`)
      : [forbiddenField(`${field}.${kind}`, 'may not specify more than 1 handler type')],
  )
}

const probeKinds = ['exec', 'httpGet', 'tcpSocket', 'grpc']
const lifecycleKinds = ['exec', 'httpGet', 'tcpSocket', 'sleep']

const probeCounts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
]

function graceProblems(probe: JsonObject, kind: string, field: string): readonly FieldProblem[] {
  const seconds = numberAt(probe, 'terminationGracePeriodSeconds')
  if (seconds === undefined) return []
  const at = `${field}.terminationGracePeriodSeconds`
  return [
    ...(seconds <= 0 ? [invalidField(at, seconds, 'must be greater than 0')] : []),
    ...(kind === 'readinessProbe'
      ? [invalidField(at, seconds, 'must not be set for readinessProbes')]
      : []),
  ]
}

function probeProblems(
  probe: JsonObject,
  kind: string,
  context: HandlerContext,
  field: string,
): readonly FieldProblem[] {
  const successes = numberAt(probe, 'successThreshold') || 1
  return [
    ...handlerProblems(probe, probeKinds, context, field),
    ...probeCounts.flatMap((count) => {
      const value = numberAt(probe, count) ?? 0
      const message = 'must be greater than or equal to 0'
      return value < 0 ? [invalidField(`${field}.${count}`, value, message)] : []
    }),
    ...graceProblems(probe, kind, field),
    ...(kind !== 'readinessProbe' && successes !== 1
      ? [invalidField(`${field}.successThreshold`, successes, 'must be 1')]
      : []),
  ]
}

const handlerFields = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const

/** Problems of a container's life-cycle hooks and probes; `field` is the container's. */
export function containerHandlerProblems(
  container: JsonObject,
  options: HandlerContext & { readonly field: string },
): readonly FieldProblem[] {
  const { field } = options
  return handlerFields.flatMap((kind) => {
    const value = container[kind]
    if (!isJsonObject(value)) return []
    if (kind !== 'lifecycle') return probeProblems(value, kind, options, `${field}.${kind}`)
    return ['postStart', 'preStop'].flatMap((hook) => {
      const handler = value[hook]
      const at = `${field}.lifecycle.${hook}`
      return isJsonObject(handler) ? handlerProblems(handler, lifecycleKinds, options, at) : []
    })
  })
}

/** What an init container may not have unless it is a sidecar. */
export function forbiddenHandlerProblems(
  container: JsonObject,
  field: string,
): readonly FieldProblem[] {
  return handlerFields
    .filter((kind) => isJsonObject(container[kind]))
    .map((kind) =>
      forbiddenField(
        `${field}.${kind}`,
        'may not be set for init containers without restartPolicy=Always',
      ),
    )
}
