import type { RefObject } from 'react'
import { usePageKeys } from '../../../ui/use-page-keys.ts'

/** Moves the focus to the next of the elements after the one that has it, from the last to the first. */
function focusNext(elements: readonly HTMLElement[]): boolean {
  const at = elements.findIndex((element) => element.contains(document.activeElement))
  const next = elements[(at + 1) % elements.length]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
  return next !== undefined
}

/**
 * `M` goes to what is missing, `V` shows the value of the Secret with the focus, else of the first, or hides it, `C` copies the
 * first line of kubectl.
 */
export function useVolumesKeys(tab: RefObject<HTMLElement | null>): void {
  const all = (selector: string): readonly HTMLElement[] => [
    ...(tab.current?.querySelectorAll<HTMLElement>(selector) ?? []),
  ]
  usePageKeys(({ key, shiftKey }) => {
    if (shiftKey) return false
    switch (key.toLowerCase()) {
      case 'm':
        return focusNext(all('[data-missing]'))
      case 'v': {
        const buttons = all('[data-shows]')
        const row = document.activeElement?.closest('tr')
        const button = buttons.find((one) => row?.contains(one)) ?? buttons[0]
        button?.focus()
        button?.click()
        return button !== undefined
      }
      case 'c': {
        const copy = all('[data-mend] button')[0]
        copy?.click()
        return copy !== undefined
      }
      default:
        return false
    }
  })
}
