import type { ReactNode } from 'react'
import { useState } from 'react'
import { fieldSentence } from '../../../../shared/model/explanation/explanation-fields.ts'
import type { WorkerView } from '../../../../shared/model/worker-view.ts'
import { Button } from '../../../ui/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import text from '../../../ui/text.module.css'
import type { RecordLine } from './worker-record.ts'
import { recordLines } from './worker-record.ts'
import styles from './WorkerRecord.module.css'

function Line({
  line,
  isExplained,
}: {
  readonly line: RecordLine
  readonly isExplained: boolean
}): ReactNode {
  const sentence = fieldSentence(line.field)
  return (
    <div className={styles['line']} title={sentence}>
      <dt>{line.label}</dt>
      <dd className={line.isQuiet ? styles['quiet'] : undefined}>
        <span className={line.isExact ? text['num'] : undefined}>{line.value}</span>
        {/* Read out in any case; shown when it is asked for. */}
        <span className={isExplained ? styles['sentence'] : text['hidden']}>{sentence}</span>
      </dd>
    </div>
  )
}

/** What the kubelet has noted of the pod's worker; every field can say what it means. */
export function WorkerRecord({ worker }: { readonly worker: WorkerView }): ReactNode {
  const [isExplained, setExplained] = useState(false)
  return (
    <section className={styles['section']} aria-label="Worker record">
      <div className={styles['head']}>
        <h3>Worker record</h3>
        <Button
          look="quiet"
          icon="help"
          isSmall
          isExpanded={isExplained}
          onClick={() => setExplained(!isExplained)}
        >
          What do these mean?
        </Button>
      </div>
      <dl className={classNames(isExplained && styles['explained'])}>
        {recordLines(worker).map((line) => (
          <Line key={line.field} line={line} isExplained={isExplained} />
        ))}
      </dl>
    </section>
  )
}
