import type { ReactNode } from 'react'
import { Fragment } from 'react'
import { text } from '../text/text.ts'
import { CopyButton } from './CopyButton.tsx'
import styles from './CommandLine.module.css'
import { classNames } from './class-names.ts'

/** Flags have the accent color, since they are what differs between two lines; a word breaks only if it is too long. */
function words(line: string): ReactNode {
  return line.split(' ').map((word, index) => (
    // The words keep their order: the index is their identity.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index === 0 ? '' : ' '}
      <span className={classNames(styles['word'], word.startsWith('--') && styles['flag'])}>
        {word}
      </span>
    </Fragment>
  ))
}

/** A line for the terminal, with a copy button. `prompt` is empty for a path. */
export function CommandLine({
  line,
  label = text.common.copy.kubectlLine,
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
