import type { ComponentProps, ReactNode } from 'react'
import { useEffect, useRef } from 'react'

/** An option of a listbox. The focus stays in the list, or in the field above it, which names the active option and handles the keys. */
export function ListOption({
  isSelected,
  isActive = false,
  onChoose,
  ...more
}: {
  readonly isSelected: boolean
  /** The active option is scrolled into view. */
  readonly isActive?: boolean
  readonly onChoose: () => void
} & Pick<
  ComponentProps<'div'>,
  'id' | 'className' | 'style' | 'children' | 'onDoubleClick' | 'aria-posinset' | 'aria-setsize'
>): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      {...more}
      ref={place}
      // An option of a select holds only text.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      aria-selected={isSelected}
      onClick={onChoose}
    />
  )
}
