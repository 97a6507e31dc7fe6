import { isJsonObject, numberAt, objectAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  immutableProblems,
  invalidField,
  requiredField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { withoutZeros } from './go-fields.ts'
import {
  alwaysRestartProblems,
  isReadableSelector,
  labelMismatch,
  ownSelectorProblems,
  selectorOf,
  templateLabels,
  templateProblems,
} from './pod-template.ts'
import { largerThan, nonnegativeFields } from './number-problems.ts'
import { workloadStrategy } from './workload-strategy.ts'

const moreThanReplicas = 'cannot be greater than status.replicas'

/** Problems of counts that are larger than those that include them. */
export function countProblems(
  status: JsonObject,
  names: readonly string[],
  moreThanReady = 'cannot be greater than readyReplicas',
): FieldProblems {
  return [
    ...largerThan(status, names, 'replicas', moreThanReplicas),
    ...largerThan(status, ['availableReplicas'], 'readyReplicas', moreThanReady),
  ]
}

/** Problems of the selector and the template of a Deployment or ReplicaSet. Source: ValidatePodTemplateSpecForReplicaSet. */
export function replicatedTemplateProblems(spec: JsonObject): FieldProblems {
  const selector = selectorOf(spec)
  const template = objectAt(spec, 'template')
  // Upstream writes "deployment" for replica sets, too.
  const own = ownSelectorProblems(spec, 'deployment')
  if (!isReadableSelector(spec))
    return [...own, invalidField('spec.selector', selector, 'invalid label selector')]
  return [
    ...own,
    ...labelMismatch(spec, selector),
    ...templateProblems(template),
    ...alwaysRestartProblems(template, 'ReplicaSet'),
  ]
}

function replicaSetProblems(object: KubeObject): FieldProblems {
  const spec = objectAt(object, 'spec')
  return [
    ...nonnegativeFields(spec, 'spec', ['replicas', 'minReadySeconds']),
    ...replicatedTemplateProblems(spec),
  ]
}

const counts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
]

function statusProblems(next: KubeObject): FieldProblems {
  const status = objectAt(next, 'status')
  return [
    ...nonnegativeFields(status, 'status', counts),
    ...countProblems(status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  ]
}

const statusShape = {
  counts: ['replicas'],
  omitted: counts.filter((name) => name !== 'replicas'),
  times: ['lastTransitionTime'],
}

/** Replica sets. Source: pkg/registry/apps/replicaset/strategy.go, pkg/apis/apps/validation (v1.34). */
export const replicaSetStrategy = workloadStrategy({
  specDefaults: (spec) => ({
    ...spec,
    replicas: numberAt(spec, 'replicas') ?? 1,
  }),
  omittedSpec: ['minReadySeconds'],
  status: statusShape,
  createProblems: replicaSetProblems,
  updateProblems: (next, old) => [
    ...replicaSetProblems(next),
    ...immutableProblems(
      'spec.selector',
      selectorOf(objectAt(next, 'spec')),
      selectorOf(objectAt(old, 'spec')),
    ),
  ],
  statusProblems,
})

function controllerTemplateProblems(spec: JsonObject): FieldProblems {
  if (!isJsonObject(spec['template'])) return [requiredField('spec.template')]
  const matchLabels = objectAt(spec, 'selector') as Readonly<Record<string, string>>
  const template = objectAt(spec, 'template')
  return [
    ...labelMismatch(spec, { matchLabels }),
    ...templateProblems(template),
    ...alwaysRestartProblems(template, 'ReplicationController'),
  ]
}

function controllerProblems(object: KubeObject): FieldProblems {
  const spec = objectAt(object, 'spec')
  const hasSelector = Object.keys(objectAt(spec, 'selector')).length > 0
  return [
    ...nonnegativeFields(spec, 'spec', ['minReadySeconds']),
    ...(hasSelector ? [] : [requiredField('spec.selector')]),
    ...nonnegativeFields(spec, 'spec', ['replicas']),
    ...controllerTemplateProblems(spec),
  ]
}

/** The selector and the labels are by default the labels of the template. Source: SetDefaults_ReplicationController. */
function withTemplateLabels(controller: KubeObject): KubeObject {
  const spec = objectAt(controller, 'spec')
  const labels = templateLabels(spec)
  if (Object.keys(labels).length === 0) return controller
  const selector = objectAt(spec, 'selector')
  const own = controller.metadata.labels ?? {}
  return {
    ...controller,
    metadata: {
      ...controller.metadata,
      labels: Object.keys(own).length > 0 ? own : (labels as Readonly<Record<string, string>>),
    },
    spec: { ...spec, selector: Object.keys(selector).length > 0 ? selector : labels },
  }
}

const controllerDefaults = workloadStrategy({
  specDefaults: (spec) => ({
    minReadySeconds: undefined,
    ...withoutZeros(spec, ['minReadySeconds', 'selector']),
    replicas: numberAt(spec, 'replicas') ?? 1,
    selector: spec['selector'],
  }),
  hasTemplateAlways: false,
  status: statusShape,
  createProblems: controllerProblems,
  // Upstream validates the spec twice.
  updateProblems: (next) => [...controllerProblems(next), ...controllerProblems(next)],
  statusProblems,
})

/** Replication controllers. Source: pkg/registry/core/replicationcontroller/strategy.go (v1.34). */
export const replicationControllerStrategy = {
  ...controllerDefaults,
  defaultsWholeObject: true,
  withDefaults: (object: KubeObject) => withTemplateLabels(controllerDefaults.withDefaults(object)),
}
