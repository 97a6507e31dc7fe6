import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { SectionLink } from '../../ui/signs/SectionLink.tsx'
import type { Place } from './sections.ts'
import styles from './SectionNavigation.module.css'

/** Links to the previous and the next section. */
export function SectionNavigation({
  before,
  after,
}: {
  readonly before: Place | undefined
  readonly after: Place | undefined
}): ReactNode {
  return (
    <nav className={styles['turn']} aria-label={text.handbook.turn}>
      {before === undefined ? null : (
        <SectionLink section={before.section.anchor} className={styles['before']}>
          <Icon name="back" />
          <span className={styles['title']}>{before.section.title}</span>
          <Kbd>[</Kbd>
        </SectionLink>
      )}
      {after === undefined ? null : (
        <SectionLink section={after.section.anchor} className={styles['after']}>
          <Kbd>]</Kbd>
          <span className={styles['title']}>{after.section.title}</span>
          <Icon name="arrow" />
        </SectionLink>
      )}
    </nav>
  )
}
