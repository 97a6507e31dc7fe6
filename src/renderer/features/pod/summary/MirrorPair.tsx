import type { ReactNode } from 'react'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { nodeOfKey } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { Uids } from './Uids.tsx'
import styles from './MirrorPair.module.css'

/** A static pod and its mirror: both UIDs, the state of the pair and its reason, and a link to all pairs. */
export function MirrorPair({ row }: { readonly row: PodRow }): ReactNode {
  const showMirror = useAppState((state) => state.showMirror)
  return (
    <section className={styles['section']} aria-label={text.pod.pair.title}>
      <div className={styles['head']}>
        <h3>{text.pod.pair.title}</h3>
        <Button
          variant="quiet"
          icon="mirror"
          isSmall
          onClick={() => showMirror(row.uid, nodeOfKey(row.key))}
        >
          {text.pod.pair.show}
        </Button>
      </div>
      <Uids row={row} />
      {row.mirrorReason === '' ? null : <p className={styles['reason']}>{row.mirrorReason}</p>}
    </section>
  )
}
