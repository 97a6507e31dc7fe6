import { equalJson, isJsonObject, objectAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { invalidField, problemIf } from '../../../../shared/kubernetes/validation/field-problem.ts'
import type {
  FieldProblem,
  FieldProblems,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import { plainStrategy, withFieldOf } from '../strategy.ts'
import type { ResourceStrategy } from '../strategy.ts'
import { withNextGeneration } from '../workload/workload-strategy.ts'
import { embeddedProblems, listProblems } from './list-problems.ts'
import { hasRules } from './schema-problems.ts'
import { defaulted, propertyOf, valueAtPath } from './structural-schema.ts'
import type { StructuralSchema } from './structural-schema.ts'
import { valueProblems } from './value-problems.ts'

const largestReplicas = 2 ** 31 - 1

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (isJsonObject(value)) return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function accessorProblem(path: string, value: unknown, wanted: 'int64' | 'string'): FieldProblems {
  const why = `${path} accessor error: ${String(value)} is of the type ${goType(value)}, expected ${wanted}`
  return [invalidField(path, wanted === 'int64' ? 0 : '', why)]
}

function replicasProblems(object: JsonObject, path: string): FieldProblems {
  const value = valueAtPath(object, path)
  if (value === undefined) return []
  if (!Number.isInteger(value)) return accessorProblem(path, value, 'int64')
  const replicas = Number(value)
  return [
    ...problemIf(replicas < 0, invalidField(path, replicas, 'should be a non-negative integer')),
    ...problemIf(
      replicas > largestReplicas,
      invalidField(path, replicas, `should be less than or equal to ${largestReplicas}`),
    ),
  ]
}

function scaleStatusProblems(object: JsonObject, scale: JsonObject): FieldProblems {
  const path = textAt(scale, 'labelSelectorPath')
  const selector = path === '' ? undefined : valueAtPath(object, path)
  const isText = selector === undefined || typeof selector === 'string'
  return [
    ...replicasProblems(object, textAt(scale, 'statusReplicasPath')),
    ...(isText ? [] : accessorProblem(path, selector, 'string')),
  ]
}

function scaleProblems(object: JsonObject, scale: JsonObject | undefined): FieldProblems {
  if (scale === undefined) return []
  return [
    ...replicasProblems(object, textAt(scale, 'specReplicasPath')),
    ...scaleStatusProblems(object, scale),
  ]
}

/** With one of these, a real server does not check the rules in CEL. */
const blocking: ReadonlySet<FieldProblem['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
] as const)
const uncheckedProblem = invalidField(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

/** The behavior of one version of a custom kind. Source: apiextensions registry/customresource/strategy.go, validator.go (v1.34). */
export function customStrategy(
  schema: StructuralSchema,
  subresources: JsonObject,
): ResourceStrategy {
  const hasStatus = isJsonObject(subresources['status'])
  const scale = isJsonObject(subresources['scale']) ? subresources['scale'] : undefined
  const isRuled = hasRules(schema)
  const withRules = (found: FieldProblems): FieldProblems =>
    isRuled && found.some(({ reason }) => blocking.has(reason))
      ? [...found, uncheckedProblem]
      : found
  const problems = (next: KubeObject, old: KubeObject | undefined): FieldProblems => {
    const before = old === undefined ? undefined : { value: old }
    const wasWrong = old !== undefined && listProblems(old, schema).length > 0
    return withRules([
      ...valueProblems(next, schema, { before }),
      ...scaleProblems({ ...next }, scale),
      ...embeddedProblems(next, schema),
      ...(wasWrong ? [] : listProblems(next, schema)),
    ])
  }
  const statusProblems = (next: KubeObject, old: KubeObject): FieldProblems => {
    const ofStatus = propertyOf(schema, 'status')
    const { status } = next as unknown as JsonObject
    const before = { value: (old as unknown as JsonObject)['status'] }
    return withRules([
      ...(ofStatus === undefined || status === undefined
        ? []
        : valueProblems(status, ofStatus, { prefix: 'status', before })),
      ...(scale === undefined ? [] : scaleStatusProblems({ ...next }, scale)),
      ...embeddedProblems(next, schema),
      ...(listProblems(old, schema).length > 0 ? [] : listProblems(next, schema)),
    ])
  }
  return plainStrategy({
    // A KubeObject stays one: defaults are only added.
    withDefaults: (object) => defaulted(object, schema) as KubeObject,
    defaultsWholeObject: true,
    takesPlainFinalizers: true,
    prepareForCreate: (object) => {
      const { status: _, ...rest } = object as KubeObject & { readonly status?: unknown }
      const own = hasStatus ? rest : object
      return { ...own, metadata: { ...object.metadata, generation: 1 } }
    },
    createProblems: (object) => problems(object, undefined),
    prepareForUpdate: (next, old) => {
      const kept = hasStatus ? withFieldOf(next, 'status', old) : next
      const isChanged = !equalJson({ ...kept, metadata: {} }, { ...old, metadata: {} })
      return withNextGeneration(kept, old, isChanged)
    },
    updateProblems: problems,
    prepareForStatusUpdate: (next, old) => {
      const { managedFields: _, ...metadata } = old.metadata
      const { managedFields } = next.metadata
      const managed = managedFields === undefined ? {} : { managedFields }
      return { ...withFieldOf(old, 'status', next), metadata: { ...metadata, ...managed } }
    },
    statusProblems,
    updatesUnconditionally: false,
  })
}

/** The schema of a version; one that a definition does not have takes nothing. */
export function schemaOfVersion(version: JsonObject): StructuralSchema {
  return objectAt(objectAt(version, 'schema'), 'openAPIV3Schema')
}
