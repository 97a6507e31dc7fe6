import type { ReactNode } from 'react'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { nodeOfKey } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { Button } from '../../../ui/Button.tsx'
import { Uids } from './Uids.tsx'
import styles from './MirrorPair.module.css'

/** A static pod and its mirror: either UID, how they stand and why, and the way to the view of all pairs. */
export function MirrorPair({ row }: { readonly row: PodRow }): ReactNode {
  const showMirror = useAppState((state) => state.showMirror)
  return (
    <section className={styles['section']} aria-label="Static pod and mirror">
      <div className={styles['head']}>
        <h3>Static pod and mirror</h3>
        <Button
          look="quiet"
          icon="mirror"
          isSmall
          onClick={() => showMirror(row.uid, nodeOfKey(row.key))}
        >
          Show in Mirrors
        </Button>
      </div>
      <Uids row={row} />
      {row.mirrorReason === '' ? null : <p className={styles['reason']}>{row.mirrorReason}</p>}
    </section>
  )
}
