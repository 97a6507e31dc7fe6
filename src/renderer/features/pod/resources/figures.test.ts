import { expect, it } from 'vitest'
import type { UseSample } from '../../../../shared/model/inside-pod/pod-use.ts'
import { cpuText, memoryLimitText, memoryText, throttledPercent } from './figures.ts'

const mebibyte = 2 ** 20

it('writes amounts as kubectl top does', () => {
  expect([0, 700_000, 231.9 * mebibyte, 3 * 1024 * mebibyte].map(memoryText)).toEqual([
    '0Ki',
    '683Ki',
    '231Mi',
    '3072Mi',
  ])
  expect([256 * mebibyte, 1024 * mebibyte, 500_000_000].map(memoryLimitText)).toEqual([
    '256Mi',
    '1Gi',
    '500000000',
  ])
  expect([0, 0.2, 180, 1500].map(cpuText)).toEqual(['0m', '1m', '180m', '1500m'])
})

it('says how much of the last minute was throttled, if the runtime says it of all of it', () => {
  const sampleOf = (seconds: number, isThrottled: boolean | null): UseSample => ({
    at: seconds * 1000,
    memoryBytes: 1,
    cpuMillis: 1,
    isThrottled,
  })
  const minutes = [0, 20, 40, 60, 80].map((at) => sampleOf(at, at <= 40))
  expect(throttledPercent(minutes)).toBe(50)
  expect(throttledPercent([...minutes, sampleOf(100, null)])).toBeNull()
  expect(throttledPercent([])).toBeNull()
})
