import type { KeyboardEvent, ReactNode } from 'react'
import styles from './Picture.module.css'

/**
 * A button of the picture: its frame itself has the focus and the name. What it says is drawn over the frame
 * and belongs to nothing: its name says the same, in full.
 */
export function Pressable({
  label,
  title,
  isTabStop = true,
  isExpanded,
  part,
  step,
  className,
  frame,
  onPress,
  onKey,
  children,
}: {
  readonly label: string
  readonly title?: string
  /** False for what the keyboard finds in an open part. */
  readonly isTabStop?: boolean
  readonly isExpanded?: boolean
  readonly part?: string
  readonly step?: number
  readonly className?: string | undefined
  /** The shape that is pressed. */
  readonly frame: ReactNode
  readonly onPress: () => void
  readonly onKey?: (event: KeyboardEvent<SVGGElement>) => void
  readonly children: ReactNode
}): ReactNode {
  const handleKeyDown = (event: KeyboardEvent<SVGGElement>): void => {
    if (event.key !== 'Enter' && event.key !== ' ') {
      onKey?.(event)
      return
    }
    event.preventDefault()
    onPress()
  }
  return (
    <g className={className}>
      <g
        // An SVG can hold no button element.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="button"
        tabIndex={isTabStop ? 0 : -1}
        aria-label={label}
        aria-expanded={isExpanded}
        data-part={part}
        data-step={step}
        className={styles['press']}
        onClick={onPress}
        onKeyDown={handleKeyDown}
      >
        {title === undefined ? null : <title>{title}</title>}
        {frame}
      </g>
      <g aria-hidden="true" className={styles['over']}>
        {children}
      </g>
    </g>
  )
}
