import { expect, it } from 'vitest'
import { fakePod } from '../pod/fake-pod.ts'
import { ProbeCounts, ProbeMetrics } from './probe-metrics.ts'

it('ProbeMetrics has one duration for a pod and the one that took its name', () => {
  const metrics = new ProbeMetrics()
  const workerOf = (uid: string) => {
    const counts = new ProbeCounts()
    counts.record('success', 0.001)
    return { type: 'liveness', container: { name: 'c' }, pod: fakePod({ uid }), counts } as const
  }
  metrics.workers = () => [workerOf('a'), workerOf('b')]
  const lines = metrics.registry.text().split('\n')
  expect(lines.filter((line) => line.includes('_seconds_count'))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('prober_probe_total'))).toHaveLength(2)
})
