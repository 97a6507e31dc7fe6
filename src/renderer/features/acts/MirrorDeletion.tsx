import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { Segmented } from '../../ui/Segmented.tsx'
import styles from './GraceField.module.css'

const words = text.acts.mirror

/** How a mirror is deleted: as usual (null), or with grace 0. */
export function MirrorDeletion({
  value,
  onChange,
}: {
  readonly value: number | null
  readonly onChange: (seconds: number | null) => void
}): ReactNode {
  return (
    <div className={styles['set']}>
      <span className={styles['label']} aria-hidden="true">
        {words.how}
      </span>
      <Segmented<number | null>
        label={words.howLabel}
        value={value === 0 ? 0 : null}
        onChange={onChange}
        segments={[
          { value: null, label: words.delete },
          { value: 0, label: words.force },
        ]}
      />
      <span className={styles['rule']}>{words.rule}</span>
    </div>
  )
}
