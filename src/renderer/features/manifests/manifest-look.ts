import { assertNever } from '../../../shared/assert-never.ts'
import type { ManifestState } from '../../../shared/model/manifests.ts'
import type { GlyphName } from '../../ui/signs/Glyph.tsx'

/** A file, or a text that is not one yet. */
export type FileState = ManifestState | 'unsaved'

export interface FileLook {
  readonly glyph: GlyphName
  readonly word: string
  readonly tone: 'quiet' | 'ok' | 'error' | 'warn' | 'faint' | 'waiting'
  readonly meaning: string
}

/** Sign, word and colour of a file's state. */
export function fileLook(state: FileState): FileLook {
  switch (state) {
    case 'running':
      return {
        glyph: 'sync',
        word: 'in config',
        tone: 'quiet',
        meaning: 'Valid: its pod is in the kubelet’s config.',
      }
    case 'rejected':
      return {
        glyph: 'missing',
        word: 'rejected',
        tone: 'error',
        meaning: 'Invalid: the kubelet ignores it.',
      }
    case 'shadowed':
      return {
        glyph: 'orphan',
        word: 'shadowed',
        tone: 'warn',
        meaning: 'Another file defines the same pod and takes precedence.',
      }
    case 'skipped':
      return {
        glyph: 'none',
        word: 'skipped',
        tone: 'faint',
        meaning: 'Not a manifest: the kubelet does not read it.',
      }
    case 'waiting':
      return {
        glyph: 'waiting',
        word: 'waiting',
        tone: 'waiting',
        meaning: 'Valid, not yet in the kubelet’s config.',
      }
    case 'unsaved':
      return {
        glyph: 'mirror',
        word: 'not saved',
        tone: 'waiting',
        meaning: 'Only on this page: the file is not saved yet.',
      }
    default:
      return assertNever(state, 'file state')
  }
}
