import type { ReactNode } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { EvictionView, PressureView } from '../../../shared/model/pressure/pressure-view.ts'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState, useIsThere, useRow } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { SectionTag } from '../../ui/signs/SectionTag.tsx'
import { StatusWord } from '../../ui/signs/StatusWord.tsx'
import { clockText } from '../../words/time.ts'
import styles from './Evictions.module.css'
import panel from './panel.module.css'
import { podKeyOn } from './use-pressure.ts'

const words = text.pressure.evicted

/** kubectl's STATUS, and the reason of the status where kubectl shows a container's. */
function End({ row: { status, statusAside, tone } }: { readonly row: PodRow }): ReactNode {
  return (
    <>
      <StatusWord word={status} tone={tone} />
      {statusAside === null ? null : <span> {statusAside.word}</span>}
    </>
  )
}

function Eviction({ node, of }: { readonly node: NodeRef; readonly of: EvictionView }): ReactNode {
  const key = podKeyOn(node, of.uid)
  const row = useRow(key)
  const isThere = useIsThere(key)
  const showPod = useAppState((state) => state.showPod)
  return (
    <li>
      <p>
        <button type="button" className={styles['name']} onClick={() => showPod(key)}>
          {of.name}
        </button>{' '}
        <span>{of.namespace}</span> {row === undefined || !isThere ? null : <End row={row} />}
      </p>
      <p>{words.line(clockText(of.at), of.signal, of.gracePeriodSeconds)}</p>
      <code>{of.message}</code>
      {isThere ? null : <p>{words.gone}</p>}
      {isThere && row?.status === 'Completed' ? <p>{words.succeeded}</p> : null}
    </li>
  )
}

/** The pods that this kubelet has evicted, the newest first. */
export function Evictions({
  node,
  evictions,
}: Pick<PressureView, 'evictions'> & { readonly node: NodeRef }): ReactNode {
  return (
    <section className={classNames(panel['panel'], styles['evicted'])} aria-label={words.title}>
      <header>
        <h2>{words.title}</h2>
        <span>{evictions.length === 0 ? '' : words.count(evictions.length)}</span>
        <SectionTag section="eviction#evicting-one-pod" />
      </header>
      {evictions.length === 0 ? (
        <p className={panel['none']}>{words.none}</p>
      ) : (
        <ul className={styles['list']}>
          {evictions.map((one) => (
            <Eviction key={`${one.uid} ${one.at}`} node={node} of={one} />
          ))}
        </ul>
      )}
    </section>
  )
}
