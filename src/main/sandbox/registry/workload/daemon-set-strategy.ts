import { equalJson, isJsonObject, numberAt, objectAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  immutableProblems,
  invalidField,
  problemIf,
  requiredField,
  unsupportedField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { selectorProblems } from '../selector-validation.ts'
import { withFieldOf } from '../strategy.ts'
import {
  amountOf,
  decrementProblems,
  intOrPercentProblems,
  nonnegativeFields,
  percentLimitProblems,
} from './number-problems.ts'
import {
  alwaysRestartProblems,
  isReadableSelector,
  labelMismatch,
  selectorOf,
  templateProblems,
  withEnabledFields,
} from './pod-template.ts'
import { isSpecChanged, withNextGeneration, workloadStrategy } from './workload-strategy.ts'

const generationAnnotation = 'deprecated.daemonset.template.generation'

function templateGeneration({ metadata }: KubeObject): number {
  const text = metadata.annotations?.[generationAnnotation] ?? ''
  return /^-?\d+$/.test(text) ? Number(text) : 0
}

/** Source: pkg/apis/apps/v1/conversion.go Convert_apps_DaemonSet_To_v1_DaemonSet. */
function withTemplateGeneration(set: KubeObject, generation: number): KubeObject {
  const annotations = {
    ...set.metadata.annotations,
    [generationAnnotation]: String(generation),
  }
  return { ...set, metadata: { ...set.metadata, annotations } }
}

function updateStrategyDefaults(strategy: JsonObject): JsonObject {
  const type = textAt(strategy, 'type') || 'RollingUpdate'
  if (type !== 'RollingUpdate') return { ...strategy, type }
  const rolling = objectAt(strategy, 'rollingUpdate')
  return { ...strategy, type, rollingUpdate: { maxSurge: 0, maxUnavailable: 1, ...rolling } }
}

function rollingUpdateProblems({ maxUnavailable, maxSurge }: JsonObject): FieldProblems {
  const field = 'spec.updateStrategy.rollingUpdate'
  const hasUnavailable = amountOf(maxUnavailable) !== 0
  const hasSurge = amountOf(maxSurge) !== 0
  const both = 'may not be set when maxUnavailable is non-zero'
  const none = 'cannot be 0 when maxSurge is 0'
  return [
    ...intOrPercentProblems(maxUnavailable, `${field}.maxUnavailable`),
    ...intOrPercentProblems(maxSurge, `${field}.maxSurge`),
    ...percentLimitProblems(maxUnavailable, `${field}.maxUnavailable`),
    ...percentLimitProblems(maxSurge, `${field}.maxSurge`),
    ...problemIf(hasUnavailable && hasSurge, invalidField(`${field}.maxSurge`, maxSurge, both)),
    ...problemIf(!hasUnavailable && !hasSurge, requiredField(`${field}.maxUnavailable`, none)),
  ]
}

function updateStrategyProblems(strategy: JsonObject): FieldProblems {
  const rolling = strategy['rollingUpdate']
  const type = textAt(strategy, 'type')
  if (type === 'OnDelete') return []
  if (type === 'RollingUpdate') return rollingUpdateProblems(objectAt(strategy, 'rollingUpdate'))
  const internal = {
    Type: type,
    RollingUpdate: isJsonObject(rolling)
      ? { MaxUnavailable: rolling['maxUnavailable'] ?? 0, MaxSurge: rolling['maxSurge'] ?? 0 }
      : null,
  }
  return [unsupportedField('spec.updateStrategy', internal, ['RollingUpdate', 'OnDelete'])]
}

function emptySelectorProblems(spec: JsonObject): FieldProblems {
  const selector = selectorOf(spec)
  const isEmpty = selector !== undefined && Object.keys(selector).length === 0
  const why = 'empty selector is invalid for daemonset'
  return problemIf(isEmpty, invalidField('spec.selector', selector, why))
}

function daemonSetProblems(object: KubeObject): FieldProblems {
  const spec = objectAt(object, 'spec')
  const template = objectAt(spec, 'template')
  return [
    ...selectorProblems(objectAt(spec, 'selector'), 'spec.selector'),
    ...(isReadableSelector(spec) ? labelMismatch(spec, selectorOf(spec)) : []),
    ...emptySelectorProblems(spec),
    ...templateProblems(template),
    ...alwaysRestartProblems(template, 'DaemonSet'),
    ...nonnegativeFields(spec, 'spec', ['minReadySeconds']),
    ...updateStrategyProblems(objectAt(spec, 'updateStrategy')),
    ...nonnegativeFields(spec, 'spec', ['revisionHistoryLimit']),
  ]
}

function prepareForUpdate(next: KubeObject, old: KubeObject): KubeObject {
  const spec = withEnabledFields(objectAt(next, 'spec'))
  const isNewTemplate = !equalJson(spec['template'], objectAt(old, 'spec')['template'])
  const generation = templateGeneration(old) + (isNewTemplate ? 1 : 0)
  const kept = withFieldOf({ ...next, spec }, 'status', old)
  const prepared = withTemplateGeneration(kept, generation)
  return withNextGeneration(prepared, old, isSpecChanged(prepared, old))
}

const scheduled = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
]
const later = [
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
]

const strategy = workloadStrategy({
  specDefaults: (spec) => ({
    ...spec,
    updateStrategy: updateStrategyDefaults(objectAt(spec, 'updateStrategy')),
    revisionHistoryLimit: numberAt(spec, 'revisionHistoryLimit') ?? 10,
  }),
  omittedSpec: ['minReadySeconds'],
  status: { counts: scheduled, omitted: later, times: ['lastTransitionTime'] },
  createProblems: daemonSetProblems,
  prepareForUpdate,
  updateProblems: (next, old) => [
    ...immutableProblems(
      'spec.selector',
      selectorOf(objectAt(next, 'spec')),
      selectorOf(objectAt(old, 'spec')),
    ),
    ...daemonSetProblems(next),
  ],
  prepareForStatusUpdate: (next, old) =>
    withTemplateGeneration(withFieldOf(next, 'spec', old), templateGeneration(old)),
  statusProblems: (next, old) => {
    const status = objectAt(next, 'status')
    return [
      ...nonnegativeFields(status, 'status', [...scheduled, ...later, 'collisionCount']),
      ...decrementProblems(status, objectAt(old, 'status')),
    ]
  },
})

/** Daemon sets. Source: pkg/registry/apps/daemonset/strategy.go, pkg/apis/apps/validation (v1.34). */
export const daemonSetStrategy = {
  ...strategy,
  prepareForCreate: (object: KubeObject) =>
    withTemplateGeneration(
      strategy.prepareForCreate(object),
      Math.max(1, templateGeneration(object)),
    ),
}
