import { describe, expect, it } from 'vitest'
import { leaseLine } from './lease-line.ts'

describe('leaseLine', () => {
  it('grows from each renewal to the next, and to now, below the limit', () => {
    expect(leaseLine([1000, 11_000], 40_000, 21_000)).toEqual({
      points: '0.0,100.0 50.0,77.7 50.0,100.0 100.0,77.7',
      limitY: expect.closeTo(10.71, 1),
      longest: 10_000,
      span: 20_000,
    })
  })

  it('lifts its top with a lease that has expired, so that the limit stays inside', () => {
    const line = leaseLine([0], 40_000, 80_000)
    expect(line).toMatchObject({ points: '0.0,100.0 100.0,10.7', longest: 80_000 })
    expect(line?.limitY).toBeGreaterThan(50)
  })

  it('ignores renewals after now, and draws nothing without one', () => {
    expect(leaseLine([], 40_000, 10)).toBeUndefined()
    expect(leaseLine([20], 40_000, 10)).toBeUndefined()
    expect(leaseLine([0, 20], 40_000, 10)).toMatchObject({ span: 10 })
  })
})
