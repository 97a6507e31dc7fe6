import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { text } from '../../text/text.ts'
import { SearchField } from '../../ui/SearchField.tsx'
import { resultId, resultsId } from './Results.tsx'
import type { Search } from './use-search.ts'

const words = text.handbook.search

/** Searches all pages. Arrows move through the results, Enter opens one, Esc clears the field, then leaves it. */
export function HandbookSearch({
  ref,
  search: { query, found, at, change, move },
  onOpen,
  onLeave,
}: {
  readonly ref: Ref<HTMLInputElement>
  readonly search: Search
  /** `isBeside`: Shift was held. */
  readonly onOpen: (anchor: string, isBeside: boolean) => void
  readonly onLeave: () => void
}): ReactNode {
  const handleKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const chosen = found[at]
    if (key === 'ArrowDown') move(1)
    else if (key === 'ArrowUp') move(-1)
    else if (key === 'Enter' && chosen !== undefined) onOpen(chosen.anchor, shiftKey)
    else if (key === 'Escape') onLeave()
    else return false
    return true
  }
  return (
    <SearchField
      ref={ref}
      icon="search"
      // No select or datalist can hold what a result shows.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="combobox"
      aria-label={words.label}
      aria-autocomplete="list"
      aria-expanded={found.length > 0}
      aria-controls={resultsId}
      aria-activedescendant={found.length === 0 ? undefined : resultId(at)}
      placeholder={words.label}
      value={query}
      count={query === '' ? '' : words.count(found.length)}
      clearLabel={words.clear}
      hasKeyHint={query === ''}
      onChange={change}
      onKey={handleKey}
    />
  )
}
