import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
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

const words = text.manifests.addDialog

/** A new file from a template; the editor's Save writes it. */
export function AddManifestDialog({
  taken,
  onClose,
}: {
  readonly taken: readonly string[]
  readonly onClose: () => void
}): ReactNode {
  const addManifest = useAppState((state) => state.addManifest)
  const node = useAppState((state) => state.manifests?.node ?? '')
  const [template, setTemplate] = useState(manifestTemplates[0])
  /** Null: the template's own name. */
  const [typed, setTyped] = useState<string | null>(null)
  const nameId = useId()
  const errorId = useId()
  if (template === undefined) return null
  const name = typed ?? freeName(template.name, taken)
  const error = fileNameProblem(name, taken)
  const add = (): void => {
    if (error !== '') return
    addManifest(name, manifestFrom(template, podNameOf(name)))
    onClose()
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        className={styles['body']}
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <h2>{words.title}</h2>
        <p className={styles['rule']}>{words.rule}</p>
        <fieldset className={styles['choices']}>
          <legend>{words.template}</legend>
          {manifestTemplates.map((choice) => {
            const [title, teaches] = text.manifests.templates[choice.id]
            return (
              <div key={choice.id} className={styles['choice']}>
                <input
                  id={`${nameId}-${choice.id}`}
                  type="radio"
                  name="template"
                  checked={choice.id === template.id}
                  aria-describedby={`${nameId}-${choice.id}-teaches`}
                  onChange={() => setTemplate(choice)}
                />
                <label htmlFor={`${nameId}-${choice.id}`}>{title}</label>
                <span id={`${nameId}-${choice.id}-teaches`} className={styles['teaches']}>
                  {teaches}
                </span>
              </div>
            )
          })}
        </fieldset>
        <label className={styles['label']} htmlFor={nameId}>
          {words.name}
        </label>
        <input
          id={nameId}
          className={styles['input']}
          type="text"
          spellCheck={false}
          autoComplete="off"
          value={name}
          aria-invalid={error !== ''}
          aria-describedby={errorId}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p id={errorId} className={error === '' ? styles['hint'] : styles['error']}>
          {error === '' ? words.podName(`${podNameOf(name)}-${node}`) : error}
        </p>
        <div className={styles['foot']}>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <span data-autofocus>
            <Button
              variant="primary"
              isRefused={error !== ''}
              refusedBecause={errorId}
              onClick={add}
            >
              {words.open}
            </Button>
          </span>
        </div>
      </form>
    </Dialog>
  )
}
