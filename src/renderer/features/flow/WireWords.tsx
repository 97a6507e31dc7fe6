import type { ReactNode } from 'react'
import type { FlowArrow } from '../../../shared/model/flow.ts'
import { flowArrows } from '../../../shared/model/flow.ts'
import { useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { lastingText } from '../../words/time.ts'
import { arrowLooks } from './arrows.ts'
import { useArrow, useFlow, useFlowPlace } from './flow-context.ts'
import { useFollowedContext } from './followed-context.ts'
import { fitText, shortPodName } from './fit.ts'
import { useIsReduced } from './motion.ts'
import styles from './Picture.module.css'

/** How long a move is seen on its arrow's count, in ms on the cluster's clock: bright, then warm. */
const brightMs = 4000
const warmMs = 10_000

/** The afterglow of a move; by the clock's ticks, since an animation would paint for ten seconds on end. */
export function useGlow(at: number | null): string | undefined {
  const { cluster } = useFlowPlace()
  const glow = useTicking(
    cluster,
    (now) => {
      if (at === null || now - at >= warmMs) return ''
      return now - at < brightMs ? 'bright' : 'warm'
    },
    '',
  )
  return glow === '' ? undefined : styles[glow]
}

/** `3 s ago`, ticking; empty for what never was. */
export function useAgo(at: number | null): string {
  const { cluster } = useFlowPlace()
  return useTicking(cluster, (now) => (at === null ? '' : `${lastingText(now - at)} ago`), '')
}

/** How much moved in the last minute, lit for 10 s after each move. */
export function ArrowCount({
  arrow,
  x,
  y,
  anchor = 'start',
  isBig = false,
}: {
  readonly arrow: FlowArrow
  readonly x: number
  readonly y: number
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly isBig?: boolean
}): ReactNode {
  const { total, lastMinute, at } = useArrow(arrow)
  const isReduced = useIsReduced()
  const ago = useAgo(at)
  const glow = useGlow(at)
  const isKnown = total > 0 || isBig
  if (!isKnown) return null
  return (
    <text
      x={x}
      y={y}
      textAnchor={anchor}
      className={classNames(isBig ? styles['number'] : styles['count'], glow)}
    >
      {lastMinute}
      {isReduced && !isBig && ago !== '' ? (
        <tspan className={styles['faint']}>{` ${ago.replace(' ago', '')}`}</tspan>
      ) : null}
    </text>
  )
}

function LastMove({
  arrow,
  x,
  y,
  room,
  isWithPod = false,
}: {
  readonly arrow: FlowArrow
  readonly x: number
  readonly y: number
  readonly room: number
  readonly isWithPod?: boolean
}): ReactNode {
  const { at, text, podName } = useArrow(arrow)
  const { node } = useFlowPlace()
  const ago = useAgo(at)
  if (at === null) return null
  const pod = isWithPod && podName !== '' ? `${shortPodName(podName, node, 12)}, ` : ''
  return (
    <>
      <text x={x} y={y} className={styles['mono']}>
        {fitText(text, room)}
      </text>
      <text x={x} y={y + 15} className={styles['faint']}>
        {pod}
        {ago}
      </text>
    </>
  )
}

function Label({
  x,
  y,
  children,
  anchor = 'start',
}: {
  readonly x: number
  readonly y: number
  readonly children: ReactNode
  readonly anchor?: 'start' | 'middle'
}): ReactNode {
  return (
    <text x={x} y={y} textAnchor={anchor} className={classNames(styles['mono'], styles['faint'])}>
      {children}
    </text>
  )
}

function Stop(): ReactNode {
  const { at, text, podName } = useArrow('podWorkers-runtime-stop')
  const { node } = useFlowPlace()
  const ago = useAgo(at)
  return (
    <>
      <Label x={1044} y={637}>
        StopContainer
      </Label>
      {at === null ? null : (
        <text x={1044} y={652} className={styles['faint']}>
          {fitText(`${text} ${shortPodName(podName, node, 18)}, ${ago}`, 32)}
        </text>
      )}
    </>
  )
}

function Start(): ReactNode {
  const { at, podName } = useArrow('podWorkers-runtime-start')
  const { node } = useFlowPlace()
  const ago = useAgo(at)
  return (
    <>
      <Label x={868} y={637}>
        StartContainer
      </Label>
      {at === null ? null : (
        <text x={868} y={652} className={styles['faint']}>
          {shortPodName(podName, node, 14)}, {ago}
        </text>
      )}
    </>
  )
}

function Forgotten(): ReactNode {
  const forgotten = useFlow((flow) => flow.workers.forgotten) ?? 0
  return (
    <>
      <rect
        x="912"
        y="279"
        width={forgotten === 0 ? 238 : 262}
        height="16"
        className={styles['plate']}
      />
      <text x="920" y="291" className={styles['faint']}>
        forgotten by <tspan className={styles['mono']}>SyncKnownPods</tspan>, made anew
        {forgotten === 0 ? null : <tspan className={styles['mono']}>{`  ${forgotten}`}</tspan>}
      </text>
    </>
  )
}

/** What stands beside the arrows: the calls they are, counts, and the last thing that moved. */
export function WireWords(): ReactNode {
  const node = useFlowPlace().node
  return (
    <>
      <Label x={134} y={92}>
        watch, spec.nodeName={fitText(node, 30)}
      </Label>
      <Label x={736} y={92}>
        POST, DELETE pods
      </Label>
      <Label x={951} y={92}>
        PATCH pods/status
      </Label>
      <Label x={1144} y={92}>
        PUT lease
      </Label>
      <Label x={516} y={645}>
        ListContainers
      </Label>
      <Label x={598} y={331} anchor="middle">
        UpdatePod
      </Label>
      <text x="613" y="158" textAnchor="middle" className={styles['faint']}>
        UIDs
      </text>
      <LastMove arrow="syncLoop-podManager" x={518} y={246} room={16} />
      <LastMove arrow="pleg-syncLoop" x={518} y={470} room={17} isWithPod />
      <Start />
      <Stop />
      {flowArrows.map((arrow) => {
        const { count } = arrowLooks[arrow]
        return count === null || arrow === 'podWorkers-podWorkers' ? null : (
          <ArrowCount key={arrow} arrow={arrow} {...count} />
        )
      })}
      <Forgotten />
    </>
  )
}

/** Numbers on the arrows of what is followed; what a replay has not reached yet is outlined. */
export function Badges(): ReactNode {
  const { steps, shownSteps } = useFollowedContext()
  return steps.map(({ arrow, number }) => {
    const { x, y } = arrowLooks[arrow].badge
    const isLater = number > shownSteps
    return (
      <g key={arrow}>
        <circle cx={x} cy={y} r="9" className={isLater ? styles['badgeLater'] : styles['badge']} />
        <text
          x={x}
          y={y + 4}
          textAnchor="middle"
          className={classNames(styles['badgeText'], isLater && styles['badgeTextLater'])}
        >
          {number}
        </text>
      </g>
    )
  })
}
