import { isJsonObject, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { LabelSelector } from '../../../../shared/kubernetes/disruption-budget.ts'
import { selectsLabels } from '../../../../shared/kubernetes/disruption-budget.ts'
import {
  forbiddenField,
  invalidField,
  problemIf,
  requiredField,
  unsupportedField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import {
  annotationProblems,
  labelProblems,
} from '../../../../shared/kubernetes/validation/object-meta-validation.ts'
import { podSpecProblems } from '../../../../shared/kubernetes/validation/pod-validation.ts'
import { withoutRestartPolicies } from '../pod/pod-strategy.ts'
import { selectorProblems } from '../selector-validation.ts'
import { sortedMap } from './go-fields.ts'

const field = 'spec.template'

type Labels = Readonly<Record<string, string>>

/** The spec with the template of pods: of a workload its own, of a CronJob that of its Jobs. */
export function podTemplateOf(object: JsonObject): {
  readonly owner: JsonObject
  readonly ownerPath: string
} {
  const spec = objectAt(object, 'spec')
  return isJsonObject(spec['jobTemplate'])
    ? { owner: objectAt(spec['jobTemplate'], 'spec'), ownerPath: 'spec.jobTemplate.spec' }
    : { owner: spec, ownerPath: 'spec' }
}

/** The labels of the pods of a spec's template. */
export function templateLabels(spec: JsonObject): JsonObject {
  return objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels')
}

/** A spec without the fields of its template whose feature gates are off. Source: pkg/api/pod DropDisabledTemplateFields. */
export function withEnabledFields(spec: JsonObject): JsonObject {
  if (spec['template'] === undefined) return spec
  const template = objectAt(spec, 'template')
  const podSpec = withoutRestartPolicies(objectAt(template, 'spec'))
  return { ...spec, template: { ...template, spec: podSpec } }
}

/** Problems of the labels and annotations of a template. */
export function templateMetaProblems(template: JsonObject): FieldProblems {
  const metadata = objectAt(template, 'metadata')
  return [
    ...labelProblems(objectAt(metadata, 'labels'), `${field}.labels`),
    ...annotationProblems(objectAt(metadata, 'annotations'), `${field}.annotations`),
  ]
}

/** Problems of a template by itself. Source: pkg/apis/core/validation ValidatePodTemplateSpec (v1.34). */
export function templateProblems(template: JsonObject): FieldProblems {
  const spec = objectAt(template, 'spec')
  const ephemeral = objectsAt(spec, 'ephemeralContainers')
  const why = 'ephemeral containers not allowed in pod template'
  return [
    ...templateMetaProblems(template),
    ...podSpecProblems(spec).map((problem) => ({
      ...problem,
      field: `spec.template.${problem.field}`,
    })),
    ...problemIf(ephemeral.length > 0, forbiddenField(`${field}.spec.ephemeralContainers`, why)),
  ]
}

/** Problems of a template whose pods run until they are deleted. `owner`: the kind in the message. */
export function alwaysRestartProblems(template: JsonObject, owner: string): FieldProblems {
  const spec = objectAt(template, 'spec')
  const policy = textAt(spec, 'restartPolicy')
  return [
    ...problemIf(
      policy !== 'Always',
      unsupportedField(`${field}.spec.restartPolicy`, policy, ['Always']),
    ),
    ...problemIf(
      spec['activeDeadlineSeconds'] !== undefined,
      forbiddenField(
        `${field}.spec.activeDeadlineSeconds`,
        `activeDeadlineSeconds in ${owner} is not Supported`,
      ),
    ),
  ]
}

/** The problem of labels that `selector` does not select. */
export function labelMismatch(
  spec: JsonObject,
  selector: LabelSelector | undefined,
): FieldProblems {
  const labels = templateLabels(spec)
  if (selectsLabels(selector, labels as Labels)) return []
  const shown = sortedMap(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels')
  const why = '`selector` does not match template `labels`'
  return [invalidField(`${field}.metadata.labels`, shown, why)]
}

/** The selector of a spec, with its labels in order; undefined if it has none. */
export function selectorOf(spec: JsonObject): LabelSelector | undefined {
  if (spec['selector'] === undefined) return undefined
  const selector = objectAt(spec, 'selector')
  const matchLabels = sortedMap(selector, 'matchLabels')
  // Decoding checked the types of its fields.
  return matchLabels === null ? selector : { ...selector, matchLabels: matchLabels as Labels }
}

/** Whether the server can read the selector of a spec. Source: apimachinery meta/v1 LabelSelectorAsSelector. */
export function isReadableSelector(spec: JsonObject): boolean {
  return selectorProblems(objectAt(spec, 'selector'), 'spec.selector').length === 0
}

/** Problems of a selector that must select something. `owner`: the kind in the message. */
export function ownSelectorProblems(spec: JsonObject, owner: string): FieldProblems {
  const selector = selectorOf(spec)
  if (selector === undefined) return [requiredField('spec.selector')]
  const isEmpty =
    Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0
  const why = `empty selector is invalid for ${owner}`
  return [
    ...selectorProblems({ ...selector }, 'spec.selector'),
    ...problemIf(isEmpty, invalidField('spec.selector', selector, why)),
  ]
}
