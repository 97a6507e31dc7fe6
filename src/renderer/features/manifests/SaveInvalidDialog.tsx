import type { ReactNode } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import styles from './ManifestDialog.module.css'

/** Asks before the save key saves an invalid manifest; the Save button itself names that case. */
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
  const title = text.manifests.invalidDialog.title(name)
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles['body']}>
        <h2>{title}</h2>
        <p>{effect}</p>
        <div className={styles['foot']}>
          <span className={styles['last']}>{text.manifests.invalidDialog.rule}</span>
          <span data-autofocus>
            <Button onClick={onClose}>{text.common.cancel}</Button>
          </span>
          <Button
            look="primary"
            onClick={() => {
              onClose()
              onSave()
            }}
          >
            {text.manifests.file.saveAnyway}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
