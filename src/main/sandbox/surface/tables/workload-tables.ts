import { isJsonObject, numberAt, objectAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import type {
  LabelSelector,
  SelectorRequirement,
} from '../../../../shared/kubernetes/disruption-budget.ts'
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts'
import { ageSince, humanDuration } from '../../../../shared/kubernetes/printers/age.ts'
import {
  ageColumn,
  boolean,
  column,
  formatLabels,
  integer,
  nameColumn,
  tableOf,
  wide,
} from './columns.ts'

function requirementText({ key, operator, values = [] }: SelectorRequirement): string {
  switch (operator) {
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    case 'NotIn':
      return `${key} notin (${values.toSorted().join(',')})`
    default:
      return `${key} in (${values.toSorted().join(',')})`
  }
}

/** A label selector as text, sorted; `none` if it has no part. Source: apimachinery labels Selector.String. */
export function selectorText(selector: LabelSelector | undefined, none = '<none>'): string {
  const labels = Object.entries(selector?.matchLabels ?? {})
  const requirements = selector?.matchExpressions ?? []
  const parts = [
    ...labels.map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...requirements.map((one) => ({ key: one.key, text: requirementText(one) })),
  ]
  if (parts.length === 0) return none
  // Sorted by key: a leading ! does not count.
  const sorted = parts.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return sorted.map((part) => part.text).join(',')
}

const containerColumns = [
  column('Containers', 'containers', 'The names of the containers in the template.', wide),
  column('Images', 'images', 'The images of the containers in the template.', wide),
] as const
const selectorColumn = column('Selector', 'selector', 'The labels that select its pods.', wide)

function templateCells(spec: JsonObject): { readonly containers: string; readonly images: string } {
  const containers = objectsAt(objectAt(objectAt(spec, 'template'), 'spec'), 'containers')
  return {
    containers: containers.map((container) => textAt(container, 'name')).join(','),
    images: containers.map((container) => textAt(container, 'image')).join(','),
  }
}

function selectorOf(spec: JsonObject): LabelSelector | undefined {
  return isJsonObject(spec['selector']) ? spec['selector'] : undefined
}

function parts(object: KubeObject): {
  readonly spec: JsonObject
  readonly count: (field: string) => number
  readonly desired: number
} {
  const spec = objectAt(object, 'spec')
  const status = objectAt(object, 'status')
  const desired = numberAt(spec, 'replicas') ?? 0
  return { spec, count: (field) => numberAt(status, field) ?? 0, desired }
}

// Source of all: Kubernetes pkg/printers/internalversion (v1.34).

export const daemonSetTable = tableOf(
  [
    nameColumn,
    column('Desired', 'desired', 'How many nodes should run the pod.', integer),
    column('Current', 'current', 'How many of those nodes have it.', integer),
    column('Ready', 'ready', 'How many of them are ready.', integer),
    column('Up-to-date', 'updated', 'How many of them have the current template.', integer),
    column('Available', 'available', 'How many of them have been ready long enough.', integer),
    column('Node Selector', 'nodeSelector', 'The labels that a node must have.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  (set) => {
    const { spec, count } = parts(set)
    const podSpec = objectAt(objectAt(spec, 'template'), 'spec')
    return {
      desired: count('desiredNumberScheduled'),
      current: count('currentNumberScheduled'),
      ready: count('numberReady'),
      updated: count('updatedNumberScheduled'),
      available: count('numberAvailable'),
      nodeSelector: formatLabels(objectAt(podSpec, 'nodeSelector')),
      ...templateCells(spec),
      selector: selectorText(selectorOf(spec)),
    }
  },
)

export const deploymentTable = tableOf(
  [
    nameColumn,
    column('Ready', 'ready', 'How many of the desired pods are ready.'),
    column('Up-to-date', 'updated', 'How many pods have the current template.'),
    column('Available', 'available', 'How many pods have been ready long enough.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  (deployment) => {
    const { spec, count, desired } = parts(deployment)
    return {
      ready: `${count('readyReplicas')}/${desired}`,
      updated: count('updatedReplicas'),
      available: count('availableReplicas'),
      ...templateCells(spec),
      selector: selectorText(selectorOf(spec), ''),
    }
  },
)

const replicaColumns = [
  nameColumn,
  column('Desired', 'desired', 'How many pods there should be.', integer),
  column('Current', 'current', 'How many pods there are.', integer),
  column('Ready', 'ready', 'How many of them are ready.', integer),
  ageColumn,
  ...containerColumns,
  selectorColumn,
] as const

function replicaCells(object: KubeObject) {
  const { spec, count, desired } = parts(object)
  const ready = count('readyReplicas')
  return { desired, current: count('replicas'), ready, ...templateCells(spec) }
}

export const replicaSetTable = tableOf(replicaColumns, (set) => ({
  ...replicaCells(set),
  selector: selectorText(selectorOf(objectAt(set, 'spec'))),
}))

export const replicationControllerTable = tableOf(replicaColumns, (controller) => ({
  ...replicaCells(controller),
  selector: formatLabels(objectAt(objectAt(controller, 'spec'), 'selector')),
}))

export const statefulSetTable = tableOf(
  [
    nameColumn,
    column('Ready', 'ready', 'How many of the desired pods are ready.'),
    ageColumn,
    ...containerColumns,
  ],
  (set) => {
    const { spec, count, desired } = parts(set)
    return { ready: `${count('readyReplicas')}/${desired}`, ...templateCells(spec) }
  },
)

function completionsText(spec: JsonObject, succeeded: number): string {
  const completions = numberAt(spec, 'completions')
  if (completions !== undefined) return `${succeeded}/${completions}`
  const parallelism = numberAt(spec, 'parallelism') ?? 0
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function durationText(status: JsonObject, now: number): string {
  const start = Date.parse(textAt(status, 'startTime'))
  if (Number.isNaN(start)) return ''
  const end = Date.parse(textAt(status, 'completionTime'))
  return humanDuration((Number.isNaN(end) ? now : end) - start)
}

function jobStatus(job: KubeObject): string {
  const conditions = objectsAt(objectAt(job, 'status'), 'conditions')
  const is = (type: string): boolean =>
    conditions.some((one) => one['type'] === type && one['status'] === 'True')
  const isDeleting = job.metadata.deletionTimestamp !== undefined
  const ended = ['Complete', 'Failed'].find(is)
  if (ended !== undefined) return ended
  if (isDeleting) return 'Terminating'
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running'
}

export const jobTable = tableOf(
  [
    nameColumn,
    column('Status', 'status', 'Whether the job runs, and how it ended.'),
    column('Completions', 'completions', 'How many of the needed pods have succeeded.'),
    column('Duration', 'duration', 'How long the job has run.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  (job, now) => {
    const { spec, count } = parts(job)
    return {
      status: jobStatus(job),
      completions: completionsText(spec, count('succeeded')),
      duration: durationText(objectAt(job, 'status'), now),
      ...templateCells(spec),
      selector: selectorText(selectorOf(spec)),
    }
  },
)

export const cronJobTable = tableOf(
  [
    nameColumn,
    column('Schedule', 'schedule', 'When its jobs are created.'),
    column('Timezone', 'timeZone', 'The time zone of the schedule.'),
    column('Suspend', 'suspend', 'Whether no more jobs are created.', boolean),
    column('Active', 'active', 'How many of its jobs run.', integer),
    column('Last Schedule', 'lastSchedule', 'How long ago a job was last due.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  (cronJob, now) => {
    const spec = objectAt(cronJob, 'spec')
    const status = objectAt(cronJob, 'status')
    const jobSpec = objectAt(objectAt(spec, 'jobTemplate'), 'spec')
    const last = textAt(status, 'lastScheduleTime')
    return {
      schedule: textAt(spec, 'schedule'),
      timeZone: textAt(spec, 'timeZone') || '<none>',
      suspend: spec['suspend'] === true ? 'True' : 'False',
      active: objectsAt(status, 'active').length,
      lastSchedule: last === '' ? '<none>' : ageSince(last, now),
      ...templateCells(jobSpec),
      selector: selectorText(selectorOf(jobSpec)),
    }
  },
)

function controllerName(object: KubeObject): string {
  const owner = object.metadata.ownerReferences?.find((one) => one.controller === true)
  if (owner === undefined) return '<none>'
  const [, group = ''] = owner.apiVersion.split('/').toReversed()
  const kind = owner.kind.toLowerCase()
  return `${group === '' ? kind : `${kind}.${group}`}/${owner.name}`
}

export const controllerRevisionTable = tableOf(
  [
    nameColumn,
    column('Controller', 'controller', 'The owner whose template it keeps.'),
    column('Revision', 'revision', 'Its number in the history of the owner.'),
    ageColumn,
  ],
  (revision) => ({
    controller: controllerName(revision),
    revision: numberAt({ ...revision }, 'revision') ?? 0,
  }),
)
