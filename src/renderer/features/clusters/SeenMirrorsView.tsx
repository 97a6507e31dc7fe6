import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { shownSeen } from '../../store/shown-node.ts'
import { useAppState, useRow, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StatusWord } from '../../ui/signs/StatusWord.tsx'
import { Uid } from '../../ui/signs/Uid.tsx'
import { useAge } from '../../ui/use-times.ts'
import { notRead } from '../../words/not-read.ts'
import styles from './NodesView.module.css'

const words = text.clusters.mirrors

function Row({ podKey }: { readonly podKey: PodKey }): ReactNode {
  const row = useRow(podKey)
  const showPod = useAppState((state) => state.showPod)
  const age = useAge(row?.cluster ?? '', row?.createdAt ?? null)
  if (row === undefined) return null
  return (
    <tr>
      <th scope="row">
        <button type="button" className={styles['name']} onClick={() => showPod(podKey)}>
          {row.name}
        </button>
        <span className={styles['role']}>{row.namespace}</span>
      </th>
      <td>{row.node}</td>
      <td>
        <StatusWord word={row.status} tone={row.tone} />
      </td>
      <td>
        <Uid uid={row.uid} what={text.common.uids.mirror} />
      </td>
      <td className={styles['number']}>{age}</td>
    </tr>
  )
}

/** The mirrors of a cluster that is only looked at; only the kubelets know the static pods. */
export function SeenMirrorsView(): ReactNode {
  const { pairs: order } = useStore()
  const seen = useAppState(shownSeen)
  const { title, meaning } = (seen === undefined ? undefined : notRead(seen, 'pods')) ?? words
  const pairs = useSyncExternalStore(order.subscribe, order.pairs)
  return (
    <div className={styles['view']}>
      <div className={styles['head']}>
        <h1>{text.mirrors.title}</h1>
        <p>{words.summary(pairs.length)}</p>
      </div>
      <div className={styles['body']}>
        {pairs.length === 0 ? (
          <div className={styles['notes']}>
            <EmptyState title={title}>{meaning}</EmptyState>
          </div>
        ) : (
          <div className={styles['scroller']}>
            <table className={styles['table']}>
              <thead>
                <tr>
                  {words.heads.map((head) => (
                    <th key={head}>{head}</th>
                  ))}
                  <th className={styles['number']}>{words.age}</th>
                </tr>
              </thead>
              <tbody>
                {pairs.map(({ id, key }) => (
                  <Row key={id} podKey={key} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </div>
  )
}
