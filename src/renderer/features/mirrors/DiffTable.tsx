import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { classNames } from '../../ui/class-names.ts'
import styles from './DiffTable.module.css'
import type { DiffLine } from './pair-diff.ts'
import { pairDiff } from './pair-diff.ts'
import { reasonWords } from './pair-words.ts'

/** A line that is too long goes on deeper than it begins. */
function hangingIndent(text: string): {
  readonly paddingLeft: string
  readonly textIndent: string
} {
  const depth = text.length - text.trimStart().length + 4
  return { paddingLeft: `${depth}ch`, textIndent: `-${depth}ch` }
}

function Side({ text }: { readonly text: string | undefined }): ReactNode {
  if (text === undefined) return <td className={styles['gap']} aria-label="(no line)" />
  return (
    <td>
      <code style={hangingIndent(text)}>{text}</code>
    </td>
  )
}

function isExpected({ reason }: DiffLine): boolean {
  return reason !== 'stale' && reason !== 'changed' && reason !== 'absent'
}

function Line({ line }: { readonly line: DiffLine }): ReactNode {
  const words = line.reason === '' ? undefined : reasonWords(line.reason)
  return (
    <tr
      className={
        words === undefined ? undefined : isExpected(line) ? styles['expected'] : styles['odd']
      }
    >
      <Side text={line.left} />
      <td className={styles['reason']} title={words?.meaning}>
        {words?.word}
      </td>
      <Side text={line.right} />
    </tr>
  )
}

/** Both objects as YAML, line by line, with why each difference is there. */
export function DiffTable({
  staticPod,
  mirror,
  label,
}: {
  readonly staticPod: object
  readonly mirror: object
  readonly label: string
}): ReactNode {
  const lines = useMemo(() => pairDiff(staticPod, mirror), [staticPod, mirror])
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['scroller']} tabIndex={0} aria-label={label}>
      <table className={styles['diff']}>
        <thead className={styles['head']}>
          <tr>
            <th scope="col">Static pod</th>
            <th scope="col">Why they differ</th>
            <th scope="col">Mirror pod</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.path} line={line} />
          ))}
        </tbody>
      </table>
      <p className={classNames(styles['note'])}>
        Keys are in the order that kubectl prints. Status is omitted: the kubelet keeps the mirror’s
        status up to date.
      </p>
    </section>
  )
}
