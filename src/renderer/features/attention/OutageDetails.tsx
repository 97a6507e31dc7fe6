import type { ReactNode } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState, useRowsValue, useStore } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { IconName } from '../../ui/Icon.tsx'
import { LeaseTimeline } from './LeaseTimeline.tsx'
import type { OutageFact } from './outage-facts.ts'
import { continuing, waiting } from './outage-facts.ts'
import styles from './OutageDetails.module.css'

function Facts({
  icon,
  words: { title, caption },
  facts,
}: {
  readonly icon: IconName
  readonly words: { readonly title: string; readonly caption: string }
  readonly facts: readonly OutageFact[]
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

/** What continues and what waits in the cluster while its API server does not answer, and what the control plane does with the shown node. */
export function OutageDetails({
  cluster,
  since,
}: {
  readonly cluster: ClusterView
  /** As `LeaseTimeline` takes it. */
  readonly since: number | null
}): ReactNode {
  const { rows } = useStore()
  const node = useAppState(shownNode)
  // As text, so that it is drawn again only when a fact changes.
  const facts = useRowsValue(() => {
    const all = [...rows.values()].filter((row) => row.cluster === cluster.id)
    return JSON.stringify([continuing(cluster, all), waiting(cluster, all)])
  })
  const known: unknown = JSON.parse(facts)
  const [goesOn, waits] = known as readonly [readonly OutageFact[], readonly OutageFact[]]
  return (
    <div className={styles['panels']}>
      <Facts icon="check" words={text.attention.outage.continuing} facts={goesOn} />
      <Facts icon="pause" words={text.attention.outage.waiting} facts={waits} />
      {node === undefined ? null : <LeaseTimeline cluster={cluster} node={node} since={since} />}
    </div>
  )
}
