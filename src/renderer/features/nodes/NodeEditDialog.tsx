import type { ReactNode } from 'react'
import { useId } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { NodeEditForecast, NodeTexts } from '../../../shared/model/node/node-edit.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { ActDialogHead } from '../../ui/act-dialog/ActDialogHead.tsx'
import styles from '../../ui/ActDialog.module.css'
import { Button } from '../../ui/Button.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Note } from '../../ui/Note.tsx'
import own from './NodeEditDialog.module.css'

const words = text.nodeEdit

function Texts({ after }: { readonly after: NodeTexts }): ReactNode {
  const setTexts = useAppState((state) => state.setNodeTexts)
  return (['labels', 'taints'] as const).map((part) => (
    <label key={part} className={own['field']}>
      {words[part]}
      <textarea
        rows={part === 'labels' ? 7 : 3}
        spellCheck={false}
        wrap="off"
        value={after[part]}
        onChange={({ target }) => setTexts({ ...after, [part]: target.value })}
      />
    </label>
  ))
}

function Forecast({ forecast }: { readonly forecast: NodeEditForecast }): ReactNode {
  const { changes, evicted, stay, notes, kubectl } = forecast
  if (changes.length === 0) return null
  return (
    <>
      <section className={own['part']} aria-label={words.changes}>
        <h3>{words.changes}</h3>
        <ul>
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      </section>
      {notes.map((note) => (
        <p key={note} className={styles['summary']}>
          {note}
        </p>
      ))}
      <section className={own['part']} aria-label={words.evicted}>
        <h3>
          {words.evicted} <span>{words.stay(stay)}</span>
        </h3>
        <ul>
          {evicted.map(({ namespace, name, afterSeconds }) => (
            <li key={`${namespace}/${name}`}>
              {namespace}/{name} <b>{words.at(afterSeconds)}</b>
            </li>
          ))}
        </ul>
      </section>
      {kubectl.map((line) => (
        <CommandLine key={line} line={line} isWrapped />
      ))}
    </>
  )
}

/** The labels and taints of a node as text, with what a change of them does. */
export function NodeEditDialog({ node }: { readonly node: NodeRef }): ReactNode {
  const label = useAppState(
    (state) => state.clusters.find(({ id }) => id === node.cluster)?.label ?? node.cluster,
  )
  const texts = useAppState((state) => state.nodeTexts)
  const forecast = useAppState((state) => state.nodeEditForecast)
  const problem = useAppState((state) => state.nodeEditProblem)
  const isActing = useAppState((state) => state.isNodeEditing)
  const isLost = useAppState((state) => isCutOff(state.link))
  const close = useAppState((state) => state.closeNodeEdit)
  const confirm = useAppState((state) => state.confirmNodeEdit)
  const reason = useId()
  const refusal = isLost ? text.acts.lost : (forecast?.refusal ?? '')
  const title = words.title(node.node)
  return (
    <Dialog title={title} onClose={close}>
      <ActDialogHead icon="node" title={title} label={label} isCalm />
      <div className={styles['body']}>
        {texts === null ? (
          problem === '' ? (
            <p className={styles['wait']}>{words.loading}</p>
          ) : null
        ) : (
          <Texts after={texts.after} />
        )}
        {forecast === null ? null : <Forecast forecast={forecast} />}
        {problem === '' ? null : (
          <Note variant="error" icon="error" isAlert>
            <p>{problem}</p>
          </Note>
        )}
      </div>
      <div className={styles['foot']}>
        <span id={reason} className={styles['last']}>
          {refusal}
        </span>
        <span data-autofocus>
          <Button onClick={close}>{text.common.cancel}</Button>
        </span>
        <Button
          variant={forecast !== null && forecast.evicted.length > 0 ? 'dangerFill' : 'primary'}
          isRefused={isLost || forecast?.isAllowed !== true || isActing}
          refusedBecause={refusal === '' ? undefined : reason}
          onClick={() => void confirm()}
        >
          {words.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
