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

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

export type CopyOutcome = 'idle' | 'copied' | 'failed'

/** Copies on a click, and says for a moment what came of it. */
export function useCopy(): {
  readonly outcome: CopyOutcome
  readonly copy: (text: string) => void
} {
  const [outcome, setOutcome] = useState<CopyOutcome>('idle')
  useEffect(() => {
    if (outcome === 'idle') return undefined
    const timer = setTimeout(() => setOutcome('idle'), saidMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = useCallback((text: string) => {
    const active = document.activeElement
    void copyText(text).then((isCopied) => {
      setOutcome(isCopied ? 'copied' : 'failed')
      if (active instanceof HTMLElement) active.focus()
    })
  }, [])
  return { outcome, copy }
}
