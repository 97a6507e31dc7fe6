import type { ReactNode } from 'react'
import { nextSteps } from '../../../shared/model/pressure/next-steps.ts'
import type { NextStep } from '../../../shared/model/pressure/next-steps.ts'
import type { PressureView } from '../../../shared/model/pressure/pressure-view.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { SectionTag } from '../../ui/signs/SectionTag.tsx'
import { clockText, elapsedShare, secondsLeft } from '../../words/time.ts'
import styles from './NextSteps.module.css'
import panel from './panel.module.css'

const words = text.pressure.next

/** How much of the shortest running grace period is over. */
function Grace({ view: { signals, now } }: { readonly view: PressureView }): ReactNode {
  const running = signals
    .flatMap(({ thresholds }) => thresholds)
    .flatMap(({ metSince, gracePeriodMs }) =>
      metSince === null || gracePeriodMs === 0
        ? []
        : [{ from: metSince, to: metSince + gracePeriodMs }],
    )
    .filter(({ to }) => to > now)
    .toSorted((a, b) => a.to - b.to)[0]
  if (running === undefined) return null
  return (
    <div className={styles['grace']}>
      <span>{words.grace}</span>
      <b>{words.left(secondsLeft(running.to, now))}</b>
      <i>
        <u style={{ width: `${elapsedShare(running.from, running.to, now) * 100}%` }} />
      </i>
    </div>
  )
}

function Step({ step: { kind, at, sentence, detail } }: { readonly step: NextStep }): ReactNode {
  return (
    <li className={classNames(styles[kind])} data-step={kind}>
      <time>{at === null ? words.atOnce : clockText(at)}</time>
      <i aria-hidden="true" />
      <div>
        <b>{sentence}</b>
        {detail === '' ? null : <p>{detail}</p>}
      </div>
    </li>
  )
}

/** What the eviction manager does next, and when. */
export function NextSteps({ view }: { readonly view: PressureView }): ReactNode {
  const steps = nextSteps(view)
  return (
    <section className={panel['panel']} aria-label={words.title}>
      <header>
        <h2>{words.title}</h2>
        <span />
        <SectionTag section="eviction#eviction-loop" />
      </header>
      <Grace view={view} />
      {steps.length === 0 ? <p className={panel['none']}>{words.off}</p> : null}
      <ol className={styles['steps']}>
        {steps.map((step, index) => (
          <Step key={`${index} ${step.kind}`} step={step} />
        ))}
      </ol>
    </section>
  )
}
