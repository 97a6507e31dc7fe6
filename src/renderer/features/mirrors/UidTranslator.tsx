import type { ReactNode } from 'react'
import { useId, useState, useSyncExternalStore } from 'react'
import { assertNever } from '../../../shared/assert-never.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { shownRef } from '../../store/shown-node.ts'
import { useStore } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { Translation } from './translate-uid.ts'
import { logFolder, translateUid } from './translate-uid.ts'
import styles from './UidTranslator.module.css'

/** What is looked up changes with the rows; the answer is compared by what it says. */
function useTranslation(typed: string): Translation {
  const { rows, state } = useStore()
  const [cache] = useState(() => {
    let last: Translation = { kind: 'empty' }
    return (text: string): Translation => {
      const next = translateUid(text, rows.values(), shownRef(state.getState()))
      if (JSON.stringify(next) !== JSON.stringify(last)) last = next
      return last
    }
  })
  return useSyncExternalStore(
    (listener) => {
      const leave = [rows.subscribe(listener), state.subscribe(listener)]
      return () => {
        for (const unsubscribe of leave) unsubscribe()
      }
    },
    () => cache(typed),
  )
}

function Fact({
  label,
  value,
  copyLabel,
  isMono = false,
}: {
  readonly label: string
  readonly value: string
  readonly copyLabel?: string
  readonly isMono?: boolean
}): ReactNode {
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

function fullName({ name, namespace }: PodRow): string {
  return `${name}_${namespace}`
}

function PairFacts({
  row,
  isMirror,
}: {
  readonly row: PodRow
  readonly isMirror: boolean
}): ReactNode {
  const mirrorUid = row.mirrorUid ?? ''
  return (
    <>
      {isMirror ? (
        <Fact label="mirror of" value={row.uid} copyLabel="Copy the static UID" isMono />
      ) : mirrorUid === '' ? (
        <Fact label="static UID; its mirror" value="is not in the API server" />
      ) : (
        <Fact label="its mirror is" value={mirrorUid} copyLabel="Copy the mirror UID" isMono />
      )}
      <Fact label="full name" value={fullName(row)} isMono />
      <Fact label="events are under" value="the static UID" />
      <Fact label="logs" value={logFolder(row)} copyLabel="Copy the log folder" isMono />
    </>
  )
}

function Answer({ translation }: { readonly translation: Translation }): ReactNode {
  switch (translation.kind) {
    case 'static':
    case 'mirror':
      return <PairFacts row={translation.row} isMirror={translation.kind === 'mirror'} />
    case 'regular':
      return (
        <>
          <Fact label="it is" value="a regular pod with one UID" />
          <Fact label="full name" value={fullName(translation.row)} isMono />
          <Fact label="events are under" value="the same UID" />
          <Fact
            label="logs"
            value={logFolder(translation.row)}
            copyLabel="Copy the log folder"
            isMono
          />
        </>
      )
    case 'orphan':
      return (
        <>
          <Fact label="it is" value="an orphaned mirror without a static pod" />
          <Fact label="full name" value={fullName(translation.row)} isMono />
          <Fact label="events are under" value="the UID in its config.mirror" />
        </>
      )
    case 'empty':
      return (
        <p>
          A static pod has two UIDs: the kubelet’s, a hash of its manifest, and the API’s, of its
          mirror. Enter either to find the other.
        </p>
      )
    case 'short':
      return <p>The first eight characters find a UID.</p>
    case 'unknown':
      return <p>No pod of this node has this UID, and no mirror.</p>
    case 'ambiguous':
      return <p>{translation.count} UIDs begin so: one character more tells them apart.</p>
    default:
      return assertNever(translation, 'translation')
  }
}

/** Paste a UID of a static pod: says what it is, and the other. */
export function UidTranslator(): ReactNode {
  const [typed, setTyped] = useState('')
  const translation = useTranslation(typed)
  const id = useId()
  return (
    <section className={styles['box']} aria-label="UID translator">
      <div className={styles['entry']}>
        <label htmlFor={id}>Paste a UID</label>
        <div className={styles['field']}>
          <input
            id={id}
            type="text"
            placeholder="full UID, or its first eight characters"
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
              look="quiet"
              icon="close"
              label="Clear the UID"
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
        {'row' in translation ? (
          <dl className={styles['facts']}>
            <Answer translation={translation} />
          </dl>
        ) : (
          <Answer translation={translation} />
        )}
      </div>
    </section>
  )
}
