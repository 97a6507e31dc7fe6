import { describe, expect, it } from 'vitest'
import {
  MemoryThresholdNotifier,
  notifiedUsage,
} from '../../../src/main/kubelet/eviction/memory-threshold-notifier.ts'
import type { NodeFigures } from '../../../src/main/kubelet/eviction/stats.ts'
import type { Threshold } from '../../../src/main/kubelet/eviction/thresholds.ts'
import { gi, hardThreshold } from './eviction-rounds.ts'

// The tests of pkg/kubelet/eviction memory_threshold_notifier_test.go by their names, on our notifier.

const ofNode = hardThreshold('memory.available', '1Gi')
const ofPods: Threshold = { ...ofNode, signal: 'allocatableMemory.available' }

function memory(available: number, usage: number, workingSet: number): NodeFigures['memory'] {
  return { availableBytes: available, usageBytes: usage, workingSetBytes: workingSet }
}

describe('TestUpdateThreshold', () => {
  it.each([
    ['node level threshold', ofNode, { memory: memory(3 * gi, 2 * gi, gi) }, 4 * gi],
    ['allocatable threshold', ofPods, { podsMemory: memory(4 * gi, 3 * gi, gi) }, 6 * gi],
  ])('%s: watches the use at which it is met', (_name, threshold, node, expected) => {
    const watched: number[] = []
    const notifier = new MemoryThresholdNotifier(
      threshold,
      (_scope, usage) => {
        watched.push(usage)
        return () => undefined
      },
      () => undefined,
    )
    expect(notifier.updateThreshold(node).ok).toBe(true)
    expect(watched).toEqual([expected])
  })
})

describe('TestUpdateThresholdWithInvalidSummary', () => {
  it.each([
    ['incomplete summary', ofNode, { memory: {} }],
    ['system container not found in metrics', ofPods, { memory: memory(gi, gi, gi) }],
  ])('%s', (_name, threshold, node) => {
    expect(notifiedUsage(threshold, node).ok).toBe(false)
  })
})

describe('TestStart', () => {
  it('calls the handler each time the use crosses the threshold', () => {
    const messages: string[] = []
    let cross: () => void = () => undefined
    const notifier = new MemoryThresholdNotifier(
      ofNode,
      (_scope, _usage, onCrossed) => {
        cross = onCrossed
        return () => undefined
      },
      (message) => messages.push(message),
    )
    notifier.updateThreshold({ memory: memory(3 * gi, 2 * gi, gi) })
    for (let time = 0; time < 4; time++) cross()
    expect(messages).toEqual(
      Array(4).fill('eviction manager: hard memory eviction threshold crossed'),
    )
  })

  it('leaves the use that it watched before', () => {
    const left: number[] = []
    const notifier = new MemoryThresholdNotifier(
      ofNode,
      (_scope, usage) => () => left.push(usage),
      () => undefined,
    )
    notifier.updateThreshold({ memory: memory(3 * gi, 2 * gi, gi) })
    notifier.updateThreshold({ memory: memory(3 * gi, 3 * gi, gi) })
    expect(left).toEqual([4 * gi])
  })
})

describe('TestThresholdDescription', () => {
  it.each([
    ['hard', ofNode, 'hard memory eviction threshold'],
    ['soft', { ...ofNode, gracePeriodMs: 120_000 }, 'soft memory eviction threshold'],
    ['hard', ofPods, 'hard allocatable memory eviction threshold'],
    ['soft', { ...ofPods, gracePeriodMs: 120_000 }, 'soft allocatable memory eviction threshold'],
  ])('names a %s one', (_name, threshold, expected) => {
    const notifier = new MemoryThresholdNotifier(
      threshold,
      () => () => undefined,
      () => undefined,
    )
    expect(notifier.description).toBe(expected)
  })
})
