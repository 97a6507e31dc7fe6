import type { MirrorMoment, PodObjects } from '../../../shared/model/pod-objects.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { Answer } from '../requests/keyed-request.ts'
import { noAnswer } from '../requests/keyed-request.ts'

export type PairSegment = 'all' | 'broken'

export type PairPane = 'diff' | 'history'

/** What main has told of a pair. */
export interface PairFacts {
  readonly key: PodKey
  readonly objects: PodObjects
  /** Newest first. */
  readonly history: readonly MirrorMoment[]
}

export interface MirrorsSlice {
  /** The chosen pair, by full name: an edit gives its static pod another UID and leaves it chosen. */
  readonly pairId: string | null
  readonly pairSegment: PairSegment
  readonly pairPane: PairPane
  /** Of the chosen pair. */
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
