import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { isTyping } from '../../ui/is-typing.ts'
import { Article } from './Article.tsx'
import { Contents } from './Contents.tsx'
import { HandbookSearch } from './HandbookSearch.tsx'
import styles from './HandbookPanel.module.css'
import { Results } from './Results.tsx'
import { SectionNavigation } from './SectionNavigation.tsx'
import { SeenInPod } from './SeenInPod.tsx'
import { useHandbookKeys } from './use-handbook-keys.ts'
import { usePlace } from './use-place.ts'
import { useSearch } from './use-search.ts'

const words = text.handbook

function Body(): ReactNode {
  const { anchor, place } = usePlace()
  return place === undefined ? (
    <Contents isWhole />
  ) : (
    <Article place={place} anchor={anchor}>
      <SeenInPod place={place} />
    </Article>
  )
}

/** The handbook as a panel next to the view. */
export function HandbookPanel(): ReactNode {
  const { show, openSection, closeHandbook } = useStore().state.getState()
  const last = useAppState((state) => state.sectionTrail.at(-1))
  const panel = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const search = useSearch()
  const { before, after } = usePlace()
  useHandbookKeys({ before, after })
  // The arrow keys then scroll the text.
  const focusText = (): void => (panel.current?.querySelector('article') ?? panel.current)?.focus()
  useEffect(focusText, [])
  const open = (anchor: string): void => {
    flushSync(() => openSection(anchor))
    focusText()
  }
  return (
    // Next to a view, `/` searches the handbook only while the focus is in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={panel}
      tabIndex={-1}
      className={styles['panel']}
      aria-label={text.common.views.handbook}
      onKeyDown={(event) => {
        if (event.key !== '/' || isTyping(event.target)) return
        event.preventDefault()
        field.current?.focus()
      }}
    >
      <div className={styles['bar']}>
        <Button
          variant="quiet"
          icon="back"
          label={words.backLabel}
          title={last === undefined ? words.backNone : words.back}
          isRefused={last === undefined}
          onClick={() => {
            if (last !== undefined) openSection(last)
          }}
        />
        <Button onClick={() => open('')}>{words.contents}</Button>
        <HandbookSearch ref={field} search={search} onOpen={open} onLeave={focusText} />
        <Button
          variant="quiet"
          icon="grow"
          label={words.full}
          title={words.fullTitle}
          onClick={() => show('handbook')}
        />
        <Button
          variant="quiet"
          icon="close"
          label={words.close}
          title={words.closeTitle}
          onClick={closeHandbook}
        />
      </div>
      {search.query === '' ? <Body /> : <Results search={search} onOpen={open} />}
      <SectionNavigation before={before} after={after} />
    </aside>
  )
}
