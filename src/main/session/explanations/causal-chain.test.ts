import { describe, expect, it } from 'vitest'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { causalChain } from './causal-chain.ts'

function event(seq: number, ...causes: readonly number[]): TraceEvent {
  return {
    kind: 'loop.sync',
    subject: { kind: 'node' },
    causes,
    data: { pods: 0 },
    seq,
    at: seq,
    cluster: 'sandbox',
    node: 'n',
  }
}

function seqs(seq: number, events: readonly TraceEvent[]): readonly number[] | undefined {
  return causalChain(seq, events)?.events.map((one) => one.seq)
}

describe('causalChain', () => {
  it('collects the causes and the effects of an event, oldest first, and nothing else', () => {
    const events = [
      event(1),
      event(2),
      event(3, 1),
      event(4, 2, 3),
      event(5, 3),
      event(6, 4),
      event(7, 6),
      event(8),
    ]
    expect(causalChain(4, events)).toEqual({
      seq: 4,
      events: [1, 2, 3, 4, 6, 7].map((seq) => events[seq - 1]),
      isCut: false,
    })
    expect(seqs(1, events)).toEqual([1, 3, 4, 5, 6, 7])
    expect(seqs(8, events)).toEqual([8])
  })

  it('leaves out other pods that the same iteration of the sync loop handled', () => {
    const ofPod = (seq: number, uid: string, ...causes: readonly number[]): TraceEvent => ({
      seq,
      at: seq,
      cluster: 'sandbox',
      node: 'n',
      causes,
      kind: 'worker.requeued',
      subject: { kind: 'pod', uid, namespace: 'default', name: uid },
      data: { delayMs: 0, why: 'transition' },
    })
    const turn = (seq: number, pods: number, ...causes: readonly number[]): TraceEvent => ({
      seq,
      at: seq,
      cluster: 'sandbox',
      node: 'n',
      causes,
      kind: 'loop.sync',
      subject: { kind: 'node' },
      data: { pods },
    })
    const events = [
      event(1),
      event(2),
      ofPod(3, 'mine', 1),
      ofPod(4, 'other', 2),
      turn(5, 2, 3, 4),
      ofPod(6, 'mine', 3, 5),
      ofPod(7, 'other', 4, 5),
      ofPod(8, 'other', 7),
      ofPod(9, 'mine', 6),
      turn(10, 1, 9),
      ofPod(11, 'mine', 10),
    ]
    expect(seqs(1, events)).toEqual([1, 3, 5, 6, 9, 10, 11])
    expect(seqs(2, events)).toEqual([2, 4, 5, 7, 8])
    // The effects of the iteration itself are all that it did.
    expect(seqs(5, events)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  it('says that the chain is cut if the trace no longer has a cause', () => {
    expect(causalChain(5, [event(4, 1), event(5, 4)])).toMatchObject({ isCut: true })
    expect(causalChain(1, [event(4), event(5, 4)])).toBeNull()
  })

  it('is bounded to eighty events, half of them for effects', () => {
    const long = Array.from({ length: 300 }, (_, index) =>
      index === 0 ? event(1) : event(index + 1, index),
    )
    const chain = causalChain(150, long)
    expect(chain?.events.map((one) => one.seq)).toEqual(
      Array.from({ length: 80 }, (_, index) => 110 + index),
    )
    expect(chain?.isCut).toBe(true)
    expect(seqs(1, long)).toHaveLength(80)
  })
})
