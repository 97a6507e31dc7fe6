import { describe, expect, it } from 'vitest'
import {
  annotationProblems,
  simulatedBehavior,
  usageAt,
  usageReaches,
  usageUntil,
} from './simulated-behavior.ts'

function read(name: string, value: string) {
  return simulatedBehavior({ [`simulated.nodescope.dev/${name}`]: value }, 'c')
}

describe('the annotations of a simulated pod', () => {
  it.each([
    ['start-delay', '30s', { listenAfterMs: 30_000 }],
    ['run-time', '1m30s', { runTimeMs: 90_000 }],
    ['exit-code', '3', { exitCode: 3 }],
    ['ignore-sigterm', 'true', { ignoresSigterm: true }],
    ['log-rate', '0.5', { logRate: 0.5 }],
    [
      'memory',
      '64Mi',
      { memory: { from: 67_108_864, to: 67_108_864, overMs: 0, isRepeated: false } },
    ],
    [
      'memory',
      '1M to 3M over 10s',
      { memory: { from: 1e6, to: 3e6, overMs: 10_000, isRepeated: false } },
    ],
    [
      'cpu',
      '100m to 1 every 1m',
      { cpu: { from: 1e8, to: 1e9, overMs: 60_000, isRepeated: true } },
    ],
    ['out-of-memory', '5s', { outOfMemoryAfterMs: 5000 }],
    ['probes', 'fail', { probes: { kind: 'fails', afterMs: 0 } }],
    ['probes', 'succeed after 5s', { probes: { kind: 'succeeds', afterMs: 5000 } }],
    ['probes', 'flaky 20%', { probes: { kind: 'flaky', share: 0.2 } }],
  ])('read %s: %s', (name, value, behavior) => {
    expect(read(name, value)).toEqual(behavior)
    expect(read(`${name}.c`, value)).toEqual(behavior)
    expect(read(`${name}.other`, value)).toEqual({})
  })

  it('prefer the one for the container', () => {
    const annotations = {
      'simulated.nodescope.dev/exit-code.c': '2',
      'simulated.nodescope.dev/exit-code': '1',
      'other.dev/exit-code': '9',
    }
    expect(simulatedBehavior(annotations, 'c')).toEqual({ exitCode: 2 })
    expect(simulatedBehavior(annotations, 'd')).toEqual({ exitCode: 1 })
    expect(annotationProblems(annotations, ['c', 'd'])).toEqual([])
  })

  it.each([
    ['start-delay', 'soon', 'ignored: "soon" is not a duration such as 30s'],
    ['run-time', '-5s', 'ignored: "-5s" is not a duration such as 30s'],
    ['exit-code', '256', 'ignored: "256" is not a number from 0 to 255'],
    ['ignore-sigterm', 'yes', 'ignored: "yes" is not "true" or "false"'],
    ['log-rate', '101', 'ignored: "101" is not lines per second, at most 100'],
    [
      'memory',
      'a lot',
      'ignored: "a lot" is not an amount such as 64Mi, "64Mi to 1Gi over 60s" or "64Mi to 1Gi every 60s"',
    ],
    [
      'cpu',
      '1 to 2 over 0s',
      'ignored: "1 to 2 over 0s" is not an amount such as 250m, "100m to 1 over 60s" or "100m to 1 every 60s"',
    ],
    [
      'probes',
      'flaky 120%',
      'ignored: "flaky 120%" is not "fail", "fail after 30s", "succeed after 30s" or "flaky 20%"',
    ],
    ['exit-code.none', '1', 'ignored: the pod has no container "none"'],
    [
      'speed',
      '1',
      'ignored: unknown: the annotations are start-delay, run-time, exit-code, ignore-sigterm, log-rate, memory, cpu, log-size, disk, inodes, processes, out-of-memory, probes',
    ],
  ])('say what is wrong with %s: %s', (name, value, message) => {
    const key = `simulated.nodescope.dev/${name}`
    const field = `metadata.annotations[${key}]`
    expect(annotationProblems({ [key]: value }, ['c'])).toEqual([{ field, message }])
    expect(read(name, value)).toEqual({})
  })
})

describe('a usage over time', () => {
  const ramp = { from: 10, to: 30, overMs: 10_000, isRepeated: false }
  const saw = { ...ramp, isRepeated: true }

  it('is constant, rises and stays, or starts over', () => {
    expect([0, 5000, 10_000, 20_000].map((age) => usageAt(ramp, age))).toEqual([10, 20, 30, 30])
    expect([0, 5000, 10_000, 25_000].map((age) => usageAt(saw, age))).toEqual([10, 20, 10, 20])
    expect(usageAt({ ...ramp, overMs: 0 }, 0)).toBe(30)
  })

  it('adds up', () => {
    expect(usageUntil(ramp, 5000)).toBe(75)
    expect(usageUntil(ramp, 20_000)).toBe(500)
    expect(usageUntil(saw, 25_000)).toBe(475)
    expect(usageUntil({ ...ramp, overMs: 0 }, 2000)).toBe(60)
  })

  it('adds up to no more than a limit', () => {
    expect(usageUntil(ramp, 20_000, 20)).toBe(375)
    expect(usageUntil(ramp, 20_000, 30)).toBe(500)
    expect(usageUntil(ramp, 5000, 5)).toBe(25)
    expect(usageUntil(saw, 25_000, 20)).toBe(425)
    expect(usageUntil({ ...ramp, from: 30, to: 10 }, 10_000, 20)).toBe(175)
    expect(usageUntil({ ...ramp, overMs: 0 }, 2000, 20)).toBe(40)
  })

  it('reaches a limit once', () => {
    expect(usageReaches(ramp, 20)).toBe(5000)
    expect(usageReaches(saw, 30)).toBe(10_000)
    expect(usageReaches(ramp, 31)).toBeUndefined()
    expect(usageReaches(ramp, 5)).toBe(0)
    expect(usageReaches({ ...ramp, overMs: 0 }, 30)).toBe(0)
  })
})
