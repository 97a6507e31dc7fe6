import type { ReactNode } from 'react'
import { useId } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { ShutdownGrace } from '../../store/slices/node-acts-slice.ts'
import { Note } from '../../ui/Note.tsx'
import { countOf } from '../../words/time.ts'
import type { PlannedGroup } from './shutdown-plan.ts'
import { planShutdown } from './shutdown-plan.ts'
import styles from './ShutdownPlan.module.css'
import { useShutdownPods } from './use-shutdown-pods.ts'

/** More than a day is a slip of the hand. */
const mostSeconds = 86_400

function Seconds({
  label,
  hint,
  value,
  onChange,
}: {
  readonly label: string
  readonly hint: string
  readonly value: number
  readonly onChange: (seconds: number) => void
}): ReactNode {
  const id = useId()
  return (
    <div className={styles['set']}>
      <label htmlFor={id}>{label}</label>
      <span className={styles['field']}>
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          aria-describedby={`${id}-hint`}
          value={String(value)}
          onChange={(event) => {
            const typed = event.target.value.trim()
            if (/^\d*$/.test(typed)) onChange(Math.min(mostSeconds, Number(typed)))
          }}
        />
        <span aria-hidden="true">s</span>
      </span>
      <span id={`${id}-hint`} className={styles['hint']}>
        {hint}
      </span>
    </div>
  )
}

const groupWords = {
  low: { word: 'pods', title: 'Pods of priority below 2000000000' },
  critical: { word: 'critical pods', title: 'Critical pods, priority 2000000000 and more' },
} as const

/** The two groups to scale; all of it lies ahead, so it is hatched and outlined as a forecast. */
function Axis({ groups }: { readonly groups: readonly PlannedGroup[] }): ReactNode {
  const whole = Math.max(
    1,
    groups.reduce((sum, { seconds }) => sum + seconds, 0),
  )
  const end = groups.reduce((sum, { seconds }) => sum + seconds, 0)
  const share = (seconds: number): string => `${(seconds / whole) * 84}%`
  const spoken = groups.map(
    ({ name, fromSeconds, seconds, pods }) =>
      `${groupWords[name].word} from ${fromSeconds} s, ${seconds} s at most, ${pods.length} of them`,
  )
  return (
    <figure
      className={styles['axis']}
      aria-label={`You click; ${spoken.join('; ')}; the machine powers off after ${end} s at the latest`}
    >
      <div className={styles['line']} aria-hidden="true">
        {groups.map(({ name, fromSeconds, seconds }) => (
          <span
            key={name}
            className={styles[name]}
            style={{ left: share(fromSeconds), width: share(seconds) }}
          />
        ))}
        <span className={styles['after']} style={{ left: share(end) }} />
        {groups.map(({ name, fromSeconds, seconds }) =>
          seconds === 0 ? null : (
            <span key={name} className={styles['mark']} style={{ left: share(fromSeconds) }}>
              <span className={styles['word']}>{groupWords[name].word}</span>
              <span className={styles['second']}>{fromSeconds} s</span>
            </span>
          ),
        )}
        <span className={styles['mark']} style={{ left: share(end) }}>
          <span className={styles['word']}>machine off</span>
          <span className={styles['second']}>{end} s</span>
        </span>
      </div>
      <figcaption className={styles['under']}>
        At the latest: a group ends as soon as all its pods have stopped.
      </figcaption>
    </figure>
  )
}

function Group({ group }: { readonly group: PlannedGroup }): ReactNode {
  const { title } = groupWords[group.name]
  return (
    <section className={styles['group']} aria-label={title}>
      <h3>
        {title} <span>{group.seconds} s at most</span>
      </h3>
      {group.seconds === 0 ? (
        <p className={styles['hint']}>
          No time: they are killed with the runtime’s minimum grace period.
        </p>
      ) : null}
      {group.pods.length === 0 ? <p className={styles['hint']}>None.</p> : null}
      <ul>
        {group.pods.map(({ key, namespace, name, graceSeconds, specGraceSeconds, priority }) => (
          <li key={key}>
            <span className={styles['pod']}>
              <span>{namespace}/</span>
              {name}
            </span>
            <span title={`priority ${priority}`} className={styles['grace']}>
              {graceSeconds} s
              {graceSeconds < specGraceSeconds ? ` of its ${specGraceSeconds} s` : ''}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What a graceful shutdown would do, and to whom, with the two numbers that decide it. */
export function ShutdownPlan({
  node,
  grace,
  problem,
  onGrace,
}: {
  readonly node: NodeRef
  readonly grace: ShutdownGrace
  readonly problem: string
  readonly onGrace: (grace: ShutdownGrace) => void
}): ReactNode {
  const { known, more, isLoading } = useShutdownPods(node)
  const groups = planShutdown(known, grace)
  return (
    <>
      <div className={styles['fields']}>
        <Seconds
          label="Whole shutdown"
          hint="shutdownGracePeriod"
          value={grace.total}
          onChange={(total) => onGrace({ ...grace, total })}
        />
        <Seconds
          label="Kept for critical pods"
          hint="shutdownGracePeriodCriticalPods"
          value={grace.critical}
          onChange={(critical) => onGrace({ ...grace, critical })}
        />
      </div>
      {problem === '' ? (
        <Axis groups={groups} />
      ) : (
        <Note look="error" icon="error" isAlert>
          <p>{problem}</p>
        </Note>
      )}
      {isLoading ? (
        <p className={styles['hint']}>Loading the pods from the kubelet.</p>
      ) : (
        groups.map((group) => <Group key={group.name} group={group} />)
      )}
      {more === 0 ? null : (
        <p className={styles['hint']}>
          And {countOf(more, 'pod')} more, each with its own grace or its group’s, whichever is
          less.
        </p>
      )}
    </>
  )
}
