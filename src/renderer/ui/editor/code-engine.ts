import { createContext } from 'react'
import type { OpenCodeSurface } from './code-surface.ts'

/** Brings the editor when a text is first shown, so that the page's first paint does not pay for it. */
export type LoadCodeEngine = () => Promise<OpenCodeSurface>

/** Null: the plain text area is all there is. */
export const CodeEngineContext = createContext<LoadCodeEngine | null>(async () => {
  const { openCodeMirror } = await import('./code-mirror.ts')
  return openCodeMirror
})
