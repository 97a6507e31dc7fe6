import type { ReactNode } from 'react'
import type { ProbeRun, ProbeView } from '../../../../shared/model/probe-view.ts'
import type { TraceEvent } from '../../../../shared/model/trace-event.ts'
import { useTicking } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import textStyles from '../../../ui/text.module.css'
import { secondsLeft } from '../../../words/time.ts'
import { failureText, lastFailure } from './probe-words.ts'
import styles from './Probes.module.css'

const words = text.pod.probes

/** One brick for each run, the newest at the right; empty ones until there are as many. */
const bricks = 24

function Strip({ runs }: { readonly runs: readonly ProbeRun[] }): ReactNode {
  const failed = runs.filter((run) => run !== 'success').length
  const says = runs.length === 0 ? words.noRuns : words.runs(runs.length, failed)
  return (
    <span className={styles['strip']} title={says}>
      <span className={textStyles['spoken']}>{says}</span>
      {Array.from({ length: bricks }, (_, index) => {
        const run = runs[runs.length - bricks + index]
        return (
          <i
            key={index}
            aria-hidden="true"
            className={run === undefined ? undefined : styles[run]}
          />
        )
      })}
      <b aria-hidden="true" />
    </span>
  )
}

function Next({
  cluster,
  probe: { nextTick, result, skip, type },
}: {
  readonly cluster: string
  readonly probe: ProbeView
}): ReactNode {
  const left = useTicking(cluster, (now) => secondsLeft(nextTick ?? now, now), 0)
  if (skip === 'onHold' && type === 'startup' && result === 'success') return words.done
  if (skip !== null) return words.skip[skip]
  return nextTick === null ? words.running : words.next(left)
}

function Probe({
  cluster,
  probe,
  trace,
}: {
  readonly cluster: string
  readonly probe: ProbeView
  readonly trace: readonly TraceEvent[]
}): ReactNode {
  const { type, handler, runs, periodSeconds, failureThreshold, successThreshold } = probe
  const failure = failureText(probe)
  return (
    <li className={styles['probe']}>
      <div className={styles['head']}>
        <b className={styles['type']}>{type}</b>
        <code
          className={styles['handler']}
          title={`${handler}\n${words.everySeconds(periodSeconds, failureThreshold, successThreshold)}`}
        >
          {handler}
        </code>
        <span className={styles['runs']}>
          <Strip runs={runs} />
          <span className={styles['next']}>
            <Next cluster={cluster} probe={probe} />
          </span>
        </span>
      </div>
      {failure === '' ? null : (
        <p className={classNames(styles['note'], probe.result === 'failure' && styles['failed'])}>
          <strong>{failure}</strong> <code>{lastFailure(probe, trace)}</code>
        </p>
      )}
    </li>
  )
}

/** The probes of one container: what each does, its newest runs, when it runs next, and what its failures lead to. */
export function Probes({
  cluster,
  container,
  probes,
  trace,
}: {
  readonly cluster: string
  readonly container: string
  readonly probes: readonly ProbeView[]
  readonly trace: readonly TraceEvent[]
}): ReactNode {
  if (probes.length === 0) return null
  return (
    <ul className={styles['probes']} aria-label={words.label(container)}>
      {probes.map((probe) => (
        <Probe key={probe.type} cluster={cluster} probe={probe} trace={trace} />
      ))}
    </ul>
  )
}
