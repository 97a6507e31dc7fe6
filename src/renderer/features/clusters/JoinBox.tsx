import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { SeenView } from '../../../shared/model/seen-cluster.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { CommandLine } from '../../ui/CommandLine.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Note } from '../../ui/Note.tsx'
import allow from './allow.module.css'
import styles from './NodesView.module.css'

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

/** Joining is done by a second program; its line appears once the name is typed. */
function JoinDialog({ cluster, seen, onClose }: Props & { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const field = useId()
  const line = `npm start -- --kubeconfig FILE --context ${seen.context} --node scope-node-1`
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
        <div className={allow['type']}>
          <label htmlFor={field}>{words.type}</label>
          <input
            id={field}
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        {typed === cluster.label ? (
          <div>
            <p className={allow['rule']}>{words.line}</p>
            <CommandLine line={line} label={words.copy} isWrapped />
          </div>
        ) : null}
      </div>
      <div className={allow['foot']}>
        <span data-autofocus>
          <Button onClick={onClose}>{text.common.cancel}</Button>
        </span>
      </div>
    </Dialog>
  )
}

/** A different thing than looking: refused while the cluster is read-only. */
export function JoinBox({ cluster, seen }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
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
