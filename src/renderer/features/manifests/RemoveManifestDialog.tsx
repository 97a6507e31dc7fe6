import type { ReactNode } from 'react'
import type { ManifestFile } from '../../../shared/model/manifests.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import styles from './ManifestDialog.module.css'

const words = text.manifests.removeDialog

function effectOf({ state, namespace, podName }: ManifestFile): string {
  if (podName === '' || state === 'skipped') return words.noPod
  const pod = `${namespace}/${podName}`
  switch (state) {
    case 'shadowed':
      return words.shadowed(pod)
    case 'rejected':
      return words.rejected(pod)
    default:
      return words.stops(pod)
  }
}

/** The dialog before a file is removed: what the removal does. */
export function RemoveManifestDialog({
  file,
  onClose,
}: {
  readonly file: ManifestFile
  readonly onClose: () => void
}): ReactNode {
  const removeManifest = useAppState((state) => state.removeManifest)
  return (
    <Dialog title={words.title(file.name)} onClose={onClose}>
      <div className={styles['body']}>
        <h2>{words.title(file.name)}</h2>
        <p>{effectOf(file)}</p>
        <p className={styles['hint']}>{words.rule}</p>
        <div className={styles['foot']}>
          <span className={styles['last']}>{words.undo}</span>
          <span data-autofocus>
            <Button onClick={onClose}>{text.common.cancel}</Button>
          </span>
          <Button
            look="dangerFill"
            icon="trash"
            onClick={() => {
              void removeManifest(file.name)
              onClose()
            }}
          >
            {words.confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
