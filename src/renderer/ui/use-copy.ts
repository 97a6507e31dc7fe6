import { useCallback, useEffect, useState } from 'react'

/** How long a copy button says that it has copied. */
const saidMs = 1400

/** Where the clipboard's own interface is refused (a denied permission), the old command still works on a click. */
function copyByCommand(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('aria-hidden', 'true')
  // Inside an open dialog everything else is inert and cannot be selected.
  const host = document.querySelector('dialog[open]') ?? document.body
  host.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

/** Resolves with whether it is on the clipboard now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

export type CopyOutcome = 'idle' | 'copied' | 'failed'

/** Copies `value` on a click, and says for a moment what came of it; not of another value that came since. */
export function useCopy(value: string): {
  readonly outcome: CopyOutcome
  readonly copy: () => void
} {
  const [last, setLast] = useState<{ readonly value: string; readonly outcome: CopyOutcome }>()
  useEffect(() => {
    if (last === undefined) return undefined
    const timer = setTimeout(() => setLast(undefined), saidMs)
    return () => clearTimeout(timer)
  }, [last])
  const copy = useCallback(() => {
    const active = document.activeElement
    void copyText(value).then((isCopied) => {
      setLast({ value, outcome: isCopied ? 'copied' : 'failed' })
      if (active instanceof HTMLElement) active.focus()
    })
  }, [value])
  return { outcome: last?.value === value ? last.outcome : 'idle', copy }
}
