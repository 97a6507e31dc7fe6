import {
  defined,
  isJsonObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { withoutZeros } from './go-fields.ts'
import { jobProblems, jobUpdateProblems } from './job-validation.ts'
import { jobStatusProblems } from './job-status-validation.ts'
import { templateLabels } from './pod-template.ts'
import { workloadStrategy } from './workload-strategy.ts'

const maxInt32 = 2_147_483_647

/** A condition is by default one that is true. */
export function failurePolicyDefaults(spec: JsonObject): JsonObject {
  if (!isJsonObject(spec['podFailurePolicy'])) return {}
  const policy = objectAt(spec, 'podFailurePolicy')
  const rules = objectsAt(policy, 'rules').map((rule) => {
    const patterns = objectsAt(rule, 'onPodConditions')
    if (patterns.length === 0) return rule
    const onPodConditions = patterns.map((pattern) => ({
      ...pattern,
      status: textAt(pattern, 'status') || 'True',
    }))
    return { ...rule, onPodConditions }
  })
  return { podFailurePolicy: { ...policy, rules: Array.isArray(policy['rules']) ? rules : null } }
}

/** Source: pkg/apis/batch/v1 SetDefaults_Job. */
function specDefaults(spec: JsonObject): JsonObject {
  const { completions, parallelism } = spec
  const isSingle = completions === undefined && parallelism === undefined
  const hasPolicy = isJsonObject(spec['podFailurePolicy'])
  const perIndex = numberAt(spec, 'backoffLimitPerIndex')
  return {
    ...spec,
    ...failurePolicyDefaults(spec),
    completions: isSingle ? 1 : completions,
    parallelism: parallelism ?? 1,
    backoffLimit: numberAt(spec, 'backoffLimit') ?? (perIndex === undefined ? 6 : maxInt32),
    completionMode: spec['completionMode'] ?? 'NonIndexed',
    suspend: spec['suspend'] ?? false,
    podReplacementPolicy:
      spec['podReplacementPolicy'] ?? (hasPolicy ? 'Failed' : 'TerminatingOrFailed'),
    manualSelector: spec['manualSelector'] ?? false,
  }
}

/** A job without labels has those of its template. */
function withTemplateLabels(job: KubeObject): KubeObject {
  const labels = templateLabels(objectAt(job, 'spec'))
  const own = job.metadata.labels ?? {}
  if (Object.keys(labels).length === 0 || Object.keys(own).length > 0) return job
  return { ...job, metadata: { ...job.metadata, labels: labels as Record<string, string> } }
}

/** The labels by which the selector finds the pods of this job alone. Source: pkg/registry/batch/job generateSelector. */
function withGeneratedSelector(job: KubeObject): KubeObject {
  const spec = objectAt(job, 'spec')
  if (spec['manualSelector'] === true) return job
  const { name, uid } = job.metadata
  const template = objectAt(spec, 'template')
  const metadata = objectAt(template, 'metadata')
  const generated = {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
  }
  const given = templateLabels(spec)
  const selector = objectAt(spec, 'selector')
  const controller = { 'batch.kubernetes.io/controller-uid': uid }
  const matchLabels = { ...controller, ...objectAt(selector, 'matchLabels') }
  return {
    ...job,
    spec: {
      ...spec,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...metadata, labels: { ...generated, ...given } } },
    },
  }
}

/** The labels that defaulting took from the template follow it. */
function isFromTemplate(job: KubeObject): boolean {
  const own = Object.entries(job.metadata.labels ?? {})
  const labels = templateLabels(objectAt(job, 'spec'))
  const isSame = own.length === Object.keys(labels).length
  return isSame && own.every(([key, value]) => labels[key] === value)
}

const strategy = workloadStrategy({
  specDefaults: (spec) => defined(specDefaults(spec)),
  status: {
    omitted: ['active', 'succeeded', 'failed', 'completedIndexes'],
    times: ['lastProbeTime', 'lastTransitionTime'],
  },
  createProblems: jobProblems,
  updateProblems: jobUpdateProblems,
  statusProblems: jobStatusProblems,
})

/** Jobs. Source: pkg/registry/batch/job/strategy.go (v1.34). */
export const jobStrategy = {
  ...strategy,
  defaultsWholeObject: true,
  withDefaults: (job: KubeObject) => {
    const whole = withTemplateLabels(strategy.withDefaults(job))
    const status = objectAt(whole, 'status')
    const counted = status['uncountedTerminatedPods']
    if (!isJsonObject(counted)) return whole
    const uncountedTerminatedPods = withoutZeros(counted, ['succeeded', 'failed'])
    return { ...whole, status: { ...status, uncountedTerminatedPods } }
  },
  prepareForCreate: (job: KubeObject) => {
    const { labels: _, ...metadata } = job.metadata
    const own = isFromTemplate(job) ? { ...job, metadata } : job
    return withTemplateLabels(withGeneratedSelector(strategy.prepareForCreate(own)))
  },
}
