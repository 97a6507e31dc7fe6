import { expect, it } from 'vitest'
import { dateText } from './date-text.ts'

const now = Date.UTC(2026, 0, 5, 7, 8, 9, 10)

it.each([
  [[], 'Mon Jan  5 07:08:09 UTC 2026'],
  [['-u'], 'Mon Jan  5 07:08:09 UTC 2026'],
  [['+%s'], '1767596889'],
  [['+%Y-%m-%d %H:%M:%S'], '2026-01-05 07:08:09'],
  [['+%FT%TZ %A %B %e %y 100%%'], '2026-01-05T07:08:09Z Monday January  5 26 100%'],
  [['+plain'], 'plain'],
  // GNU has nanoseconds, busybox has none.
  [['+%N'], undefined],
  [['+%constructor'], undefined],
  [['-d', 'yesterday'], undefined],
])('date %j prints %j', (operands, text) => {
  expect(dateText(now, operands)).toBe(text)
})
