import type { ReactNode } from 'react'
import type { WorkerStateWord } from '../../../../shared/model/pod-row.ts'
import type { WhyAnswer } from '../../../../shared/model/why.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import textStyles from '../../../ui/text.module.css'
import tone from '../../../ui/tone.module.css'
import { workerStyle } from '../../../ui/signs/worker-style.ts'
import { drawerWhyId } from '../drawer-ids.ts'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'
import styles from './Why.module.css'

/** The worker's tone; for a pod that runs, the explanation is a warning. */
function toneOf(worker: WorkerStateWord): string | undefined {
  return worker === 'SyncPod' ? tone['warn'] : tone[workerStyle(worker).tone]
}

/** Why the pod is in its state, in the order in which the kubelet checks; the current reason is filled. */
export function Why({
  why,
  worker,
}: {
  readonly why: WhyAnswer
  readonly worker: WorkerStateWord
}): ReactNode {
  return (
    <section id={drawerWhyId} tabIndex={-1} className={styles['section']} aria-label={why.question}>
      <h3 className={styles['title']}>
        {why.question}
        {why.section === '' ? null : <SectionTag section={why.section} />}
      </h3>
      <ol className={classNames(styles['why'], toneOf(worker))}>
        {why.lines.map((line) => (
          <li key={`${line.progress} ${line.text}`} className={styles[line.progress]}>
            <div>
              <span className={textStyles['hidden']}>{text.pod.why[line.progress]}</span>
              {line.text}
              <code className={styles['source']}>{line.source}</code>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
