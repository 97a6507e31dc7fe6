/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a combobox owns a listbox; neither select nor datalist can hold what a result shows */
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { FoundSection } from './search.ts'
import { marksIn } from './search.ts'
import styles from './Results.module.css'
import type { Search } from './use-search.ts'

/** There is one search on the page: beside the view, or in it. */
export const resultsId = 'handbook-results'

export function resultId(index: number): string {
  return `${resultsId}-${index}`
}

/** The text with what the query fits. */
function Marked({ text, query }: { readonly text: string; readonly query: string }): ReactNode {
  const marks = marksIn(query, text)
  return (
    <>
      {marks.map(([from, to], at) => (
        <span key={from}>
          {text.slice(marks[at - 1]?.[1] ?? 0, from)}
          <mark className={styles['mark']}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  )
}

function Result({
  found: { page, title, sentence },
  query,
  id,
  isActive,
  onOpen,
}: {
  readonly found: FoundSection
  readonly query: string
  readonly id: string
  readonly isActive: boolean
  readonly onOpen: () => void
}): ReactNode {
  return (
    // The field has the keys; it names the active result.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={classNames(styles['result'], isActive && styles['active'])}
      onClick={onOpen}
    >
      <p className={styles['where']}>
        {page === title ? null : <span className={styles['page']}>{page} › </span>}
        <b>
          <Marked text={title} query={query} />
        </b>
      </p>
      {sentence === '' ? null : (
        <p className={styles['sentence']}>
          <Marked text={sentence} query={query} />
        </p>
      )}
    </div>
  )
}

/** The sections that were found, each with the sentence that has most of the words. */
export function Results({
  search: { query, found, at },
  onOpen,
}: {
  readonly search: Search
  readonly onOpen: (anchor: string) => void
}): ReactNode {
  useEffect(() => {
    document.getElementById(resultId(at))?.scrollIntoView({ block: 'nearest' })
  }, [at, query])
  if (found.length === 0)
    return (
      <div className={styles['results']}>
        <EmptyState title="No matches">No section has all of these words.</EmptyState>
      </div>
    )
  return (
    <div id={resultsId} role="listbox" aria-label="Results" className={styles['results']}>
      {found.map((one, index) => (
        <Result
          key={one.anchor}
          found={one}
          query={query}
          id={resultId(index)}
          isActive={index === at}
          onOpen={() => onOpen(one.anchor)}
        />
      ))}
    </div>
  )
}
