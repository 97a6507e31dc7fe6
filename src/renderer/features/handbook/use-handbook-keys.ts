import { useAppState } from '../../store/store-context.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'
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
  const openSection = useAppState((state) => state.openSection)
  usePageKeys(({ key }) => {
    if (key === '/' && onSearch !== undefined) {
      onSearch()
      return true
    }
    const to = key === '[' ? before : key === ']' ? after : undefined
    if (to !== undefined) openSection(to.section.anchor)
    return to !== undefined
  })
}
