import type { ReactNode } from 'react'
import type { ClusterView, LoopView } from '../../../shared/model/cluster-view.ts'
import { shownCluster, shownLoop } from '../../store/shown-node.ts'
import { useAppState, useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { countText, fullTimeText, preciseClockText } from '../../words/time.ts'
import styles from './LoopStrip.module.css'
import { tracePath } from './trace-line.ts'

const width = 232
const base = 17
const entriesShown = 8

function TraceLine({
  cluster,
  loop,
}: {
  readonly cluster: string
  readonly loop: LoopView
}): ReactNode {
  const path = useTicking(
    cluster,
    // What came after the last tick must not fall off the right edge.
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

function Strip({
  cluster,
  loop,
}: {
  readonly cluster: ClusterView
  readonly loop: LoopView
}): ReactNode {
  return (
    <>
      <TraceLine cluster={cluster.id} loop={loop} />
      <span
        className={styles['count']}
        title={`${loop.iterations} iterations of the sync loop of ${loop.node}`}
      >
        {countText(loop.iterations)}
      </span>
      <ol className={styles['entries']}>
        {loop.recent.slice(0, entriesShown).map((entry) => (
          <li
            key={entry.seq}
            className={styles['entry']}
            title={`#${entry.seq}, ${fullTimeText(entry.at)}`}
          >
            <span className={styles['at']}>{preciseClockText(entry.at).slice(3)}</span>
            <span className={classNames(entry.input === 'config' && styles['strong'])}>
              {entry.text}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

/** What the last step of the stopped clock did, in front of everything older. It is there before the first step, so that it is read out. */
function LastStep({ cluster }: { readonly cluster: ClusterView | undefined }): ReactNode {
  const lastStep = useAppState((state) => state.lastStep)
  if (cluster?.clock.paused !== true) return null
  return (
    <output aria-label="Last step" className={lastStep === '' ? undefined : styles['step']}>
      {lastStep}
    </output>
  )
}

/** What the sync loop does, newest first: the pulse at the foot of the window. */
export function LoopStrip(): ReactNode {
  const cluster = useAppState((state) => shownCluster(state))
  const loop = useAppState(shownLoop)
  return (
    <footer className={styles['strip']} aria-label="Sync loop">
      <b className={styles['title']}>Sync loop</b>
      <LastStep cluster={cluster} />
      {cluster === undefined || loop === undefined ? (
        <span>{cluster === undefined ? 'no data yet' : 'not running'}</span>
      ) : (
        <Strip cluster={cluster} loop={loop} />
      )}
    </footer>
  )
}
