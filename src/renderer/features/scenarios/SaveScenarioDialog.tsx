import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { downloadText } from '../../ui/download.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import styles from './ScenarioDialogs.module.css'

const words = text.scenarios.save
const validName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

function Field({
  label,
  rule = '',
  value,
  onChange,
}: {
  readonly label: string
  readonly rule?: string
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactNode {
  const id = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        aria-describedby={rule === '' ? undefined : `${id}-rule`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {rule === '' ? null : (
        <p id={`${id}-rule`} className={styles['rule']}>
          {rule}
        </p>
      )}
    </div>
  )
}

/** Saves the present state of the shown sandbox as a scenario. */
export function SaveScenarioDialog({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const save = useAppState((state) => state.saveScenario)
  const opened = cluster.scenario
  const [name, setName] = useState(opened?.name ?? 'my-scenario')
  const [title, setTitle] = useState(opened?.title ?? '')
  const [sentence, setSentence] = useState(opened?.sentence ?? '')
  const confirm = async (): Promise<void> => {
    const file = await save({ cluster: cluster.id, name, title, sentence })
    if (file?.kind === 'text') downloadText([file.text], file.name)
  }
  return (
    <ConfirmDialog
      words={{ ...words, rule: words.rule(cluster.label) }}
      isIncomplete={!validName.test(name)}
      onConfirm={() => void confirm()}
    >
      <Field label={words.name} rule={words.nameRule} value={name} onChange={setName} />
      <Field label={words.titleField} value={title} onChange={setTitle} />
      <Field label={words.sentence} value={sentence} onChange={setSentence} />
      <h3>{words.contents}</h3>
      <ul className={styles['contents']}>
        {words.has.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>{words.hasNot}</p>
    </ConfirmDialog>
  )
}
