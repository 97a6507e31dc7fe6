import type { ReactNode } from 'react'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import styles from './ManifestDialog.module.css'

/** Asks before an act on a file. The focus is on Cancel. */
export function ConfirmDialog({
  title,
  effect,
  hint,
  note,
  confirm,
  isDanger = false,
  onConfirm,
  onClose,
}: {
  readonly title: string
  readonly effect: string
  readonly hint?: string
  /** Next to the buttons. */
  readonly note: string
  readonly confirm: string
  readonly isDanger?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}): ReactNode {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles['body']}>
        <h2>{title}</h2>
        <p>{effect}</p>
        {hint === undefined ? null : <p className={styles['hint']}>{hint}</p>}
        <div className={styles['foot']}>
          <span className={styles['last']}>{note}</span>
          <span data-autofocus>
            <Button onClick={onClose}>{text.common.cancel}</Button>
          </span>
          <Button
            variant={isDanger ? 'dangerFill' : 'primary'}
            {...(isDanger ? { icon: 'trash' as const } : {})}
            onClick={() => {
              onClose()
              onConfirm()
            }}
          >
            {confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
