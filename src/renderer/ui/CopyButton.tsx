import type { ReactNode } from 'react'
import { text } from '../text/text.ts'
import { Button } from './Button.tsx'
import type { IconName } from './Icon.tsx'
import textStyles from './text.module.css'
import { useCopy } from './use-copy.ts'

/** Copies `value`, and says so to screen readers too. */
export function CopyButton({
  value,
  label,
  words,
  icon = 'copy',
  isSmall = words === undefined,
  failed = text.common.copy.failedSelect,
}: {
  readonly value: string
  /** Names what it copies: `Copy the mirror UID`. */
  readonly label: string
  /** With words next to the icon it is a primary button. */
  readonly words?: string
  readonly icon?: IconName
  readonly isSmall?: boolean
  /** Shown if it could not copy. */
  readonly failed?: string
}): ReactNode {
  const { outcome, copy } = useCopy(value)
  const { copied } = text.common
  const said = { idle: '', copied, failed }[outcome]
  return (
    <>
      <Button
        variant={words === undefined ? 'quiet' : 'primary'}
        icon={outcome === 'copied' ? 'check' : outcome === 'failed' ? 'warn' : icon}
        label={label}
        title={outcome === 'idle' ? label : said}
        isSmall={isSmall}
        onClick={copy}
      >
        {words === undefined ? undefined : outcome === 'copied' ? copied : words}
      </Button>
      <span className={textStyles['hidden']} aria-live="polite">
        {said}
      </span>
    </>
  )
}
