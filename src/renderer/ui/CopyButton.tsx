import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import text from './text.module.css'
import { useCopy } from './use-copy.ts'

const said = {
  idle: '',
  copied: 'Copied',
  failed: 'Could not copy; select the text instead',
} as const

/** Copies `value`. `label` names what: `Copy the mirror UID`. */
export function CopyButton({
  value,
  label,
  words,
}: {
  readonly value: string
  readonly label: string
  /** Words beside the icon make it a primary button. */
  readonly words?: string
}): ReactNode {
  const { outcome, copy } = useCopy(value)
  const icon = outcome === 'copied' ? 'check' : outcome === 'failed' ? 'warn' : 'copy'
  return (
    <>
      <Button
        look={words === undefined ? 'quiet' : 'primary'}
        icon={icon}
        label={label}
        title={outcome === 'idle' ? label : said[outcome]}
        isSmall={words === undefined}
        onClick={copy}
      >
        {words === undefined ? undefined : outcome === 'copied' ? 'Copied' : words}
      </Button>
      <span className={text['hidden']} aria-live="polite">
        {said[outcome]}
      </span>
    </>
  )
}
