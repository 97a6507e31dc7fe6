import type { ReactNode } from 'react'
import type { NotSimulated } from '../../../../shared/not-simulated/not-simulated.ts'
import { text } from '../../../text/text.ts'
import { Icon } from '../../../ui/Icon.tsx'
import styles from './NotSimulatedList.module.css'

/** The fields of the pod that have no effect here, or less than on a real node. */
export function NotSimulatedList({
  entries,
}: {
  readonly entries: readonly NotSimulated[]
}): ReactNode {
  return (
    <section className={styles['section']} aria-label={text.pod.notSimulated}>
      <h3 className={styles['title']}>
        <Icon name="notSimulated" />
        {text.pod.notSimulated}
      </h3>
      <ul className={styles['list']}>
        {entries.map(({ id, field, message }) => (
          <li key={`${id} ${field}`}>
            <code className={styles['field']}>{field}</code>
            <span className={styles['message']}>{message}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
