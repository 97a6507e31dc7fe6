import type { ReactNode } from 'react'
import { useId, useMemo, useState } from 'react'
import { shownRef } from '../../store/shown-node.ts'
import { useStore } from '../../store/store-context.ts'
import { merged, useObserved } from '../../store/use-observed.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { Translation } from './translate-uid.ts'
import { logFolder, translateUid } from './translate-uid.ts'
import styles from './UidTranslator.module.css'

const words = text.mirrors.translator

/** The translation follows the rows; it is compared by its content. */
function useTranslation(typed: string): Translation {
  const { rows, state } = useStore()
  const changes = useMemo(() => merged(rows, state), [rows, state])
  return useObserved(
    changes,
    () => translateUid(typed, rows.values(), shownRef(state.getState())),
    (before, now) => JSON.stringify(before) === JSON.stringify(now),
  )
}

interface Fact {
  readonly label: string
  readonly value: string
  readonly copyLabel?: string
  readonly isMono?: boolean
}

/** What is known of the pod that a UID belongs to. Pure. */
function factsOf({ kind, row }: Extract<Translation, { readonly row: unknown }>): readonly Fact[] {
  const { name, namespace, uid, mirrorUid } = row
  const fullName = { label: words.fullName, value: `${name}_${namespace}`, isMono: true }
  const events = { label: words.events, value: words.eventsUnder[kind] }
  const logs = { label: words.logs, value: logFolder(row), copyLabel: words.copyLogs, isMono: true }
  switch (kind) {
    case 'mirror':
      return [{ ...words.mirrorOf, value: uid, isMono: true }, fullName, events, logs]
    case 'static': {
      const mirror =
        mirrorUid === null || mirrorUid === ''
          ? words.noMirror
          : { ...words.itsMirror, value: mirrorUid, isMono: true }
      return [mirror, fullName, events, logs]
    }
    case 'regular':
      return [words.regular, fullName, events, logs]
    case 'orphan':
    default:
      return [words.orphan, fullName, events]
  }
}

function FactView({ label, value, copyLabel, isMono = false }: Fact): ReactNode {
  return (
    <div className={styles['fact']}>
      <dt>{label}</dt>
      <dd className={isMono ? styles['mono'] : undefined}>
        <span title={value}>{value}</span>
        {copyLabel === undefined ? null : <CopyButton value={value} label={copyLabel} />}
      </dd>
    </div>
  )
}

function Answer({ translation }: { readonly translation: Translation }): ReactNode {
  if ('row' in translation)
    return (
      <dl className={styles['facts']}>
        {factsOf(translation).map((fact) => (
          <FactView key={fact.label} {...fact} />
        ))}
      </dl>
    )
  const { kind } = translation
  return <p>{kind === 'ambiguous' ? words.ambiguous(translation.count) : words.notes[kind]}</p>
}

/** Paste a UID of a static pod or its mirror: tells what it is, and the other UID. */
export function UidTranslator(): ReactNode {
  const [typed, setTyped] = useState('')
  const translation = useTranslation(typed)
  const id = useId()
  return (
    <section className={styles['box']} aria-label={words.title}>
      <div className={styles['entry']}>
        <label htmlFor={id}>{words.field}</label>
        <div className={styles['field']}>
          <input
            id={id}
            type="text"
            placeholder={words.placeholder}
            spellCheck={false}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              event.stopPropagation()
              if (event.key === 'Escape') setTyped('')
            }}
          />
          {typed === '' ? null : (
            <Button
              variant="quiet"
              icon="close"
              label={words.clear}
              isSmall
              onClick={() => setTyped('')}
            />
          )}
        </div>
      </div>
      <span className={styles['swap']}>
        <Icon name="swap" />
      </span>
      <div className={styles['answer']} aria-live="polite">
        <Answer translation={translation} />
      </div>
    </section>
  )
}
