import type { ReactNode } from 'react'
import {
  answerSentence,
  fieldSentence,
  providerAnswers,
} from '../../../../shared/model/explanation/explanation-fields.ts'
import type { WorkerView } from '../../../../shared/model/worker-view.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'
import styles from './PodStateProvider.module.css'

const words = text.pod.provider

/** What the worker answers to the rest of the kubelet about the pod, and the effect of each answer. */
export function PodStateProvider({ worker }: { readonly worker: WorkerView }): ReactNode {
  return (
    <section className={styles['section']} aria-label={words.title}>
      <h3 className={styles['title']}>
        {words.title} <SectionTag section="pod-workers#queries" />
      </h3>
      <p className={styles['lead']}>{words.lead}</p>
      <dl>
        {providerAnswers.map((answer) => (
          <div key={answer} className={styles['answer']} title={fieldSentence(answer)}>
            <dt>{words.answers[answer]}</dt>
            <dd>
              <b className={classNames(styles['word'], worker[answer] && styles['yes'])}>
                {worker[answer] ? text.common.yes : text.common.no}
              </b>
              <span className={styles['sentence']}>{answerSentence(answer, worker[answer])}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
