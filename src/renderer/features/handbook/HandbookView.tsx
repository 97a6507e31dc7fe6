import { pages } from 'virtual:handbook'
import type { ReactNode } from 'react'
import { useCallback, useRef } from 'react'
import { useStore } from '../../store/store-context.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { Article } from './Article.tsx'
import { Blocks } from './Blocks.tsx'
import { Contents } from './Contents.tsx'
import styles from './HandbookView.module.css'
import { Results } from './Results.tsx'
import { SearchField } from './SearchField.tsx'
import { SectionLink } from '../../ui/signs/SectionLink.tsx'
import { SeenInPod } from './SeenInPod.tsx'
import { Turn } from './Turn.tsx'
import { useHandbookKeys } from './use-handbook-keys.ts'
import { usePlace } from './use-place.ts'
import { useSearch } from './use-search.ts'

/** What each page is about, while none is chosen. */
function Overview(): ReactNode {
  return (
    // What scrolls must be reached by keys.
    <ul className={styles['overview']} aria-label="Pages">
      {pages.map(({ name, title, sections }) => (
        <li key={name}>
          <h2>
            <SectionLink section={name}>{title}</SectionLink>
          </h2>
          <Blocks blocks={(sections[0]?.blocks ?? []).slice(0, 1)} />
        </li>
      ))}
    </ul>
  )
}

function KeysLine(): ReactNode {
  const count = pages.reduce((sum, { sections }) => sum + sections.length, 0)
  return (
    <div className={styles['under']}>
      <span>
        <Kbd>/</Kbd> search
      </span>
      <span>
        <Kbd>↓</Kbd> <Kbd>↑</Kbd> result
      </span>
      <span>
        <Kbd>Enter</Kbd> open
      </span>
      <span>
        <Kbd>Shift</Kbd> <Kbd>Enter</Kbd> open beside the pods
      </span>
      <span>
        <Kbd>[</Kbd> <Kbd>]</Kbd> previous, next
      </span>
      <span className={styles['total']}>{count} sections in the app; no network is used</span>
    </div>
  )
}

/** The whole handbook: contents and search, the section that is read, and where the chosen pod shows it. */
export function HandbookView(): ReactNode {
  const { state } = useStore()
  const field = useRef<HTMLInputElement>(null)
  const search = useSearch()
  const { anchor, place, before, after } = usePlace()
  const focusField = useCallback(() => field.current?.focus(), [])
  useHandbookKeys({ before, after, onSearch: focusField })
  const open = (to: string, isBeside: boolean): void => {
    const { show, openSection } = state.getState()
    if (isBeside) show('pods')
    openSection(to)
  }
  return (
    <div className={styles['room']}>
      <div className={styles['view']}>
        <div className={styles['head']}>
          <h1>Handbook</h1>
          <p>The kubelet, part by part; v1.34</p>
          <span className={styles['grow']} />
          <div className={styles['search']}>
            <SearchField
              ref={field}
              search={search}
              onOpen={open}
              onLeave={() => field.current?.blur()}
            />
          </div>
        </div>
        <div className={styles['columns']}>
          <Contents />
          <div className={styles['middle']}>
            {search.query !== '' ? (
              <Results search={search} onOpen={(to) => open(to, false)} />
            ) : place === undefined ? (
              <Overview />
            ) : (
              <Article place={place} anchor={anchor} />
            )}
            <Turn before={before} after={after} />
          </div>
          {place === undefined ? null : (
            <div className={styles['aside']}>
              <SeenInPod place={place} />
            </div>
          )}
        </div>
        <KeysLine />
      </div>
    </div>
  )
}
