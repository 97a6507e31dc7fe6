import type { ReactNode } from 'react'
import type { ManifestFile } from '../../../shared/model/manifests.ts'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import styles from './ManifestDialog.module.css'

function whatHappens({ state, namespace, podName }: ManifestFile): string {
  if (podName === '' || state === 'skipped') return 'It defines no running pod, so nothing stops.'
  const pod = `${namespace}/${podName}`
  switch (state) {
    case 'shadowed':
      return `Another file defines ${pod} and stays: nothing stops.`
    case 'rejected':
      return `If ${pod} still runs from its last valid version, the kubelet stops it with its own grace period.`
    default:
      return `The kubelet notices within a second (REMOVE). It stops ${pod} with its own grace period, then deletes its mirror.`
  }
}

/** What removing a file does, before it is done. */
export function RemoveManifestDialog({
  file,
  onClose,
}: {
  readonly file: ManifestFile
  readonly onClose: () => void
}): ReactNode {
  const removeManifest = useAppState((state) => state.removeManifest)
  return (
    <Dialog title={`Remove ${file.name}`} onClose={onClose}>
      <div className={styles['body']}>
        <h2>Remove {file.name}</h2>
        <p>{whatHappens(file)}</p>
        <p className={styles['hint']}>
          kubectl cannot do this: deleting the mirror pod stops nothing; the kubelet recreates the
          mirror.
        </p>
        <div className={styles['foot']}>
          <span className={styles['last']}>Undo restores the file.</span>
          <span data-autofocus>
            <Button onClick={onClose}>Cancel</Button>
          </span>
          <Button
            look="dangerFill"
            icon="trash"
            onClick={() => {
              void removeManifest(file.name)
              onClose()
            }}
          >
            Remove the file
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
