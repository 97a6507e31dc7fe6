import type { MirrorHistoryEntry } from '../../../shared/model/pod-objects.ts'

/** From when to when one mirror was in the API, in ms; `to` null: it still is. */
export interface MirrorSpan {
  readonly mirrorUid: string
  readonly from: number
  readonly to: number | null
}

function begins({ kind }: MirrorHistoryEntry): boolean {
  return kind === 'created' || kind === 'linked'
}

function ends({ kind }: MirrorHistoryEntry): boolean {
  return kind === 'deleted' || kind === 'unlinked'
}

/**
 * The lives of the mirrors in a history, oldest first. A mirror begins when it is made or first linked
 * and ends when it is deleted or its link goes, whichever is known; one whose beginning has left the
 * history begins with the oldest moment. Pure.
 */
export function mirrorSpans(newestFirst: readonly MirrorHistoryEntry[]): readonly MirrorSpan[] {
  const moments = newestFirst.toReversed()
  const oldest = moments[0]?.at ?? 0
  const spans = new Map<string, MirrorSpan>()
  for (const moment of moments) {
    const { mirrorUid, at } = moment
    if (mirrorUid === '') continue
    const span = spans.get(mirrorUid)
    if (begins(moment) && span === undefined)
      spans.set(mirrorUid, { mirrorUid, from: at, to: null })
    if (ends(moment) && (span === undefined || span.to === null))
      spans.set(mirrorUid, { mirrorUid, from: span?.from ?? oldest, to: at })
  }
  return [...spans.values()]
}

/** How long there was no mirror between the first and now, in ms. Pure. */
export function missingMs(spans: readonly MirrorSpan[], now: number): number {
  let covered = Number.NEGATIVE_INFINITY
  let missing = 0
  for (const { from, to } of spans.toSorted((left, right) => left.from - right.from)) {
    if (covered !== Number.NEGATIVE_INFINITY) missing += Math.max(0, from - covered)
    covered = Math.max(covered, to ?? now)
  }
  return covered === Number.NEGATIVE_INFINITY ? 0 : missing + Math.max(0, now - covered)
}
