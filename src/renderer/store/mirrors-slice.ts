import type { PairFacts } from './mirrors-watch.ts'

export type PairSegment = 'all' | 'broken'

export type PairPane = 'diff' | 'history'

export interface MirrorsSlice {
  /** The chosen pair, by full name: an edit gives its static pod another UID and leaves it chosen. */
  readonly pairId: string | null
  readonly pairSegment: PairSegment
  readonly pairPane: PairPane
  readonly pairFacts: PairFacts
  readonly choosePair: (id: string) => void
  readonly setPairSegment: (segment: PairSegment) => void
  readonly setPairPane: (pane: PairPane) => void
}

export function mirrorsSlice(set: (part: Partial<MirrorsSlice>) => void): MirrorsSlice {
  return {
    pairId: null,
    pairSegment: 'all',
    pairPane: 'diff',
    pairFacts: { kind: 'none' },
    choosePair: (pairId) => set({ pairId }),
    setPairSegment: (pairSegment) => set({ pairSegment }),
    setPairPane: (pairPane) => set({ pairPane }),
  }
}
