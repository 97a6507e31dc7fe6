import type { ReactNode } from 'react'
import { useId } from 'react'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './ScenarioDialogs.module.css'

/** A dialog that says what happens, with the act and the way back. The focus is on the way back if the act is a dangerous one. */
export function ConfirmDialog({
  words,
  children,
  isDangerous = false,
  isIncomplete = false,
  onConfirm,
}: {
  readonly words: { readonly title: string; readonly rule: string; readonly confirm: string }
  readonly children?: ReactNode
  readonly isDangerous?: boolean
  readonly isIncomplete?: boolean
  readonly onConfirm: () => void
}): ReactNode {
  const ask = useAppState((state) => state.askScenario)
  const isBusy = useAppState((state) => state.isScenarioBusy)
  const isLost = useAppState((state) => isCutOff(state.link))
  const error = useAppState((state) => state.scenarioDialogError)
  const rule = useId()
  const close = (): void => ask(null)
  const confirm = (
    <Button
      variant={isDangerous ? 'dangerFill' : 'primary'}
      isRefused={isBusy || isLost || isIncomplete}
      onClick={onConfirm}
    >
      {words.confirm}
    </Button>
  )
  return (
    <Dialog title={words.title} describedBy={rule} onClose={close}>
      <div className={styles['body']}>
        <h2>{words.title}</h2>
        <p id={rule}>{words.rule}</p>
        {children}
        {error === '' ? null : (
          <Note variant="error" icon="error" isAlert>
            <p>{error}</p>
          </Note>
        )}
      </div>
      <div className={styles['foot']}>
        <span data-autofocus={isDangerous ? true : undefined}>
          <Button onClick={close}>{text.scenarios.cancel}</Button>
        </span>
        <span data-autofocus={isDangerous ? undefined : true}>{confirm}</span>
      </div>
    </Dialog>
  )
}
