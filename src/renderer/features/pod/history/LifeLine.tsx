import type { ReactNode } from 'react'
import type { WorkerView } from '../../../../shared/model/worker-view.ts'
import { classNames } from '../../../ui/class-names.ts'
import tone from '../../../ui/tone.module.css'
import { clockText, fullTimeText } from '../../../words/time.ts'
import { lifeSteps } from './life.ts'
import styles from './LifeLine.module.css'

/** Where the worker stands in its life: what is past is drawn, what lies ahead is outlined. */
export function LifeLine({ worker }: { readonly worker: WorkerView }): ReactNode {
  return (
    <ol className={styles['life']} aria-label="Life of the worker">
      {lifeSteps(worker).map((step) => (
        <li
          key={step.word}
          className={classNames(styles['step'], step.isPast && styles['past'], tone[step.tone])}
          title={step.at === null ? undefined : fullTimeText(step.at)}
        >
          <span className={styles['word']}>{step.word}</span>
          <span className={styles['at']}>
            {step.at === null ? (step.isPast ? 'yes' : 'not yet') : clockText(step.at)}
          </span>
        </li>
      ))}
    </ol>
  )
}
