import type { ReactNode } from 'react'
import { anchors } from '../../../shared/handbook/anchors.ts'
import type { Anchor } from '../../../shared/handbook/anchors.ts'
import { sectionTitle } from '../../../shared/handbook/section-title.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../class-names.ts'
import { Icon } from '../Icon.tsx'
import { SectionLink } from './SectionLink.tsx'
import styles from './SectionTag.module.css'

/** A badge that opens a section of the handbook; marked while that section is open. */
export function SectionTag({
  section,
  isInTabOrder = true,
}: {
  readonly section: Anchor
  readonly isInTabOrder?: boolean
}): ReactNode {
  const isOpen = useAppState(
    (state) => (state.isHandbookOpen || state.view === 'handbook') && state.section === section,
  )
  return (
    <SectionLink
      section={section}
      className={classNames(styles['section'], isOpen && styles['open'])}
      title={text.common.signs.openHandbook(sectionTitle(section))}
      label={text.common.signs.handbookSection(anchors[section])}
      isCurrent={isOpen}
      isInTabOrder={isInTabOrder}
    >
      <Icon name="book" />
      <span className={styles['title']}>{anchors[section]}</span>
    </SectionLink>
  )
}
