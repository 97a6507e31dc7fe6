import type { ReactNode } from 'react'
import type { PodRow } from '../../../shared/model/pod-row.ts'
import { useAppState, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import styles from './GoneNote.module.css'

/** Says that the pod is gone, and offers the current pod of its name. */
export function GoneNote({ row }: { readonly row: PodRow }): ReactNode {
  const { rows } = useStore()
  const showPod = useAppState((state) => state.showPod)
  const current = [...rows.values()].find(
    (other) =>
      other.name === row.name && other.namespace === row.namespace && other.cluster === row.cluster,
  )
  return (
    <div className={styles['place']}>
      <Note variant="plain" icon="info">
        <p>{text.pod.gone}</p>
        {current === undefined ? null : (
          <div className={styles['next']}>
            <Button onClick={() => showPod(current.key)}>{text.pod.showCurrent}</Button>
          </div>
        )}
      </Note>
    </div>
  )
}
