import type { ReactNode } from 'react'
import { Segmented } from '../../ui/Segmented.tsx'
import styles from './GraceField.module.css'

/** How a mirror is deleted: as usual (null), or with grace 0. */
export function MirrorHow({
  value,
  onChange,
}: {
  readonly value: number | null
  readonly onChange: (seconds: number | null) => void
}): ReactNode {
  return (
    <div className={styles['set']}>
      <span className={styles['label']} aria-hidden="true">
        How
      </span>
      <Segmented<number | null>
        label="How to delete it"
        value={value === 0 ? 0 : null}
        onChange={onChange}
        segments={[
          { value: null, label: 'Delete' },
          { value: 0, label: 'Force, grace 0' },
        ]}
      />
      <span className={styles['rule']}>by force, the mirror is missing for up to 91 s</span>
    </div>
  )
}
