import type { WorkerStateWord } from '../../../shared/model/pod-row.ts'
import type { GlyphName } from './Glyph.tsx'

export type WorkerTone = 'waiting' | 'sync' | 'terminating' | 'terminated' | 'recreated' | 'none'

interface WorkerStyle {
  readonly glyph: GlyphName
  readonly tone: WorkerTone
}

const workerStyles: Readonly<Record<WorkerStateWord, WorkerStyle>> = {
  waiting: { glyph: 'waiting', tone: 'waiting' },
  SyncPod: { glyph: 'sync', tone: 'sync' },
  TerminatingPod: { glyph: 'terminating', tone: 'terminating' },
  TerminatedPod: { glyph: 'terminated', tone: 'terminated' },
  TerminatedAndRecreatedPod: { glyph: 'recreated', tone: 'recreated' },
  finished: { glyph: 'finished', tone: 'terminated' },
  noKubelet: { glyph: 'noNode', tone: 'none' },
  none: { glyph: 'none', tone: 'none' },
}

/** Glyph and color of a worker state; its word is next to them. */
export function workerStyle(state: WorkerStateWord): WorkerStyle {
  return workerStyles[state]
}
