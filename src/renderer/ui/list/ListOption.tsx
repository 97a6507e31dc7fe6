import type { ComponentProps, ReactNode } from 'react'
import { useEffect, useRef } from 'react'

/** A line of a listbox. The focus stays in the list, or in the field over it, which names the active line and has its keys. */
export function ListOption({
  isSelected,
  isActive = false,
  onChoose,
  ...more
}: {
  readonly isSelected: boolean
  /** Keys are at this line: it is brought into sight. */
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
      // An option of a select cannot hold what a line shows.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      aria-selected={isSelected}
      onClick={onChoose}
    />
  )
}
