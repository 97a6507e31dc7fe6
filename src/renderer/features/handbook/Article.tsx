import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { text } from '../../text/text.ts'
import { SectionLink } from '../../ui/signs/SectionLink.tsx'
import styles from './Article.module.css'
import { Blocks, headingId } from './Blocks.tsx'
import { PodMark } from './PodMark.tsx'
import type { Place } from './sections.ts'
import { useCurrentSections } from './use-selected-pod.ts'

/** The open section. `children`: what follows it. */
export function Article({
  place: { page, section },
  anchor,
  children,
}: {
  readonly place: Place
  /** The section's, or that of a heading in it, which is scrolled into view. */
  readonly anchor: string
  readonly children?: ReactNode
}): ReactNode {
  const { pod, sections } = useCurrentSections()
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    const scroller = article.current
    if (scroller === null) return
    scroller.scrollTop = 0
    document.getElementById(headingId(anchor))?.scrollIntoView()
    // The followed link had the focus and is gone with its section.
    if (document.activeElement === document.body) scroller.focus()
  }, [anchor])
  const isFirst = section.anchor === page.name
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <article
      ref={article}
      className={styles['article']}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={section.title}
    >
      <p className={styles['crumb']}>
        {isFirst ? null : <SectionLink section={page.name}>{page.title}</SectionLink>}
        {sections.has(section.anchor) ? <PodMark pod={pod} /> : null}
        <span className={styles['version']}>{text.handbook.version}</span>
      </p>
      <h2 className={styles['title']}>{section.title}</h2>
      <Blocks blocks={section.blocks} />
      {isFirst ? (
        <ul className={styles['sections']}>
          {page.sections.slice(1).map(({ anchor: to, title }) => (
            <li key={to}>
              <SectionLink section={to}>{title}</SectionLink>
            </li>
          ))}
        </ul>
      ) : null}
      {children}
    </article>
  )
}
