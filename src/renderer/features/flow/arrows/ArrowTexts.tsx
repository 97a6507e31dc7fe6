import type { ReactNode } from 'react'
import { Fragment } from 'react'
import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import { useTicking } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { useAgo, useArrow, useFlow, useFlowPlace, useIsLogged, useTables } from '../flow-context.ts'
import { useFollowed } from '../follow/followed.ts'
import type { TextPlace } from '../layout/arrow-places.ts'
import type { Point } from '../layout/box.ts'
import { fitText, mono, plain, shortPodName } from '../layout/fit.ts'
import { lanesTop } from '../layout/lanes.ts'
import { partBox } from '../layout/layout.ts'
import styles from '../parts/Picture.module.css'
import { Text } from '../parts/drawing.tsx'
import { useIsReduced } from './motion.ts'

/** How long a move is seen on its arrow's count, in ms on the cluster's clock: bright, then warm. */
const brightMs = 4000
const warmMs = 10_000

/** The afterglow of a move, as a class; it follows the clock's ticks, since an animation would paint for ten seconds. */
export function useGlow(at: number | null): string {
  const { cluster } = useFlowPlace()
  const glowAt = (now: number): string =>
    at === null || now - at >= warmMs ? '' : now - at < brightMs ? 'bright' : 'warm'
  return useTicking(cluster, glowAt, '')
}

interface TextOfArrow {
  readonly arrow: FlowArrowRow
  readonly place: TextPlace
}

/** How much moved in the last minute, lit for 10 s after each move. */
function ArrowCount({ arrow, place: { x, y, anchor } }: TextOfArrow): ReactNode {
  const { total, lastMinute, at } = useArrow(arrow.id)
  const isReduced = useIsReduced()
  const ago = useAgo(at)
  const glow = useGlow(at)
  if (total === 0) return null
  const words = (
    <>
      {lastMinute}
      {isReduced && ago !== '' ? (
        <tspan className={styles['faint']}>{` ${ago.replace(' ago', '')}`}</tspan>
      ) : null}
    </>
  )
  return <Text x={x} y={y} anchor={anchor} words={words} classes={`count ${glow}`} />
}

/** The call that an arrow is, and its last move: in the place of the call for an arrow without one. */
function ArrowLabel({ arrow, place: { x, y, anchor, width, lines } }: TextOfArrow): ReactNode {
  const { id, label, shows = [] } = arrow
  const { at, text: move, podName } = useArrow(id)
  const { node } = useFlowPlace()
  const ago = useAgo(at)
  const isLogged = useIsLogged()
  // What a page calls the node of a log is no name that the log has.
  const head = label?.replace('{node}', isLogged ? '…' : node) ?? move
  const what = shows.includes('text') && label !== undefined ? `${move} ` : ''
  const isOfPod = shows.includes('pod') && podName !== ''
  const pod = isOfPod ? `${shortPodName(podName, node, width - plain(`${what}, ${ago}`))}, ` : ''
  const last = lines === 2 && at !== null ? fitText(`${what}${pod}${ago}`, width) : ''
  const place = { x, anchor }
  const classes = label === undefined ? 'mono' : 'mono faint'
  return (
    <>
      <Text {...place} y={y} words={fitText(head, width, mono)} classes={classes} />
      <Text {...place} y={y + 15} words={last} classes="faint" />
    </>
  )
}

/** The words of the arrow of recreated workers, on a plate over it. */
function RecreatedLabel(): ReactNode {
  const workers = partBox(useFlowPlace().layout, 'podWorkers')
  const count = useFlow((flow) => flow.workers.forgotten) ?? 0
  const y = lanesTop(workers)
  const x = workers.x + 288
  const plate = { x: x - 8, y: y - 21, width: count === 0 ? 238 : 262, height: 16 }
  const words = (
    <>
      {text.flow.removedBy(<tspan className={styles['mono']}>{'SyncKnownPods'}</tspan>)}
      {count === 0 ? null : <tspan className={styles['mono']}>{`  ${count}`}</tspan>}
    </>
  )
  return (
    <g data-plate="">
      <rect {...plate} className={styles['plate']} />
      <Text x={x} y={y - 9} words={words} classes="faint" />
    </g>
  )
}

/** The texts of the arrows: the calls they are, counts, and the last thing that moved. */
export function ArrowTexts(): ReactNode {
  const { arrows } = useTables()
  const { layout } = useFlowPlace()
  return (
    <>
      {arrows.map((arrow) => {
        const { label = null, count = null } = layout.arrows.get(arrow.id) ?? {}
        return (
          <Fragment key={arrow.id}>
            {label === null ? null : <ArrowLabel arrow={arrow} place={label} />}
            {count === null ? null : <ArrowCount arrow={arrow} place={count} />}
          </Fragment>
        )
      })}
      <RecreatedLabel />
    </>
  )
}

interface BadgeProps extends Point {
  readonly number: number
  readonly radius?: number
}

/** The number of a step; outlined while a replay has not reached it. */
export function Badge({ x, y, number, radius = 9 }: BadgeProps): ReactNode {
  const isLater = number > useFollowed().shownSteps
  const classes = isLater ? 'badgeText badgeTextLater' : 'badgeText'
  return (
    <g data-badge="">
      <circle cx={x} cy={y} r={radius} className={styles[isLater ? 'badgeLater' : 'badge']} />
      <Text x={x} y={y + 4} anchor="middle" words={number} classes={classes} />
    </g>
  )
}

/** Numbers on the arrows of what is followed. */
export function Badges(): ReactNode {
  const { steps } = useFollowed()
  const { layout } = useFlowPlace()
  return steps.map(({ arrow, number }) => {
    const { badge = { x: 0, y: 0 } } = layout.arrows.get(arrow) ?? {}
    return <Badge key={arrow} {...badge} number={number} />
  })
}
