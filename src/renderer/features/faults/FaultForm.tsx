import type { ReactNode } from 'react'
import { faultFields } from '../../../shared/model/node/fault.ts'
import type { FaultField, FaultType } from '../../../shared/model/node/fault.ts'
import { text } from '../../text/text.ts'
import { choicesOf, fieldsOf } from './fault-draft.ts'
import type { FaultDraft } from './fault-draft.ts'
import styles from './FaultsDialog.module.css'

const words = text.faults

// The keys of the table.
const types = Object.keys(faultFields) as readonly FaultType[]

function Field({
  field,
  isNeeded,
  value,
  nodes,
  onChange,
}: {
  readonly field: FaultField
  readonly isNeeded: boolean
  readonly value: string
  readonly nodes: readonly string[]
  readonly onChange: (value: string) => void
}): ReactNode {
  const choices = choicesOf(field, nodes)
  return (
    <label className={styles['field']}>
      {words.fields[field]}
      {choices === undefined ? (
        <input
          type="text"
          spellCheck={false}
          autoComplete="off"
          value={value}
          placeholder={words.examples[field] ?? words.any}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <select value={value} onChange={({ target }) => onChange(target.value)}>
          {isNeeded ? null : <option value="">{words.any}</option>}
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
    </label>
  )
}

/** The type of a new fault, and the fields that it has. */
export function FaultForm({
  type,
  draft,
  nodes,
  onType,
  onDraft,
}: {
  readonly type: FaultType
  readonly draft: FaultDraft
  readonly nodes: readonly string[]
  readonly onType: (type: FaultType) => void
  readonly onDraft: (draft: FaultDraft) => void
}): ReactNode {
  const needed: readonly string[] = faultFields[type].needs
  return (
    <fieldset className={styles['form']}>
      <legend>{words.new}</legend>
      <label className={styles['field']}>
        {words.type}
        <select
          value={type}
          onChange={({ target }) => {
            const chosen = types.find((one) => one === target.value)
            if (chosen !== undefined) onType(chosen)
          }}
        >
          {types.map((one) => (
            <option key={one} value={one}>
              {words.typeName(one)}
            </option>
          ))}
        </select>
      </label>
      <p className={styles['effect']}>{words.effect(type)}</p>
      <div className={styles['fields']}>
        {fieldsOf(type).map((field) => (
          <Field
            key={field}
            field={field}
            isNeeded={needed.includes(field)}
            value={draft[field] ?? ''}
            nodes={nodes}
            onChange={(value) => onDraft({ ...draft, [field]: value })}
          />
        ))}
      </div>
    </fieldset>
  )
}
