import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import styles from './Dialog.module.css'

/**
 * A modal dialog: the platform's own, so focus is held inside and the rest is inert. Esc and `onClose`
 * are one; focus goes back to where it came from. The first element with `data-autofocus` gets it.
 */
export function Dialog({
  title,
  describedBy,
  place = 'middle',
  onClose,
  children,
}: {
  readonly title: string
  readonly describedBy?: string
  /** `top`: for one that grows and shrinks while it is used. */
  readonly place?: 'middle' | 'top'
  readonly onClose: () => void
  readonly children: ReactNode
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element === null) return undefined
    const before = document.activeElement
    element.showModal()
    element.querySelector<HTMLElement>('input[data-autofocus], [data-autofocus] button')?.focus()
    return () => {
      element.close()
      // What closed it may have moved the focus on already, to a dialog that follows it.
      if (before instanceof HTMLElement && document.querySelector('dialog[open]') === null)
        before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={classNames(styles['dialog'], place === 'top' && styles['top'])}
      aria-label={title}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => {
        // Keys of the page below stay silent while a dialog is open.
        event.stopPropagation()
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </dialog>
  )
}
