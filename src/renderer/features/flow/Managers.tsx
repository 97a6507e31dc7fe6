import type { ReactNode } from 'react'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState, useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import tone from '../../ui/tone.module.css'
import { countText, lastingText } from '../../words/time.ts'
import { fitText, plain, shortPodName } from './fit.ts'
import { useFlow, useFlowPlace } from './flow-context.ts'
import { useLayout } from './layout.ts'
import type { Motion } from './motion.ts'
import type { FlowPart } from './parts.ts'
import { partTitles } from './parts.ts'
import styles from './Picture.module.css'
import { useAgo } from './WireWords.tsx'

function Box({
  part,
  children,
}: {
  readonly part: FlowPart
  readonly children: ReactNode
}): ReactNode {
  const { x, y, width, height } = useLayout().parts[part]
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="6"
        className={styles['part']}
        data-frame={part}
      />
      <text x={x + 14} y={y + 23} className={styles['title']}>
        {partTitles[part]}
      </text>
      {children}
    </g>
  )
}

function Figure({
  x,
  y,
  count,
  word,
  width,
  isWarning = false,
}: {
  readonly x: number
  readonly y: number
  readonly count: number
  readonly word: string
  /** Of both together. */
  readonly width: number
  readonly isWarning?: boolean
}): ReactNode {
  const look = isWarning && count > 0 ? styles['warn'] : undefined
  const text = countText(count)
  const before = 8 + text.length * 9
  return (
    <>
      <text x={x} y={y} className={classNames(styles['number'], look)}>
        {text}
      </text>
      <text x={x + before} y={y} className={look}>
        {fitText(word, width - before)}
      </text>
    </>
  )
}

function one(count: number, singular: string, plural: string): string {
  return count === 1 ? singular : plural
}

export function PodManagerPart(): ReactNode {
  const numbers = useFlow(({ podManager }) => podManager)
  const { y } = useLayout().parts.podManager
  const { pods = 0, mirrors = 0, uidLinks = 0, orphans = 0 } = numbers ?? {}
  return (
    <Box part="podManager">
      <Figure x={430} y={y + 46} width={78} count={pods} word={one(pods, 'pod', 'pods')} />
      <Figure
        x={512}
        y={y + 46}
        width={80}
        count={mirrors}
        word={one(mirrors, 'mirror', 'mirrors')}
      />
      <Figure
        x={430}
        y={y + 69}
        width={78}
        count={uidLinks}
        word={uidLinks > 99 ? 'links' : one(uidLinks, 'UID link', 'UID links')}
      />
      <Figure
        x={512}
        y={y + 69}
        width={80}
        count={orphans}
        word={one(orphans, 'orphan', 'orphans')}
        isWarning
      />
    </Box>
  )
}

export function MirrorClientPart(): ReactNode {
  const { y } = useLayout().parts.mirrorClient
  const paired = useFlow((flow) => flow.mirrorClient.paired) ?? 0
  const unpaired = useFlow((flow) => flow.mirrorClient.unpaired) ?? 0
  return (
    <Box part="mirrorClient">
      <Figure
        x={646}
        y={y + 46}
        width={160}
        count={paired}
        word={one(paired, 'pair in sync', 'pairs in sync')}
      />
      <Figure x={646} y={y + 69} width={160} count={unpaired} word="not a pair" isWarning />
    </Box>
  )
}

function lastStatus(podName: string, version: number, node: string): string {
  const room = 160 - plain(`last:  v${version}`)
  return `last: ${shortPodName(podName, node, room)} v${version}`
}

export function StatusManagerPart(): ReactNode {
  const { y } = useLayout().parts.statusManager
  const cached = useFlow((flow) => flow.statusManager.cached) ?? 0
  const unsent = useFlow((flow) => flow.statusManager.unsent) ?? 0
  const { node } = useFlowPlace()
  const last = useFlow(({ statusManager }) =>
    statusManager.last === null
      ? ''
      : lastStatus(statusManager.last.podName, statusManager.last.version, node),
  )
  return (
    <Box part="statusManager">
      <Figure x={842} y={y + 46} width={78} count={cached} word="cached" />
      <Figure x={922} y={y + 46} width={90} count={unsent} word="unsent" isWarning />
      <text x="842" y={y + 68} className={styles['faint']}>
        {last === undefined || last === '' ? 'no status cached' : last}
      </text>
    </Box>
  )
}

/** How much of the lease is spent: 0 just renewed, 1 run out. Pure. */
export function leaseSpent(renewedAt: number | null, seconds: number, now: number): number {
  if (renewedAt === null || seconds <= 0) return 1
  return Math.min(1, Math.max(0, (now - renewedAt) / (seconds * 1000)))
}

/** Part of a circle, clockwise from the top, as a path. Pure. */
export function arcPath(x: number, y: number, radius: number, part: number): string {
  if (part >= 0.999) return `M${x} ${y - radius}a${radius} ${radius} 0 1 1 -.01 0`
  const angle = part * 2 * Math.PI
  const endX = (x + radius * Math.sin(angle)).toFixed(2)
  const endY = (y - radius * Math.cos(angle)).toFixed(2)
  return `M${x} ${y - radius}A${radius} ${radius} 0 ${part > 0.5 ? 1 : 0} 1 ${endX} ${endY}`
}

/** The ring fills as the lease is spent; a whole one is a lease that has run out. */
function LeaseRing({
  renewedAt,
  seconds,
}: {
  readonly renewedAt: number | null
  readonly seconds: number
}): ReactNode {
  const { cluster } = useFlowPlace()
  const y = useLayout().parts.nodeController.y + 28
  const spent = useTicking(
    cluster,
    (now) => Math.round(leaseSpent(renewedAt, seconds, now) * 40) / 40,
    1,
  )
  const look = spent >= 1 ? tone['error'] : spent > 0.5 ? tone['warn'] : tone['ok']
  return (
    <>
      <circle cx="1196" cy={y} r="12" className={styles['leaseTrack']} />
      <path
        d={arcPath(1196, y, 12, Math.max(0.02, spent))}
        className={classNames(styles['lease'], look)}
      />
    </>
  )
}

export function NodeControllerPart(): ReactNode {
  const { y } = useLayout().parts.nodeController
  const node = useAppState((state) => shownNode(state))
  const { cluster } = useFlowPlace()
  const renewedAt = node?.leaseRenewedAt ?? null
  const seconds = node?.leaseDurationSeconds ?? 0
  const renewed = useTicking(
    cluster,
    (now) => (renewedAt === null ? '' : `renewed ${lastingText(now - renewedAt)} ago`),
    '',
  )
  const isRunOut = useTicking(cluster, (now) => leaseSpent(renewedAt, seconds, now) >= 1, false)
  return (
    <Box part="nodeController">
      <text x="1046" y={y + 44} className={styles['strong']}>
        {node === undefined
          ? ''
          : fitText(node.registered ? node.status : 'not registered yet', 128)}
      </text>
      <text x="1046" y={y + 68} className={isRunOut ? styles['error'] : styles['faint']}>
        {renewedAt === null
          ? 'no lease yet'
          : fitText(isRunOut ? `${renewed}, expired` : `${renewed}, lasts ${seconds} s`, 166)}
      </text>
      <LeaseRing renewedAt={renewedAt} seconds={seconds} />
    </Box>
  )
}

export function PlegPart(): ReactNode {
  const { x, y, width, height } = useLayout().parts.pleg
  const period = useFlow((flow) => flow.pleg.relistPeriodMs)
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="6"
        className={styles['part']}
        data-frame="PLEG"
      />
      <text x="506" y={y + 18} textAnchor="middle" className={styles['title']}>
        PLEG
      </text>
      <text x="506" y={y + 34} textAnchor="middle" className={styles['faint']}>
        {period === undefined ? '' : `relist ${period / 1000} s`}
      </text>
    </g>
  )
}

/** Degrees from the top; the arrows come in between. */
const ticks = [35, 65, 115, 145, 215, 245, 295, 325].map((degrees) => {
  const angle = (degrees * Math.PI) / 180
  const [x, y] = [Math.sin(angle), -Math.cos(angle)]
  return `M${(506 + 53 * x).toFixed(1)} ${(345 + 53 * y).toFixed(1)}L${(506 + 60 * x).toFixed(1)} ${(345 + 60 * y).toFixed(1)}`
})

/** Turns a sixth with every iteration: it stands while nothing happens, and where only counts may move. */
export function LoopPart({ motion }: { readonly motion: Motion }): ReactNode {
  const { loop } = useLayout()
  const iterations = useFlow((flow) => flow.syncLoop.iterations) ?? 0
  const ago = useAgo(useFlow((flow) => flow.syncLoop.last?.at ?? null) ?? null)
  return (
    // Drawn around one place and moved to its own, so that it turns around the same point everywhere.
    <g transform={`translate(${loop.x - 506} ${loop.y - 345})`}>
      <circle cx="506" cy="345" r="57" className={styles['part']} />
      {ticks.map((path) => (
        <path key={path} d={path} className={styles['tick']} />
      ))}
      <g
        className={classNames(styles['turn'], motion === 'packets' && styles['turning'])}
        style={{ transform: `rotate(${motion === 'counts' ? 0 : iterations * 60}deg)` }}
      >
        <path
          d="M518 298.5a48 48 0 1 1-24 0"
          className={styles['ring']}
          markerEnd="url(#flow-head-beam)"
        />
      </g>
      <text x="506" y="339" textAnchor="middle" className={styles['title']}>
        sync loop
      </text>
      <text
        x="506"
        y="358"
        textAnchor="middle"
        className={classNames(styles['mono'], styles['strong'])}
      >
        {countText(iterations)}
      </text>
      <text x="506" y="373" textAnchor="middle" className={styles['faint']}>
        {ago}
      </text>
    </g>
  )
}
