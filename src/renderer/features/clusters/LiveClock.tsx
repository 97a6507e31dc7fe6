import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { SeenView } from '../../../shared/model/seen-cluster.ts'
import { useWallSeconds } from '../../store/use-wall-seconds.ts'
import { text } from '../../text/text.ts'
import { Icon } from '../../ui/Icon.tsx'
import { clockText, fullTimeText } from '../../words/time.ts'
import styles from './frame.module.css'

const words = text.clusters.live

/** `13:42` */
function minutesText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function State({ cluster, seen }: { readonly cluster: ClusterView; readonly seen: SeenView }) {
  const now = useWallSeconds()
  const { connection } = cluster
  if (seen.changes.kind === 'allowed')
    return (
      <span>
        <Icon name="unlock" />
        {words.endsIn}
        <b className={styles['countdown']}>{minutesText(seen.changes.endsAt - now)}</b>
      </span>
    )
  if (connection.kind === 'away')
    return (
      <span className={styles['stale']} title={connection.message}>
        <Icon name="unlink" />
        {words.staleSince(clockText(connection.since))}
      </span>
    )
  return (
    <span>
      <Icon name="eye" />
      {connection.kind === 'connected' ? words.live : words.connecting}
    </span>
  )
}

/** In place of the sandbox's clock: whether what is shown is current, the time, and how far the server's clock is off. */
export function LiveClock({
  cluster,
  seen,
}: {
  readonly cluster: ClusterView
  readonly seen: SeenView
}): ReactNode {
  const now = useWallSeconds()
  return (
    <section className={styles['live']} aria-label={words.label}>
      <State cluster={cluster} seen={seen} />
      <time className={styles['now']} title={fullTimeText(now)}>
        {clockText(now)}
      </time>
      {seen.skewMs === null ? null : (
        <span className={styles['opt']} title={words.skewTitle}>
          {words.server}
          <span className={styles['skew']}>{words.skew(seen.skewMs)}</span>
        </span>
      )}
    </section>
  )
}
