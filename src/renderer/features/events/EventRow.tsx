import type { ReactNode } from 'react'
import { useCallback } from 'react'
import type { ClusterEventView } from '../../../shared/model/timeline/cluster-events.ts'
import { useAppState, useRowsValue, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { useAge } from '../../ui/use-times.ts'
import { clockText, fullTimeText } from '../../words/time.ts'
import styles from './EventsView.module.css'

const words = text.events

/** The key of the pod's row: of a static pod's mirror, the row has another UID; empty: the pod is gone, or it is no pod. */
function usePodKey(cluster: string, { kind, namespace, name, about }: ClusterEventView): string {
  const { rows } = useStore()
  const find = useCallback(() => {
    if (kind !== 'Pod') return ''
    let sameName = ''
    for (const row of rows.values()) {
      if (row.cluster !== cluster || row.name !== name || row.namespace !== namespace) continue
      if (row.uid === about || row.mirrorUid === about) return row.key
      if (row.kind === 'mirror') sameName = row.key
    }
    return sameName
  }, [rows, cluster, kind, namespace, name, about])
  return useRowsValue(find)
}

/** One event; its object is a button where it is a pod that the page has. */
export function EventRow({
  cluster,
  event,
}: {
  readonly cluster: string
  readonly event: ClusterEventView
}): ReactNode {
  const age = useAge(cluster, event.lastAt)
  const key = usePodKey(cluster, event)
  const openDrawer = useAppState((state) => state.openDrawer)
  const isWarning = event.type === 'Warning'
  const object = `${event.kind}/${event.name}`
  return (
    <tr>
      <td className={styles['mono']}>
        <time title={fullTimeText(event.lastAt)}>{age}</time>
      </td>
      <td className={classNames(isWarning && styles['warning'])}>
        {isWarning ? <Icon name="warn" /> : null}
        {event.type}
      </td>
      <td className={styles['mono']}>{event.reason}</td>
      <td>
        {key === '' ? (
          <span className={classNames(styles['name'], styles['mono'])}>{object}</span>
        ) : (
          <button
            type="button"
            className={classNames(styles['name'], styles['object'])}
            data-event="pod"
            onClick={() => openDrawer(key, 'events')}
          >
            {object}
          </button>
        )}
        {event.namespace === '' ? null : (
          <small className={styles['faint']}> {event.namespace}</small>
        )}
      </td>
      <td className={styles['message']}>
        {event.message}{' '}
        <small className={styles['faint']}>
          {[event.source, event.node].filter(Boolean).join(', ')}
          {event.count > 1 ? ` ${words.count(event.count, clockText(event.firstAt))}` : ''}
        </small>
      </td>
    </tr>
  )
}
