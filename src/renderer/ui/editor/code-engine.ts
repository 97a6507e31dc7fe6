import { createContext } from 'react'
import type { OpenCodeSurface } from './code-surface.ts'

/** Loads the editor when a text is first shown, so it does not delay the page's first paint. */
export type LoadCodeEngine = () => Promise<OpenCodeSurface>

/** Null: only the plain text area is used. */
export const CodeEngineContext = createContext<LoadCodeEngine | null>(async () => {
  const { openCodeMirror } = await import('./code-mirror.ts')
  return openCodeMirror
})
