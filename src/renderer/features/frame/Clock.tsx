import type { ReactNode } from 'react'
import type { ClockView, ClusterView } from '../../../shared/model/cluster-view.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState, useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { fullTimeText } from '../../words/time.ts'
import text from '../../ui/text.module.css'
import styles from './Clock.module.css'
import { LeadHint } from './LeadHint.tsx'
import { achievedText, offeredSpeeds } from './clock-look.ts'
import { useClockFace } from './use-clock-face.ts'

function Digits({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const { seconds, fraction } = useClockFace(cluster)
  return (
    <time className={styles['now']}>
      {seconds}
      <small>{fraction}</small>
      <span className={text['hidden']}>UTC</span>
    </time>
  )
}

const lost = 'The page lost its connection to Nodescope; the clock is unavailable.'

function Buttons({ clock }: { readonly clock: ClockView }): ReactNode {
  const command = useAppState((state) => state.commandClock)
  const isBusy = useAppState((state) => state.isClockBusy)
  const isCut = useAppState((state) => isCutOff(state.link))
  const word = clock.paused ? 'Run' : 'Pause'
  return (
    <>
      <button
        type="button"
        className={classNames(styles['control'], clock.paused && styles['paused'])}
        aria-label={word}
        aria-keyshortcuts="p"
        aria-disabled={isCut}
        title={isCut ? lost : `${word} (P)`}
        onClick={() => {
          if (!isCut) void command({ kind: 'toggle' })
        }}
      >
        <Icon name={clock.paused ? 'play' : 'pause'} />
      </button>
      <button
        type="button"
        className={styles['control']}
        aria-label="Step to the next event"
        aria-keyshortcuts="."
        aria-busy={isBusy}
        aria-disabled={isCut}
        title={isCut ? lost : 'Step to the next event (.); pauses first'}
        onClick={() => {
          if (!isCut) void command({ kind: 'step' })
        }}
      >
        <Icon name="step" />
        <span className={styles['word']}>Step</span>
      </button>
    </>
  )
}

function Speeds({ clock }: { readonly clock: ClockView }): ReactNode {
  const command = useAppState((state) => state.commandClock)
  return (
    <fieldset className={styles['speeds']} aria-label="Speed" title="Slower (-), faster (+)">
      {offeredSpeeds(clock.speed).map((speed) => (
        <label
          key={speed}
          className={classNames(styles['speed'], speed === clock.speed && styles['on'])}
        >
          <input
            type="radio"
            name="clock-speed"
            className={styles['input']}
            checked={speed === clock.speed}
            onChange={() => void command({ kind: 'setSpeed', speed })}
          />
          {speed}×
        </label>
      ))}
    </fieldset>
  )
}

/** What the machine makes of the chosen speed, where it cannot keep up. */
function Achieved({ clock }: { readonly clock: ClockView }): ReactNode {
  const text = achievedText(clock)
  return text === '' ? null : (
    <span
      className={styles['achieved']}
      title={`This machine cannot run the sandbox at ${clock.speed}×: measured over the last second, it reaches ${clock.achieved}×. No event is left out.`}
    >
      ({clock.achieved}×<span className={styles['word']}> achieved</span>)
    </span>
  )
}

/** The cluster's time, and what may be done to it: all on the sandbox's own clock, nothing on the system's. */
export function Clock({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const { clock } = cluster
  const whole = useTicking(cluster.id, fullTimeText, '')
  if (!clock.virtual)
    return (
      <section
        className={styles['clock']}
        aria-label="Clock"
        title={`${whole}\nThis cluster runs on the system clock, which cannot be paused. Only a sandbox has its own clock.`}
      >
        <Digits cluster={cluster} />
        <span className={styles['fact']}>system clock</span>
      </section>
    )
  return (
    <section
      className={styles['place']}
      aria-label="Clock"
      title={`${whole}\nThe sandbox’s own clock, ${clock.paused ? 'paused' : `${clock.speed}×`}`}
    >
      <div className={styles['clock']}>
        <Buttons clock={clock} />
        <Digits cluster={cluster} />
        <Speeds clock={clock} />
      </div>
      <div className={styles['beside']}>
        <LeadHint cluster={cluster} />
        <Achieved clock={clock} />
      </div>
    </section>
  )
}
