import type { ReactNode } from 'react'
import type { MirrorState, PodRow, WorkerStateWord } from '../../../../shared/model/pod-row.ts'
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
      <CopyButton value={uid} label={`Copy the ${what}`} />
    </div>
  )
}

const linkWords: Readonly<Record<MirrorState, string>> = {
  matched: 'its config.mirror is the static pod’s config.hash',
  missing: 'no mirror in the API; the next sync creates one',
  stale: 'its config.mirror belongs to another version',
  deleting: 'it has a deletionTimestamp; the kubelet recreates it',
}

/** Only SyncPod makes mirrors (kubelet pkg/kubelet/kubelet.go: tryReconcileMirrorPods). */
const lastLinkWords: Readonly<Record<MirrorState, string>> = {
  ...linkWords,
  missing: 'no mirror in the API; only SyncPod would create one',
  deleting: 'it has a deletionTimestamp; only SyncPod would recreate it',
}

function Link({
  state,
  worker,
}: {
  readonly state: MirrorState
  readonly worker: WorkerStateWord
}): ReactNode {
  const words = worker === 'SyncPod' || worker === 'waiting' ? linkWords : lastLinkWords
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

function Missing(): ReactNode {
  return (
    <div className={styles['line']}>
      <Glyph name="mirror" className={styles['absent']} />
      <span className={styles['what']}>mirror UID</span>
      <span className={styles['none']}>none</span>
    </div>
  )
}

/** The UIDs of a pod; a static pod and its mirror as the pair that they are, translated both ways. */
export function Uids({ row }: { readonly row: PodRow }): ReactNode {
  if (row.kind === 'regular') return <Line what="UID" uid={row.uid} />
  if (row.kind === 'mirror')
    return <Line what="mirror UID" uid={row.mirrorUid ?? row.uid} kind="mirror" />
  return (
    <div className={styles['pair']}>
      <Line what="static UID" uid={row.uid} kind="static" />
      {row.mirror === null ? null : <Link state={row.mirror} worker={row.worker} />}
      {row.mirrorUid === null ? (
        <Missing />
      ) : (
        <Line what="mirror UID" uid={row.mirrorUid} kind="mirror" />
      )}
    </div>
  )
}
