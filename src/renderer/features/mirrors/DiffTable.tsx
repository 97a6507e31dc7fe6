import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { text } from '../../text/text.ts'
import styles from './DiffTable.module.css'
import type { DiffLine } from './pair-diff.ts'
import { pairDiff } from './pair-diff.ts'

const words = text.mirrors.diff

function Side({ line }: { readonly line: string | undefined }): ReactNode {
  if (line === undefined) return <td className={styles['gap']} aria-label={words.noLine} />
  // The continuation of a line that is too long is indented deeper than its beginning.
  const depth = line.length - line.trimStart().length + 4
  const indent = { paddingLeft: `${depth}ch`, textIndent: `-${depth}ch` }
  return (
    <td>
      <code style={indent}>{line}</code>
    </td>
  )
}

const unexpected: ReadonlySet<DiffLine['reason']> = new Set(['stale', 'changed', 'absent'])

function Line({ line: { left, right, reason } }: { readonly line: DiffLine }): ReactNode {
  const { word, meaning } = reason === '' ? {} : words.reasons[reason]
  const className = unexpected.has(reason) ? 'odd' : 'expected'
  return (
    <tr className={reason === '' ? undefined : styles[className]}>
      <Side line={left} />
      <td className={styles['reason']} title={meaning}>
        {word}
      </td>
      <Side line={right} />
    </tr>
  )
}

interface DiffTableProps {
  readonly staticPod: object
  readonly mirror: object
  readonly label: string
}

/** Both objects as YAML, line by line, with the reason for each difference. */
export function DiffTable({ staticPod, mirror, label }: DiffTableProps): ReactNode {
  const lines = useMemo(() => pairDiff(staticPod, mirror), [staticPod, mirror])
  return (
    // It scrolls, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['scroller']} tabIndex={0} aria-label={label}>
      <table className={styles['diff']}>
        <thead className={styles['head']}>
          <tr>
            {words.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.path} line={line} />
          ))}
        </tbody>
      </table>
      <p className={styles['note']}>{words.note}</p>
    </section>
  )
}
