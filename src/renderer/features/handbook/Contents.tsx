import { pages } from 'virtual:handbook'
import type { ReactNode } from 'react'
import type { HandbookPage } from '../../../shared/handbook/page.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './Contents.module.css'
import { hasAnchor } from './sections.ts'
import { SectionLink } from '../../ui/signs/SectionLink.tsx'

function Page({
  page,
  number,
  isOpen,
}: {
  readonly page: HandbookPage
  readonly number: number
  /** Whether its sections are listed. */
  readonly isOpen: boolean
}): ReactNode {
  const read = useAppState((state) => state.section)
  const [first, ...rest] = page.sections
  if (first === undefined) return null
  return (
    <li>
      <SectionLink
        section={first.anchor}
        className={classNames(styles['page'], hasAnchor(first, read) && styles['here'])}
        isCurrent={hasAnchor(first, read)}
      >
        <span className={styles['number']}>{number}</span>
        <span className={styles['title']}>{page.title}</span>
        <span className={styles['number']} aria-hidden="true">
          {rest.length}
        </span>
      </SectionLink>
      {isOpen ? (
        <ul>
          {rest.map((section) => (
            <li key={section.anchor}>
              <SectionLink
                section={section.anchor}
                className={classNames(
                  styles['section'],
                  hasAnchor(section, read) && styles['here'],
                )}
                isCurrent={hasAnchor(section, read)}
              >
                {section.title}
              </SectionLink>
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
  return (
    <nav className={styles['contents']} aria-label={text.handbook.contentsLabel}>
      <ol>
        {pages.map((page, at) => (
          <Page
            key={page.name}
            page={page}
            number={at + 1}
            isOpen={isWhole || read.split('#')[0] === page.name}
          />
        ))}
      </ol>
    </nav>
  )
}
