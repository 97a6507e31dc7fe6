import type { RefObject } from 'react'
import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CodeEngineContext } from './code-engine.ts'
import type { CodeSurface, CodeSurfaceOptions, OpenCodeSurface } from './code-surface.ts'
import { openPlainText } from './plain-text.ts'

/** The surface in its host: at once a plain one, the editor as soon as it is there; a focus goes over to it. */
export function useCodeSurface(options: Omit<CodeSurfaceOptions, 'host'>): {
  readonly host: RefObject<HTMLDivElement | null>
  readonly surface: CodeSurface | null
} {
  const { label, language, isReadOnly } = options
  const load = useContext(CodeEngineContext)
  const host = useRef<HTMLDivElement>(null)
  const [surface, setSurface] = useState<CodeSurface | null>(null)
  const textNow = useEffectEvent(() => options.text)
  const change = useEffectEvent((text: string) => options.onChange(text))
  const save = useEffectEvent(() => options.onSave())
  const find = useEffectEvent(() => options.onFind())
  const tabIndents = useEffectEvent((does: boolean) => options.onTabIndents(does))
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const open = (make: OpenCodeSurface): CodeSurface =>
      make({
        host: element,
        text: textNow(),
        label,
        language,
        isReadOnly,
        onChange: (text) => change(text),
        onSave: () => save(),
        onFind: () => find(),
        onTabIndents: (does) => tabIndents(does),
      })
    let current = open(openPlainText)
    let hasLeft = false
    setSurface(current)
    load?.().then(
      (make) => {
        if (hasLeft) return
        const hadFocus = current.hasFocus()
        current.close()
        current = open(make)
        if (hadFocus) current.focus()
        setSurface(current)
      },
      // The chunk could not be fetched: the plain one stays, and does.
      () => undefined,
    )
    return () => {
      hasLeft = true
      current.close()
    }
  }, [load, label, language, isReadOnly])
  return { host, surface }
}
