import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState, useRowsValue, useStore } from '../../store/store-context.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import type { AwayFact } from './away-facts.ts'
import { goesOn, waits } from './away-facts.ts'
import styles from './AwayDetails.module.css'
import { LeaseFate } from './LeaseFate.tsx'

function Facts({
  title,
  caption,
  icon,
  facts,
}: {
  readonly title: string
  readonly caption: string
  readonly icon: IconName
  readonly facts: readonly AwayFact[]
}): ReactNode {
  return (
    <section className={styles['panel']} aria-label={title}>
      <header className={styles['head']}>
        <Icon name={icon} />
        <h3>{title}</h3>
        <span className={styles['caption']}>{caption}</span>
      </header>
      <ul className={styles['facts']}>
        {facts.map((fact) => (
          <li key={fact.title}>
            <Icon name={fact.icon} />
            <div>
              <b>{fact.title}</b>
              <span>{fact.text}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What goes on and what waits in the shown cluster, and what it will think of the shown node, while the API server is away. */
export function AwayDetails({
  cluster,
  since,
}: {
  readonly cluster: ClusterView
  /** As `LeaseFate` takes it. */
  readonly since: number | null
}): ReactNode {
  const { rows } = useStore()
  const node = useAppState(shownNode)
  // Drawn anew when a row comes, goes or changes its standing; the text is the cheapest witness.
  const facts = useRowsValue(() => {
    const all = [...rows.values()].filter((row) => row.cluster === cluster.id)
    return JSON.stringify({ goesOn: goesOn(cluster, all), waits: waits(cluster, all) })
  })
  const known: unknown = JSON.parse(facts)
  // The text was made three lines above.
  const read = known as {
    readonly goesOn: readonly AwayFact[]
    readonly waits: readonly AwayFact[]
  }
  return (
    <div className={styles['panels']}>
      <Facts
        title="Continues"
        caption="the kubelet needs no API server for these"
        icon="check"
        facts={read.goesOn}
      />
      <Facts title="Waits" caption="sent when it responds again" icon="pause" facts={read.waits} />
      {node === undefined ? null : <LeaseFate cluster={cluster} node={node} since={since} />}
    </div>
  )
}
