import { useCallback, useEffect, useState } from 'react'

/** How long the outcome is shown. */
const shownMs = 1400

/** The old command works on a click even if the Clipboard API is denied. */
function copyByCommand(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('aria-hidden', 'true')
  // While a dialog is open, everything outside it is inert and cannot be selected.
  const host = document.querySelector('dialog[open]') ?? document.body
  host.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

/** Copies the text and returns whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

export type CopyOutcome = 'idle' | 'copied' | 'failed'

/** Copies `value`; `outcome` is idle again after a moment, and when the value changes. */
export function useCopy(value: string): {
  readonly outcome: CopyOutcome
  readonly copy: () => void
} {
  const [last, setLast] = useState<{ readonly value: string; readonly outcome: CopyOutcome }>()
  useEffect(() => {
    if (last === undefined) return undefined
    const timer = setTimeout(() => setLast(undefined), shownMs)
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
