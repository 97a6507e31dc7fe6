import type { ReactNode } from 'react'
import type { FlowArrow } from '../../../shared/model/flow.ts'
import { flowArrows } from '../../../shared/model/flow.ts'
import { useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { lastingText } from '../../words/time.ts'
import { useArrow, useFlow, useFlowPlace } from './flow-context.ts'
import { useFollowedContext } from './followed-context.ts'
import { fitText, mono, plain, shortPodName } from './fit.ts'
import { useLayout } from './layout.ts'
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
  width,
  isWithPod = false,
}: {
  readonly arrow: FlowArrow
  readonly x: number
  readonly y: number
  readonly width: number
  readonly isWithPod?: boolean
}): ReactNode {
  const { at, text, podName } = useArrow(arrow)
  const { node } = useFlowPlace()
  const ago = useAgo(at)
  if (at === null) return null
  const pod =
    isWithPod && podName !== '' ? `${shortPodName(podName, node, width - plain(`, ${ago}`))}, ` : ''
  return (
    <>
      <text x={x} y={y} className={styles['mono']}>
        {fitText(text, width, mono)}
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

/** A call to the runtime, and the pod that it was last made for. */
function Call({
  arrow,
  name,
  x,
  width,
  isWithText = false,
}: {
  readonly arrow: 'podWorkers-runtime-start' | 'podWorkers-runtime-stop'
  readonly name: string
  readonly x: number
  readonly width: number
  readonly isWithText?: boolean
}): ReactNode {
  const { runtimeWordsY } = useLayout()
  const { at, text, podName } = useArrow(arrow)
  const { node } = useFlowPlace()
  const ago = useAgo(at)
  const before = isWithText ? `${text} ` : ''
  const room = width - plain(`${before}, ${ago}`)
  return (
    <>
      <Label x={x} y={runtimeWordsY}>
        {name}
      </Label>
      {at === null ? null : (
        <text x={x} y={runtimeWordsY + 14} className={styles['faint']}>
          {before}
          {shortPodName(podName, node, room)}, {ago}
        </text>
      )}
    </>
  )
}

function Forgotten(): ReactNode {
  const { laneY } = useLayout()
  const forgotten = useFlow((flow) => flow.workers.forgotten) ?? 0
  return (
    <g data-plate="">
      <rect
        x="912"
        y={laneY - 21}
        width={forgotten === 0 ? 238 : 262}
        height="16"
        className={styles['plate']}
      />
      <text x="920" y={laneY - 9} className={styles['faint']}>
        removed by <tspan className={styles['mono']}>SyncKnownPods</tspan>, recreated
        {forgotten === 0 ? null : <tspan className={styles['mono']}>{`  ${forgotten}`}</tspan>}
      </text>
    </g>
  )
}

/** What stands beside the arrows: the calls they are, counts, and the last thing that moved. */
export function WireWords(): ReactNode {
  const node = useFlowPlace().node
  const { parts, callsY, runtimeWordsY, loop, arrows } = useLayout()
  const uidsY = parts.podManager.y + parts.podManager.height / 2 - 13
  return (
    <>
      <Label x={146} y={callsY}>
        watch, spec.nodeName={fitText(node, 400, mono)}
      </Label>
      <Label x={746} y={callsY}>
        POST, DELETE pods
      </Label>
      <Label x={961} y={callsY}>
        PATCH pods/status
      </Label>
      <Label x={1154} y={callsY}>
        PUT lease
      </Label>
      <Label x={524} y={runtimeWordsY + 4}>
        ListContainers
      </Label>
      <Label x={598} y={loop.y - 14} anchor="middle">
        UpdatePod
      </Label>
      <text x="613" y={uidsY} textAnchor="middle" className={styles['faint']}>
        UIDs
      </text>
      <LastMove arrow="syncLoop-podManager" x={524} y={parts.syncLoop.y - 42} width={106} />
      <LastMove arrow="pleg-syncLoop" x={524} y={parts.pleg.y - 46} width={106} isWithPod />
      <Call arrow="podWorkers-runtime-start" name="StartContainer" x={810} width={156} />
      <Call arrow="podWorkers-runtime-stop" name="StopContainer" x={1047} width={190} isWithText />
      {flowArrows.map((arrow) => {
        const { count } = arrows[arrow]
        return count === null ? null : <ArrowCount key={arrow} arrow={arrow} {...count} />
      })}
      <Forgotten />
    </>
  )
}

/** Numbers on the arrows of what is followed; what a replay has not reached yet is outlined. */
export function Badges(): ReactNode {
  const { steps, shownSteps } = useFollowedContext()
  const { arrows } = useLayout()
  return steps.map(({ arrow, number }) => {
    const { x, y } = arrows[arrow].badge
    const isLater = number > shownSteps
    return (
      <g key={arrow} data-badge="">
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
