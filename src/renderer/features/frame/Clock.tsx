import type { ReactNode } from 'react'
import type { ClockView, ClusterView } from '../../../shared/model/cluster-view.ts'
import { isCutOff } from '../../store/state.ts'
import { useAppState, useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/Icon.tsx'
import { fullTimeText } from '../../words/time.ts'
import textStyles from '../../ui/text.module.css'
import styles from './Clock.module.css'
import { LeadHint } from './LeadHint.tsx'
import { isBehind, offeredSpeeds } from './clock-display.ts'
import { useClockFace } from './use-clock-face.ts'

function Digits({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const { seconds, fraction } = useClockFace(cluster)
  return (
    <time className={styles['now']}>
      {seconds}
      <small>{fraction}</small>
      <span className={textStyles['hidden']}>{words.utc}</span>
    </time>
  )
}

const words = text.frame.clock

function Buttons({ clock }: { readonly clock: ClockView }): ReactNode {
  const command = useAppState((state) => state.commandClock)
  const isBusy = useAppState((state) => state.isClockBusy)
  const isCut = useAppState((state) => isCutOff(state.link))
  const action = clock.paused ? words.run : words.pause
  return (
    <>
      <button
        type="button"
        className={classNames(styles['control'], clock.paused && styles['paused'])}
        aria-label={action}
        aria-keyshortcuts="p"
        aria-disabled={isCut}
        title={isCut ? words.lost : words.toggleTitle(action)}
        onClick={() => {
          if (!isCut) void command({ kind: 'toggle' })
        }}
      >
        <Icon name={clock.paused ? 'play' : 'pause'} />
      </button>
      <button
        type="button"
        className={styles['control']}
        aria-label={words.stepLabel}
        aria-keyshortcuts="."
        aria-busy={isBusy}
        aria-disabled={isCut}
        title={isCut ? words.lost : words.stepTitle}
        onClick={() => {
          if (!isCut) void command({ kind: 'step' })
        }}
      >
        <Icon name="step" />
        <span className={styles['word']}>{words.step}</span>
      </button>
    </>
  )
}

function Speeds({ clock }: { readonly clock: ClockView }): ReactNode {
  const command = useAppState((state) => state.commandClock)
  return (
    <fieldset className={styles['speeds']} aria-label={words.speed} title={words.speedTitle}>
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
          {words.times(speed)}
        </label>
      ))}
    </fieldset>
  )
}

/** The speed that the machine reaches, if that is less than the chosen speed. */
function Achieved({ clock }: { readonly clock: ClockView }): ReactNode {
  const { speed, achieved } = clock
  return achieved === null || !isBehind(clock) ? null : (
    <span className={styles['achieved']} title={words.achievedTitle(speed, achieved)}>
      ({words.times(achieved)}
      <span className={styles['word']}>{words.achieved}</span>)
    </span>
  )
}

/** The cluster's time, with the controls of the sandbox's clock; the system clock has no controls. */
export function Clock({ cluster }: { readonly cluster: ClusterView }): ReactNode {
  const { clock, kind } = cluster
  const time = useTicking(cluster.id, fullTimeText, '')
  if (!clock.virtual)
    return (
      <section
        className={styles['clock']}
        aria-label={words.label}
        title={kind === 'log' ? words.logTitle(time) : words.systemTitle(time)}
      >
        <Digits cluster={cluster} />
        <span className={styles['fact']}>{kind === 'log' ? words.log : words.system}</span>
      </section>
    )
  return (
    <section
      className={styles['place']}
      aria-label={words.label}
      title={words.sandboxTitle(time, clock.paused, clock.speed)}
    >
      <div className={styles['clock']}>
        <Buttons clock={clock} />
        <Digits cluster={cluster} />
        <Speeds clock={clock} />
      </div>
      <div className={styles['notes']}>
        <LeadHint cluster={cluster} />
        <Achieved clock={clock} />
      </div>
    </section>
  )
}
