/* oxlint-disable jsx-a11y/prefer-tag-over-role -- neither select nor datalist can hold what a result shows */
import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListOption } from '../../ui/list/ListOption.tsx'
import type { FoundSection } from './search.ts'
import { marksIn } from './search.ts'
import styles from './Results.module.css'
import type { Search } from './use-search.ts'

const words = text.handbook.search

/** The page has one search of the handbook at a time. */
export const resultsId = 'handbook-results'

export function resultId(index: number): string {
  return `${resultsId}-${index}`
}

/** A text in which the matches of the query are marked. */
function Marked({ value, query }: { readonly value: string; readonly query: string }): ReactNode {
  const marks = marksIn(query, value)
  return (
    <>
      {marks.map(([from, to], at) => (
        <span key={from}>
          {value.slice(marks[at - 1]?.[1] ?? 0, from)}
          <mark className={styles['mark']}>{value.slice(from, to)}</mark>
        </span>
      ))}
      {value.slice(marks.at(-1)?.[1] ?? 0)}
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
    <ListOption
      id={id}
      isSelected={isActive}
      isActive={isActive}
      className={classNames(styles['result'], isActive && styles['active'])}
      onChoose={onOpen}
    >
      <p className={styles['where']}>
        {page === title ? null : <span className={styles['page']}>{words.page(page)}</span>}
        <b>
          <Marked value={title} query={query} />
        </b>
      </p>
      {sentence === '' ? null : (
        <p className={styles['sentence']}>
          <Marked value={sentence} query={query} />
        </p>
      )}
    </ListOption>
  )
}

/** The found sections, each with the sentence that has most of the words. */
export function Results({
  search: { query, found, at },
  onOpen,
}: {
  readonly search: Search
  readonly onOpen: (anchor: string) => void
}): ReactNode {
  if (found.length === 0)
    return (
      <div className={styles['results']}>
        <EmptyState title={text.common.noMatches}>{words.none}</EmptyState>
      </div>
    )
  return (
    <div id={resultsId} role="listbox" aria-label={words.results} className={styles['results']}>
      {found.map((section, index) => (
        <Result
          key={section.anchor}
          found={section}
          query={query}
          id={resultId(index)}
          isActive={index === at}
          onOpen={() => onOpen(section.anchor)}
        />
      ))}
    </div>
  )
}
