import type { ReactNode } from 'react'
import type { DiffLine } from '../../../shared/model/apply/line-diff.ts'
import { classNames } from '../class-names.ts'
import styles from './Diff.module.css'

const signs = { same: ' ', removed: '-', added: '+', cut: '…' } as const satisfies Readonly<
  Record<DiffLine['kind'], string>
>

/** The changes between two texts. Signs say what the colors say. */
export function Diff({
  label,
  lines,
}: {
  readonly label: string
  readonly lines: readonly DiffLine[]
}): ReactNode {
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['diff']} aria-label={label} tabIndex={0}>
      <pre>
        {lines.map(({ kind, text }, index) => (
          // The lines keep their order: the index is their identity.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={classNames(styles['line'], styles[kind])}>
            {signs[kind]} {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  )
}
