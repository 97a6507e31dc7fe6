import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { resultId, resultsId } from './Results.tsx'
import styles from './SearchField.module.css'
import type { Search } from './use-search.ts'

/** Searches all pages. Arrows move through the results, Enter opens one, Esc empties the field, then leaves it. */
export function SearchField({
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
    else if (key === 'Escape' && query !== '') change('')
    else if (key === 'Escape') onLeave()
    else return false
    return true
  }
  return (
    <div className={styles['box']}>
      <Icon name="search" />
      <input
        ref={ref}
        className={styles['input']}
        type="text"
        role="combobox"
        aria-label="Search the handbook"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={resultsId}
        aria-activedescendant={found.length === 0 ? undefined : resultId(at)}
        placeholder="Search the handbook"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (handleKey(event)) event.preventDefault()
        }}
      />
      <output className={styles['count']}>
        {query === '' ? '' : `${found.length} ${found.length === 1 ? 'section' : 'sections'}`}
      </output>
      {query === '' ? (
        <Kbd>/</Kbd>
      ) : (
        <Button
          look="quiet"
          icon="close"
          label="Clear the search"
          isSmall
          onClick={() => change('')}
        />
      )}
    </div>
  )
}
