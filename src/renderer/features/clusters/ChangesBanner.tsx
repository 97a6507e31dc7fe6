import type { ReactNode } from 'react'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { clockText } from '../../words/time.ts'
import styles from './frame.module.css'

const words = text.clusters.allow

/** Above every view while the shown cluster can be changed. */
export function ChangesBanner(): ReactNode {
  const cluster = useAppState(shownCluster)
  const end = useAppState((state) => state.endChanges)
  const changes = cluster?.seen?.changes
  if (cluster === undefined || changes?.kind !== 'allowed') return null
  return (
    <section className={styles['banner']} aria-label={words.banner(cluster.label)}>
      <Icon name="unlock" />
      <p>
        <b>{words.banner(cluster.label)}</b> {words.bannerMore(clockText(changes.endsAt))}
      </p>
      <Button onClick={() => void end(cluster.id)}>{words.end}</Button>
    </section>
  )
}
