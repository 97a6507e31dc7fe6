import type { ReactNode } from 'react'
import type { WorkerStateWord } from '../../../../shared/model/pod-row.ts'
import type { WhyAnswer, WhyLine } from '../../../../shared/model/why.ts'
import { classNames } from '../../../ui/class-names.ts'
import text from '../../../ui/text.module.css'
import tone from '../../../ui/tone.module.css'
import { workerLook } from '../../../ui/signs/worker-look.ts'
import { drawerWhyId } from '../drawer-places.ts'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'
import styles from './Why.module.css'

const standings: Readonly<Record<WhyLine['standing'], string>> = {
  done: 'Done: ',
  now: 'Now: ',
  next: 'Next: ',
}

/** A pod that runs has nothing amiss itself: what has to be explained is a warning about it. */
function toneOf(worker: WorkerStateWord): string | undefined {
  return worker === 'SyncPod' ? tone['warn'] : tone[workerLook(worker).tone]
}

/** Why the pod is where it is, in the order in which the kubelet would check; what holds it now is filled. */
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
          <li key={`${line.standing} ${line.text}`} className={styles[line.standing]}>
            <div>
              <span className={text['hidden']}>{standings[line.standing]}</span>
              {line.text}
              <code className={styles['source']}>{line.source}</code>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
