import type { ReactNode } from 'react'
import { Fragment } from 'react'
import { CopyButton } from './CopyButton.tsx'
import styles from './CommandLine.module.css'
import { classNames } from './class-names.ts'

/** Flags carry the accent, since they are what differs between two lines; a word is not broken while it fits. */
function words(line: string): ReactNode {
  return line.split(' ').map((word, index) => (
    // The same words come in the same order: the index is their identity.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index === 0 ? '' : ' '}
      <span className={classNames(styles['word'], word.startsWith('--') && styles['flag'])}>
        {word}
      </span>
    </Fragment>
  ))
}

/** A line for the terminal, to copy. `prompt` empty: it is a path, not a command. */
export function CommandLine({
  line,
  label = 'Copy the kubectl line',
  prompt = '$',
  isWrapped = false,
}: {
  readonly line: string
  readonly label?: string
  readonly prompt?: '$' | ''
  readonly isWrapped?: boolean
}): ReactNode {
  return (
    <div className={classNames(styles['line'], isWrapped && styles['wrapped'])}>
      {prompt === '' ? null : (
        <span className={styles['prompt']} aria-hidden="true">
          {prompt}
        </span>
      )}
      <code className={styles['text']} title={isWrapped ? undefined : line}>
        {words(line)}
      </code>
      <CopyButton value={line} label={label} />
    </div>
  )
}
