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

function Back(): ReactNode {
  const trail = useAppState((state) => state.sectionTrail)
  const openSection = useAppState((state) => state.openSection)
  const last = trail.at(-1)
  return (
    <Button
      look="quiet"
      icon="back"
      label={words.backLabel}
      title={last === undefined ? words.backNone : words.back}
      isRefused={last === undefined}
      onClick={() => {
        if (last !== undefined) openSection(last)
      }}
    />
  )
}

function Acts(): ReactNode {
  const show = useAppState((state) => state.show)
  const closeHandbook = useAppState((state) => state.closeHandbook)
  return (
    <>
      <Button
        look="quiet"
        icon="grow"
        label={words.full}
        title={words.fullTitle}
        onClick={() => show('handbook')}
      />
      <Button
        look="quiet"
        icon="close"
        label={words.close}
        title={words.closeTitle}
        onClick={closeHandbook}
      />
    </>
  )
}

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
  const { state } = useStore()
  const panel = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const search = useSearch()
  const { before, after } = usePlace()
  useHandbookKeys({ before, after })
  // The arrow keys then scroll the text.
  const focusText = (): void => (panel.current?.querySelector('article') ?? panel.current)?.focus()
  useEffect(focusText, [])
  const open = (anchor: string): void => {
    flushSync(() => state.getState().openSection(anchor))
    focusText()
  }
  return (
    // Next to a view, `/` searches the handbook only while the focus is in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={panel}
      tabIndex={-1}
      className={styles['panel']}
      aria-label={words.label}
      onKeyDown={(event) => {
        if (event.key !== '/' || isTyping(event.target)) return
        event.preventDefault()
        field.current?.focus()
      }}
    >
      <div className={styles['bar']}>
        <Back />
        <Button onClick={() => open('')}>{words.contents}</Button>
        <HandbookSearch ref={field} search={search} onOpen={open} onLeave={focusText} />
        <Acts />
      </div>
      {search.query === '' ? <Body /> : <Results search={search} onOpen={open} />}
      <SectionNavigation before={before} after={after} />
    </aside>
  )
}
