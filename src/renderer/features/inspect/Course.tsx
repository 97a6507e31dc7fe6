import type { ReactNode } from 'react'
import type { FigureSample } from '../../../shared/model/inspect/kubelet-facts.ts'
import { text } from '../../text/text.ts'
import { Plot } from '../../ui/plot/Plot.tsx'
import { lastingText } from '../../words/time.ts'
import styles from './InspectView.module.css'
import { secondsText } from './seconds-text.ts'

const words = text.inspect.course

const count = (value: number): string => String(value)

const plots: readonly {
  readonly label: string
  readonly of: (sample: FigureSample) => number | null
  readonly write: (value: number) => string
}[] = [
  { label: words.relist, of: ({ plegRelistP99 }) => plegRelistP99, write: secondsText },
  { label: words.interval, of: ({ plegIntervalP99 }) => plegIntervalP99, write: secondsText },
  { label: words.syncLoop, of: ({ syncLoopAnswer }) => syncLoopAnswer, write: secondsText },
  { label: words.worker, of: ({ workerSyncP99 }) => workerSyncP99, write: secondsText },
  { label: words.running, of: ({ runningPods }) => runningPods, write: count },
  { label: words.evictions, of: ({ evictions }) => evictions, write: count },
]

/** The figures of the kubelet since the page looks at it. */
export function Course({ samples }: { readonly samples: readonly FigureSample[] }): ReactNode {
  const first = samples[0]
  const last = samples.at(-1)
  if (first === undefined || last === undefined || first.at === last.at) return null
  const span = lastingText(last.at - first.at)
  return (
    <section>
      <h2>{words.title(span)}</h2>
      <div className={styles['plots']}>
        {plots.map(({ label, of, write }) => (
          <Plot
            key={label}
            label={label}
            points={samples.flatMap((sample) => {
              const value = of(sample)
              return value === null ? [] : [{ at: sample.at, value }]
            })}
            write={write}
            describe={(now, least, most) => words.describe(now, least, most, span)}
          />
        ))}
      </div>
    </section>
  )
}
