import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { OpenGotcha } from '../../../shared/model/gotcha.ts'
import { isCutOff } from '../../store/state.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState, useIsThere } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { RevealButton } from './RevealButton.tsx'
import styles from './GotchaStrip.module.css'

const { strip } = text.gotchas

function Steps({ gotcha }: { readonly gotcha: OpenGotcha }): ReactNode {
  const isRevealed = useAppState((state) => state.revealedGotchas.has(gotcha.id))
  return (
    <div className={styles['steps']}>
      <section aria-label={strip.steps}>
        <h3>{strip.steps}</h3>
        <ol>
          {gotcha.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
      <section aria-label={strip.lookAt}>
        <h3>{strip.lookAt}</h3>
        <p>{gotcha.lookAt}</p>
      </section>
      {isRevealed ? (
        <section aria-label={strip.truth}>
          <h3>{strip.truth}</h3>
          <p>{gotcha.truth}</p>
          <h3>{strip.next}</h3>
          <p>{gotcha.next}</p>
        </section>
      ) : null}
    </div>
  )
}

function Acts({ cluster, gotcha }: { readonly cluster: ClusterView; readonly gotcha: OpenGotcha }) {
  const isLost = useAppState((state) => isCutOff(state.link))
  const command = useAppState((state) => state.commandClock)
  const closeGotcha = useAppState((state) => state.closeGotcha)
  const showPod = useAppState((state) => state.showPod)
  const isPodThere = useIsThere(gotcha.pod)
  const { pod } = gotcha
  const next = cluster.clock.paused ? 'run' : 'pause'
  return (
    <>
      {pod === null || !isPodThere ? null : (
        <Button onClick={() => showPod(pod)}>{strip.showPod}</Button>
      )}
      <Button
        variant="primary"
        icon={next === 'run' ? 'play' : 'pause'}
        isRefused={isLost}
        onClick={() => void command({ kind: next })}
      >
        {strip[next]}
      </Button>
      <RevealButton id={gotcha.id} />
      <Button isRefused={isLost} onClick={() => void closeGotcha(cluster.id)}>
        {strip.close}
      </Button>
    </>
  )
}

/** Above every view of a gotcha's cluster: what the script did, what to look at and, once revealed, the answer. */
export function GotchaStrip(): ReactNode {
  const cluster = useAppState(shownCluster)
  const [isOpen, setOpen] = useState(true)
  if (cluster === undefined || cluster.gotcha === null) return null
  const { gotcha } = cluster
  return (
    <section className={styles['strip']} aria-label={strip.label(gotcha.title)}>
      <header className={styles['row']}>
        <span className={styles['sign']}>
          <Icon name="labs" />
        </span>
        <div className={styles['words']}>
          <h2>{gotcha.title}</h2>
          <p>{gotcha.confusion}</p>
        </div>
        <Acts cluster={cluster} gotcha={gotcha} />
        <Button variant="quiet" isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? strip.hideSteps : strip.showSteps}
        </Button>
      </header>
      {isOpen ? <Steps gotcha={gotcha} /> : null}
    </section>
  )
}
