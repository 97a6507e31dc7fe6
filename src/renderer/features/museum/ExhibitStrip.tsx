import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { OpenExhibit } from '../../../shared/model/museum.ts'
import { isCutOff } from '../../store/state.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState, useIsThere } from '../../store/store-context.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { RevealButton } from './RevealButton.tsx'
import styles from './ExhibitStrip.module.css'

function Story({ exhibit }: { readonly exhibit: OpenExhibit }): ReactNode {
  const isRevealed = useAppState((state) => state.revealedExhibits.has(exhibit.id))
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
      {isRevealed ? (
        <section aria-label="What really happens">
          <h3>What really happens</h3>
          <p>{exhibit.truth}</p>
          <h3>What comes next</h3>
          <p>{exhibit.next}</p>
        </section>
      ) : null}
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
      {pod === null || !isPodThere ? null : <Button onClick={() => showPod(pod)}>Show pod</Button>}
      <Button
        look="primary"
        icon={cluster.clock.paused ? 'play' : 'pause'}
        isRefused={isLost}
        onClick={() => void command({ kind: cluster.clock.paused ? 'run' : 'pause' })}
      >
        {cluster.clock.paused ? 'Run' : 'Pause'}
      </Button>
      <RevealButton id={exhibit.id} />
      <Button isRefused={isLost} onClick={() => void closeExhibit(cluster.id)}>
        Close gotcha
      </Button>
    </>
  )
}

/** Above every view of an exhibit's cluster: what was done, what to look at and, once revealed, the answer. */
export function ExhibitStrip(): ReactNode {
  const cluster = useAppState(shownCluster)
  const [isOpen, setOpen] = useState(true)
  if (cluster === undefined || cluster.exhibit === null) return null
  const { exhibit } = cluster
  return (
    <section className={styles['strip']} aria-label={`Gotcha: ${exhibit.title}`}>
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
          {isOpen ? 'Hide steps' : 'Show steps'}
        </Button>
      </header>
      {isOpen ? <Story exhibit={exhibit} /> : null}
    </section>
  )
}
