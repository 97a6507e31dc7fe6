import { listAt, numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { parseSchedule } from '../../../../shared/kubernetes/cron/cron-schedule.ts'
import { loadTimeZone } from '../../../../shared/kubernetes/cron/time-zones.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { defaultPodTemplate } from '../../../../shared/kubernetes/pod-defaults.ts'
import {
  enumProblems,
  invalidField,
  problemIf,
  requiredField,
  unsupportedField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import { withSpec } from '../strategy.ts'
import { withoutZeros, writtenSelector } from './go-fields.ts'
import { failurePolicyDefaults } from './job-strategy.ts'
import { jobSpecProblems } from './job-validation.ts'
import { nonnegativeFields } from './number-problems.ts'
import { selectorOf, withEnabledFields } from './pod-template.ts'
import { workloadStrategy } from './workload-strategy.ts'

/** The Job that a CronJob creates, as a template. */
function jobSpecOf(spec: JsonObject): JsonObject {
  return objectAt(objectAt(spec, 'jobTemplate'), 'spec')
}

function withJobSpec(spec: JsonObject, jobSpec: JsonObject): JsonObject {
  const jobTemplate = objectAt(spec, 'jobTemplate')
  const metadata = objectAt(jobTemplate, 'metadata')
  return { ...spec, jobTemplate: { ...jobTemplate, metadata, spec: jobSpec } }
}

/** Of the Job only its pods get defaults: the Job gets its own when it is created. */
function jobSpecDefaults(jobSpec: JsonObject): JsonObject {
  return {
    ...jobSpec,
    ...writtenSelector(jobSpec),
    ...failurePolicyDefaults(jobSpec),
    template: defaultPodTemplate(objectAt(jobSpec, 'template')),
  }
}

/** Source: pkg/apis/batch/v1 SetDefaults_CronJob. */
function specDefaults(spec: JsonObject): JsonObject {
  return {
    ...withJobSpec(spec, jobSpecDefaults(jobSpecOf(spec))),
    schedule: textAt(spec, 'schedule'),
    concurrencyPolicy: textAt(spec, 'concurrencyPolicy') || 'Allow',
    suspend: spec['suspend'] ?? false,
    successfulJobsHistoryLimit: numberAt(spec, 'successfulJobsHistoryLimit') ?? 3,
    failedJobsHistoryLimit: numberAt(spec, 'failedJobsHistoryLimit') ?? 1,
  }
}

function scheduleProblems(spec: JsonObject): FieldProblems {
  const field = 'spec.schedule'
  const schedule = textAt(spec, 'schedule')
  if (schedule === '') return [requiredField(field)]
  const parsed = parseSchedule(schedule)
  const why = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
  return [
    ...(parsed.ok ? [] : [invalidField(field, schedule, parsed.error)]),
    ...problemIf(schedule.includes('TZ'), invalidField(field, schedule, why)),
  ]
}

const zonePart = /^[A-Za-z.\-_0-9+]{1,14}$/

/** Source: validateTimeZone. */
function timeZoneProblems(zone: unknown): FieldProblems {
  const field = 'spec.timeZone'
  if (typeof zone !== 'string') return []
  if (zone === '') return [invalidField(field, zone, 'timeZone must be nil or non-empty string')]
  const isPart = (part: string): boolean =>
    part !== '.' && part !== '..' && !part.startsWith('-') && zonePart.test(part)
  if (!zone.split('/').every(isPart))
    return [invalidField(field, zone, `unknown time zone ${zone}`)]
  const notExplicit =
    'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'
  const loaded = loadTimeZone(zone)
  return [
    ...problemIf(zone.toLowerCase() === 'local', invalidField(field, zone, notExplicit)),
    ...(loaded.ok ? [] : [invalidField(field, zone, loaded.error)]),
  ]
}

/** Source: ValidateJobTemplateSpec. */
function templateProblems(jobSpec: JsonObject): FieldProblems {
  const field = 'spec.jobTemplate.spec'
  const generated = '`selector` will be auto-generated'
  return [
    ...jobSpecProblems(jobSpec).map((problem) => ({
      ...problem,
      field: problem.field.replace(/^spec/, field),
    })),
    ...problemIf(
      jobSpec['selector'] !== undefined,
      invalidField(`${field}.selector`, selectorOf(jobSpec), generated),
    ),
    ...problemIf(
      jobSpec['manualSelector'] === true,
      unsupportedField(`${field}.manualSelector`, true, ['nil', 'false']),
    ),
  ]
}

function specProblems(spec: JsonObject, old?: JsonObject): FieldProblems {
  const isZoneNew = old === undefined || old['timeZone'] !== spec['timeZone']
  const policies = ['Allow', 'Forbid', 'Replace']
  return [
    ...scheduleProblems(spec),
    ...nonnegativeFields(spec, 'spec', ['startingDeadlineSeconds']),
    ...(isZoneNew ? timeZoneProblems(spec['timeZone']) : []),
    ...enumProblems('spec.concurrencyPolicy', spec['concurrencyPolicy'], policies),
    ...templateProblems(jobSpecOf(spec)),
    ...nonnegativeFields(spec, 'spec', ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']),
  ]
}

/** The Jobs of a CronJob are named after it, with 11 more characters. */
const longestName = 52

const strategy = workloadStrategy({
  specDefaults,
  hasTemplateAlways: false,
  status: { omitted: ['active'], times: [] },
  createProblems: ({ metadata: { name }, ...cronJob }) => [
    ...specProblems(objectAt(cronJob, 'spec')),
    ...problemIf(
      name.length > longestName,
      invalidField('metadata.name', name, `must be no more than ${longestName} characters`),
    ),
  ],
  updateProblems: (next, old) => specProblems(objectAt(next, 'spec'), objectAt(old, 'spec')),
})

function withEnabledTemplate(cronJob: KubeObject): KubeObject {
  const spec = objectAt(cronJob, 'spec')
  return withSpec(cronJob, withJobSpec(spec, withEnabledFields(jobSpecOf(spec))))
}

/** CronJobs. Source: pkg/registry/batch/cronjob/strategy.go, pkg/apis/batch/validation (v1.34). */
export const cronJobStrategy: typeof strategy = {
  ...strategy,
  withDefaults: (cronJob) => {
    const whole = strategy.withDefaults(cronJob)
    const status = objectAt(whole, 'status')
    if (listAt(status, 'active').length === 0) return whole
    const active = objectsAt(status, 'active').map((one) => withoutZeros(one, Object.keys(one)))
    return { ...whole, status: { ...status, active } }
  },
  prepareForCreate: (cronJob) => strategy.prepareForCreate(withEnabledTemplate(cronJob)),
  prepareForUpdate: (next, old, now) =>
    strategy.prepareForUpdate(withEnabledTemplate(next), old, now),
}
