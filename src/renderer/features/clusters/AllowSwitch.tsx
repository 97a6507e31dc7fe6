import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { SeenView } from '../../../shared/model/seen-cluster.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import styles from './allow.module.css'

const words = text.clusters.allow

/** The only switch between read-only and changes; it opens a dialog, and ends changes at once. */
export function AllowSwitch({
  cluster,
  seen,
}: {
  readonly cluster: ClusterView
  readonly seen: SeenView
}): ReactNode {
  const setOpen = useAppState((state) => state.setAllowOpen)
  const end = useAppState((state) => state.endChanges)
  const isOn = seen.changes.kind === 'allowed'
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-keyshortcuts="Shift+A"
      className={classNames(styles['switch'], isOn && styles['on'])}
      onClick={() => {
        if (isOn) void end(cluster.id)
        else setOpen(true)
      }}
    >
      <span className={styles['track']} aria-hidden="true" />
      {words.switch(cluster.label)}
    </button>
  )
}
