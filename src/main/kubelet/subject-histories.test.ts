import { describe, expect, it } from 'vitest'
import type { TraceEvent, TraceSubject } from '../../shared/model/trace-event.ts'
import { SubjectHistories } from './subject-histories.ts'

function pod(uid: string): TraceSubject {
  return { kind: 'pod', uid, namespace: 'default', name: uid }
}

function object(resource: string, uid: string): TraceSubject {
  return { kind: 'object', resource, namespace: 'default', name: uid, uid }
}

function eventOf(subject: TraceSubject, node = 'n1'): TraceEvent {
  const rest = { causes: [], seq: 1, at: 0, cluster: 'c', node }
  // The histories do not look at kind and data.
  return { kind: 'worker.started', subject, data: { sinceSeenMs: 0 }, ...rest } as TraceEvent
}

describe('SubjectHistories', () => {
  it('keeps a pod, its object and the same UID on another node apart', () => {
    const histories = new SubjectHistories({ limit: 10 })
    const all = [eventOf(pod('a')), eventOf(object('pods', 'a'), ''), eventOf(pod('a'), 'n2')]
    const made = all.map((event) => histories.ofEvent(event))
    expect(new Set(made).size).toBe(3)
    expect(all.map(({ subject, node }) => histories.get(subject, node))).toEqual(made)
    histories.delete(pod('a'), 'n2')
    expect(histories.get(pod('a'), 'n2')).toBeUndefined()
    expect(histories.size).toBe(2)
  })

  it('keeps none of leases', () => {
    const histories = new SubjectHistories({ limit: 10 })
    expect(histories.ofEvent(eventOf(object('leases', 'l'), ''))).toBeUndefined()
    expect(histories.size).toBe(0)
  })

  it('forgets the one that was made first when there are too many', () => {
    const histories = new SubjectHistories({ limit: 3 })
    for (const uid of ['a', 'b', 'c', 'd']) histories.ofEvent(eventOf(pod(uid)))
    expect(histories.get(pod('a'), 'n1')).toBeUndefined()
    expect(histories.get(pod('d'), 'n1')).toBeDefined()
    expect(histories.size).toBe(3)
  })
})
