import { describe, expect, it } from 'vitest'
import type { TraceEvent } from '../../shared/model/trace-event.ts'
import { EventCodec } from './event-codec.ts'

const subject = { kind: 'pod', uid: 'u', namespace: 'ns', name: 'p' } as const
const frame = { cluster: 'c', subject, node: 'n' }

function eventOf(rest: Partial<TraceEvent> = {}): TraceEvent {
  return {
    kind: 'image.pulled',
    subject,
    causes: [7],
    data: { container: 'main', image: 'busybox:1.36', durationMs: 1200, present: false },
    seq: 9,
    at: 1_795_304_560_417,
    cluster: 'c',
    node: 'n',
    ...rest,
    // One kind with its own data in each use below.
  } as TraceEvent
}

function roundTrip(events: readonly TraceEvent[], codec = new EventCodec()): TraceEvent[] {
  const chunk = codec.newChunk()
  codec.append(chunk, events, frame)
  return codec.read(chunk, frame)
}

describe('EventCodec', () => {
  it('gives events back as they were, in order', () => {
    const events = [eventOf(), eventOf({ seq: 10, causes: [9, 3] }), eventOf({ seq: 5000 })]
    expect(roundTrip(events)).toEqual(events)
  })

  it.each([
    ['no causes', { causes: [] }],
    ['a cause that comes later', { causes: [12] }],
    ['another subject', { subject: { kind: 'pod', uid: 'u', namespace: 'ns', name: 'new' } }],
    ['a subject of another kind', { subject: { kind: 'source', source: 'api' } }],
    ['another node', { node: '' }],
    ['a time between two milliseconds', { at: 0.5 }],
    ['a time before the epoch', { at: -86_400_000 }],
    ['the greatest number', { data: { durationMs: Number.MAX_SAFE_INTEGER } }],
    ['a negative number', { data: { delayMs: -1_000_000 } }],
    ['a list', { data: { names: ['a', 'b'] } }],
    ['nothing', { data: {} }],
    ['null', { data: { gracePeriodSeconds: null } }],
    ['a message beyond Latin-1', { data: { message: 'größer als → 𝄞' } }],
    ['an empty text', { data: { message: '' } }],
  ])('keeps %s', (_, rest) => {
    // The table mixes kinds and data, which the codec does not look at.
    const event = eventOf(rest as Partial<TraceEvent>)
    expect(roundTrip([event])).toEqual([event])
  })

  it('writes the events after one that could not be written as usual', () => {
    const codec = new EventCodec()
    const data = { message: 1n } as unknown as TraceEvent['data']
    expect(() => roundTrip([eventOf({ data } as Partial<TraceEvent>)], codec)).toThrow()
    expect(roundTrip([eventOf()], codec)).toEqual([eventOf()])
  })

  it('leaves out fields without a value, as JSON does', () => {
    const data = { message: undefined, present: true } as unknown as TraceEvent['data']
    expect(roundTrip([eventOf({ data } as Partial<TraceEvent>)])[0]?.data).toEqual({
      present: true,
    })
  })

  it('reads a chunk that grew in several steps', () => {
    const codec = new EventCodec()
    const chunk = codec.newChunk()
    const events = [eventOf(), eventOf({ seq: 400, at: 1_795_304_500_000 }), eventOf({ seq: 401 })]
    for (const event of events) codec.append(chunk, [event], frame)
    expect(codec.read(chunk, frame)).toEqual(events)
  })

  it('distinguishes texts when there are more than the table holds', () => {
    const events = Array.from({ length: 10_000 }, (_, index) =>
      eventOf({
        kind: 'status.failed',
        seq: index + 1,
        causes: [],
        data: { message: `message ${index % 5000}` },
      }),
    )
    const codec = new EventCodec()
    const chunks = events.map((event) => {
      const chunk = codec.newChunk()
      codec.append(chunk, [event], frame)
      return chunk
    })
    expect(chunks.flatMap((chunk) => codec.read(chunk, frame))).toEqual(events)
  })

  it('takes less than a quarter of the memory of JSON for repeated events', () => {
    const codec = new EventCodec()
    const events = Array.from({ length: 24 }, (_, index) => eventOf({ seq: 9 + index }))
    codec.append(codec.newChunk(), events, frame)
    const chunk = codec.newChunk()
    codec.append(chunk, events, frame)
    expect(chunk.text.length).toBeLessThan(JSON.stringify(events).length / 4)
  })
})
