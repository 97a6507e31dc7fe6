import type { ReactNode } from 'react'
import { useCallback } from 'react'
import { useAppState, useRowsValue, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import styles from './EventsView.module.css'

const words = text.events
/** The rest is counted. */
const shownPods = 50

/** Pods without a node, each with what the scheduler says. */
export function Unscheduled({ cluster }: { readonly cluster: string }): ReactNode {
  const { rows } = useStore()
  const openDrawer = useAppState((state) => state.openDrawer)
  const pendingKeys = useCallback(() => {
    const keys: string[] = []
    for (const { key, node, cluster: of } of rows.values())
      if (node === '' && of === cluster) keys.push(key)
    return keys.toSorted().join(' ')
  }, [rows, cluster])
  const keys = useRowsValue(pendingKeys).split(' ').filter(Boolean)
  if (keys.length === 0) return null
  return (
    <section className={styles['unscheduled']} aria-label={words.unscheduled(keys.length)}>
      <h2>{words.unscheduled(keys.length)}</h2>
      <p className={styles['faint']}>{words.unscheduledMeaning}</p>
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
