import type { ReactNode } from 'react'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useAge } from '../../../ui/use-times.ts'
import { fullTimeText } from '../../../words/time.ts'
import styles from './Conditions.module.css'
import type { ShownCondition } from './pod-conditions.ts'
import { shownConditions } from './pod-conditions.ts'

/** Whether the pod lacks something; of all conditions only `DisruptionTarget` is bad when True. */
function isBad({ type, status }: ShownCondition): boolean {
  return type === 'DisruptionTarget' ? status === 'True' : status !== 'True'
}

function Condition({
  cluster,
  condition,
}: {
  readonly cluster: string
  readonly condition: ShownCondition
}): ReactNode {
  const { type, status, reason, message, since } = condition
  const age = useAge(cluster, since)
  return (
    <div className={styles['condition']}>
      <dt>{type}</dt>
      <dd>
        <span className={classNames(styles['status'], isBad(condition) && styles['bad'])}>
          {status}
        </span>
        <span
          className={styles['age']}
          title={since === null ? undefined : text.pod.conditionSince(fullTimeText(since))}
        >
          {age}
        </span>
        {reason === '' && message === '' ? null : (
          <span className={styles['reason']}>
            {reason === '' ? null : <code>{reason}</code>}
            {message === '' ? null : ` ${message}`}
          </span>
        )}
      </dd>
    </div>
  )
}

/** The conditions of the last status that the kubelet computed. */
export function Conditions({ cluster }: { readonly cluster: string }): ReactNode {
  const objects = useAppState((state) => state.podObjects)
  const conditions = shownConditions(objects?.status ?? null)
  if (conditions.length === 0) return null
  return (
    <section className={styles['section']} aria-label={text.common.conditions}>
      <h3 className={styles['title']}>{text.common.conditions}</h3>
      <dl>
        {conditions.map((condition) => (
          <Condition key={condition.type} cluster={cluster} condition={condition} />
        ))}
      </dl>
    </section>
  )
}
