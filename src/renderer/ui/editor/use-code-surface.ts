import type { RefObject } from 'react'
import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CodeEngineContext } from './code-engine.ts'
import type { CodeSurface, CodeSurfaceOptions, OpenCodeSurface } from './code-surface.ts'
import { openPlainText } from './plain-text.ts'

/** The plain text area at first, then the editor once it is loaded; the editor takes over the focus. */
export function useCodeSurface(options: Omit<CodeSurfaceOptions, 'host'>): {
  readonly host: RefObject<HTMLDivElement | null>
  readonly surface: CodeSurface | null
} {
  const { label, language, isReadOnly } = options
  const load = useContext(CodeEngineContext)
  const host = useRef<HTMLDivElement>(null)
  const [surface, setSurface] = useState<CodeSurface | null>(null)
  const latest = useEffectEvent(() => options)
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const open = (make: OpenCodeSurface): CodeSurface =>
      make({
        host: element,
        text: latest().text,
        label,
        language,
        isReadOnly,
        onChange: (text) => latest().onChange(text),
        onSave: () => latest().onSave(),
        onFind: () => latest().onFind(),
        onTabIndents: (does) => latest().onTabIndents(does),
      })
    let current = open(openPlainText)
    let isClosed = false
    setSurface(current)
    load?.().then(
      (make) => {
        if (isClosed) return
        const hadFocus = current.hasFocus()
        current.close()
        current = open(make)
        if (hadFocus) current.focus()
        setSurface(current)
      },
      // The chunk could not be loaded: the plain text area stays.
      () => undefined,
    )
    return () => {
      isClosed = true
      current.close()
    }
  }, [load, label, language, isReadOnly])
  return { host, surface }
}
