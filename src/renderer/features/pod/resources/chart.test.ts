import { expect, it } from 'vitest'
import type { RequestAndLimit, UseRun } from '../../../../shared/model/inside-pod/pod-use.ts'
import { chartOf } from './chart.ts'

const none: RequestAndLimit = { request: null, limit: null }

function runOf(containerId: string, values: readonly (readonly [number, number | null])[]): UseRun {
  return {
    containerId,
    samples: values.map(([seconds, cpuMillis]) => ({
      at: seconds * 1000,
      memoryBytes: 0,
      cpuMillis,
      isThrottled: null,
    })),
  }
}

function cpuChart(runs: readonly UseRun[], amounts = none, now = 100_000) {
  return chartOf(runs, ({ cpuMillis }) => cpuMillis, amounts, now)
}

const leak = runOf('1', [
  [0, 0],
  [50, 100],
])

it('draws one line for each run, so that a restart is a gap', () => {
  const chart = cpuChart(
    [
      leak,
      runOf('2', [
        [75, 50],
        [100, 100],
      ]),
    ],
    { request: 50, limit: 100 },
  )
  expect(chart).toEqual({
    lines: [
      { key: '1', points: '0,100 50,10.71' },
      { key: '2', points: '75,55.36 100,10.71' },
    ],
    ends: [50],
    limitY: 10.71,
    requestY: 55.36,
    spanMs: 100_000,
    least: 0,
    most: 100,
  })
})

it('draws a single sample as a point', () => {
  expect(cpuChart([runOf('1', [[100, 1]])])?.lines[0]?.points).toBe('100,10.71 100,10.71')
})

it('shows at least a minute, and of an exited container when it was', () => {
  expect(cpuChart([runOf('1', [[90, 1]])])?.lines[0]?.points).toBe('83.33,10.71 83.33,10.71')
  expect(cpuChart([leak], none, 200_000)?.lines[0]?.points).toBe('0,100 25,10.71')
})

it('leaves room for a limit above the use, and for a use above the request', () => {
  expect(cpuChart([leak], { request: null, limit: 1000 })?.lines[0]?.points).toBe('0,100 50,91.07')
  expect(cpuChart([leak], { request: 50, limit: null })).toMatchObject({
    limitY: null,
    requestY: 55.36,
  })
})

it('has nothing to draw without a value', () => {
  expect(cpuChart([])).toBeUndefined()
  expect(cpuChart([runOf('1', [[0, null]])])).toBeUndefined()
  expect(cpuChart([runOf('1', [[0, 0]])])?.lines[0]?.points).toBe('0,100 0,100')
})
