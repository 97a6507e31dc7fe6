import { describe, expect, it } from 'vitest'
import type { KubeletFigures } from '../../shared/model/inspect/kubelet-facts.ts'
import { FigureCourse } from './figure-course.ts'

const latency = (p99: number | null) => ({ count: 1, p50: p99, p99 })
const figures: KubeletFigures = {
  startedAt: null,
  cpuSeconds: null,
  workers: null,
  desiredPods: null,
  runningPods: 7,
  runningContainers: null,
  mirrorPods: null,
  plegLastSeenAt: null,
  plegRelist: latency(0.004),
  plegRelists: [],
  plegInterval: latency(1.01),
  workerDurations: { sync: latency(0.2) },
  evictions: { 'memory.available': 2, 'nodefs.available': 1 },
}
const syncLoop = { path: '/healthz/syncloop', at: 1, tookMs: 12, bytes: 2, problem: null } as const

describe('the figures of a kubelet over time', () => {
  it('have one sample for each reading, with the answer of the sync loop', () => {
    const course = new FigureCourse()
    course.take({ at: 1000, value: figures }, syncLoop)
    course.take({ at: 1000, value: figures }, syncLoop)
    course.take({ at: 16_000, value: { ...figures, workerDurations: {} } }, undefined)
    expect(course.samples).toEqual([
      {
        at: 1000,
        plegRelistP99: 0.004,
        plegIntervalP99: 1.01,
        workerSyncP99: 0.2,
        syncLoopAnswer: 0.012,
        runningPods: 7,
        evictions: 3,
      },
      expect.objectContaining({ at: 16_000, workerSyncP99: null, syncLoopAnswer: null }),
    ])
  })

  it('keep the last half hour', () => {
    const course = new FigureCourse()
    for (let index = 0; index < 500; index++)
      course.take({ at: index * 15_000, value: figures }, syncLoop)
    expect(course.samples).toHaveLength(120)
    expect(course.samples[0]?.at).toBe(380 * 15_000)
  })

  it('count the relists of their time by how long they took, and start again with the kubelet', () => {
    const course = new FigureCourse()
    const take = (at: number, startedAt: number, short: number, long: number): void => {
      const plegRelists = [
        { upTo: 0.005, count: short },
        { upTo: 2.5, count: long },
        { upTo: null, count: 0 },
      ]
      course.take({ at, value: { ...figures, startedAt, plegRelists } }, undefined)
    }
    expect(course.relists).toBeNull()
    take(15_000, 1000, 900, 10)
    expect(course.relists).toMatchObject({ since: 1000, p50: 0.005, p99: 2.5 })
    take(30_000, 1000, 915, 10)
    expect(course.relists).toMatchObject({ since: 15_000, p50: 0.005, p99: 0.005 })
    take(45_000, 1000, 916, 11)
    expect(course.relists).toEqual({
      since: 15_000,
      buckets: [
        { upTo: 0.005, count: 16 },
        { upTo: 2.5, count: 1 },
        { upTo: null, count: 0 },
      ],
      p50: 0.005,
      p99: 2.5,
    })
    take(60_000, 50_000, 7, 0)
    expect(course.relists).toMatchObject({ since: 50_000, p99: 0.005 })
  })
})
