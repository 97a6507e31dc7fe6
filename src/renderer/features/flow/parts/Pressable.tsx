import type { KeyboardEvent, ReactNode } from 'react'
import styles from './Picture.module.css'

export interface ButtonOfPicture {
  readonly label: string
  readonly title?: string
  /** False for a pod, which the keyboard finds in an open part. */
  readonly isTabStop?: boolean
  readonly isExpanded?: boolean
  /** The part or the step that it opens. */
  readonly part?: string
  readonly step?: number
  readonly className?: string | undefined
  readonly onPress: () => void
  readonly onKey?: (event: KeyboardEvent<SVGGElement>) => void
}

/** What is drawn for the eyes only: names of buttons say the same, in full. */
export function Drawn({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <g aria-hidden="true" className={styles['over']}>
      {children}
    </g>
  )
}

/** A button of the picture. Its `frame` has the focus and the name; its words are drawn over the frame. */
export function Pressable({
  isTabStop = true,
  frame,
  children,
  ...button
}: ButtonOfPicture & { readonly frame: ReactNode; readonly children?: ReactNode }): ReactNode {
  const handleKeyDown = (event: KeyboardEvent<SVGGElement>): void => {
    if (event.key !== 'Enter' && event.key !== ' ') {
      button.onKey?.(event)
      return
    }
    event.preventDefault()
    button.onPress()
  }
  return (
    <g className={button.className}>
      <g
        // An SVG can hold no button element.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="button"
        tabIndex={isTabStop ? 0 : -1}
        aria-label={button.label}
        aria-expanded={button.isExpanded}
        data-part={button.part}
        data-step={button.step}
        className={styles['press']}
        onClick={button.onPress}
        onKeyDown={handleKeyDown}
      >
        {button.title === undefined ? null : <title>{button.title}</title>}
        {frame}
      </g>
      <Drawn>{children}</Drawn>
    </g>
  )
}
