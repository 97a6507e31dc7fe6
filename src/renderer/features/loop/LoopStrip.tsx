import type { ReactNode } from 'react'
import type { ClusterView, LoopView } from '../../../shared/model/cluster-view.ts'
import { shownCluster, shownLoop } from '../../store/shown-node.ts'
import { useAppState, useTicking } from '../../store/store-context.ts'
import { text } from '../../text/text.ts'
import { classNames } from '../../ui/class-names.ts'
import { countText, fullTimeText, preciseClockText } from '../../words/time.ts'
import styles from './LoopStrip.module.css'
import { tracePath } from './trace-line.ts'

const words = text.loop

const width = 232
const base = 17
const entriesShown = 8

interface LoopProps {
  readonly cluster: ClusterView
  readonly loop: LoopView
}

function TraceLine({ cluster, loop }: LoopProps): ReactNode {
  const path = useTicking(
    cluster.id,
    // An entry from after the last tick must not be drawn beyond the right edge.
    (now) => tracePath(loop.recent, { now: Math.max(now, loop.recent[0]?.at ?? 0), width, base }),
    `M0 ${base}H${width}`,
  )
  return (
    <svg className={styles['trace']} viewBox={`0 0 ${width + 4} 22`} aria-hidden="true">
      <path d={`M0 ${base + 0.5}H${width}`} className={styles['axis']} />
      <path d={path} className={styles['line']} />
      <circle cx={width} cy={base} r="2.5" className={styles['now']} />
    </svg>
  )
}

function Strip({ cluster, loop }: LoopProps): ReactNode {
  return (
    <>
      <TraceLine cluster={cluster} loop={loop} />
      <span className={styles['count']} title={words.iterations(loop.iterations, loop.node)}>
        {countText(loop.iterations)}
      </span>
      <ol className={styles['entries']}>
        {loop.recent.slice(0, entriesShown).map(({ seq, at, input, text: entry }) => (
          <li key={seq} className={styles['entry']} title={`#${seq}, ${fullTimeText(at)}`}>
            <span className={styles['at']}>{preciseClockText(at).slice(3)}</span>
            <span className={classNames(input === 'config' && styles['strong'])}>{entry}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

/** What the last step of the paused clock did. It is rendered before the first step, so that screen readers announce the step. */
function LastStep({ cluster }: { readonly cluster: ClusterView | undefined }): ReactNode {
  const lastStep = useAppState((state) => state.lastStep)
  if (cluster?.clock.paused !== true) return null
  return (
    <output aria-label={words.lastStep} className={lastStep === '' ? undefined : styles['step']}>
      {lastStep}
    </output>
  )
}

/** What the sync loop does, newest first, at the foot of the window. */
export function LoopStrip(): ReactNode {
  const cluster = useAppState((state) => shownCluster(state))
  const loop = useAppState(shownLoop)
  return (
    <footer className={styles['strip']} aria-label={words.title}>
      <b className={styles['title']}>{words.title}</b>
      <LastStep cluster={cluster} />
      {cluster === undefined || loop === undefined ? (
        <span>{cluster === undefined ? words.noData : words.notRunning}</span>
      ) : (
        <Strip cluster={cluster} loop={loop} />
      )}
    </footer>
  )
}
