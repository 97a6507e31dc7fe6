import { describe, expect, it } from 'vitest'
import { parseSchedule } from './cron-schedule.ts'
import { zonedTimestamp, loadTimeZone, utc } from './time-zones.ts'

function due(schedule: string, after: string, count = 1): readonly string[] {
  const parsed = parseSchedule(schedule)
  if (!parsed.ok) return [parsed.error]
  const times: string[] = []
  let time: number | undefined = Date.parse(after)
  for (let index = 0; index < count && time !== undefined; index++) {
    time = parsed.value.next(time)
    times.push(time === undefined ? 'never' : zonedTimestamp(time, utc))
  }
  return times
}

describe('a schedule', () => {
  it.each([
    ['*/15 * * * *', '2026-01-01T00:01:00Z', '2026-01-01T00:15:00Z'],
    ['* * * * *', '2026-01-01T00:01:00Z', '2026-01-01T00:02:00Z'],
    ['* * * * *', '2026-01-01T00:01:59.9Z', '2026-01-01T00:02:00Z'],
    ['5/20 8-10 * * mon-fri', '2026-01-03T00:00:00Z', '2026-01-05T08:05:00Z'],
    ['0 0 29 FEB ?', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    // Either of the two, unless one is a star.
    ['0 0 13 * 5', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
    ['0 0 */13 * 5', '2026-01-03T00:00:00Z', '2026-01-09T00:00:00Z'],
    ['0 0 */1 * 5', '2026-01-03T00:00:00Z', '2026-01-09T00:00:00Z'],
    ['@weekly', '2026-01-01T00:00:00Z', '2026-01-04T00:00:00Z'],
    ['@every 1h30m', '2026-01-01T00:00:00.5Z', '2026-01-01T01:30:00Z'],
    ['@every 10ms', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
    ['TZ=Asia/Kolkata @daily', '2026-01-01T00:00:00Z', '2026-01-01T18:30:00Z'],
    // A gap of the clocks is left out, and a second hour of the same name is due again.
    ['TZ=Europe/Berlin 30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00Z'],
    ['TZ=Europe/Berlin 30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
    ['59 23 31 2 *', '2026-01-01T00:00:00Z', 'never'],
    [', * * * *', '2026-01-01T00:00:00Z', 'never'],
  ])('%s is due after %s at %s', (schedule, after, expected) => {
    expect(due(schedule, after)).toEqual([expected])
  })

  it.each([
    ['', 'empty spec string'],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['*/2/3 * * * *', 'too many slashes: */2/3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['*/-1 * * * *', 'negative number (-1) not allowed: -1'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['@often', 'unrecognized descriptor: @often'],
    ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
    ['TZ=No/Where * * * * *', 'provided bad location No/Where: unknown time zone No/Where'],
  ])('%j is refused: %s', (schedule, error) => {
    expect(parseSchedule(schedule)).toEqual({ ok: false, error })
  })
})

describe('a time zone', () => {
  it.each(['', 'UTC', 'Europe/Berlin', 'Asia/Calcutta', 'Asia/Kolkata', 'US/Pacific', 'Etc/GMT+5'])(
    '%j is known',
    (name) => {
      expect(loadTimeZone(name)).toMatchObject({ ok: true })
    },
  )

  it.each([
    ['europe/berlin', 'unknown time zone europe/berlin'],
    ['asia/kolkata', 'unknown time zone asia/kolkata'],
    ['PST', 'unknown time zone PST'],
    ['SystemV/PST8', 'unknown time zone SystemV/PST8'],
    ['Europe/../Berlin', 'time: invalid location name'],
  ])('%s is not', (name, error) => {
    expect(loadTimeZone(name)).toEqual({ ok: false, error })
  })
})
