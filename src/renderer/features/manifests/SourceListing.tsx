import type { ReactNode } from 'react'
import type { SourceProblem } from '../../../shared/model/cluster-view.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import styles from './SourceListing.module.css'

/** Splits a line into the text before the column, the word at it, and the rest. */
function splitAt(text: string, column: number | null): readonly [string, string, string] {
  if (column === null) return [text, '', '']
  const before = text.slice(0, column - 1)
  const word = /^\S+/.exec(text.slice(column - 1))?.[0] ?? ''
  return [before, word, text.slice(before.length + word.length)]
}

function Message({ problem }: { readonly problem: SourceProblem }): ReactNode {
  return (
    <span className={styles['message']}>
      <Icon name="up" />
      <span>{problem.message}</span>
    </span>
  )
}

function Line({
  text,
  number,
  problems,
}: {
  readonly text: string
  readonly number: number
  readonly problems: readonly SourceProblem[]
}): ReactNode {
  const isWrong = problems.length > 0
  const [before, word, after] = splitAt(text, problems[0]?.column ?? null)
  return (
    <li className={isWrong ? styles['wrong'] : undefined}>
      <span className={styles['text']}>
        <span className={styles['number']}>{number}</span>
        <code>
          {before}
          <span className={styles['word']}>{word}</span>
          {after}
        </code>
      </span>
      {problems.map((problem) => (
        <Message key={problem.message} problem={problem} />
      ))}
    </li>
  )
}

/** A text with line numbers, and each problem under its line. */
export function SourceListing({
  text,
  problems,
  label,
}: {
  readonly text: string
  readonly problems: readonly SourceProblem[]
  readonly label: string
}): ReactNode {
  const lines = text.replace(/\n$/, '').split('\n')
  const placed = (number: number): readonly SourceProblem[] =>
    problems.filter(({ line }) => line === number)
  const loose = problems.filter(({ line }) => line === null || line > lines.length)
  return (
    <section className={styles['listing']} aria-label={label}>
      {loose.map((problem) => (
        <p key={problem.message} className={classNames(styles['wrong'], styles['loose'])}>
          <Message problem={problem} />
        </p>
      ))}
      <ol>
        {lines.map((line, index) => (
          // Lines have no other identity than their index.
          // oxlint-disable-next-line react/no-array-index-key
          <Line key={index} text={line} number={index + 1} problems={placed(index + 1)} />
        ))}
      </ol>
    </section>
  )
}
