import type { CronSchedule } from '../../../../shared/kubernetes/cron/cron-schedule.ts'
import { fromTimestamp } from '../../../../shared/kubernetes/timestamps.ts'
import type { CronJob } from '../../../../shared/kubernetes/workloads.ts'
import { err, ok } from '../../../../shared/result.ts'
import type { Result } from '../../../../shared/result.ts'

// Times are ms since the epoch. Source: pkg/controller/cronjob/utils.go (v1.34).

/** How many due times nothing was created for; `many`: more than 100. */
type Missed = 'none' | 'few' | 'many'

interface RecentTime {
  /** From when on due times count. */
  readonly earliest: number
  /** The last due time; undefined if there is none. */
  readonly recent: number | undefined
  readonly missed: Missed
}

/** 100 ms for clocks that differ. */
const nextScheduleDeltaMs = 100
const manyMissed = 100

/** Source: mostRecentScheduleTime. */
export function mostRecentTime(
  { metadata, spec, status }: CronJob,
  now: number,
  schedule: CronSchedule,
  isDeadlineCounted: boolean,
): Result<RecentTime, string> {
  let earliest =
    fromTimestamp(status?.lastScheduleTime) ?? fromTimestamp(metadata.creationTimestamp) ?? 0
  const { startingDeadlineSeconds } = spec
  if (isDeadlineCounted && startingDeadlineSeconds !== undefined)
    earliest = Math.max(earliest, now - startingDeadlineSeconds * 1000)
  const first = schedule.next(earliest)
  const second = first === undefined ? undefined : schedule.next(first)
  if (first === undefined || second === undefined)
    return err('time difference between two schedules is less than 1 second')
  if (now < first) return ok({ earliest, recent: undefined, missed: 'none' })
  if (now < second) return ok({ earliest, recent: first, missed: 'none' })
  // The count is rough: as if all due times had the distance of the first two.
  const betweenMs = second - first
  const count = Math.floor((now - first) / betweenMs) + 1
  // One more back, because due times can have any distance.
  let recent: number | undefined
  let due = schedule.next(first + (count - 2) * betweenMs)
  while (due !== undefined && due <= now) {
    recent = due
    due = schedule.next(due)
  }
  return ok({ earliest, recent, missed: count > manyMissed ? 'many' : 'few' })
}

/** How long until the CronJob is looked at again. Source: nextScheduleTimeDuration. */
export function untilNextMs(cronJob: CronJob, now: number, schedule: CronSchedule): number {
  const times = mostRecentTime(cronJob, now, schedule, false)
  const { earliest = now, recent, missed = 'few' } = times.ok ? times.value : {}
  const from = recent ?? (missed === 'none' ? earliest : now)
  const next = schedule.next(from)
  return next === undefined ? 0 : next + nextScheduleDeltaMs - now
}
