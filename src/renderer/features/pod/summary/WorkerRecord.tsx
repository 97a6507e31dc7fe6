import type { ReactNode } from 'react'
import { useState } from 'react'
import { fieldSentence } from '../../../../shared/model/explanation/explanation-fields.ts'
import type { WorkerView } from '../../../../shared/model/worker-view.ts'
import { text } from '../../../text/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { SectionTag } from '../../../ui/signs/SectionTag.tsx'
import textStyles from '../../../ui/text.module.css'
import type { RecordLine } from './worker-record.ts'
import { fieldSections, recordLines } from './worker-record.ts'
import styles from './WorkerRecord.module.css'

function Line({
  line,
  isExplained,
}: {
  readonly line: RecordLine
  readonly isExplained: boolean
}): ReactNode {
  const sentence = fieldSentence(line.field)
  const section = line.isQuiet ? undefined : fieldSections[line.field]
  return (
    <div className={styles['line']} title={sentence}>
      <dt>
        {text.pod.record.labels[line.field]}
        {section === undefined ? null : <SectionTag section={section} isInTabOrder={false} />}
      </dt>
      <dd className={line.isQuiet ? styles['quiet'] : undefined}>
        <span className={line.isExact ? textStyles['num'] : undefined}>{line.value}</span>
        {/* Screen readers always read it; a click shows it. */}
        <span className={isExplained ? styles['sentence'] : textStyles['hidden']}>{sentence}</span>
      </dd>
    </div>
  )
}

/** What the kubelet stores about the pod's worker; each field has an explanation. */
export function WorkerRecord({ worker }: { readonly worker: WorkerView }): ReactNode {
  const [isExplained, setExplained] = useState(false)
  return (
    <section className={styles['section']} aria-label={text.pod.record.title}>
      <div className={styles['head']}>
        <h3>
          {text.pod.record.title} <SectionTag section="pod-workers#worker-record" />
        </h3>
        <Button
          variant="quiet"
          icon="help"
          isSmall
          isExpanded={isExplained}
          onClick={() => setExplained(!isExplained)}
        >
          {text.pod.record.explain}
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
