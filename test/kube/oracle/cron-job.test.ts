import fc from 'fast-check'
import {
  mostRecentTime,
  untilNextMs,
} from '../../../src/main/sandbox/control-plane/cron-job/schedule-times.ts'
import { zonedSchedule } from '../../../src/main/sandbox/control-plane/cron-job/cron-job-sync.ts'
import { defined } from '../../../src/shared/json.ts'
import { parseSchedule } from '../../../src/shared/kubernetes/cron/cron-schedule.ts'
import { loadTimeZone, zonedTimestamp } from '../../../src/shared/kubernetes/cron/time-zones.ts'
import { toTimestamp } from '../../../src/shared/kubernetes/timestamps.ts'
import { describeOracle, functionComparisons } from './oracle-suite.ts'
import { Refusal } from './oracle.ts'

// The schedules of CronJobs: what they accept, when they are due in time zones whose clocks change, and what the controller makes
// of it: the last due time, how many were missed, and when it looks at the CronJob again.

const counts: string[] = []
const count = 8

interface Scheduled {
  readonly schedule: string
  readonly timeZone: string | undefined
  readonly deadline: number | undefined
  /** ms since the epoch, in whole seconds. */
  readonly created: number
  readonly lastScheduled: number | undefined
  readonly now: number
}

/** Zones whose clocks change at midnight, by half an hour, on other days of the week, twice a year more or no more. */
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Antarctica/Troll',
  'UTC',
]

function values(min: number, max: number, names: readonly string[] = []): fc.Arbitrary<string> {
  const number = fc.integer({ min, max }).map(String)
  const one = names.length === 0 ? number : fc.oneof(number, fc.constantFrom(...names))
  const range = fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) =>
    // Mostly in order.
    (a + b) % 7 === 0 ? `${a}-${b}` : `${Math.min(a, b)}-${Math.max(a, b)}`,
  )
  const step = fc.integer({ min: 1, max: Math.ceil(max / 2) })
  const part = fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    { weight: 3, arbitrary: one },
    { weight: 2, arbitrary: range },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(fc.constantFrom('*', '?'), one, range), step)
        .map(([base, by]) => `${base}/${by}`),
    },
  )
  return fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(','))
}

const fields = fc
  .tuple(
    values(0, 59),
    values(0, 23),
    values(1, 31),
    values(1, 12, ['jan', 'FEB', 'Dec']),
    values(0, 6, ['sun', 'MON', 'Sat']),
  )
  .map((parts) => parts.join(' '))

/** Times of the day at which clocks change, each day. */
const atChanges = fc
  .tuple(
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom('*', '1-7', '25-31'),
  )
  .map(([minute, hour, day]) => `${minute} ${hour} ${day} * *`)

const unusual = fc.constantFrom(
  '@yearly',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
  '@every 90m',
  '@every 1h0m0.5s',
  '@every 7s',
  '@every 1d',
  '@often',
  '0 0 31 2 *',
  '0 0 29 2 *',
  '0 0 30 2 1',
  ', * * * *',
  '* * * *',
  '60 * * * *',
  '*/0 * * * *',
  '1-2-3 * * * *',
  '1/2/3 * * * *',
  '*/-1 * * * *',
  '+5 * * * *',
  '9223372036854775808 * * * *',
  '9223372036854775807 * * * *',
  '0x1 * * * *',
)

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const scheduled: fc.Arbitrary<Scheduled> = fc
  .record({
    schedule: fc.oneof(
      { weight: 5, arbitrary: fields },
      { weight: 3, arbitrary: atChanges },
      { weight: 1, arbitrary: unusual },
    ),
    timeZone: fc.option(fc.constantFrom(...zones), { nil: undefined }),
    deadline: fc.option(fc.constantFrom(0, 10, 200, 86_400), { nil: undefined }),
    created: fc.integer({ min: Date.UTC(2023, 0) / 1000, max: Date.UTC(2028, 0) / 1000 }),
    sinceLast: fc.option(fc.integer({ min: 0, max: 40 * 86_400 }), { nil: undefined }),
    passed: fc.oneof(
      fc.integer({ min: 0, max: 3 * hourMs }),
      fc.integer({ min: 0, max: 3 * dayMs }),
      fc.integer({ min: 0, max: 400 * dayMs }),
    ),
  })
  .map(({ created, sinceLast, passed, ...rest }) => {
    const lastScheduled = sinceLast === undefined ? undefined : (created + sinceLast) * 1000
    return {
      ...rest,
      created: created * 1000,
      lastScheduled,
      now: (lastScheduled ?? created * 1000) + passed,
    }
  })

function timesOf(one: Scheduled): unknown {
  const { schedule, timeZone, deadline, created, lastScheduled, now } = one
  const metadata = { name: 'c', uid: 'u', creationTimestamp: toTimestamp(created) }
  const cronJob = {
    metadata,
    spec: {
      schedule,
      ...defined({ timeZone, startingDeadlineSeconds: deadline }),
      jobTemplate: { spec: { template: { spec: { containers: [] } } } },
    },
    ...(lastScheduled === undefined
      ? {}
      : { status: { lastScheduleTime: toTimestamp(lastScheduled) } }),
  }
  const parsed = parseSchedule(zonedSchedule(cronJob))
  if (!parsed.ok) return new Refusal(parsed.error)
  const next: number[] = []
  let time = parsed.value.next(now)
  while (time !== undefined && next.length < count) {
    next.push(time)
    time = parsed.value.next(time)
  }
  const times = mostRecentTime(cronJob, now, parsed.value, true)
  const untilNext = Math.max(0, untilNextMs(cronJob, now, parsed.value))
  if (!times.ok) return { next, untilNext, refusal: times.error }
  const { missed, recent } = times.value
  return { next, untilNext, missed, ...defined({ recent }) }
}

const canonical = Intl.supportedValuesOf('timeZone')
const names = fc.oneof(
  fc.constantFrom(...canonical),
  fc.constantFrom(...canonical).map((name) => name.toLowerCase()),
  fc.constantFrom(...zones, 'Asia/Calcutta', 'US/Pacific', 'US/Indiana-Starke', 'Mexico/BajaNorte'),
  fc.constantFrom('EST5EDT', 'EST', 'GMT0', 'GMT+0', 'Etc/GMT-14', 'Etc/GMT+13', 'GB-Eire', 'W-SU'),
  fc.constantFrom(
    'PST',
    'ACT',
    'SystemV/PST8',
    'Local',
    'local',
    'utc',
    '',
    '../x',
    '/x',
    'No/Where',
  ),
  fc.constantFrom(
    'asia/calcutta',
    'us/pacific',
    'est5edt',
    'gmt',
    'japan',
    'JAPAN',
    'Japan',
    'Etc/Unknown',
  ),
)

await describeOracle(
  {
    name: 'schedules of CronJobs',
    subject: 'cronJob',
    title: 'the schedule of a CronJob',
    summary: () => counts.join(', '),
  },
  (oracle) => {
    const compares = functionComparisons(oracle, counts)

    compares('due times', {
      ask: 'times',
      values: scheduled,
      asked: (one) => ({ ...one, count }),
      ours: timesOf,
      count: 5000,
    })

    compares('time zones', {
      ask: 'written',
      values: fc.record({
        zone: names,
        // Years whose rules no release of the database has changed for these zones since.
        at: fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2024, 0) }),
      }),
      ours: ({ zone, at }) => {
        const loaded = loadTimeZone(zone)
        return loaded.ok ? zonedTimestamp(at, loaded.value) : new Refusal(loaded.error)
      },
      count: 5000,
    })
  },
)
