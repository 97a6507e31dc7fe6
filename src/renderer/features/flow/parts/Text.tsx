import type { ReactNode } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import styles from './Picture.module.css'

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
