import type { ReactNode } from 'react'
import { useId } from 'react'
import type { NodeRef } from '../../../shared/ipc/contract.ts'
import type { ShutdownGrace } from '../../store/slices/node-acts-slice.ts'
import { text } from '../../text/text.ts'
import { Note } from '../../ui/Note.tsx'
import type { PlannedGroup } from './shutdown-plan.ts'
import { planShutdown } from './shutdown-plan.ts'
import styles from './ShutdownPlan.module.css'
import { useShutdownPods } from './use-shutdown-pods.ts'

const words = text.nodes.shutdown

/** A day: more is a typing mistake. */
const maxSeconds = 86_400

function SecondsField({
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
            if (/^\d*$/.test(typed)) onChange(Math.min(maxSeconds, Number(typed)))
          }}
        />
        <span aria-hidden="true">{text.acts.grace.unit}</span>
      </span>
      <span id={`${id}-hint`} className={styles['hint']}>
        {hint}
      </span>
    </div>
  )
}

/** The two groups to scale, hatched and outlined as a forecast. */
function Axis({ groups }: { readonly groups: readonly PlannedGroup[] }): ReactNode {
  const end = groups.reduce((sum, { seconds }) => sum + seconds, 0)
  const share = (seconds: number): string => `${(seconds / Math.max(1, end)) * 84}%`
  const label = words.axis(
    groups.map(({ name, fromSeconds, seconds, pods }) =>
      words.axisGroup(words.groups[name].short, fromSeconds, seconds, pods.length),
    ),
    end,
  )
  return (
    <figure className={styles['axis']} aria-label={label}>
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
              <span className={styles['word']}>{words.groups[name].short}</span>
              <span className={styles['second']}>{text.common.seconds(fromSeconds)}</span>
            </span>
          ),
        )}
        <span className={styles['mark']} style={{ left: share(end) }}>
          <span className={styles['word']}>{words.off}</span>
          <span className={styles['second']}>{text.common.seconds(end)}</span>
        </span>
      </div>
      <figcaption className={styles['under']}>{words.atLatest}</figcaption>
    </figure>
  )
}

function Group({ group }: { readonly group: PlannedGroup }): ReactNode {
  const { title } = words.groups[group.name]
  return (
    <section className={styles['group']} aria-label={title}>
      <h3>
        {title} <span>{words.atMost(group.seconds)}</span>
      </h3>
      {group.seconds === 0 ? <p className={styles['hint']}>{words.groupWithoutTime}</p> : null}
      {group.pods.length === 0 ? <p className={styles['hint']}>{words.noPods}</p> : null}
      <ul>
        {group.pods.map(({ key, namespace, name, graceSeconds, specGraceSeconds, priority }) => (
          <li key={key}>
            <span className={styles['pod']}>
              <span>{namespace}/</span>
              {name}
            </span>
            <span title={words.priority(priority)} className={styles['grace']}>
              {words.grace(graceSeconds, specGraceSeconds)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Which pods a graceful shutdown terminates and when, with the two numbers that decide it. */
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
  const pods = useShutdownPods(node)
  const groups = planShutdown(pods?.known ?? [], grace)
  const more = pods?.more ?? 0
  return (
    <>
      <div className={styles['fields']}>
        <SecondsField
          label={words.total}
          hint="shutdownGracePeriod"
          value={grace.total}
          onChange={(total) => onGrace({ ...grace, total })}
        />
        <SecondsField
          label={words.critical}
          hint="shutdownGracePeriodCriticalPods"
          value={grace.critical}
          onChange={(critical) => onGrace({ ...grace, critical })}
        />
      </div>
      {problem === '' ? (
        <Axis groups={groups} />
      ) : (
        <Note variant="error" icon="error" isAlert>
          <p>{problem}</p>
        </Note>
      )}
      {pods === null ? (
        <p className={styles['hint']}>{words.loading}</p>
      ) : (
        groups.map((group) => <Group key={group.name} group={group} />)
      )}
      {more === 0 ? null : <p className={styles['hint']}>{words.more(more)}</p>}
    </>
  )
}
