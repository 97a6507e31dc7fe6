import { assertNever } from '../../../shared/assert-never.ts'
import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { GlyphName } from './Glyph.tsx'

export type WorkerTone = 'waiting' | 'sync' | 'terminating' | 'terminated' | 'recreated' | 'none'

/** Glyph and colour of a worker state; the word is the third sign. */
export function workerLook(state: WorkerStateWord): {
  readonly glyph: GlyphName
  readonly tone: WorkerTone
} {
  switch (state) {
    case 'waiting':
      return { glyph: 'waiting', tone: 'waiting' }
    case 'SyncPod':
      return { glyph: 'sync', tone: 'sync' }
    case 'TerminatingPod':
      return { glyph: 'terminating', tone: 'terminating' }
    case 'TerminatedPod':
      return { glyph: 'terminated', tone: 'terminated' }
    case 'TerminatedAndRecreatedPod':
      return { glyph: 'recreated', tone: 'recreated' }
    case 'finished':
      return { glyph: 'finished', tone: 'terminated' }
    case 'noKubelet':
      return { glyph: 'noNode', tone: 'none' }
    case 'none':
      return { glyph: 'none', tone: 'none' }
    default:
      return assertNever(state, 'worker state')
  }
}
