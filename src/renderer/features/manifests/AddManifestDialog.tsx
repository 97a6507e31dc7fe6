import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import styles from './ManifestDialog.module.css'
import {
  freeName,
  manifestFrom,
  manifestTemplates,
  fileNameProblem,
  podNameOf,
} from './manifest-templates.ts'

const [firstTemplate] = manifestTemplates

/** A new file from an example; nothing is written before it is saved in the editor. */
export function AddManifestDialog({
  taken,
  onClose,
}: {
  readonly taken: readonly string[]
  readonly onClose: () => void
}): ReactNode {
  const addManifest = useAppState((state) => state.addManifest)
  const node = useAppState((state) => state.manifests?.node ?? '')
  const [template, setTemplate] = useState(firstTemplate)
  /** Null: the template's own name. */
  const [typed, setTyped] = useState<string | null>(null)
  const nameId = useId()
  const complaintId = useId()
  if (template === undefined) return null
  const name = typed ?? freeName(template.name, taken)
  const complaint = fileNameProblem(name, taken)
  const add = (): void => {
    if (complaint !== '') return
    addManifest(name, manifestFrom(template, podNameOf(name)))
    onClose()
  }
  return (
    <Dialog title="Add a manifest" onClose={onClose}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <h2>Add a manifest</h2>
        <p className={styles['rule']}>
          It opens in the editor. The kubelet reads it when you save it.
        </p>
        <fieldset className={styles['choices']}>
          <legend>Template</legend>
          {manifestTemplates.map((choice) => (
            <div key={choice.id} className={styles['choice']}>
              <input
                id={`${nameId}-${choice.id}`}
                type="radio"
                name="template"
                checked={choice.id === template.id}
                aria-describedby={`${nameId}-${choice.id}-teaches`}
                onChange={() => setTemplate(choice)}
              />
              <label htmlFor={`${nameId}-${choice.id}`}>{choice.title}</label>
              <span id={`${nameId}-${choice.id}-teaches`} className={styles['teaches']}>
                {choice.teaches}
              </span>
            </div>
          ))}
        </fieldset>
        <label className={styles['label']} htmlFor={nameId}>
          File name
        </label>
        <input
          id={nameId}
          className={styles['input']}
          type="text"
          spellCheck={false}
          autoComplete="off"
          value={name}
          aria-invalid={complaint !== ''}
          aria-describedby={complaintId}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p id={complaintId} className={complaint === '' ? styles['hint'] : styles['complaint']}>
          {complaint === ''
            ? `The pod’s name is ${podNameOf(name)}-${node}. Its UID is a hash of the pod, of the node’s name and of the file’s path.`
            : complaint}
        </p>
        <div className={styles['foot']}>
          <Button onClick={onClose}>Cancel</Button>
          <span data-autofocus>
            <Button
              look="primary"
              isRefused={complaint !== ''}
              refusedBecause={complaintId}
              onClick={add}
            >
              Open in the editor
            </Button>
          </span>
        </div>
      </form>
    </Dialog>
  )
}
