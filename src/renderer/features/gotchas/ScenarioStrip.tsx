import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { OpenScenario } from '../../../shared/model/scenarios/scenario.ts'
import { isCutOff } from '../../store/state.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState, useIsThere } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { RevealButton } from './RevealButton.tsx'
import styles from './ScenarioStrip.module.css'

const { strip } = text.gotchas

/** What comes next is part of a gotcha's answer, which the user reveals. */
function useIsRevealed({ isGotcha, name }: OpenScenario): boolean {
  return useAppState((state) => state.revealedGotchas.has(name)) || !isGotcha
}

function Part({ title, words }: { readonly title: string; readonly words: string }): ReactNode {
  return words === '' ? null : (
    <section aria-label={title}>
      <h3>{title}</h3>
      <p>{words}</p>
    </section>
  )
}

function Steps({ scenario }: { readonly scenario: OpenScenario }): ReactNode {
  const isRevealed = useIsRevealed(scenario)
  const { steps, lookAt, truth, next } = scenario
  return (
    <div className={styles['steps']}>
      {steps.length === 0 ? null : (
        <section aria-label={strip.steps}>
          <h3>{strip.steps}</h3>
          <ol>
            {steps.map((step, index) => (
              // Two steps can have the same words; they never move.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>{step}</li>
            ))}
          </ol>
        </section>
      )}
      <Part title={strip.lookAt} words={lookAt} />
      {isRevealed ? <Part title={strip.truth} words={truth} /> : null}
      {isRevealed ? <Part title={strip.next} words={next} /> : null}
    </div>
  )
}

function Acts({
  cluster,
  scenario,
}: {
  readonly cluster: ClusterView
  readonly scenario: OpenScenario
}): ReactNode {
  const isLost = useAppState((state) => isCutOff(state.link))
  const command = useAppState((state) => state.commandClock)
  const close = useAppState((state) => state.closeScenario)
  const showPod = useAppState((state) => state.showPod)
  const { pod, isGotcha, name } = scenario
  const isPodThere = useIsThere(pod)
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
      {isGotcha ? <RevealButton id={name} /> : null}
      {/* The program's own cluster ends with the program. */}
      {cluster.id === 'sandbox' ? null : (
        <Button isRefused={isLost} onClick={() => void close(cluster.id)}>
          {isGotcha ? strip.close : text.scenarios.close}
        </Button>
      )}
    </>
  )
}

/** Above every view of a scenario's cluster: what its steps did, what to look at and, of a gotcha once revealed, the answer. */
export function ScenarioStrip(): ReactNode {
  const cluster = useAppState(shownCluster)
  const [isOpen, setOpen] = useState(true)
  if (cluster === undefined || cluster.scenario === null) return null
  const { scenario } = cluster
  const { title, sentence, isGotcha } = scenario
  const label = isGotcha ? strip.label(title) : text.scenarios.stripLabel(title)
  return (
    <section className={styles['strip']} aria-label={label}>
      <header className={styles['row']}>
        <span className={styles['sign']}>
          <Icon name="labs" />
        </span>
        <div className={styles['words']}>
          <h2>{title}</h2>
          <p>{sentence}</p>
        </div>
        <Acts cluster={cluster} scenario={scenario} />
        <Button variant="quiet" isExpanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? strip.hideSteps : strip.showSteps}
        </Button>
      </header>
      {isOpen ? <Steps scenario={scenario} /> : null}
    </section>
  )
}
