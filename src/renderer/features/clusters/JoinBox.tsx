import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { SeenView } from '../../../shared/model/seen-cluster.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Note } from '../../ui/Note.tsx'
import allow from './allow.module.css'
import styles from './NodesView.module.css'
import { useJoin } from './use-join.ts'

const words = text.clusters.nodes.join

interface Props {
  readonly cluster: ClusterView
  readonly seen: SeenView
}

function List({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <Icon name="right" />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Why the node cannot join, the field's place for it, and how to allow a server elsewhere. */
function Refusal({
  id,
  message,
  isAllowed,
  onAllow,
}: {
  readonly id: string
  readonly message: string
  /** Null: allowing does not help. */
  readonly isAllowed: boolean | null
  readonly onAllow: (isAllowed: boolean) => void
}): ReactNode {
  return (
    <>
      {message === '' ? null : (
        <Note variant="error" icon="shield" id={id} isAlert>
          <p>{message}</p>
        </Note>
      )}
      {isAllowed === null ? null : (
        <label className={allow['check']}>
          <input
            type="checkbox"
            checked={isAllowed}
            onChange={({ target }) => onAllow(target.checked)}
          />
          {words.allowSimulated}
        </label>
      )}
    </>
  )
}

/** Before the node joins: what it writes, and what the API server says about this name. */
function JoinDialog({ cluster, seen, onClose }: Props & { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [isAllowed, setAllowed] = useState(false)
  const [isAllowShown, setAllowShown] = useState(false)
  const { state, check, join } = useJoin(cluster.id)
  const field = useId()
  const why = useId()
  const node = typed.trim()
  const plan = state.plan?.node === node && state.plan.isAllowed === isAllowed ? state.plan : null
  const readOnly = seen.changes.kind === 'readOnly' ? words.needs : ''
  const refusal = state.problem || (plan?.view.refusal ?? '')
  const canJoin = plan !== null && refusal === '' && readOnly === '' && !state.isBusy
  const ask = (isAllowedNow = isAllowed): void => {
    if (node === '' || state.isBusy || readOnly !== '') return
    void check({ node, isAllowed: isAllowedNow }).then((needs) => {
      if (needs) setAllowShown(true)
    })
  }
  return (
    <Dialog title={words.dialog(cluster.label)} onClose={onClose}>
      <div className={allow['head']}>
        <span className={allow['sign']}>
          <Icon name="node" />
        </span>
        <h2>{words.dialog(cluster.label)}</h2>
      </div>
      <div className={allow['body']}>
        <Note variant="warn" icon="warn">
          <p>
            <b>{words.warning}</b> {words.warningMore}
          </p>
        </Note>
        <div className={allow['columns']}>
          <List title={words.writes} lines={words.written} />
          <List title={words.keepsAway} lines={words.protections} />
        </div>
        <p className={allow['rule']}>{words.stays}</p>
        <form
          className={allow['type']}
          onSubmit={(event) => {
            event.preventDefault()
            ask()
          }}
        >
          <label htmlFor={field}>{words.type}</label>
          <input
            id={field}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button isRefused={node === '' || state.isBusy || readOnly !== ''} onClick={ask}>
            {words.check}
          </Button>
        </form>
        <div aria-live="polite">
          {state.isBusy ? <p className={allow['rule']}>{words.checking}</p> : null}
          {plan === null ? null : (
            <List
              title={words.found}
              lines={[...plan.view.lines, words.manifests(plan.view.manifestsPath)]}
            />
          )}
        </div>
        <Refusal
          id={why}
          message={readOnly || refusal}
          isAllowed={isAllowShown ? isAllowed : null}
          onAllow={(isAllowedNow) => {
            setAllowed(isAllowedNow)
            ask(isAllowedNow)
          }}
        />
      </div>
      <div className={allow['foot']}>
        <span data-autofocus>
          <Button onClick={onClose}>{text.common.cancel}</Button>
        </span>
        <Button
          variant="dangerFill"
          isRefused={!canJoin}
          refusedBecause={(readOnly || refusal) === '' ? undefined : why}
          onClick={() =>
            void join({ node, isAllowed }).then((hasJoined) => {
              if (hasJoined) onClose()
            })
          }
        >
          {words.confirm(node === '' ? '…' : node, cluster.label)}
        </Button>
      </div>
    </Dialog>
  )
}

/** A different thing than looking: refused while the cluster is read-only. */
export function JoinBox({ cluster, seen }: Props): ReactNode {
  const isOpen = useAppState((state) => state.isJoinOpen)
  const setOpen = useAppState((state) => state.setJoinOpen)
  const needs = useId()
  const isReadOnly = seen.changes.kind === 'readOnly'
  return (
    <section className={styles['join']} aria-label={words.title}>
      <Icon name="node" />
      <div className={styles['grow']}>
        <b>{words.title}</b>
        <p>{words.meaning(cluster.label)}</p>
      </div>
      <Button
        isRefused={isReadOnly}
        refusedBecause={isReadOnly ? needs : undefined}
        onClick={() => setOpen(true)}
      >
        {words.open}
      </Button>
      {isReadOnly ? (
        <span id={needs} className={styles['needs']}>
          {words.needs}
        </span>
      ) : null}
      {isOpen ? <JoinDialog cluster={cluster} seen={seen} onClose={() => setOpen(false)} /> : null}
    </section>
  )
}
