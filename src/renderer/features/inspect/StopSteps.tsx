import type { ReactNode } from 'react'
import type { StopView } from '../../../shared/model/inspect/stop-stage.ts'
import { stopSteps } from '../../../shared/model/inspect/stop-stage.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { clockText, lastingText } from '../../words/time.ts'
import styles from './InspectView.module.css'

const words = text.inspect.stop

/** Where the stop of a pod is, in five steps, and what holds it. `now` in ms. */
export function StopSteps({
  stop,
  now,
}: {
  readonly stop: StopView
  readonly now: number
}): ReactNode {
  const { step, since, overMs, blocker, killAt, preStop } = stop
  const at = step === null ? -1 : stopSteps.indexOf(step)
  return (
    <section aria-label={words.title}>
      <h2>{words.title}</h2>
      <ol className={styles['steps']}>
        {stopSteps.map((each, index) => (
          <li
            key={each}
            aria-current={each === step ? 'step' : undefined}
            className={classNames(
              index < at && styles['done'],
              each === step && styles['present'],
              each === step && overMs > 0 && styles['over'],
            )}
          >
            <span>{words.steps[each]}</span>
            {each === step && since !== null ? (
              <small>{words.since(lastingText(now - since))}</small>
            ) : null}
          </li>
        ))}
      </ol>
      <p>
        {[
          step === null ? words.unknown : '',
          blocker === null ? '' : words.blockers[blocker],
          overMs > 0 ? words.over(lastingText(overMs)) : '',
          step === 'preStop' && preStop.length > 0 ? words.preStop(preStop.join(', ')) : '',
          killAt === null ? '' : words.killAt(clockText(killAt), killAt <= now),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </section>
  )
}
