import { defined, equalJson, isJsonObject, objectAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { defaultPodTemplate } from '../../../../shared/kubernetes/pod-defaults.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { plainStrategy, withFieldOf } from '../strategy.ts'
import type { ResourceStrategy } from '../strategy.ts'
import { withoutZeros, writtenSelector, writtenStatus } from './go-fields.ts'
import type { StatusShape } from './go-fields.ts'
import { withEnabledFields } from './pod-template.ts'

/** What is particular to one kind. */
interface WorkloadRules extends Partial<ResourceStrategy> {
  readonly specDefaults: (spec: JsonObject) => JsonObject
  /** Fields of the spec that are omitted if they are zero. */
  readonly omittedSpec?: readonly string[]
  /** False: the template can be absent. Default true: in Go it is not a pointer. */
  readonly hasTemplateAlways?: boolean
  readonly status: StatusShape
  readonly createProblems: (object: KubeObject) => FieldProblems
}

/** The generation of an object: the next one if `isChanged`. */
export function withNextGeneration(
  next: KubeObject,
  old: KubeObject,
  isChanged: boolean,
): KubeObject {
  if (!isChanged) return next
  const generation = (old.metadata.generation ?? 0) + 1
  return { ...next, metadata: { ...next.metadata, generation } }
}

/** Whether the spec of an updated object is another one. */
export function isSpecChanged(next: KubeObject, old: KubeObject): boolean {
  return !equalJson(next['spec'], old['spec'])
}

function templateDefaults(spec: JsonObject, hasTemplateAlways: boolean): JsonObject {
  if (!hasTemplateAlways && !isJsonObject(spec['template'])) return {}
  return { template: defaultPodTemplate(objectAt(spec, 'template')) }
}

/** Without the count of a feature gate that is off. Source: dropDisabledStatusFields. */
export function withEnabledStatus(next: KubeObject, old: KubeObject): KubeObject {
  if (objectAt(old, 'status')['terminatingReplicas'] !== undefined) return next
  const { terminatingReplicas: _, ...status } = objectAt(next, 'status')
  return { ...next, status }
}

/** What the strategies of kinds with pod templates share. Source: pkg/registry/apps, pkg/registry/batch (v1.34). */
export function workloadStrategy(rules: WorkloadRules): ResourceStrategy {
  const { specDefaults, omittedSpec = [], hasTemplateAlways = true, status: shape, ...own } = rules
  const withStatus = (object: KubeObject): KubeObject => ({
    ...object,
    status: writtenStatus(objectAt(object, 'status'), shape),
  })
  return plainStrategy({
    withDefaults: (object) => {
      const given = objectAt(object, 'spec')
      const spec = withoutZeros(
        { ...given, ...writtenSelector(given), ...templateDefaults(given, hasTemplateAlways) },
        omittedSpec,
      )
      return withStatus({ ...object, spec: defined(specDefaults(spec)) })
    },
    prepareForCreate: (object) => ({
      ...object,
      metadata: { ...object.metadata, generation: 1 },
      spec: withEnabledFields(objectAt(object, 'spec')),
      status: writtenStatus({}, shape),
    }),
    prepareForUpdate: (next, old) => {
      const spec = withEnabledFields(objectAt(next, 'spec'))
      const prepared = withFieldOf({ ...next, spec }, 'status', old)
      return withNextGeneration(prepared, old, isSpecChanged(prepared, old))
    },
    prepareForStatusUpdate: (next, old) => withFieldOf(withEnabledStatus(next, old), 'spec', old),
    ...own,
  })
}
