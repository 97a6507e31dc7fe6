import type { ReactNode } from 'react'
import { useEffect, useId } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { SeenView } from '../../../shared/model/seen-cluster.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './allow.module.css'
import { clusterStyle } from './cluster-color.ts'

const words = text.clusters.allow
const icons: readonly IconName[] = ['trash', 'evict', 'node', 'term']

/** What changes make possible, and what they do not: the acts that no kubelet offers, and the missing rights. */
function Possible({ cluster }: { readonly cluster: string }): ReactNode {
  const rights = useAppState((state) => (state.rights?.cluster === cluster ? state.rights : null))
  const missing = (rights?.view?.change ?? []).filter(({ allowed }) => allowed === 'no')
  return (
    <div className={styles['columns']}>
      <div>
        <h3>{words.possibleTitle}</h3>
        <ul>
          {words.possible.map((title, index) => (
            <li key={title}>
              <Icon name={icons[index] ?? 'check'} />
              <span>{title}</span>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3>{words.not}</h3>
        <ul>
          {[
            ...missing.map(({ title, missingVerbs, resources }) =>
              words.missing(title, `${missingVerbs.join(', ')} ${resources.join(', ')}`),
            ),
            ...words.impossible,
          ].map((line) => (
            <li key={line}>
              <Icon name="minus" />
              <span>{line}</span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** Before changes to a cluster are allowed. The focus is on the button that changes nothing. */
export function AllowDialog({
  cluster,
  seen,
}: {
  readonly cluster: ClusterView
  readonly seen: SeenView
}): ReactNode {
  const setOpen = useAppState((state) => state.setAllowOpen)
  const allow = useAppState((state) => state.allowChanges)
  const askRights = useAppState((state) => state.askRights)
  const isAllowing = useAppState((state) => state.isAllowing)
  const problem = useAppState((state) => state.allowProblem)
  const isLost = useAppState((state) => isCutOff(state.link))
  const reason = useId()
  useEffect(() => void askRights(cluster.id), [askRights, cluster.id])
  const isFixed = seen.changes.kind === 'readOnly' && seen.changes.isFixed
  const refusal = isFixed ? words.fixed : isLost ? text.acts.lost : ''
  const close = (): void => setOpen(false)
  return (
    <Dialog title={words.switch(cluster.label)} onClose={close}>
      <div className={styles['head']}>
        <span className={styles['sign']}>
          <Icon name="unlock" />
        </span>
        <h2>{words.switch(cluster.label)}</h2>
      </div>
      <div className={styles['body']} style={clusterStyle(seen.color)}>
        <div className={styles['who']}>
          <span className={styles['swatch']} />
          <b>{cluster.label}</b>
          <code>{cluster.server}</code>
          <span>{words.as(seen.user)}</span>
        </div>
        <Possible cluster={cluster.id} />
        <p className={styles['rule']}>{words.rule}</p>
        {refusal === '' && problem === '' ? null : (
          <Note variant="error" icon="shield" id={reason} isAlert>
            <p>{refusal || problem}</p>
          </Note>
        )}
      </div>
      <div className={styles['foot']}>
        <span data-autofocus>
          <Button onClick={close}>{words.stay}</Button>
        </span>
        <Button
          variant="primary"
          isRefused={refusal !== '' || isAllowing}
          refusedBecause={refusal === '' ? undefined : reason}
          onClick={() => void allow(cluster.id)}
        >
          {words.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
