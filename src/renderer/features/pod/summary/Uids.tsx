import type { ReactNode } from 'react'
import type { MirrorState, PodRow, WorkerStateWord } from '../../../../shared/model/pod-row.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Glyph } from '../../../ui/signs/Glyph.tsx'
import styles from './Uids.module.css'

function Line({
  what,
  uid,
  kind,
}: {
  readonly what: string
  readonly uid: string
  readonly kind?: 'static' | 'mirror'
}): ReactNode {
  return (
    <div className={styles['line']}>
      {kind === undefined ? null : <Glyph name={kind} className={styles[kind]} />}
      <span className={styles['what']}>{what}</span>
      <code className={styles['value']}>{uid}</code>
      <CopyButton value={uid} label={text.common.copyThe(what)} />
    </div>
  )
}

const { link, linkWithoutSync } = text.pod.pair
const uids = text.common.uids

function Link({
  state,
  worker,
}: {
  readonly state: MirrorState
  readonly worker: WorkerStateWord
}): ReactNode {
  const isSyncing = worker === 'SyncPod' || worker === 'waiting'
  const words = isSyncing ? link : { ...link, ...linkWithoutSync }
  return (
    <div className={classNames(styles['link'], styles[state])}>
      <span className={styles['wire']} aria-hidden="true" />
      <span className={styles['sign']}>
        <Glyph name={state} />
      </span>
      <span className={styles['state']}>{state}</span>
      <span className={styles['meaning']}>{words[state]}</span>
    </div>
  )
}

/** The UID of a pod, or both UIDs of a static pod and its mirror. */
export function Uids({ row }: { readonly row: PodRow }): ReactNode {
  if (row.kind === 'regular') return <Line what={uids.api} uid={row.uid} />
  if (row.kind === 'mirror')
    return <Line what={uids.mirror} uid={row.mirrorUid ?? row.uid} kind="mirror" />
  return (
    <div className={styles['pair']}>
      <Line what={uids.static} uid={row.uid} kind="static" />
      {row.mirror === null ? null : <Link state={row.mirror} worker={row.worker} />}
      {row.mirrorUid === null ? (
        <div className={styles['line']}>
          <Glyph name="mirror" className={styles['absent']} />
          <span className={styles['what']}>{uids.mirror}</span>
          <span className={styles['none']}>{text.common.none}</span>
        </div>
      ) : (
        <Line what={uids.mirror} uid={row.mirrorUid} kind="mirror" />
      )}
    </div>
  )
}
