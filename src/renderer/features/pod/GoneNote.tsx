import type { ReactNode } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './GoneNote.module.css'

/** The pod has left; if another has its name by now, the way there. */
export function GoneNote({ row }: { readonly row: PodRow }): ReactNode {
  const { rows } = useStore()
  const showPod = useAppState((state) => state.showPod)
  const next = [...rows.values()].find(
    (other) =>
      other.name === row.name && other.namespace === row.namespace && other.cluster === row.cluster,
  )
  return (
    <div className={styles['place']}>
      <Note look="plain" icon="info">
        <p>This pod is gone: the kubelet no longer has it. The last known state is shown.</p>
        {next === undefined ? null : (
          <div className={styles['next']}>
            <Button onClick={() => showPod(next.key)}>Show the current pod of this name</Button>
          </div>
        )}
      </Note>
    </div>
  )
}
