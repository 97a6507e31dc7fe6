import type { RefObject } from 'react'
import { useLayoutEffect, useRef } from 'react'

/** Restores the focus when a panel closes that has it; otherwise the focus would be lost. */
export function useFocusReturn(isOpen: boolean, main: RefObject<HTMLElement | null>): void {
  const before = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (isOpen) {
      before.current = document.activeElement
      return
    }
    const opener = before.current
    before.current = null
    if (opener === null || document.activeElement !== document.body) return
    if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected)
      opener.focus()
    else main.current?.focus()
  }, [isOpen, main])
}
