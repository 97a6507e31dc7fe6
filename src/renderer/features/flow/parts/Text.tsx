import type { ReactNode } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import styles from './Picture.module.css'

/** A text of the picture; `look`: names of its style sheet, with blanks between them. */
export function Text({
  x = 0,
  look = '',
  anchor,
  className,
  ...place
}: {
  readonly x?: number
  readonly y: number
  readonly look?: string | undefined
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly className?: string | undefined
  readonly children: ReactNode
}): ReactNode {
  const looks = look.split(' ').map((name) => styles[name])
  return <text x={x} {...place} textAnchor={anchor} className={classNames(...looks, className)} />
}
