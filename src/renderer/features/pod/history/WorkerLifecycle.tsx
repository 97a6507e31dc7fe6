import type { ReactNode } from 'react'
import type { WorkerView } from '../../../../shared/model/worker-view.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import tones from '../../../ui/tone.module.css'
import { clockText, fullTimeText } from '../../../words/time.ts'
import { lifecycleSteps } from './worker-lifecycle.ts'
import styles from './WorkerLifecycle.module.css'

/** The steps of the worker's lifecycle: past ones are filled, future ones outlined. */
export function WorkerLifecycle({ worker }: { readonly worker: WorkerView }): ReactNode {
  return (
    <ol className={styles['life']} aria-label={text.pod.lifecycle.title}>
      {lifecycleSteps(worker).map(({ name, at, isPast, tone }) => (
        <li
          key={name}
          className={classNames(styles['step'], isPast && styles['past'], tones[tone])}
          title={at === null ? undefined : fullTimeText(at)}
        >
          <span className={styles['word']}>{text.pod.lifecycle[name]}</span>
          <span className={styles['at']}>
            {at !== null ? clockText(at) : isPast ? text.common.yes : text.common.notYet}
          </span>
        </li>
      ))}
    </ol>
  )
}
