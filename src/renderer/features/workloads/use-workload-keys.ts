import type { RefObject } from 'react'
import { movedIndex } from '../../ui/list/list-keys.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'

/** Moves the focus among what matches the selector, in the order of the page; false if the key does not move. */
function moveFocus(list: HTMLElement, selector: string, key: string): boolean {
  const all = [...list.querySelectorAll<HTMLElement>(selector)]
  const { activeElement } = document
  const at = all.findIndex((one) => one === activeElement)
  const index = movedIndex(key, { at, count: all.length, pageRows: 10 })
  if (index === undefined || index === -1) return false
  all[index]?.focus()
  return true
}

/** J and K go from pod to pod, with Shift from owner to owner; / goes to the filter. Enter presses what has the focus. */
export function useWorkloadKeys({
  list,
  filter,
}: {
  readonly list: RefObject<HTMLElement | null>
  readonly filter: RefObject<HTMLInputElement | null>
}): void {
  usePageKeys(({ key, shiftKey }) => {
    if (key === '/') {
      filter.current?.focus()
      filter.current?.select()
      return true
    }
    if (list.current === null) return false
    const selector = shiftKey ? '[data-owner] h2' : '[data-pod]'
    return moveFocus(list.current, selector, key)
  })
}
