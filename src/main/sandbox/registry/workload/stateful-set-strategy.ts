import {
  defined,
  equalJson,
  isJsonObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import {
  enumProblems,
  forbiddenField,
  invalidEach,
  invalidField,
  problemIf,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { dnsLabelProblems } from '../../../../shared/kubernetes/validation/name-rules.ts'
import { claimSpecProblems, claimTemplateWithDefaults } from '../claim-strategy.ts'
import { withoutZeros } from './go-fields.ts'
import { decrementProblems, nonnegativeFields } from './number-problems.ts'
import {
  alwaysRestartProblems,
  isReadableSelector,
  labelMismatch,
  ownSelectorProblems,
  selectorOf,
  templateMetaProblems,
  templateProblems,
} from './pod-template.ts'
import { countProblems } from './replica-set-strategy.ts'
import { workloadStrategy } from './workload-strategy.ts'

/** `maxUnavailable` belongs to a feature gate that is off. */
function updateStrategyDefaults(strategy: JsonObject): JsonObject {
  const given = textAt(strategy, 'type')
  const type = given || 'RollingUpdate'
  const rolling = strategy['rollingUpdate']
  const isRolling = type === 'RollingUpdate' && (isJsonObject(rolling) || given === '')
  if (!isRolling) return { ...strategy, type }
  const { maxUnavailable: _, ...rest } = objectAt(strategy, 'rollingUpdate')
  return { ...strategy, type, rollingUpdate: { partition: 0, ...rest } }
}

function specDefaults(spec: JsonObject): JsonObject {
  const retention = withoutZeros(objectAt(spec, 'persistentVolumeClaimRetentionPolicy'), [
    'whenDeleted',
    'whenScaled',
  ])
  const ordinals = spec['ordinals']
  const claims = objectsAt(spec, 'volumeClaimTemplates').map(claimTemplateWithDefaults)
  return {
    serviceName: '',
    ...spec,
    podManagementPolicy: textAt(spec, 'podManagementPolicy') || 'OrderedReady',
    updateStrategy: updateStrategyDefaults(objectAt(spec, 'updateStrategy')),
    persistentVolumeClaimRetentionPolicy: {
      whenDeleted: 'Retain',
      whenScaled: 'Retain',
      ...retention,
    },
    replicas: numberAt(spec, 'replicas') ?? 1,
    revisionHistoryLimit: numberAt(spec, 'revisionHistoryLimit') ?? 10,
    ...(isJsonObject(ordinals) ? { ordinals: { start: 0, ...ordinals } } : {}),
    ...(claims.length > 0 ? { volumeClaimTemplates: claims } : {}),
  }
}

/** The internal type as Go prints it. */
function internalRollingUpdate(rolling: unknown): JsonObject | null {
  if (!isJsonObject(rolling)) return null
  return { Partition: rolling['partition'] ?? 0, MaxUnavailable: null }
}

function updateStrategyProblems(strategy: JsonObject): FieldProblems {
  const field = 'spec.updateStrategy'
  const rolling = strategy['rollingUpdate']
  const type = textAt(strategy, 'type')
  switch (type) {
    case 'OnDelete': {
      const why = "only allowed for updateStrategy 'RollingUpdate'"
      const shown = internalRollingUpdate(rolling)
      return problemIf(shown !== null, invalidField(`${field}.rollingUpdate`, shown, why))
    }
    case 'RollingUpdate': {
      const fields = objectAt(strategy, 'rollingUpdate')
      return nonnegativeFields(fields, `${field}.rollingUpdate`, ['partition'])
    }
    default: {
      const internal = { Type: type, RollingUpdate: internalRollingUpdate(rolling) }
      return [invalidField(field, internal, "must be 'RollingUpdate' or 'OnDelete'")]
    }
  }
}

/** The template with the claims' volumes, and without the names that the controller sets. */
function checkedTemplate(spec: JsonObject): JsonObject {
  const template = objectAt(spec, 'template')
  const { hostname: _, subdomain: __, ...podSpec } = objectAt(template, 'spec')
  const claims = objectsAt(spec, 'volumeClaimTemplates').map((claim) =>
    textAt(objectAt(claim, 'metadata'), 'name'),
  )
  if (claims.length === 0) return { ...template, spec: podSpec }
  const own = objectsAt(podSpec, 'volumes').filter((one) => !claims.includes(textAt(one, 'name')))
  const claimed = [...new Set(claims)].map((name) => ({
    name,
    persistentVolumeClaim: { claimName: name },
  }))
  return { ...template, spec: { ...podSpec, volumes: [...claimed, ...own] } }
}

function selectionProblems(spec: JsonObject, skipsTemplate: boolean): FieldProblems {
  if (!isReadableSelector(spec)) return [invalidField('spec.selector', selectorOf(spec), '')]
  const template = checkedTemplate(spec)
  return [
    ...labelMismatch(spec, selectorOf(spec)),
    ...(skipsTemplate ? [] : templateProblems(template)),
    ...templateMetaProblems(template),
  ]
}

const retentions = ['Retain', 'Delete']

function retentionProblems(policy: JsonObject): FieldProblems {
  const field = 'spec.persistentVolumeClaimRetentionPolicy'
  return ['whenDeleted', 'whenScaled'].flatMap((name) =>
    enumProblems(`${field}.${name}`, policy[name], retentions),
  )
}

/** What an update does not check again. */
interface Skipped {
  readonly claims: boolean
  readonly serviceName: boolean
  readonly template: boolean
}

function specProblems(spec: JsonObject, skipped: Skipped): FieldProblems {
  const management = textAt(spec, 'podManagementPolicy')
  const isKnown = management === 'OrderedReady' || management === 'Parallel'
  const serviceName = textAt(spec, 'serviceName')
  const start = objectAt(spec, 'ordinals')
  return [
    ...problemIf(
      !isKnown,
      invalidField('spec.podManagementPolicy', management, "must be 'OrderedReady' or 'Parallel'"),
    ),
    ...updateStrategyProblems(objectAt(spec, 'updateStrategy')),
    ...retentionProblems(objectAt(spec, 'persistentVolumeClaimRetentionPolicy')),
    ...(skipped.claims
      ? []
      : objectsAt(spec, 'volumeClaimTemplates').flatMap((claim, index) =>
          claimSpecProblems(objectAt(claim, 'spec'), `spec.volumeClaimTemplates[${index}].spec`),
        )),
    ...nonnegativeFields(spec, 'spec', ['replicas', 'minReadySeconds']),
    ...nonnegativeFields(start, 'spec.ordinals', ['start']),
    ...(skipped.serviceName || serviceName === ''
      ? []
      : invalidEach('spec.serviceName', serviceName, dnsLabelProblems(serviceName))),
    ...ownSelectorProblems(spec, 'statefulset'),
    ...selectionProblems(spec, skipped.template),
    ...alwaysRestartProblems(objectAt(spec, 'template'), 'StatefulSet'),
  ]
}

const mutable = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
]

const onlyMutable =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"

function updateProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const spec = objectAt(next, 'spec')
  const oldSpec = objectAt(old, 'spec')
  const skipped = { claims: true, serviceName: true, template: false }
  const wasInvalid = specProblems(oldSpec, skipped).length > 0
  const kept = mutable.map((name) => [name, oldSpec[name]])
  const changed = defined({ ...spec, ...Object.fromEntries(kept) })
  return [
    ...specProblems(spec, { ...skipped, template: wasInvalid }),
    ...problemIf(!equalJson(changed, oldSpec), forbiddenField('spec', onlyMutable)),
  ]
}

const counts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
]

function statusProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const status = objectAt(next, 'status')
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']
  return [
    ...nonnegativeFields(status, 'status', [...counts, 'collisionCount']),
    ...countProblems(status, parts, 'cannot be greater than status.readyReplicas'),
    ...decrementProblems(status, objectAt(old, 'status')),
  ]
}

/** Stateful sets. Source: pkg/registry/apps/statefulset/strategy.go, pkg/apis/apps/validation (v1.34). */
export const statefulSetStrategy = workloadStrategy({
  nameRule: dnsLabelProblems,
  specDefaults,
  omittedSpec: ['minReadySeconds', 'volumeClaimTemplates'],
  status: {
    counts: ['replicas', 'availableReplicas'],
    omitted: [
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'observedGeneration',
      'currentRevision',
      'updateRevision',
    ],
    times: ['lastTransitionTime'],
  },
  createProblems: (object) =>
    specProblems(objectAt(object, 'spec'), { claims: false, serviceName: false, template: false }),
  updateProblems,
  statusProblems,
})
