import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useAppState, useStore } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { isTyping } from '../../ui/is-typing.ts'
import { Article } from './Article.tsx'
import { Contents } from './Contents.tsx'
import styles from './HandbookPanel.module.css'
import { Results } from './Results.tsx'
import { SearchField } from './SearchField.tsx'
import { SeenInPod } from './SeenInPod.tsx'
import { Turn } from './Turn.tsx'
import { useHandbookKeys } from './use-handbook-keys.ts'
import { usePlace } from './use-place.ts'
import { useSearch } from './use-search.ts'

function Back(): ReactNode {
  const trail = useAppState((state) => state.sectionTrail)
  const openSection = useAppState((state) => state.openSection)
  const last = trail.at(-1)
  return (
    <Button
      look="quiet"
      icon="back"
      label="Back to the section before"
      title={last === undefined ? 'This section was opened first' : 'Back'}
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
        label="Show the handbook in full"
        title="Full page (9)"
        onClick={() => show('handbook')}
      />
      <Button
        look="quiet"
        icon="close"
        label="Close the handbook"
        title="Close (Esc)"
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

/** A section of the handbook beside what is on the screen. */
export function HandbookPanel(): ReactNode {
  const { state } = useStore()
  const panel = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const search = useSearch()
  const { before, after } = usePlace()
  useHandbookKeys({ before, after })
  // The text, so that the arrow keys scroll it.
  const focusText = (): void => (panel.current?.querySelector('article') ?? panel.current)?.focus()
  useEffect(focusText, [])
  const open = (anchor: string): void => {
    flushSync(() => state.getState().openSection(anchor))
    focusText()
  }
  return (
    // Beside a view `/` is this one's only while the focus is here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={panel}
      tabIndex={-1}
      className={styles['panel']}
      aria-label="Handbook"
      onKeyDown={(event) => {
        if (event.key !== '/' || isTyping(event.target)) return
        event.preventDefault()
        field.current?.focus()
      }}
    >
      <div className={styles['bar']}>
        <Back />
        <Button onClick={() => open('')}>Contents</Button>
        <SearchField ref={field} search={search} onOpen={open} onLeave={focusText} />
        <Acts />
      </div>
      {search.query === '' ? <Body /> : <Results search={search} onOpen={open} />}
      <Turn before={before} after={after} />
    </aside>
  )
}
