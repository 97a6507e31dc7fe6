import { describe, expect, it } from 'vitest'
import type { TraceEvent, TraceInput } from '../trace-event.ts'
import { eventsOfLane } from './events-of-lane.ts'
import { laneOfEvents } from './lane-of-events.ts'
import type { TimelineLane } from './timeline.ts'

const subject = { kind: 'pod', uid: 'u', namespace: 'default', name: 'web' } as const

function trace(
  ...inputs: readonly (readonly [at: number, event: Pick<TraceInput, 'kind' | 'data'>])[]
): readonly TraceEvent[] {
  return inputs.map(([at, event], index) => {
    const around = { subject, causes: [], seq: index + 1, at, cluster: 'c', node: 'n' }
    // Kind and data are pairs of the callers below.
    return { ...event, ...around } as unknown as TraceEvent
  })
}

const frame = {
  id: 'c/n/u',
  namespace: 'default',
  name: 'web',
  uid: 'u',
  source: 'api',
  now: 9000,
  from: 0,
  to: 9000,
  stepMs: 0,
} as const

const observed = (
  state: 'SyncPod' | 'TerminatingPod' | null,
  certainty: 'certain' | 'possible',
): Pick<TraceInput, 'kind' | 'data'> => ({
  kind: 'worker.observed',
  data: { state, certainty, because: 'It has a deletionTimestamp.', evidence: [] },
})

const states = (lane: TimelineLane | undefined): readonly string[] =>
  (lane?.segments ?? []).map(
    ({ state, certainty, from, to }) => `${state} ${certainty} ${from}-${to}`,
  )

describe('the lane of a pod', () => {
  it('has the states that its own kubelet’s worker went through, and ends when the worker is forgotten', () => {
    const events = trace(
      [1000, { kind: 'worker.waiting', data: { blockedByUid: 'old' } }],
      [2000, { kind: 'worker.started', data: { sinceSeenMs: 1000 } }],
      [5000, { kind: 'worker.transitioned', data: { to: 'terminating', why: 'killed' } }],
      [6000, { kind: 'worker.transitioned', data: { to: 'terminated', why: 'stopped' } }],
      [7000, { kind: 'worker.transitioned', data: { to: 'finished', why: 'done' } }],
      [8000, { kind: 'worker.forgotten', data: { why: 'orphan' } }],
    )
    expect(states(laneOfEvents(events, frame))).toEqual([
      'waiting seen 1000-2000',
      'sync seen 2000-5000',
      'terminating seen 5000-6000',
      'terminated seen 6000-7000',
      'finished seen 7000-8000',
    ])
  })

  it('has the certainty of what was concluded from outside, and a gap where nothing is known', () => {
    const events = trace(
      [1000, observed('SyncPod', 'possible')],
      [2000, observed('SyncPod', 'certain')],
      [3000, observed(null, 'possible')],
      [4000, observed('TerminatingPod', 'certain')],
    )
    expect(states(laneOfEvents(events, frame))).toEqual([
      'sync assumed 1000-2000',
      'sync inferred 2000-3000',
      'terminating inferred 4000-9000',
    ])
  })

  it('hides marks of a kind that fall on one place, and counts them', () => {
    const started = (at: number) =>
      [at, { kind: 'container.started', data: { container: 'c', containerId: 'x' } }] as const
    const lane = laneOfEvents(trace(started(1000), started(1010), started(5000)), {
      ...frame,
      stepMs: 100,
    })
    expect(lane?.marks.map(({ at, hidden }) => [at, hidden])).toEqual([
      [1010, 1],
      [5000, 0],
    ])
  })

  it('is not there outside its time', () => {
    const events = trace(
      [1000, { kind: 'worker.started', data: { sinceSeenMs: 0 } }],
      [2000, { kind: 'worker.forgotten', data: { why: 'orphan' } }],
    )
    expect(laneOfEvents(events, { ...frame, from: 3000 })).toBeUndefined()
  })

  it('of a log is the same after it was made of events and back', () => {
    const span = { certainty: 'seen', because: '', toLine: 0 } as const
    const lane: TimelineLane = {
      id: '4',
      namespace: 'default',
      name: 'web',
      uid: 'u',
      source: 'api',
      state: 'terminating',
      firstLine: 3,
      lastLine: 8,
      lastAt: 3000,
      segments: [
        { ...span, state: 'sync', from: 1000, to: 3000, fromLine: 3, evidence: [3] },
        { ...span, state: 'terminating', from: 3000, to: 9000, fromLine: 8, evidence: [8] },
      ],
      marks: [{ kind: 'loop', at: 3000, line: 8, text: 'SyncLoop DELETE', hidden: 0 }],
    }
    const events = eventsOfLane(lane, { cluster: 'log-1', node: 'kubelet' })
    expect(events.map(({ kind, seq }) => `${kind} ${seq}`)).toEqual([
      'worker.observed 8.5',
      'log.entry 8',
      'worker.observed 3',
    ])
    expect(states(laneOfEvents(events.toReversed(), frame))).toEqual(states(lane))
  })
})
