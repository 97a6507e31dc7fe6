import type { ReactNode } from 'react'
import type { WorkerView } from '../../../shared/model/worker-view.ts'
import { KeyValueList } from '../../ui/KeyValueList.tsx'
import text from '../../ui/text.module.css'
import { recordLines } from './worker-record.ts'
import styles from './WorkerRecord.module.css'

export function WorkerRecord({ worker }: { readonly worker: WorkerView }): ReactNode {
  return (
    <section className={styles['section']} aria-label="Worker record">
      <h3 className={styles['title']}>Worker record</h3>
      <KeyValueList
        items={recordLines(worker).map(({ label, value, isQuiet, isExact }) => ({
          label,
          isQuiet,
          value: isExact ? <span className={text['num']}>{value}</span> : value,
        }))}
      />
    </section>
  )
}
