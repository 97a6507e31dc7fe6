import { describe, expect, it } from 'vitest'
import { fromTimestamp, toMicroTime, toTimestamp } from './timestamps.ts'

describe('timestamps', () => {
  it('are whole seconds for objects, cut rather than rounded', () => {
    expect(toTimestamp(0)).toBe('1970-01-01T00:00:00Z')
    expect(toTimestamp(1_999)).toBe('1970-01-01T00:00:01Z')
  })

  it('have six digits for leases', () => {
    expect(toMicroTime(1_234)).toBe('1970-01-01T00:00:01.234000Z')
  })

  it('are read back, with nanoseconds or without', () => {
    expect(fromTimestamp('1970-01-01T00:00:01Z')).toBe(1000)
    expect(fromTimestamp('1970-01-01T00:00:01.234567891Z')).toBe(1234)
  })

  it('are undefined where there is none', () => {
    expect([fromTimestamp(undefined), fromTimestamp(null), fromTimestamp('soon')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
