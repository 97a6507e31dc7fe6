import type { TimelineLane, TimelineSpan } from '../../../shared/model/timeline/timeline.ts'

function segment(state: TimelineSpan['state'], from: number, line: number): TimelineSpan {
  return {
    state,
    certainty: 'seen',
    because: '',
    from,
    to: from + 1000,
    fromLine: line,
    toLine: line + 10,
    evidence: [line],
  }
}

/** A pod that was synced from 1 s, terminating from 2 s and terminated from 3 s to 4 s. */
export function fakeLane(part: Partial<Pick<TimelineLane, 'id' | 'name'>>): TimelineLane {
  const { id = '1', name = 'cart-6f5d9c7b8-rl2mz' } = part
  return {
    id,
    namespace: 'shop',
    name,
    uid: `uid-${id}`,
    source: 'api',
    state: 'terminated',
    firstLine: 10,
    lastLine: 30,
    lastAt: 4000,
    segments: [
      segment('sync', 1000, 10),
      segment('terminating', 2000, 20),
      segment('terminated', 3000, 30),
    ],
    marks: [
      { kind: 'loop', at: 1000, line: 10, text: 'SyncLoop ADD', hidden: 0 },
      { kind: 'loop', at: 2000, line: 20, text: 'SyncLoop DELETE', hidden: 2 },
    ],
  }
}
