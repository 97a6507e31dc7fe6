import { pages } from 'virtual:handbook'
import type { ReactNode } from 'react'
import type { HandbookPage, HandbookSection } from '../../../shared/handbook/page.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './Contents.module.css'
import { PodMark } from './PodMark.tsx'
import { hasAnchor } from './sections.ts'
import { useCurrentSections } from './use-selected-pod.ts'
import { SectionLink } from '../../ui/signs/SectionLink.tsx'

type Current = ReturnType<typeof useCurrentSections>

function Item({
  section,
  folded = [],
  current,
  className,
  children,
}: {
  readonly section: HandbookSection
  /** Its page's sections while they are not listed. */
  readonly folded?: readonly HandbookSection[]
  readonly current: Current
  readonly className: string | undefined
  readonly children: ReactNode
}): ReactNode {
  const isHere = useAppState((state) => hasAnchor(section, state.section))
  const isPodHere = [section, ...folded].some(({ anchor }) => current.sections.has(anchor))
  return (
    <SectionLink
      section={section.anchor}
      className={classNames(className, isHere && styles['here'])}
      isCurrent={isHere}
    >
      {children}
      {isPodHere ? <PodMark pod={current.pod} /> : null}
    </SectionLink>
  )
}

function Page({
  page,
  current,
  number,
  isOpen,
}: {
  readonly page: HandbookPage
  readonly current: Current
  readonly number: number
  /** Whether its sections are listed. */
  readonly isOpen: boolean
}): ReactNode {
  const [first, ...rest] = page.sections
  if (first === undefined) return null
  return (
    <li>
      <Item
        section={first}
        folded={isOpen ? [] : rest}
        current={current}
        className={styles['page']}
      >
        <span className={styles['number']}>{number}</span>
        <span className={styles['title']}>{page.title}</span>
        <span className={styles['number']} aria-hidden="true">
          {rest.length}
        </span>
      </Item>
      {isOpen ? (
        <ul>
          {rest.map((section) => (
            <li key={section.anchor}>
              <Item section={section} current={current} className={styles['section']}>
                {section.title}
              </Item>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  )
}

/** All pages; the open one with its sections, or each with its sections. */
export function Contents({ isWhole = false }: { readonly isWhole?: boolean }): ReactNode {
  const read = useAppState((state) => state.section)
  const current = useCurrentSections()
  return (
    <nav className={styles['contents']} aria-label={text.handbook.contentsLabel}>
      <ol>
        {pages.map((page, at) => (
          <Page
            key={page.name}
            page={page}
            current={current}
            number={at + 1}
            isOpen={isWhole || read.split('#')[0] === page.name}
          />
        ))}
      </ol>
    </nav>
  )
}
