import { describe, expect, it } from 'vitest'
import { exponentialBuckets } from './buckets.ts'
import { MetricsRegistry } from './metrics-registry.ts'

function textOf(fill: (registry: MetricsRegistry) => void): readonly string[] {
  const registry = new MetricsRegistry()
  fill(registry)
  return registry.text().split('\n').slice(0, -1)
}

describe('MetricsRegistry', () => {
  it('writes a metric without labels from the start', () => {
    const text = textOf((registry) => {
      registry.counter({ name: 'pods_total', help: 'Pods.', stability: 'ALPHA' })
    })
    expect(text).toEqual([
      '# HELP pods_total [ALPHA] Pods.',
      '# TYPE pods_total counter',
      'pods_total 0',
    ])
  })

  it('leaves out a metric whose labels have no values yet', () => {
    const text = textOf((registry) => {
      registry.gauge({ name: 'pods', help: 'Pods.', labels: ['static'] })
    })
    expect(text).toEqual([])
  })

  it('sorts metrics by name, and series by the values of their labels in the order of the labels’ names', () => {
    const text = textOf((registry) => {
      const pods = registry.gauge({ name: 'pods', help: 'Pods.', labels: ['state', 'kind'] })
      pods.with('b', 'x').set(1)
      pods.with('a', 'y').set(2)
      pods.with('c', 'x').increment(3)
      registry.gauge({ name: 'containers', help: 'Containers.' }).with().set(1e6)
    })
    expect(text).toEqual([
      '# HELP containers Containers.',
      '# TYPE containers gauge',
      'containers 1e+06',
      '# HELP pods Pods.',
      '# TYPE pods gauge',
      'pods{kind="x",state="b"} 1',
      'pods{kind="x",state="c"} 3',
      'pods{kind="y",state="a"} 2',
    ])
  })

  it('counts a value in every bucket that it fits in', () => {
    const text = textOf((registry) => {
      const seconds = registry.histogram(
        { name: 'seconds', help: 'Time.', labels: ['type'] },
        exponentialBuckets(0.1, 10, 2),
      )
      for (const value of [0.1, 0.5, 7]) seconds.with('sync').observe(value)
    })
    expect(text.slice(1)).toEqual([
      '# TYPE seconds histogram',
      'seconds_bucket{type="sync",le="0.1"} 1',
      'seconds_bucket{type="sync",le="1"} 2',
      'seconds_bucket{type="sync",le="+Inf"} 3',
      'seconds_sum{type="sync"} 7.6',
      'seconds_count{type="sync"} 3',
    ])
  })

  it('escapes what would end a line or a value', () => {
    const text = textOf((registry) => {
      registry
        .gauge({ name: 'pods', help: 'a\\b\nc "d"', labels: ['name'] })
        .with('a\\b\nc "d"')
        .set(1)
    })
    expect(text).toEqual([
      '# HELP pods a\\\\b\\nc "d"',
      '# TYPE pods gauge',
      'pods{name="a\\\\b\\nc \\"d\\""} 1',
    ])
  })

  it('writes the time of a value, and since when a metric is deprecated', () => {
    const text = textOf((registry) => {
      registry
        .gauge({ name: 'memory', help: 'Memory.', stability: 'ALPHA', deprecated: '1.29.0' })
        .with()
        .set(2, 1_700_000_000_123.9)
    })
    expect(text).toEqual([
      '# HELP memory [ALPHA] (Deprecated since 1.29.0) Memory.',
      '# TYPE memory gauge',
      'memory 2 1700000000123',
    ])
  })

  it('forgets series that are deleted', () => {
    const text = textOf((registry) => {
      const pods = registry.gauge({ name: 'pods', help: 'Pods.', labels: ['a', 'b'] })
      pods.with('x', 'y').set(1)
      pods.with('x', 'z').set(1)
      pods.delete('x', 'y')
    })
    expect(text.slice(2)).toEqual(['pods{a="x",b="z"} 1'])
  })
})
