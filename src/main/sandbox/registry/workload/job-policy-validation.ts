import {
  isJsonObject,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import {
  duplicateField,
  enumProblems,
  invalidEach,
  invalidField,
  invalidWithoutValue,
  problemIf,
  requiredField,
  tooManyProblems,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type {
  FieldProblem,
  FieldProblems,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import { qualifiedNameProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'
import { parseIndexes } from './job-indexes.ts'
import { nonnegativeProblems } from './number-problems.ts'

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const operators = ['In', 'NotIn']
const statuses = ['False', 'True', 'Unknown']
const maxRules = 20
const maxExitCodes = 255
const maxConditions = 20

function validValues(values: readonly string[]): string {
  return `valid values: [${values.map((value) => JSON.stringify(value)).join(' ')}]`
}

/** A required text of an enumeration. */
function wordProblems(
  object: JsonObject,
  name: string,
  field: string,
  values: readonly string[],
): FieldProblems {
  const word = textAt(object, name)
  const at = `${field}.${name}`
  return word === '' ? [requiredField(at, validValues(values))] : enumProblems(at, word, values)
}

function codeProblems(requirement: JsonObject, field: string): FieldProblems {
  const codes = listAt(requirement, 'values')
  const isIn = requirement['operator'] === 'In'
  const isOrdered = codes.every(
    (code, index) => index === 0 || Number(codes[index - 1]) <= Number(code),
  )
  const shown = requirement['values'] ?? null
  return [
    ...problemIf(codes.length === 0, invalidField(field, shown, 'at least one value is required')),
    ...tooManyProblems(field, codes.length, maxExitCodes),
    ...codes.flatMap((code, index) => [
      ...problemIf(
        isIn && code === 0,
        invalidField(`${field}[${index}]`, code, 'must not be 0 for the In operator'),
      ),
      ...problemIf(codes.indexOf(code) < index, duplicateField(`${field}[${index}]`, code)),
    ]),
    ...problemIf(!isOrdered, invalidField(field, codes, 'must be ordered')),
  ]
}

function exitCodeProblems(
  requirement: JsonObject,
  field: string,
  containers: ReadonlySet<string>,
): FieldProblems {
  const name = requirement['containerName']
  const isUnknown = typeof name === 'string' && !containers.has(name)
  const why = 'must be one of the container or initContainer names in the pod template'
  return [
    ...wordProblems(requirement, 'operator', field, operators),
    ...problemIf(isUnknown, invalidField(`${field}.containerName`, name, why)),
    ...codeProblems(requirement, `${field}.values`),
  ]
}

function conditionProblems(patterns: readonly JsonObject[], field: string): FieldProblems {
  return [
    ...tooManyProblems(field, patterns.length, maxConditions),
    ...patterns.flatMap((pattern, index) => {
      const type = textAt(pattern, 'type')
      const at = `${field}[${index}]`
      return [
        ...invalidEach(`${at}.type`, type, qualifiedNameProblems(type)),
        ...wordProblems(pattern, 'status', at, statuses),
      ]
    }),
  ]
}

function actionProblems(rule: JsonObject, field: string, spec: JsonObject): FieldProblems {
  const action = textAt(rule, 'action')
  if (action !== 'FailIndex') return wordProblems(rule, 'action', field, actions)
  const isMissing = spec['backoffLimitPerIndex'] === undefined
  const why = 'requires the backoffLimitPerIndex to be set'
  return problemIf(isMissing, invalidField(`${field}.action`, action, why))
}

function ruleProblems(
  rule: JsonObject,
  field: string,
  spec: JsonObject,
  containers: ReadonlySet<string>,
): FieldProblems {
  const exitCodes = rule['onExitCodes']
  const conditions = objectsAt(rule, 'onPodConditions')
  const hasCodes = isJsonObject(exitCodes)
  const hasConditions = conditions.length > 0
  const both = 'specifying both OnExitCodes and OnPodConditions is not supported'
  const none = 'specifying one of OnExitCodes and OnPodConditions is required'
  return [
    ...actionProblems(rule, field, spec),
    ...(hasCodes ? exitCodeProblems(exitCodes, `${field}.onExitCodes`, containers) : []),
    ...(hasConditions ? conditionProblems(conditions, `${field}.onPodConditions`) : []),
    ...problemIf(hasCodes && hasConditions, invalidWithoutValue(field, both)),
    ...problemIf(!hasCodes && !hasConditions, invalidWithoutValue(field, none)),
  ]
}

/** Problems of `podFailurePolicy`. Source: pkg/apis/batch/validation validatePodFailurePolicy (v1.34). */
export function failurePolicyProblems(spec: JsonObject): FieldProblems {
  const field = 'spec.podFailurePolicy.rules'
  const podSpec = objectAt(objectAt(spec, 'template'), 'spec')
  const containers = ['containers', 'initContainers'].flatMap((list) => objectsAt(podSpec, list))
  const names = new Set(containers.map((one) => textAt(one, 'name')))
  const rules = objectsAt(objectAt(spec, 'podFailurePolicy'), 'rules')
  return [
    ...tooManyProblems(field, rules.length, maxRules),
    ...rules.flatMap((rule, index) => ruleProblems(rule, `${field}[${index}]`, spec, names)),
  ]
}

function countProblems(
  rule: JsonObject,
  field: string,
  completions: number,
  total: number,
): FieldProblems {
  const count = numberAt(rule, 'succeededCount')
  if (count === undefined) return []
  const hasIndexes = rule['succeededIndexes'] !== undefined
  const at = `${field}.succeededCount`
  const limit = (number: number, what: string): FieldProblem =>
    invalidField(at, count, `must be less than or equal to ${number} (the number of ${what})`)
  return [
    ...nonnegativeProblems(count, at),
    ...problemIf(count > completions, limit(completions, 'specified completions')),
    ...problemIf(
      hasIndexes && count > total,
      limit(total, 'indexes in the specified succeededIndexes field'),
    ),
  ]
}

function successRuleProblems(rule: JsonObject, field: string, completions: number): FieldProblems {
  const indexes = rule['succeededIndexes']
  const isEmpty = indexes === undefined && rule['succeededCount'] === undefined
  const parsed = parseIndexes(typeof indexes === 'string' ? indexes : '', completions)
  const none = 'at least one of succeededCount or succeededIndexes must be specified'
  return [
    ...problemIf(isEmpty, requiredField(field, none)),
    ...(parsed.ok
      ? []
      : [
          invalidField(
            `${field}.succeededIndexes`,
            indexes,
            `error parsing succeededIndexes: ${parsed.error}`,
          ),
        ]),
    ...countProblems(rule, field, completions, parsed.ok ? parsed.value.total : 0),
  ]
}

/** Problems of `successPolicy` of an indexed job. Source: pkg/apis/batch/validation validateSuccessPolicy (v1.34). */
export function successPolicyProblems(spec: JsonObject): FieldProblems {
  const field = 'spec.successPolicy.rules'
  const rules = objectsAt(objectAt(spec, 'successPolicy'), 'rules')
  const none = 'at least one rules must be specified when the successPolicy is specified'
  const completions = numberAt(spec, 'completions') ?? 0
  return [
    ...problemIf(rules.length === 0, requiredField(field, none)),
    ...tooManyProblems(field, rules.length, maxRules),
    ...rules.flatMap((rule, index) => successRuleProblems(rule, `${field}[${index}]`, completions)),
  ]
}
