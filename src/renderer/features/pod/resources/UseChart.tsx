import type { ReactNode } from 'react'
import type { RequestAndLimit, UseRun } from '../../../../shared/model/inside-pod/pod-use.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { chartOf } from './chart.ts'
import type { Measure } from './chart.ts'
import { cpuText, memoryLimitText, memoryText } from './figures.ts'
import styles from './UseChart.module.css'

const words = text.pod.resources

type Kind = 'memory' | 'cpu'

/** How the numbers of a chart are taken and written. */
const kinds: Readonly<
  Record<
    Kind,
    {
      readonly measure: Measure
      readonly write: (value: number) => string
      /** Of requests and limits. */
      readonly writeExact: (value: number) => string
      readonly end: (limit: string) => string
    }
  >
> = {
  memory: {
    measure: ({ memoryBytes }) => memoryBytes,
    write: memoryText,
    writeExact: memoryLimitText,
    end: words.oomAt,
  },
  cpu: {
    measure: ({ cpuMillis }) => cpuMillis,
    write: cpuText,
    writeExact: cpuText,
    end: words.limit,
  },
}

/** The labels are beside the chart, one below the other even where the lines are close. */
function Labels({
  limit,
  request,
  limitY,
  requestY,
}: {
  readonly limit: string
  readonly request: string
  readonly limitY: number | null
  readonly requestY: number | null
}): ReactNode {
  const first = Math.min(limitY ?? 0, 100 - 2 * labelShare)
  return (
    <div className={styles['labels']} aria-hidden="true">
      <span
        className={classNames(styles['first'], limitY !== null && styles['limit'])}
        style={{ top: `${first}%` }}
      >
        {limit}
      </span>
      {requestY === null ? null : (
        <span
          style={{
            top: `${Math.min(Math.max(requestY, first + labelPitch), 100 - labelShare / 2)}%`,
          }}
        >
          {request}
        </span>
      )}
    </div>
  )
}

/** The height of a label, in percent of the chart. */
const labelShare = 28
/** From the top of the first label to the middle of the second one. */
const labelPitch = 38

/** The use of one container as a line, with its limit as the line where it ends. A restart is a gap. */
export function UseChart({
  kind,
  runs,
  amounts,
  now,
  head,
}: {
  readonly kind: Kind
  readonly runs: readonly UseRun[]
  readonly amounts: RequestAndLimit
  /** ms on the cluster's clock. */
  readonly now: number
  /** The use at this moment, in words. */
  readonly head: string
}): ReactNode {
  const { measure, write, writeExact, end } = kinds[kind]
  const chart = chartOf(runs, measure, amounts, now)
  if (chart === undefined) return <p className={styles['none']}>{words.pending(kind)}</p>
  const { limitY, requestY, spanMs, lines, ends } = chart
  const limit = amounts.limit === null ? words.noLimit : end(writeExact(amounts.limit))
  const request = amounts.request === null ? '' : words.request(writeExact(amounts.request))
  const minutes = Math.max(1, Math.round(spanMs / 60_000))
  return (
    <figure
      className={styles['chart']}
      data-kind={kind}
      aria-label={words.chart(kind, {
        minutes,
        now: head,
        least: write(chart.least),
        most: write(chart.most),
        lines: [limit, ...(request === '' ? [] : [request])],
        restarts: ends.length,
      })}
    >
      <figcaption className={styles['head']} aria-hidden="true">
        <b>{words.kinds[kind]}</b>
        <span className={styles['span']}>{words.last(minutes)}</span>
        <span className={styles['now']}>{head}</span>
      </figcaption>
      <div className={styles['frame']}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {requestY === null ? null : (
            <path className={styles['requestLine']} d={`M0 ${requestY}H100`} />
          )}
          {limitY === null ? null : <path className={styles['limitLine']} d={`M0 ${limitY}H100`} />}
          {ends.map((x) => (
            <path key={x} className={styles['end']} d={`M${x} 100V90`} />
          ))}
          {lines.map(({ key, points }) => (
            <polyline key={key} className={styles['use']} points={points} />
          ))}
        </svg>
        <Labels limit={limit} request={request} limitY={limitY} requestY={requestY} />
      </div>
    </figure>
  )
}
