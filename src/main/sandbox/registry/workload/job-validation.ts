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
  immutableProblems,
  invalidEach,
  invalidField,
  problemIf,
  requiredField,
  tooLongField,
  unsupportedField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
} from '../../../../shared/kubernetes/validation/name-rules.ts'
import { selectsLabels } from '../../../../shared/kubernetes/disruption-budget.ts'
import { selectorProblems } from '../selector-validation.ts'
import { sortedMap } from './go-fields.ts'
import { failurePolicyProblems, successPolicyProblems } from './job-policy-validation.ts'
import { nonnegativeFields } from './number-problems.ts'
import {
  isReadableSelector,
  labelMismatch,
  selectorOf,
  templateLabels,
  templateProblems,
} from './pod-template.ts'

const most = 100_000
const mostParallelAtMany = 10_000
const maxManagedBy = 63

function expectedLabels(job: KubeObject): Readonly<Record<string, string>> {
  const { name, uid } = job.metadata
  return {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  }
}

/** Source: validateGeneratedSelector. */
function generatedSelectorProblems(job: KubeObject): FieldProblems {
  const spec = objectAt(job, 'spec')
  if (spec['manualSelector'] === true || selectorOf(spec) === undefined) return []
  const labels = templateLabels(spec)
  const shown = sortedMap(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels')
  const expected = expectedLabels(job)
  const missing = Object.entries(expected).flatMap(([key, value]) => {
    const field = `spec.template.metadata.labels[${key}]`
    const why = `must be '${value}'`
    if (labels[key] === undefined) return [requiredField(field, why)]
    return labels[key] === value ? [] : [invalidField(field, shown, why)]
  })
  const selector = selectorOf(spec)
  const isOwn = !isReadableSelector(spec) || selectsLabels(selector, expected)
  const why = '`selector` not auto-generated'
  return [...missing, ...problemIf(!isOwn, invalidField('spec.selector', selector, why))]
}

function manyProblems(spec: JsonObject): FieldProblems {
  const maxFailed = numberAt(spec, 'maxFailedIndexes')
  const parallelism = numberAt(spec, 'parallelism') ?? 0
  const isMany = (numberAt(spec, 'completions') ?? 0) > most
  if (!isMany || spec['backoffLimitPerIndex'] === undefined) return []
  const why = `must be less than or equal to ${mostParallelAtMany} when completions are above ${most} and used with backoff limit per index`
  const field = 'spec.maxFailedIndexes'
  const missing = `must be specified when completions is above ${most}`
  return [
    ...problemIf(maxFailed === undefined, requiredField(field, missing)),
    ...problemIf(
      parallelism > mostParallelAtMany,
      invalidField('spec.parallelism', parallelism, why),
    ),
    ...problemIf((maxFailed ?? 0) > mostParallelAtMany, invalidField(field, maxFailed, why)),
  ]
}

function indexedProblems(spec: JsonObject): FieldProblems {
  const completions = numberAt(spec, 'completions')
  const parallelism = numberAt(spec, 'parallelism') ?? 0
  const maxFailed = numberAt(spec, 'maxFailedIndexes') ?? 0
  const isAbove = completions !== undefined && maxFailed > completions
  const field = 'spec.maxFailedIndexes'
  return [
    ...problemIf(
      completions === undefined,
      requiredField('spec.completions', 'when completion mode is Indexed'),
    ),
    ...problemIf(
      parallelism > most,
      invalidField(
        'spec.parallelism',
        parallelism,
        `must be less than or equal to ${most} when completion mode is Indexed`,
      ),
    ),
    ...problemIf(
      isAbove,
      invalidField(field, maxFailed, 'must be less than or equal to completions'),
    ),
    ...problemIf(
      maxFailed > most,
      invalidField(field, maxFailed, `must be less than or equal to ${most}`),
    ),
    ...manyProblems(spec),
  ]
}

function modeProblems(spec: JsonObject): FieldProblems {
  const mode = spec['completionMode'] ?? 'NonIndexed'
  const known = enumProblems('spec.completionMode', mode, ['NonIndexed', 'Indexed'])
  if (mode === 'Indexed') return [...known, ...indexedProblems(spec)]
  if (mode !== 'NonIndexed') return known
  return ['backoffLimitPerIndex', 'maxFailedIndexes'].flatMap((name) =>
    problemIf(
      spec[name] !== undefined,
      invalidField(`spec.${name}`, spec[name], 'requires indexed completion mode'),
    ),
  )
}

function goRules(policy: JsonObject): readonly JsonObject[] | null {
  if (!Array.isArray(policy['rules'])) return null
  return objectsAt(policy, 'rules').map(({ succeededIndexes = null, succeededCount = null }) => ({
    SucceededIndexes: succeededIndexes,
    SucceededCount: succeededCount,
  }))
}

function policyProblems(spec: JsonObject): FieldProblems {
  const hasFailurePolicy = isJsonObject(spec['podFailurePolicy'])
  const success = spec['successPolicy']
  const needsIndexes = invalidField(
    'spec.successPolicy',
    // The internal type as Go prints it.
    { Rules: goRules(objectAt(spec, 'successPolicy')) },
    'requires indexed completion mode',
  )
  const isIndexed = spec['completionMode'] === 'Indexed'
  const replacement = hasFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed']
  return [
    ...(hasFailurePolicy ? failurePolicyProblems(spec) : []),
    ...(isJsonObject(success) ? (isIndexed ? successPolicyProblems(spec) : [needsIndexes]) : []),
    ...(spec['podReplacementPolicy'] === undefined
      ? []
      : enumProblems('spec.podReplacementPolicy', spec['podReplacementPolicy'], replacement)),
  ]
}

function restartPolicyProblems(spec: JsonObject): FieldProblems {
  const field = 'spec.template.spec.restartPolicy'
  const policy = textAt(objectAt(objectAt(spec, 'template'), 'spec'), 'restartPolicy')
  if (policy === 'Always' || policy === '')
    return [requiredField(field, 'valid values: "OnFailure", "Never"')]
  if (policy !== 'OnFailure' && policy !== 'Never')
    return [unsupportedField(field, policy, ['OnFailure', 'Never'])]
  const isWrong = isJsonObject(spec['podFailurePolicy']) && policy !== 'Never'
  const why = 'only "Never" is supported when podFailurePolicy is specified'
  return problemIf(isWrong, invalidField(field, policy, why))
}

const pathPattern = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/

/** Source: apimachinery pkg/util/validation IsDomainPrefixedPath. */
function prefixedPathProblems(field: string, value: string): FieldProblems {
  if (value === '') return [requiredField(field)]
  const slash = value.indexOf('/')
  const host = value.slice(0, Math.max(slash, 0))
  const path = value.slice(slash + 1)
  if (host === '' || path === '') {
    const why = 'must be a domain-prefixed path (such as "acme.io/foo")'
    return [invalidField(field, value, why)]
  }
  const why = `Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`
  return [
    ...invalidEach(field, host, dnsSubdomainProblems(host)),
    ...problemIf(!pathPattern.test(path), invalidField(field, path, why)),
  ]
}

function managedByProblems(spec: JsonObject): FieldProblems {
  const { managedBy } = spec
  if (typeof managedBy !== 'string') return []
  return [
    ...prefixedPathProblems('spec.managedBy', managedBy),
    ...problemIf(managedBy.length > maxManagedBy, tooLongField('spec.managedBy', maxManagedBy)),
  ]
}

const numbers = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
]

/** Problems of a job’s spec, or of that in the template of a CronJob. Source: validateJobSpec. */
export function jobSpecProblems(spec: JsonObject): FieldProblems {
  const lacksLimit =
    spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined
  return [
    ...nonnegativeFields(spec, 'spec', numbers),
    ...problemIf(
      lacksLimit,
      requiredField('spec.backoffLimitPerIndex', 'when maxFailedIndexes is specified'),
    ),
    ...managedByProblems(spec),
    ...modeProblems(spec),
    ...policyProblems(spec),
    ...templateProblems(objectAt(spec, 'template')),
    ...restartPolicyProblems(spec),
  ]
}

function specProblems(spec: JsonObject): FieldProblems {
  const selector = selectorOf(spec)
  return [
    ...jobSpecProblems(spec),
    ...(selector === undefined
      ? [requiredField('spec.selector')]
      : selectorProblems({ ...selector }, 'spec.selector')),
    ...(isReadableSelector(spec) ? labelMismatch(spec, selector) : []),
  ]
}

function hostnameProblems(job: KubeObject): FieldProblems {
  const spec = objectAt(job, 'spec')
  const completions = numberAt(spec, 'completions') ?? 0
  if (spec['completionMode'] !== 'Indexed' || completions <= 0) return []
  const { name } = job.metadata
  const last = `${name}-${completions - 1}`
  const why = `will not able to create pod with invalid DNS label: ${last}`
  return problemIf(dnsLabelProblems(last).length > 0, invalidField('metadata.name', name, why))
}

/** Problems of a new job. Source: pkg/apis/batch/validation ValidateJob (v1.34). */
export function jobProblems(job: KubeObject): FieldProblems {
  return [
    ...generatedSelectorProblems(job),
    ...specProblems(objectAt(job, 'spec')),
    ...hostnameProblems(job),
  ]
}

function completionProblems(spec: JsonObject, old: JsonObject): FieldProblems {
  const { completions, parallelism } = spec
  const field = 'spec.completions'
  if (spec['completionMode'] !== 'Indexed')
    return immutableProblems(field, completions, old['completions'])
  const isChanged = completions !== undefined && completions !== old['completions']
  const why = 'can only be modified in tandem with spec.parallelism'
  return problemIf(isChanged && completions !== parallelism, invalidField(field, completions, why))
}

/** What may change in the template of a suspended job that has not started. */
function withMutableFields(old: JsonObject, next: JsonObject): JsonObject {
  const podSpec = objectAt(old, 'spec')
  const nextSpec = objectAt(next, 'spec')
  const { nodeAffinity } = objectAt(nextSpec, 'affinity')
  const affinity = defined({ ...objectAt(podSpec, 'affinity'), nodeAffinity })
  const isEmpty = Object.keys(affinity).length === 0 && nextSpec['affinity'] === undefined
  return {
    ...old,
    metadata: next['metadata'],
    spec: defined({
      ...podSpec,
      affinity: isEmpty ? undefined : affinity,
      nodeSelector: nextSpec['nodeSelector'],
      tolerations: nextSpec['tolerations'],
      schedulingGates: nextSpec['schedulingGates'],
    }),
  }
}

function templateUpdateProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const oldSpec = objectAt(old, 'spec')
  const isWaiting =
    oldSpec['suspend'] === true && objectAt(old, 'status')['startTime'] === undefined
  const template = objectAt(objectAt(next, 'spec'), 'template')
  const before = objectAt(oldSpec, 'template')
  const allowed = isWaiting ? withMutableFields(before, template) : before
  if (equalJson(template, allowed)) return []
  return [invalidField('spec.template', template, 'field is immutable')]
}

const immutable = [
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
]

/** Problems of an updated job: upstream checks its spec twice. Source: ValidateJobUpdate. */
export function jobUpdateProblems(next: KubeObject, old: KubeObject): FieldProblems {
  const spec = objectAt(next, 'spec')
  const oldSpec = objectAt(old, 'spec')
  return [
    ...jobProblems(next),
    ...specProblems(spec),
    ...completionProblems(spec, oldSpec),
    ...immutableProblems('spec.selector', selectorOf(spec), selectorOf(oldSpec)),
    ...templateUpdateProblems(next, old),
    ...immutable.flatMap((name) => immutableProblems(`spec.${name}`, spec[name], oldSpec[name])),
  ]
}
