import type { ReactNode } from 'react'
import { useState } from 'react'
import type { FlowArrow } from '../../../shared/model/flow.ts'
import { shownCluster } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import type { ArrowLook } from './arrows.ts'
import { arrowLooks, isToServer } from './arrows.ts'
import { useFollowedContext } from './followed-context.ts'
import { useArrow } from './flow-context.ts'
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
  isLeft,
  isFollowed,
  onEnd,
}: {
  readonly path: string
  readonly count: number
  /** On the side where the arrow's own count does not stand. */
  readonly isLeft: boolean
  readonly isFollowed: boolean
  readonly onEnd: () => void
}): ReactNode {
  const offsetPath = `path('${path}')`
  const width = 14 + String(count).length * 7
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
            x={isLeft ? -6 - width : 6}
            y={isLeft ? 3 : -18}
            width={width}
            height="15"
            rx="7.5"
            className={styles['pill']}
          />
          <text x={isLeft ? 1 - width : 13} y={isLeft ? 14 : -7} className={styles['pillText']}>
            {count}
          </text>
        </g>
      )}
    </g>
  )
}

function Packets({
  look,
  total,
  isMoving,
  isFollowed,
}: {
  readonly look: ArrowLook
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
      path={look.path}
      count={now.to - now.from}
      isLeft={look.count?.anchor === 'start'}
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
        d={look.path}
        className={classNames(
          styles['wire'],
          look.isDashed && styles['dashed'],
          isBeam && styles['beam'],
          isBroken && styles['broken'],
        )}
        markerEnd={`url(#flow-head-${head})`}
      />
      {motion === 'glow' && total > 0 ? (
        <path key={total} d={look.path} className={styles['glow']} />
      ) : null}
      <Packets
        look={look}
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
            offsetPath: `path('${arrowLooks[step.arrow].path}')`,
            animationDelay: `${index * 450}ms`,
          }}
        >
          <circle r="4.5" className={styles['head']} />
        </g>
      ))}
    </g>
  )
}
