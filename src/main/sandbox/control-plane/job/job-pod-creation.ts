import type { JsonObject } from '../../../../shared/json.ts'
import type { Container, Pod } from '../../../../shared/kubernetes/objects.ts'
import type { Job, PodTemplate } from '../../../../shared/kubernetes/workloads.ts'
import type { TraceCauses } from '../../../../shared/model/trace-event.ts'
import { objectKey } from '../../../cluster/client/resource-paths.ts'
import type { Expectations } from '../workloads/expectations.ts'
import { podOfTemplate, slowStartBatch } from '../workloads/pod-control.ts'
import type { PodControl } from '../workloads/pod-control.ts'
import type { Outcome } from '../workloads/workload-controller.ts'
import {
  completionIndexKey,
  failureCountAnnotations,
  isIndexed,
  trackingFinalizer,
} from './job-pods.ts'

const indexVariable = 'JOB_COMPLETION_INDEX'
/** names.MaxGeneratedNameLength */
const longestPrefix = 58

function withIndexVariable(container: Container): Container {
  const { env = [] } = container
  if (env.some(({ name }) => name === indexVariable)) return container
  const fieldRef = { fieldPath: `metadata.labels['${completionIndexKey}']` }
  return { ...container, env: [...env, { name: indexVariable, valueFrom: { fieldRef } }] }
}

function templateOf(job: Job): PodTemplate {
  const { template } = job.spec
  const { finalizers = [] } = template.metadata ?? {}
  const tracked = finalizers.includes(trackingFinalizer)
    ? finalizers
    : [...finalizers, trackingFinalizer]
  const metadata = { ...template.metadata, finalizers: tracked }
  if (!isIndexed(job)) return { ...template, metadata }
  const { containers, initContainers } = template.spec
  const spec = {
    ...template.spec,
    containers: containers.map(withIndexVariable),
    ...(initContainers === undefined
      ? {}
      : { initContainers: initContainers.map(withIndexVariable) }),
  }
  return { ...template, metadata, spec }
}

function generateName(job: string, index: number): string {
  const suffix = `-${index}-`
  return job.slice(0, longestPrefix - suffix.length) + suffix
}

function podOf(job: Job, index: number | undefined, replaced: Pod | undefined): JsonObject {
  const owner = { resource: 'batch/v1/jobs', object: job } as const
  const template = templateOf(job)
  if (index === undefined) return podOfTemplate(template, owner)
  const { name } = job.metadata
  const own = { [completionIndexKey]: String(index) }
  const failures =
    job.spec.backoffLimitPerIndex === undefined ? {} : failureCountAnnotations(job, replaced)
  const { labels, annotations } = template.metadata ?? {}
  const metadata = {
    ...template.metadata,
    labels: { ...labels, ...own },
    annotations: { ...annotations, ...own, ...failures },
  }
  const spec = { ...template.spec, hostname: `${name}-${index}` }
  const pod = podOfTemplate({ ...template, metadata, spec }, owner)
  const { metadata: made } = pod
  return { ...pod, metadata: { ...Object(made), generateName: generateName(name, index) } }
}

/** Creates a pod for each index, or without an index. Returns how many the Job has more, and the first error. */
export async function createJobPods({
  pods,
  causes,
  expectations,
  job,
  indexes,
  delayed,
}: {
  readonly pods: PodControl
  readonly causes: TraceCauses
  readonly expectations: Expectations
  readonly job: Job
  readonly indexes: readonly (number | undefined)[]
  readonly delayed: ReadonlyMap<number, Pod>
}): Promise<{ readonly created: number; readonly error: Outcome }> {
  const key = objectKey(job.metadata)
  const owner = { resource: 'batch/v1/jobs', object: job } as const
  expectations.expect(key, indexes.length)
  const { successes, error } = await slowStartBatch(indexes.length, async (place) => {
    const index = indexes[place]
    const replaced = index === undefined ? undefined : delayed.get(index)
    const created = await pods.create(podOf(job, index, replaced), owner, causes)
    return created?.ok === false ? created.error : undefined
  })
  for (let skipped = indexes.length - successes; skipped > 0; skipped--) {
    expectations.creationObserved(key)
  }
  return { created: successes, error }
}
