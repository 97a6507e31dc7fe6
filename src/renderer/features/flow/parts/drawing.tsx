import type { KeyboardEvent, ReactNode } from 'react'
import type { PodSource } from '../../../../shared/model/pod-source.ts'
import { classNames } from '../../../ui/class-names.ts'
import type { GlyphName } from '../../../ui/signs/Glyph.tsx'
import { GlyphShape } from '../../../ui/signs/Glyph.tsx'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import type { Box, Point } from '../layout/box.ts'
import styles from './Picture.module.css'

export interface PartProps {
  readonly row: FlowPartRow
  readonly box: Box
}

export interface TextProps {
  readonly x?: number
  readonly y: number
  readonly words: ReactNode
  /** Names of the picture's style sheet, separated by spaces. */
  readonly classes?: string | undefined
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly className?: string | undefined
}

/** A text of the picture. */
export function Text(props: TextProps): ReactNode {
  const { x = 0, y, words, classes = '', anchor, className } = props
  const names = classes.split(' ').map((name) => styles[name])
  return (
    <text x={x} y={y} textAnchor={anchor} className={classNames(...names, className)}>
      {words}
    </text>
  )
}

interface SignProps extends Point {
  readonly name: GlyphName
  readonly size: number
  readonly className?: string | undefined
}

/** A glyph inside the picture, `size` units wide. */
export function Sign({ name, x, y, size, className }: SignProps): ReactNode {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 12})`} className={classNames(className)}>
      <GlyphShape name={name} />
    </g>
  )
}

export function SourceSign({
  name,
  ...place
}: SignProps & { readonly name: PodSource }): ReactNode {
  return <Sign {...place} name={name} className={styles[`${name}Ink`]} />
}

/** What is drawn for the eyes only: names of buttons say the same, in full. */
export function Drawn({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <g aria-hidden="true" className={styles['over']}>
      {children}
    </g>
  )
}

export interface ButtonOfPicture {
  readonly label: string
  readonly title?: string
  /** False for a pod, which the keyboard finds in an open part. */
  readonly isTabStop?: boolean
  readonly isExpanded?: boolean
  /** The id of the part or step that it opens. */
  readonly opens?: string
  readonly className?: string | undefined
  readonly onPress: () => void
  readonly onKey?: (event: KeyboardEvent<SVGGElement>) => void
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
        data-part={button.opens}
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
