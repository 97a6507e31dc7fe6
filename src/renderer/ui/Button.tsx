import type { ReactNode, Ref } from 'react'
import styles from './Button.module.css'
import { classNames } from './class-names.ts'
import type { IconName } from './Icon.tsx'
import { Icon } from './Icon.tsx'

export interface ButtonProps {
  readonly children?: ReactNode
  /** `dangerFill`: only for the confirmation of a dialog. */
  readonly variant?: 'plain' | 'primary' | 'danger' | 'dangerFill' | 'quiet'
  readonly icon?: IconName
  /** The name of a button without words. */
  readonly label?: string
  readonly title?: string | undefined
  /** The id of the element that says why it is refused; a refused button stays in the tab order. */
  readonly refusedBecause?: string | undefined
  readonly isRefused?: boolean
  readonly isSmall?: boolean
  readonly isExpanded?: boolean
  /** It opens a menu. */
  readonly hasMenu?: boolean
  readonly ref?: Ref<HTMLButtonElement>
  readonly onClick: () => void
}

export function Button({ variant = 'plain', ref, ...props }: ButtonProps): ReactNode {
  const isBare = props.children === undefined
  return (
    <button
      ref={ref}
      type="button"
      className={classNames(
        styles['button'],
        styles[variant],
        isBare && styles['bare'],
        props.isSmall && styles['tiny'],
      )}
      aria-label={props.label}
      title={props.title}
      aria-disabled={props.isRefused === true ? true : undefined}
      aria-describedby={props.refusedBecause}
      aria-expanded={props.isExpanded}
      aria-haspopup={props.hasMenu === true ? 'menu' : undefined}
      onClick={() => {
        if (props.isRefused !== true) props.onClick()
      }}
    >
      {props.icon === undefined ? null : <Icon name={props.icon} />}
      {props.children}
    </button>
  )
}
