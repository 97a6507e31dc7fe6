import type { ReactNode, Ref } from 'react'
import { text } from '../text/text.ts'
import { SearchField } from './SearchField.tsx'

/** The filter of a table or list, with its counts. Esc clears it first, then calls `onLeave`. */
export function FilterField({
  ref,
  label,
  placeholder,
  text: value,
  shown,
  total,
  onChange,
  onLeave,
}: {
  readonly ref?: Ref<HTMLInputElement>
  readonly label: string
  readonly placeholder: string
  readonly text: string
  readonly shown: number
  readonly total: number
  readonly onChange: (text: string) => void
  readonly onLeave?: () => void
}): ReactNode {
  return (
    <SearchField
      ref={ref}
      icon="filter"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      count={text.common.filter.shown(shown, total)}
      clearLabel={text.common.filter.clear}
      hasKeyHint={ref !== undefined}
      isMono
      onChange={onChange}
      onKey={({ key }) => {
        const isLeaving = key === 'Escape' || key === 'Enter' || key === 'ArrowDown'
        if (isLeaving) onLeave?.()
        return isLeaving
      }}
    />
  )
}
