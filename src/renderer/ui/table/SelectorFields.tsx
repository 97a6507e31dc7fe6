import type { ReactNode } from 'react'
import { useId } from 'react'
import {
  nodeSelector,
  podSelector,
  selectableFieldNames,
} from '../../../shared/model/row-selectors.ts'
import type { SelectorProblems, Selectors } from '../../../shared/model/row-selectors.ts'
import type { TableKind } from '../../store/tables/column-ids.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../class-names.ts'
import styles from './SelectorFields.module.css'

const words = text.tables.selectors

/** Why the selectors of a table cannot be read. Pure. */
function selectorProblems(kind: TableKind, selectors: Selectors): SelectorProblems {
  const selector = kind === 'pods' ? podSelector(selectors) : nodeSelector(selectors)
  return selector.ok ? {} : selector.error
}

function Field({ kind, which }: { readonly kind: TableKind; readonly which: keyof Selectors }) {
  const selectors = useAppState((state) => state.tables[kind].selectors)
  const setSelectors = useAppState((state) => state.setSelectors)
  const reason = useId()
  const problem = selectorProblems(kind, selectors)[which] ?? ''
  const change = (value: string): void => setSelectors(kind, { ...selectors, [which]: value })
  return (
    <span className={styles['field']}>
      <input
        type="text"
        className={classNames(styles['input'], problem !== '' && styles['wrong'])}
        aria-label={words[which]}
        placeholder={words.hints[kind][which]}
        title={which === 'fields' ? words.fieldsTitle(selectableFieldNames[kind]) : undefined}
        aria-invalid={problem === '' ? undefined : true}
        aria-describedby={problem === '' ? undefined : reason}
        spellCheck={false}
        autoComplete="off"
        value={selectors[which]}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key !== 'Escape' || selectors[which] === '') return
          event.preventDefault()
          change('')
        }}
      />
      {problem === '' ? null : (
        <span id={reason} role="alert" className={styles['problem']}>
          {words.unreadable(words[which], problem)}
        </span>
      )}
    </span>
  )
}

/** The selectors of a table, in kubectl's syntax. */
export function SelectorFields({ kind }: { readonly kind: TableKind }): ReactNode {
  return (
    <>
      <Field kind={kind} which="labels" />
      <Field kind={kind} which="fields" />
    </>
  )
}
