import type { ReactNode } from 'react'
import { humanDuration } from '../../../../shared/kubernetes/printers/age.ts'
import { useAppState, useTicking } from '../../../store/store-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import { fullTimeText } from '../../../words/time.ts'
import styles from './Conditions.module.css'
import type { ShownCondition } from './pod-conditions.ts'
import { shownConditions } from './pod-conditions.ts'

/** `DisruptionTarget` is the one that is bad when it is True. */
function isAmiss({ type, status }: ShownCondition): boolean {
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
  const age = useTicking(cluster, (now) => (since === null ? '' : humanDuration(now - since)), '')
  return (
    <div className={styles['condition']}>
      <dt>{type}</dt>
      <dd>
        <span className={classNames(styles['status'], isAmiss(condition) && styles['amiss'])}>
          {status}
        </span>
        <span
          className={styles['age']}
          title={since === null ? undefined : `since ${fullTimeText(since)}`}
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

/** The conditions of the status that the kubelet has computed last. */
export function Conditions({ cluster }: { readonly cluster: string }): ReactNode {
  const objects = useAppState((state) => state.podObjects)
  const conditions = shownConditions(objects?.status ?? null)
  if (conditions.length === 0) return null
  return (
    <section className={styles['section']} aria-label="Conditions">
      <h3 className={styles['title']}>Conditions</h3>
      <dl>
        {conditions.map((condition) => (
          <Condition key={condition.type} cluster={cluster} condition={condition} />
        ))}
      </dl>
    </section>
  )
}
