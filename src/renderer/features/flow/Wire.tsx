import type { ReactNode } from 'react'
import { useState } from 'react'
import type { FlowArrow } from '../../../shared/model/flow.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { arrowLooks, isToServer } from './arrows.ts'
import { useFollowedContext } from './followed-context.ts'
import { useArrow } from './flow-context.ts'
import type { ArrowPlace } from './layout.ts'
import { useLayout } from './layout.ts'
import { stepOf } from './follow.ts'
import type { Motion } from './motion.ts'
import styles from './Picture.module.css'

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
  // Small enough to pass between the words beside the arrow.
  const text = count > 99 ? '99+' : String(count)
  const width = 14 + text.length * 7
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
          <rect
            x={-width / 2}
            y="-7.5"
            width={width}
            height="15"
            rx="7.5"
            className={styles['pill']}
          />
          <text x="0" y="4" textAnchor="middle" className={styles['pillText']}>
            {text}
          </text>
        </g>
      )}
    </g>
  )
}

function Packets({
  place,
  total,
  isMoving,
  isFollowed,
}: {
  readonly place: ArrowPlace
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
      path={place.path}
      count={now.to - now.from}
      isFollowed={isFollowed}
      onEnd={() => setFlight({ ...now, isOver: true })}
    />
  )
}

/** One arrow: its line, what runs along it, and its mark where it is followed or broken. */
export function Wire({
  arrow,
  motion,
}: {
  readonly arrow: FlowArrow
  readonly motion: Motion
}): ReactNode {
  const look = arrowLooks[arrow]
  const place = useLayout().arrows[arrow]
  const { total, podUid } = useArrow(arrow)
  const followed = useFollowedContext()
  const isAway = useAppState((state) => shownCluster(state)?.connection.kind === 'away')
  const step = stepOf(followed, arrow)
  const isBeam = step !== undefined && step.number <= followed.shownSteps
  const isBroken = isAway && isToServer(arrow)
  const isOfFollowed = isBeam || followed.uids.has(podUid)
  const head = isBroken ? 'broken' : isBeam ? 'beam' : 'plain'
  return (
    <g data-arrow={arrow}>
      <path
        d={place.path}
        className={classNames(
          styles['wire'],
          look.isDashed && styles['dashed'],
          isBeam && styles['beam'],
          isBroken && styles['broken'],
        )}
        markerEnd={`url(#flow-head-${head})`}
      />
      {motion === 'glow' && total > 0 ? (
        <path key={total} d={place.path} className={styles['glow']} />
      ) : null}
      <Packets
        place={place}
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
  const { arrows } = useLayout()
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
            offsetPath: `path('${arrows[step.arrow].path}')`,
            animationDelay: `${index * 450}ms`,
          }}
        >
          <circle r="4.5" className={styles['head']} />
        </g>
      ))}
    </g>
  )
}
