import type { Pod } from '../../../src/shared/kubernetes/objects.ts'
import type { Job } from '../../../src/shared/kubernetes/workloads.ts'
import { isActive } from '../../../src/main/sandbox/control-plane/workloads/active-pods.ts'
import { controllerOf } from '../../../src/main/sandbox/control-plane/workloads/controller-ref.ts'
import type { ReportViolation } from '../invariants.ts'
import { controllerManager } from './owner-history.ts'
import type { ObjectChange, OwnerHistory } from './owner-history.ts'

/** So long a Job's controller may not have counted a failed pod, in ms. */
const uncountedMs = 10_000

const indexAnnotation = 'batch.kubernetes.io/job-completion-index'

/** Whether a Job has ended: `Complete` or `Failed`. */
export function hasEnded(job: Job): boolean {
  return conditionOfEnd(job) !== undefined
}

export function conditionOfEnd({ status }: Job): string | undefined {
  return status?.conditions?.find(
    ({ type, status }) => ['Complete', 'Failed'].includes(type) && status === 'True',
  )?.type
}

/** What Jobs do (invariant 33). */
export class JobChecks {
  readonly #history: OwnerHistory
  readonly #now: () => number
  readonly #report: ReportViolation
  /** By Job: when each of its pods failed. */
  readonly #failures = new Map<string, Map<string, number>>()
  /** Jobs that were suspended: the pods that this ends do not count. */
  readonly #suspended = new Set<string>()

  constructor(deps: {
    readonly history: OwnerHistory
    readonly now: () => number
    readonly report: ReportViolation
  }) {
    this.#history = deps.history
    this.#now = deps.now
    this.#report = deps.report
  }

  take({ resource, type, object, before, user }: ObjectChange): void {
    if (resource === 'batch/v1/jobs') {
      const job = object as Job
      if (job.spec.suspend === true) this.#suspended.add(job.metadata.uid)
      if (before !== undefined) this.#compare(before as Job, job)
    }
    if (resource !== 'pods') return
    const pod = object as unknown as Pod
    const { kind, uid = '' } = controllerOf(pod) ?? {}
    if (kind !== 'Job') return
    if (pod.status?.phase === 'Failed') this.#onFailed(pod, uid)
    if (type === 'ADDED' && user === controllerManager) this.#onCreated(pod, uid)
  }

  #compare(before: Job, job: Job): void {
    const title = `${job.metadata.name} (${job.metadata.uid})`
    for (const count of ['succeeded', 'failed'] as const) {
      const [was, is] = [before.status?.[count] ?? 0, job.status?.[count] ?? 0]
      if (is < was) this.#report(33, `${title} has counted ${was} ${count} pods and now ${is}`)
    }
    const [was, is] = [conditionOfEnd(before), conditionOfEnd(job)]
    if (was !== undefined && is !== was)
      this.#report(33, `${title} was ${was} and is ${String(is)}`)
  }

  #onFailed({ metadata }: Pod, job: string): void {
    const failures = this.#failures.get(job) ?? new Map<string, number>()
    if (!failures.has(metadata.uid)) failures.set(metadata.uid, this.#now())
    this.#failures.set(job, failures)
  }

  #onCreated(pod: Pod, uid: string): void {
    const job = this.#history.get('batch/v1/jobs', uid)
    if (job === undefined) return
    const recent = this.#history.recent(job)
    const report = (what: string): void => {
      this.#report(33, `${job.metadata.name} (${uid}) creates ${pod.metadata.name} ${what}`)
    }
    if (recent.every(hasEnded)) report('after its end')
    if (recent.every(({ spec }) => spec.suspend === true)) report('while it is suspended')
    const active = this.#history.ownedBy('pods', uid).filter(isActive)
    const most = Math.max(...recent.map(mostActive))
    if (active.length > most) report(`as number ${active.length} of ${most}`)
    this.#checkIndex(pod, active, report)
    this.#checkFailures(job, report)
  }

  #checkIndex(pod: Pod, active: readonly Pod[], report: (what: string) => void): void {
    const index = pod.metadata.annotations?.[indexAnnotation]
    if (index === undefined) return
    const same = active.filter(({ metadata }) => metadata.annotations?.[indexAnnotation] === index)
    if (same.length > 1) report(`for index ${index}, which has one`)
  }

  #checkFailures({ metadata, spec }: Job, report: (what: string) => void): void {
    const { backoffLimit, backoffLimitPerIndex, podFailurePolicy } = spec
    if (backoffLimit === undefined || this.#suspended.has(metadata.uid)) return
    if (backoffLimitPerIndex !== undefined || podFailurePolicy !== undefined) return
    const failures = [...(this.#failures.get(metadata.uid)?.values() ?? [])]
    const counted = failures.filter((at) => at < this.#now() - uncountedMs).length
    if (counted > backoffLimit)
      report(`after ${counted} failures, of which ${backoffLimit} are allowed`)
  }
}

/** How many pods a Job may run: `parallelism`, and no more than it still needs to succeed. */
function mostActive({ spec, status }: Job): number {
  const { parallelism = 1, completions } = spec
  if (completions === undefined) return parallelism
  return Math.min(parallelism, Math.max(0, completions - (status?.succeeded ?? 0)))
}
