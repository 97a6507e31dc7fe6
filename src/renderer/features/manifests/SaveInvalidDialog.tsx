import type { ReactNode } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import styles from './ManifestDialog.module.css'

/** Asks before an invalid manifest is saved by its key, which is pressed without a look at the button. */
export function SaveInvalidDialog({
  name,
  onSave,
  onClose,
}: {
  readonly name: string
  readonly onSave: () => void
  readonly onClose: () => void
}): ReactNode {
  const effect = useAppState((state) => state.manifestChecked?.check.effect ?? '')
  const title = `Save invalid ${name}?`
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles['body']}>
        <h2>{title}</h2>
        <p>{effect}</p>
        <div className={styles['foot']}>
          <span className={styles['last']}>The text stays in the editor either way.</span>
          <span data-autofocus>
            <Button onClick={onClose}>Cancel</Button>
          </span>
          <Button
            look="primary"
            onClick={() => {
              onClose()
              onSave()
            }}
          >
            Save anyway
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
