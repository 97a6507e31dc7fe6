import type { ReactNode } from 'react'
import { useState } from 'react'
import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import { shownCluster } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useArrow, useLayout } from '../flow-context.ts'
import { useFollowed } from '../follow/followed.ts'
import styles from '../parts/Picture.module.css'
import { Text } from '../parts/drawing.tsx'
import type { Motion } from './motion.ts'

/** The packet that is under way. */
interface Flight {
  /** Totals of the arrow: before this packet, and with what it stands for. */
  readonly from: number
  readonly to: number
  readonly isOver: boolean
}

/** The flight after `total` moves; the next packet leaves when the one under way has arrived. Pure. */
export function nextFlight(flight: Flight, total: number, isMoving: boolean): Flight {
  // The main process counts from zero again after a restart.
  if (total < flight.to || !isMoving)
    return flight.to === total && flight.isOver ? flight : { from: total, to: total, isOver: true }
  if (!flight.isOver || total === flight.to) return flight
  return { from: flight.to, to: total, isOver: false }
}

interface PacketProps {
  readonly path: string
  readonly count: number
  readonly isFollowed: boolean
  readonly onEnd: () => void
}

function Packet({ path, count, isFollowed, onEnd }: PacketProps): ReactNode {
  const style = { offsetPath: `path('${path}')` }
  // Small enough to pass between the texts next to the arrow.
  const words = count > 99 ? '99+' : String(count)
  const width = 14 + words.length * 7
  const pill = { x: -width / 2, y: -7.5, width, height: 15, rx: 7.5 }
  return (
    <g className={classNames(isFollowed && styles['followed'])} data-packet="">
      <g className={styles['packet']} style={style} onAnimationEnd={onEnd} data-testid="packet">
        <path d="M-30 0H-14" className={styles['tail']} strokeOpacity=".25" />
        <path d="M-16 0H-2" className={styles['tail']} strokeOpacity=".6" />
        <circle r="3.2" className={styles['head']} />
      </g>
      {count < 2 ? null : (
        <g className={styles['packetCount']} style={style}>
          <rect {...pill} className={styles['pill']} />
          <Text y={4} anchor="middle" words={words} classes="pillText" />
        </g>
      )}
    </g>
  )
}

interface PacketsProps extends Pick<PacketProps, 'path' | 'isFollowed'> {
  readonly total: number
  readonly isMoving: boolean
}

function Packets({ total, isMoving, ...packet }: PacketsProps): ReactNode {
  const [flight, setFlight] = useState<Flight>({ from: total, to: total, isOver: true })
  const now = nextFlight(flight, total, isMoving)
  if (now !== flight) setFlight(now)
  if (now.isOver) return null
  const onEnd = (): void => setFlight({ ...now, isOver: true })
  return <Packet key={now.to} {...packet} count={now.to - now.from} onEnd={onEnd} />
}

/** Whether nothing moves along the arrow since the API server is unreachable. */
export function useIsBroken({ from, to }: FlowArrowRow): boolean {
  const isAway = useAppState((state) => shownCluster(state)?.connection.kind === 'away')
  return isAway && [from, to].includes('apiServer')
}

interface ArrowProps {
  readonly arrow: FlowArrowRow
  readonly motion: Motion
}

/** One arrow: its line, what runs along it, and its mark if it is followed or broken. */
export function Arrow({ arrow, motion }: ArrowProps): ReactNode {
  const { id, isDashed = false } = arrow
  const path = useLayout().arrows.get(id)?.path ?? ''
  const { total, podUid, sight } = useArrow(id)
  const { steps, uids, shownSteps } = useFollowed()
  const step = steps.find((candidate) => candidate.arrow === id)
  const isBeam = step !== undefined && step.number <= shownSteps
  const isBroken = useIsBroken(arrow)
  const head = isBroken ? 'broken' : isBeam ? 'beam' : 'plain'
  const marks = [
    isDashed && 'dashed',
    sight === 'notKnown' && 'notKnown',
    isBeam && 'beam',
    isBroken && 'broken',
  ]
  const classes = marks.map((mark) => mark !== false && styles[mark])
  return (
    <g data-arrow={id}>
      <path
        d={path}
        className={classNames(styles['wire'], ...classes)}
        markerEnd={`url(#flow-head-${head})`}
      />
      {motion === 'glow' && total > 0 ? (
        <path key={total} d={path} className={styles['glow']} />
      ) : null}
      <Packets
        path={path}
        total={total}
        isMoving={motion === 'packets' && !isBroken}
        isFollowed={isBeam || uids.has(podUid)}
      />
    </g>
  )
}

/** What is followed, run again from its first step to its last. */
export function ReplayPackets({ motion }: { readonly motion: Motion }): ReactNode {
  const { steps } = useFollowed()
  const { arrows } = useLayout()
  const replays = useAppState((state) => state.replays)
  const [shown] = useState(replays)
  if (motion !== 'packets' || replays === shown) return null
  return (
    <g key={replays} className={styles['followed']} data-packet="">
      {steps.map(({ arrow }, index) => {
        const offsetPath = `path('${arrows.get(arrow)?.path ?? ''}')`
        const style = { offsetPath, animationDelay: `${index * 450}ms` }
        return (
          <g key={arrow} className={styles['packet']} style={style}>
            <circle r="4.5" className={styles['head']} />
          </g>
        )
      })}
    </g>
  )
}
