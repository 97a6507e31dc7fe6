import type { ReactNode } from 'react'
import { sectionTitle } from '../../../shared/model/explanation-sections.ts'
import styles from './SectionTag.module.css'

/** A section of the kubelet semantics, with what it is about where there is room for it. */
export function SectionTag({
  section,
  isTitled = false,
}: {
  readonly section: string
  readonly isTitled?: boolean
}): ReactNode {
  const title = sectionTitle(section)
  return (
    <span className={styles['section']} title={`Section ${section} of the semantics: ${title}`}>
      <span className={styles['number']}>{section}</span>
      {isTitled ? <span className={styles['title']}>{title}</span> : null}
    </span>
  )
}
