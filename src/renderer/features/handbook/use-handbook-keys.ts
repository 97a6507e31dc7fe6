import { useEffect } from 'react'
import { useStore } from '../../store/store-context.ts'
import { isTyping } from '../../ui/is-typing.ts'
import type { Place } from './sections.ts'

/** `[` and `]` open the previous and the next section, in every view. The window handles Esc and `H`. */
export function useHandbookKeys({
  before,
  after,
  onSearch,
}: {
  readonly before: Place | undefined
  readonly after: Place | undefined
  /** Called for `/`, if no other view uses it. */
  readonly onSearch?: () => void
}): void {
  const { state } = useStore()
  useEffect(() => {
    const turn = (to: Place | undefined): boolean => {
      if (to !== undefined) state.getState().openSection(to.section.anchor)
      return to !== undefined
    }
    const handleKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target)) return
      const isSearch = event.key === '/' && onSearch !== undefined
      if (isSearch) onSearch()
      if (isSearch || (event.key === '[' && turn(before)) || (event.key === ']' && turn(after)))
        event.preventDefault()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [state, before, after, onSearch])
}
