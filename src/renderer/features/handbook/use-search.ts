import { pages } from 'virtual:handbook'
import { useMemo, useState } from 'react'
import { useAppState } from '../../store/store-context.ts'
import type { FoundSection } from './search.ts'
import { searchHandbook } from './search.ts'

/** The query, the found sections, and which of them Enter opens. */
export interface Search {
  readonly query: string
  readonly found: readonly FoundSection[]
  readonly at: number
  readonly change: (query: string) => void
  readonly move: (by: number) => void
}

interface Input {
  readonly query: string
  readonly active: number
  /** A different trail: a section was opened since, so the search is over. */
  readonly trail: readonly string[]
}

export function useSearch(): Search {
  const trail = useAppState((state) => state.sectionTrail)
  const [asked, setAsked] = useState<Input>({ query: '', active: 0, trail })
  const { query, active } = asked.trail === trail ? asked : { query: '', active: 0 }
  const found = useMemo(() => searchHandbook(pages, query), [query])
  const count = Math.max(1, found.length)
  const at = Math.min(active, count - 1)
  return {
    query,
    found,
    at,
    change: (text) => setAsked({ query: text, active: 0, trail }),
    move: (by) => setAsked({ query, active: (at + by + count) % count, trail }),
  }
}
