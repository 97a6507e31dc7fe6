import type { ReactNode } from 'react'
import {
  answerSentence,
  fieldSentence,
} from '../../../../shared/model/explanation/explanation-fields.ts'
import type { WorkerView } from '../../../../shared/model/worker-view.ts'
import { classNames } from '../../../ui/class-names.ts'
import styles from './Answers.module.css'
import { providerAnswers } from './provider-answers.ts'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'

/** What the workers answer when the rest of the kubelet asks about the pod, and what follows from each answer. */
export function Answers({ worker }: { readonly worker: WorkerView }): ReactNode {
  return (
    <section className={styles['section']} aria-label="Pod state provider">
      <h3 className={styles['title']}>
        Pod state provider <SectionTag section="pod-workers#queries" />
      </h3>
      <p className={styles['lead']}>What the worker reports to the rest of the kubelet:</p>
      <dl>
        {providerAnswers.map(({ answer, words }) => (
          <div key={answer} className={styles['answer']} title={fieldSentence(answer)}>
            <dt>{words}</dt>
            <dd>
              <b className={classNames(styles['word'], worker[answer] && styles['yes'])}>
                {worker[answer] ? 'yes' : 'no'}
              </b>
              <span className={styles['sentence']}>{answerSentence(answer, worker[answer])}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
