import { expect, it } from 'vitest'
import { fakePod } from '../pod/fake-pod.ts'
import { ProbeMetrics } from './probe-metrics.ts'

it('ProbeMetrics has one duration for a pod and the one that took its name', () => {
  const metrics = new ProbeMetrics()
  const of = (uid: string) =>
    ({ type: 'liveness', container: { name: 'c' }, pod: fakePod({ uid }) }) as const
  for (const one of [of('a'), of('b')]) metrics.record(one, 'success', 0.001)
  const lines = metrics.registry.text().split('\n')
  expect(lines.filter((line) => line.includes('_seconds_count'))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('prober_probe_total'))).toHaveLength(2)
})
