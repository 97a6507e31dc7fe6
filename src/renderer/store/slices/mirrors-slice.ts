import type { MirrorHistoryEntry, PodObjects } from '../../../shared/model/pod-objects.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { Answer } from '../requests/keyed-request.ts'
import { noAnswer } from '../requests/keyed-request.ts'

export type PairSegment = 'all' | 'broken'

export type PairPane = 'diff' | 'history'

/** Main's answer about a pair. */
export interface PairFacts {
  readonly key: PodKey
  readonly objects: PodObjects
  /** Newest first. */
  readonly history: readonly MirrorHistoryEntry[]
}

export interface MirrorsSlice {
  /** The selected pair by full name, which an edit of the manifest does not change. */
  readonly pairId: string | null
  readonly pairSegment: PairSegment
  readonly pairPane: PairPane
  /** Of the selected pair. */
  readonly pairFacts: Answer<PairFacts>
  readonly choosePair: (id: string) => void
  readonly setPairSegment: (segment: PairSegment) => void
  readonly setPairPane: (pane: PairPane) => void
}

export function mirrorsSlice(set: (part: Partial<MirrorsSlice>) => void): MirrorsSlice {
  return {
    pairId: null,
    pairSegment: 'all',
    pairPane: 'diff',
    pairFacts: noAnswer,
    choosePair: (pairId) => set({ pairId }),
    setPairSegment: (pairSegment) => set({ pairSegment }),
    setPairPane: (pairPane) => set({ pairPane }),
  }
}
