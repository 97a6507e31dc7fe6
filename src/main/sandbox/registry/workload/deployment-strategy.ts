import { equalJson, isJsonObject, numberAt, objectAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  forbiddenField,
  immutableProblems,
  invalidField,
  problemIf,
  unsupportedField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { withFieldOf } from '../strategy.ts'
import {
  amountOf,
  decrementProblems,
  intOrPercentProblems,
  nonnegativeFields,
  percentLimitProblems,
} from './number-problems.ts'
import { selectorOf, withEnabledFields } from './pod-template.ts'
import { countProblems, replicatedTemplateProblems } from './replica-set-strategy.ts'
import {
  isSpecChanged,
  withEnabledStatus,
  withNextGeneration,
  workloadStrategy,
} from './workload-strategy.ts'

function strategyDefaults(strategy: JsonObject): JsonObject {
  const type = textAt(strategy, 'type') || 'RollingUpdate'
  if (type !== 'RollingUpdate') return { ...strategy, type }
  const rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%' }
  return {
    ...strategy,
    type,
    rollingUpdate: { ...rollingUpdate, ...objectAt(strategy, 'rollingUpdate') },
  }
}

function rollingUpdateProblems(rolling: JsonObject): FieldProblems {
  const field = 'spec.strategy.rollingUpdate'
  const { maxUnavailable, maxSurge } = rolling
  const isNothing = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0
  const why = 'may not be 0 when `maxSurge` is 0'
  return [
    ...intOrPercentProblems(maxUnavailable, `${field}.maxUnavailable`),
    ...intOrPercentProblems(maxSurge, `${field}.maxSurge`),
    ...problemIf(isNothing, invalidField(`${field}.maxUnavailable`, maxUnavailable, why)),
    ...percentLimitProblems(maxUnavailable, `${field}.maxUnavailable`),
  ]
}

/** The internal type as Go prints it. */
function internalStrategy(strategy: JsonObject): JsonObject {
  const rolling = strategy['rollingUpdate']
  return {
    Type: textAt(strategy, 'type'),
    RollingUpdate: isJsonObject(rolling)
      ? { MaxUnavailable: rolling['maxUnavailable'] ?? 0, MaxSurge: rolling['maxSurge'] ?? 0 }
      : null,
  }
}

function updateStrategyProblems(strategy: JsonObject): FieldProblems {
  const rolling = strategy['rollingUpdate']
  switch (textAt(strategy, 'type')) {
    case 'Recreate': {
      const why = "may not be specified when strategy `type` is 'Recreate'"
      return problemIf(isJsonObject(rolling), forbiddenField('spec.strategy.rollingUpdate', why))
    }
    case 'RollingUpdate':
      return rollingUpdateProblems(objectAt(strategy, 'rollingUpdate'))
    default:
      return [
        unsupportedField('spec.strategy', internalStrategy(strategy), [
          'Recreate',
          'RollingUpdate',
        ]),
      ]
  }
}

function deadlineProblems(spec: JsonObject): FieldProblems {
  const field = 'spec.progressDeadlineSeconds'
  const deadline = numberAt(spec, 'progressDeadlineSeconds') ?? 0
  const isTooShort = deadline <= (numberAt(spec, 'minReadySeconds') ?? 0)
  const why = 'must be greater than minReadySeconds'
  return [
    ...nonnegativeFields(spec, 'spec', ['progressDeadlineSeconds']),
    ...problemIf(isTooShort, invalidField(field, deadline, why)),
  ]
}

function deploymentProblems(object: KubeObject): FieldProblems {
  const spec = objectAt(object, 'spec')
  return [
    ...nonnegativeFields(spec, 'spec', ['replicas']),
    ...replicatedTemplateProblems(spec),
    ...updateStrategyProblems(objectAt(spec, 'strategy')),
    ...nonnegativeFields(spec, 'spec', ['minReadySeconds', 'revisionHistoryLimit']),
    ...deadlineProblems(spec),
  ]
}

const counts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
]

function statusProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const status = objectAt(next, 'status')
  return [
    ...nonnegativeFields(status, 'status', [...counts, 'collisionCount']),
    ...countProblems(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas']),
    ...decrementProblems(status, objectAt(old, 'status')),
  ]
}

/** The spec stays, and so do the labels. */
function prepareForStatusUpdate(next: KubeObject, old: KubeObject): KubeObject {
  const { labels: _, ...metadata } = next.metadata
  const { labels } = old.metadata
  const kept = { ...next, metadata: { ...metadata, ...(labels === undefined ? {} : { labels }) } }
  return withFieldOf(withEnabledStatus(kept, old), 'spec', old)
}

/** Annotations are copied to the replica sets: they change the generation, too. */
function prepareForUpdate(next: KubeObject, old: KubeObject): KubeObject {
  const spec = withEnabledFields(objectAt(next, 'spec'))
  const prepared = withFieldOf({ ...next, spec }, 'status', old)
  const isAnnotated = !equalJson(next.metadata.annotations ?? {}, old.metadata.annotations ?? {})
  return withNextGeneration(prepared, old, isAnnotated || isSpecChanged(prepared, old))
}

/** Deployments. Source: pkg/registry/apps/deployment/strategy.go, pkg/apis/apps/validation (v1.34). */
export const deploymentStrategy = workloadStrategy({
  specDefaults: (spec) => ({
    ...spec,
    replicas: numberAt(spec, 'replicas') ?? 1,
    strategy: strategyDefaults(objectAt(spec, 'strategy')),
    revisionHistoryLimit: numberAt(spec, 'revisionHistoryLimit') ?? 10,
    progressDeadlineSeconds: numberAt(spec, 'progressDeadlineSeconds') ?? 600,
  }),
  omittedSpec: ['minReadySeconds', 'paused'],
  status: { omitted: counts, times: ['lastUpdateTime', 'lastTransitionTime'] },
  createProblems: deploymentProblems,
  prepareForUpdate,
  updateProblems: (next, old) => [
    ...deploymentProblems(next),
    ...immutableProblems(
      'spec.selector',
      selectorOf(objectAt(next, 'spec')),
      selectorOf(objectAt(old, 'spec')),
    ),
  ],
  prepareForStatusUpdate,
  statusProblems,
})
