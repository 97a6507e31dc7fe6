import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { OpenExhibit } from '../../../shared/model/museum.ts'
import { isCutOff } from '../../store/state.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState, useIsThere } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import styles from './ExhibitStrip.module.css'

function Story({ exhibit }: { readonly exhibit: OpenExhibit }): ReactNode {
  return (
    <div className={styles['story']}>
      <section aria-label="What happened so far">
        <h3>What happened so far</h3>
        <ol>
          {exhibit.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
      <section aria-label="What to look at">
        <h3>What to look at</h3>
        <p>{exhibit.moment}</p>
      </section>
      <section aria-label="What will come">
        <h3>What will come</h3>
        <p>{exhibit.next}</p>
        <p className={styles['truth']}>{exhibit.truth}</p>
      </section>
    </div>
  )
}

function Acts({
  cluster,
  exhibit,
}: {
  readonly cluster: ClusterView
  readonly exhibit: OpenExhibit
}): ReactNode {
  const isLost = useAppState((state) => isCutOff(state.link))
  const command = useAppState((state) => state.commandClock)
  const closeExhibit = useAppState((state) => state.closeExhibit)
  const showPod = useAppState((state) => state.showPod)
  const isPodThere = useIsThere(exhibit.pod)
  const { pod } = exhibit
  return (
    <>
      {pod === null || !isPodThere ? null : (
        <Button onClick={() => showPod(pod)}>Show its pod</Button>
      )}
      <Button
        look="primary"
        icon={cluster.clock.paused ? 'play' : 'pause'}
        isRefused={isLost}
        onClick={() => void command({ kind: cluster.clock.paused ? 'run' : 'pause' })}
      >
        {cluster.clock.paused ? 'Run on' : 'Pause'}
      </Button>
      <Button isRefused={isLost} onClick={() => void closeExhibit(cluster.id)}>
        Close the exhibit
      </Button>
    </>
  )
}

/** Over every view of a cluster that is an exhibit: what was done, what to see, what comes. */
export function ExhibitStrip(): ReactNode {
  const cluster = useAppState(shownCluster)
  const [isOpen, setOpen] = useState(true)
  if (cluster === undefined || cluster.exhibit === null) return null
  const { exhibit } = cluster
  return (
    <section className={styles['strip']} aria-label={`Exhibit: ${exhibit.title}`}>
      <header className={styles['row']}>
        <span className={styles['sign']}>
          <Icon name="labs" />
        </span>
        <div className={styles['words']}>
          <h2>{exhibit.title}</h2>
          <p>{exhibit.confusion}</p>
        </div>
        <Acts cluster={cluster} exhibit={exhibit} />
        <Button look="quiet" isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show its story'}
        </Button>
      </header>
      {isOpen ? <Story exhibit={exhibit} /> : null}
    </section>
  )
}
