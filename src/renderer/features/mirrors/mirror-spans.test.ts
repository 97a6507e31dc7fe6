import { describe, expect, it } from 'vitest'
import type { MirrorHistoryEntry } from '../../../shared/model/pod-objects.ts'
import { mirrorSpans, missingMs } from './mirror-spans.ts'

function moment(
  at: number,
  kind: MirrorHistoryEntry['kind'],
  mirrorUid: string,
): MirrorHistoryEntry {
  return { seq: at, at, kind, mirrorUid, staticUid: 's', text: kind }
}

describe('the spans of mirrors', () => {
  it('last from creation to deletion, one for each UID, the last one until now', () => {
    const history = [
      moment(31, 'linked', 'b'),
      moment(30, 'created', 'b'),
      moment(21, 'unlinked', 'a'),
      moment(20, 'deleted', 'a'),
      moment(11, 'linked', 'a'),
      moment(10, 'created', 'a'),
    ]
    const spans = mirrorSpans(history)
    expect(spans).toEqual([
      { mirrorUid: 'a', from: 10, to: 20 },
      { mirrorUid: 'b', from: 30, to: null },
    ])
    expect(missingMs(spans, 50)).toBe(10)
  })

  it('begin with the history if their creation is older, and end when a link is removed', () => {
    const history = [
      moment(40, 'failed', ''),
      moment(30, 'unlinked', 'a'),
      moment(10, 'skipped', ''),
    ]
    const spans = mirrorSpans(history)
    expect(spans).toEqual([{ mirrorUid: 'a', from: 10, to: 30 }])
    expect(missingMs(spans, 50)).toBe(20)
  })

  it('are empty if no mirror was created', () => {
    expect(mirrorSpans([moment(5, 'failed', '')])).toEqual([])
    expect(missingMs([], 50)).toBe(0)
  })
})
