import { describe, expect, it } from 'vitest'
import type { CausalChain } from '../../../../shared/model/pod-objects.ts'
import type { TraceEvent } from '../../../../shared/model/trace-event.ts'
import { causesIn } from './chain-causes.ts'
import { countParts, partOf } from './history-parts.ts'

function event(seq: number, causes: readonly number[] = []): TraceEvent {
  return {
    seq,
    causes,
    at: seq,
    cluster: 'sandbox',
    node: 'n',
    subject: { kind: 'node' },
    kind: 'loop.sync',
    data: { pods: 1 },
  }
}

describe('the parts of a history', () => {
  it.each([
    ['request.received', 'outside'],
    ['pod.rejected', 'config'],
    ['podManager.changed', 'config'],
    ['worker.waiting', 'worker'],
    ['uid.linked', 'mirror'],
    ['pleg.event', 'runtime'],
    ['event.recorded', 'events'],
  ] as const)('include events of kind %s in %s', (kind, part) => {
    expect(partOf(kind)).toBe(part)
  })

  it('are counted', () => {
    expect([...countParts([event(1), event(2)])]).toEqual([['config', 2]])
  })
})

describe('the causes of an event', () => {
  it('include indirect causes, but no effects and no other effects of a cause', () => {
    const chain: CausalChain = {
      seq: 4,
      events: [event(1), event(2, [1]), event(3, [1]), event(4, [2, 9]), event(5, [4])],
      isCut: false,
    }
    expect(causesIn(chain, 4).map(({ seq }) => seq)).toEqual([1, 2, 4])
  })
})
