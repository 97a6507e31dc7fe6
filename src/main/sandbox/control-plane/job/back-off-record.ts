import type { Pod } from '../../../../shared/kubernetes/objects.ts'
import { finishedAt } from './job-pods.ts'

const firstBackOffMs = 10_000
const maxBackOffMs = 10 * 60_000

/** The failures of a Job's pods since the last success. `lastFailure` in ms. */
export interface BackOffRecord {
  readonly failures: number
  readonly lastFailure: number | undefined
}

export const noFailures: BackOffRecord = { failures: 0, lastFailure: undefined }

/** The record after some pods have ended. Source: pkg/controller/job/backoff_utils.go newBackoffRecord (v1.34). */
export function recordAfter(
  before: BackOffRecord,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
): BackOffRecord {
  const failures = failed.map(finishedAt)
  if (succeeded.length === 0) {
    if (failures.length === 0) return before
    return { failures: before.failures + failures.length, lastFailure: Math.max(...failures) }
  }
  const lastSuccess = Math.max(...succeeded.map(finishedAt))
  const later = failures.filter((at) => at > lastSuccess)
  return later.length === 0
    ? noFailures
    : { failures: later.length, lastFailure: Math.max(...later) }
}

/** How long no pod may be created: 10 s, doubled with each failure, at most 10 min. */
export function remainingMs({ failures, lastFailure = 0 }: BackOffRecord, now: number): number {
  if (failures === 0) return 0
  const backOffMs = Math.min(maxBackOffMs, firstBackOffMs * 2 ** Math.min(failures - 1, 16))
  return Math.max(0, backOffMs - (now - lastFailure))
}
