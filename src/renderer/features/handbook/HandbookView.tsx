import { pages } from 'virtual:handbook'
import type { ReactNode } from 'react'
import { useCallback, useRef } from 'react'
import { useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { KeysLine } from '../../ui/KeysLine.tsx'
import { Article } from './Article.tsx'
import { Blocks } from './Blocks.tsx'
import { Contents } from './Contents.tsx'
import { HandbookSearch } from './HandbookSearch.tsx'
import styles from './HandbookView.module.css'
import { Results } from './Results.tsx'
import { SectionLink } from '../../ui/signs/SectionLink.tsx'
import { SectionNavigation } from './SectionNavigation.tsx'
import { SeenInPod } from './SeenInPod.tsx'
import { useHandbookKeys } from './use-handbook-keys.ts'
import { usePlace } from './use-place.ts'
import { useSearch } from './use-search.ts'

const words = text.handbook

const sectionCount = pages.reduce((sum, { sections }) => sum + sections.length, 0)

/** All pages with their first paragraphs, while no section is open. */
function Overview(): ReactNode {
  return (
    <ul className={styles['overview']} aria-label={words.pages}>
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

/** The Handbook view: contents and search, the open section, and the events of the selected pod that show it. */
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
          <h1>{text.common.views.handbook}</h1>
          <p>{words.about}</p>
          <span className={styles['grow']} />
          <div className={styles['search']}>
            <HandbookSearch
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
            <SectionNavigation before={before} after={after} />
          </div>
          {place === undefined ? null : (
            <div className={styles['aside']}>
              <SeenInPod place={place} />
            </div>
          )}
        </div>
        <KeysLine keys={words.keys}>
          <span className={styles['total']}>{words.total(sectionCount)}</span>
        </KeysLine>
      </div>
    </div>
  )
}
