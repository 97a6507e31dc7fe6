import type { ReactNode } from 'react'
import { useState } from 'react'
import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import { shownCluster } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useFollowedContext } from '../follow/followed-context.ts'
import { useArrow } from '../flow-context.ts'
import { useLayout } from '../layout/layout-context.ts'
import { stepOf } from '../follow/follow.ts'
import type { Motion } from './motion.ts'
import styles from '../parts/Picture.module.css'
import { Text } from '../parts/Text.tsx'

interface Flight {
  /** Totals of the arrow: what has been shown, and what this packet brings. */
  readonly from: number
  readonly to: number
  readonly isOver: boolean
}

/** How many the packet under way stands for; the next one leaves when it has arrived. Pure. */
export function nextFlight(flight: Flight, total: number, isMoving: boolean): Flight {
  // Main counts from zero again after a restart.
  if (total < flight.to || !isMoving)
    return flight.to === total && flight.isOver ? flight : { from: total, to: total, isOver: true }
  if (!flight.isOver || total === flight.to) return flight
  return { from: flight.to, to: total, isOver: false }
}

function Packet({
  path,
  count,
  isFollowed,
  onEnd,
}: {
  readonly path: string
  readonly count: number
  readonly isFollowed: boolean
  readonly onEnd: () => void
}): ReactNode {
  const offsetPath = `path('${path}')`
  // Small enough to pass between the words next to the arrow.
  const text = count > 99 ? '99+' : String(count)
  const width = 14 + text.length * 7
  const pill = { x: -width / 2, y: -7.5, width, height: 15, rx: 7.5 }
  return (
    <g className={classNames(isFollowed && styles['followed'])} data-packet="">
      <g
        className={styles['packet']}
        style={{ offsetPath }}
        onAnimationEnd={onEnd}
        data-testid="packet"
      >
        <path d="M-30 0H-14" className={styles['tail']} strokeOpacity=".25" />
        <path d="M-16 0H-2" className={styles['tail']} strokeOpacity=".6" />
        <circle r="3.2" className={styles['head']} />
      </g>
      {count < 2 ? null : (
        <g className={styles['packetCount']} style={{ offsetPath }}>
          <rect {...pill} className={styles['pill']} />
          <Text x={0} y={4} anchor="middle" look="pillText">
            {text}
          </Text>
        </g>
      )}
    </g>
  )
}

function Packets({
  path,
  total,
  isMoving,
  isFollowed,
}: {
  readonly path: string
  readonly total: number
  readonly isMoving: boolean
  readonly isFollowed: boolean
}): ReactNode {
  const [flight, setFlight] = useState<Flight>({ from: total, to: total, isOver: true })
  const now = nextFlight(flight, total, isMoving)
  if (now !== flight) setFlight(now)
  if (now.isOver) return null
  return (
    <Packet
      key={now.to}
      path={path}
      count={now.to - now.from}
      isFollowed={isFollowed}
      onEnd={() => setFlight({ ...now, isOver: true })}
    />
  )
}

/** The arrows that end when the API server is away. */
export function isToServer({ from, to }: FlowArrowRow): boolean {
  return from === 'apiServer' || to === 'apiServer'
}

/** One arrow: its line, what runs along it, and its mark where it is followed or broken. */
export function Wire({
  arrow,
  motion,
}: {
  readonly arrow: FlowArrowRow
  readonly motion: Motion
}): ReactNode {
  const { id, isDashed = false } = arrow
  const path = useLayout().wires.get(id)?.path ?? ''
  const { total, podUid } = useArrow(id)
  const followed = useFollowedContext()
  const isAway = useAppState((state) => shownCluster(state)?.connection.kind === 'away')
  const step = stepOf(followed, id)
  const isBeam = step !== undefined && step.number <= followed.shownSteps
  const isBroken = isAway && isToServer(arrow)
  const isOfFollowed = isBeam || followed.uids.has(podUid)
  const head = isBroken ? 'broken' : isBeam ? 'beam' : 'plain'
  const looks = [isDashed && 'dashed', isBeam && 'beam', isBroken && 'broken']
  const look = classNames(styles['wire'], ...looks.map((name) => name !== false && styles[name]))
  return (
    <g data-arrow={id}>
      <path d={path} className={look} markerEnd={`url(#flow-head-${head})`} />
      {motion === 'glow' && total > 0 ? (
        <path key={total} d={path} className={styles['glow']} />
      ) : null}
      <Packets
        path={path}
        total={total}
        isMoving={motion === 'packets' && !isBroken}
        isFollowed={isOfFollowed}
      />
    </g>
  )
}

/** What is followed, run again from its first step to its last. */
export function ReplayPackets({ motion }: { readonly motion: Motion }): ReactNode {
  const { steps } = useFollowedContext()
  const { wires } = useLayout()
  const replays = useAppState((state) => state.replays)
  const [shown] = useState(replays)
  if (motion !== 'packets' || replays === shown) return null
  return (
    <g key={replays} className={styles['followed']} data-packet="">
      {steps.map((step, index) => (
        <g
          key={step.arrow}
          className={styles['packet']}
          style={{
            offsetPath: `path('${wires.get(step.arrow)?.path ?? ''}')`,
            animationDelay: `${index * 450}ms`,
          }}
        >
          <circle r="4.5" className={styles['head']} />
        </g>
      ))}
    </g>
  )
}
