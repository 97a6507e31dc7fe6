import type { ReactNode } from 'react'
import { timeOf } from '../../../../shared/kubernetes/printers/age.ts'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import { text } from '../../../text/text.ts'
import styles from './BackOffSteps.module.css'

const words = text.pod.resources

/** containers#back-off, in seconds: the first restart comes at once. */
const steps = [10, 20, 40, 80, 160, 300] as const

/** The waits of a crash loop, with the present one; nothing if it waits for another time (maxContainerRestartPeriod). */
export function BackOffSteps({
  container: { lastTermination, finishedAt, backOffUntil },
}: {
  readonly container: ContainerView
}): ReactNode {
  const ended = timeOf(lastTermination?.finishedAt ?? finishedAt)
  if (ended === null || backOffUntil === null) return null
  // Times of the API have no fractions of seconds.
  const present = Math.floor((backOffUntil - ended) / 1000)
  if (!steps.some((step) => step === present)) return null
  return (
    <ol className={styles['steps']} aria-label={words.steps}>
      {steps.map((step) => (
        <li
          key={step}
          className={step < present ? styles['past'] : step === present ? styles['present'] : ''}
          aria-current={step === present ? 'step' : undefined}
        >
          {words.step(step)}
        </li>
      ))}
    </ol>
  )
}
