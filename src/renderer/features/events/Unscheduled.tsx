import type { ReactNode } from 'react'
import { useCallback } from 'react'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import { useAppState, useRowsValue, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import styles from './EventsView.module.css'

const words = text.events
/** The rest is counted. */
const shownPods = 50

/** The keys of the cluster's pods without a node. */
export function useUnscheduled(cluster: string): readonly PodKey[] {
  const { rows } = useStore()
  const pendingKeys = useCallback(() => {
    const keys: string[] = []
    for (const { key, node, cluster: of } of rows.values())
      if (node === '' && of === cluster) keys.push(key)
    // A key may have blanks: it begins with the name of its cluster.
    return keys.toSorted().join('\n')
  }, [rows, cluster])
  return useRowsValue(pendingKeys).split('\n').filter(Boolean)
}

/** Pods without a node, each with what the scheduler says. */
export function Unscheduled({ keys }: { readonly keys: readonly PodKey[] }): ReactNode {
  const { rows } = useStore()
  const openDrawer = useAppState((state) => state.openDrawer)
  if (keys.length === 0) return null
  return (
    <section className={styles['unscheduled']} aria-label={words.unscheduled(keys.length)}>
      <h2>{words.unscheduled(keys.length)}</h2>
      <p className={styles['faint']}>{words.unscheduledMeaning(keys.length)}</p>
      <ul>
        {keys.slice(0, shownPods).map((key) => {
          const row = rows.get(key)
          if (row === undefined) return null
          return (
            <li key={key}>
              <button
                type="button"
                className={styles['object']}
                data-event="unscheduled"
                onClick={() => openDrawer(key, 'events')}
              >
                {row.namespace}/{row.name}
              </button>
              <span className={styles['message']}>{row.workerReason}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
