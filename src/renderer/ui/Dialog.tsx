import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'
import styles from './Dialog.module.css'

/**
 * A modal dialog: the platform's own, which keeps the focus inside and makes the rest inert. Esc calls `onClose`.
 * The first element with `data-autofocus` gets the focus; closing restores it.
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
  /** `top`: for a dialog whose height changes while it is used. `wide`: for a text beside what it does. */
  readonly place?: 'middle' | 'top' | 'wide'
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
      // Another open dialog has the focus already.
      if (before instanceof HTMLElement && document.querySelector('dialog[open]') === null)
        before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={classNames(styles['dialog'], place === 'middle' ? undefined : styles[place])}
      aria-label={title}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => {
        // The page's keys are off while a dialog is open.
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
