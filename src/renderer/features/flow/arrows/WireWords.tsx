import type { ReactNode } from 'react'
import { Fragment } from 'react'
import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import { useTicking } from '../../../store/store-context.ts'
import { lastingText } from '../../../words/time.ts'
import { useArrow, useFlow, useFlowPlace, useTables } from '../flow-context.ts'
import { useFollowedContext } from '../follow/followed-context.ts'
import type { Point } from '../layout/box.ts'
import { fitText, mono, plain, shortPodName } from '../layout/fit.ts'
import { lanesTop } from '../layout/lanes.ts'
import { useLayout, usePartBox } from '../layout/layout-context.ts'
import { useIsReduced } from './motion.ts'
import styles from '../parts/Picture.module.css'
import type { TextPlace } from '../layout/wires.ts'
import { Text } from '../parts/Text.tsx'

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

interface PlacedArrow {
  readonly arrow: FlowArrowRow
  readonly place: TextPlace
}

/** How much moved in the last minute, lit for 10 s after each move. */
function ArrowCount({ arrow, place: { x, y, anchor } }: PlacedArrow): ReactNode {
  const { total, lastMinute, at } = useArrow(arrow.id)
  const isReduced = useIsReduced()
  const ago = useAgo(at)
  const glow = useGlow(at)
  if (total === 0) return null
  return (
    <Text x={x} y={y} anchor={anchor} look="count" className={glow}>
      {lastMinute}
      {isReduced && ago !== '' ? (
        <tspan className={styles['faint']}>{` ${ago.replace(' ago', '')}`}</tspan>
      ) : null}
    </Text>
  )
}

/** The call that an arrow is, and its last move: in the place of the call where there is none. */
function ArrowLabel({ arrow, place: { x, y, anchor, width, lines } }: PlacedArrow): ReactNode {
  const { id, label, tells = [] } = arrow
  const { at, text, podName } = useArrow(id)
  const { node } = useFlowPlace()
  const ago = useAgo(at)
  const isTold = at !== null
  const head = label?.replace('{node}', node) ?? (isTold ? text : '')
  const said = tells.includes('text') && label !== undefined ? `${text} ` : ''
  const isOfPod = tells.includes('pod') && podName !== ''
  const pod = isOfPod ? `${shortPodName(podName, node, width - plain(`${said}, ${ago}`))}, ` : ''
  return (
    <>
      <Text x={x} y={y} anchor={anchor} look={label === undefined ? 'mono' : 'mono faint'}>
        {fitText(head, width, mono)}
      </Text>
      <Text x={x} y={y + 15} anchor={anchor} look="faint">
        {lines === 2 && isTold ? fitText(`${said}${pod}${ago}`, width) : ''}
      </Text>
    </>
  )
}

/** What the way of recreated workers is, on a plate over it. */
function Forgotten(): ReactNode {
  const workers = usePartBox('podWorkers')
  const forgotten = useFlow((flow) => flow.workers.forgotten) ?? 0
  const y = lanesTop(workers)
  const x = workers.x + 288
  const plate = { x: x - 8, y: y - 21, width: forgotten === 0 ? 238 : 262, height: 16 }
  return (
    <g data-plate="">
      <rect {...plate} className={styles['plate']} />
      <Text x={x} y={y - 9} look="faint">
        removed by <tspan className={styles['mono']}>SyncKnownPods</tspan>, recreated
        {forgotten === 0 ? null : <tspan className={styles['mono']}>{`  ${forgotten}`}</tspan>}
      </Text>
    </g>
  )
}

/** The words of the arrows: the calls they are, counts, and the last thing that moved. */
export function WireWords(): ReactNode {
  const { arrows } = useTables()
  const { wires } = useLayout()
  return (
    <>
      {arrows.map((arrow) => {
        const { label = null, count = null } = wires.get(arrow.id) ?? {}
        return (
          <Fragment key={arrow.id}>
            {label === null ? null : <ArrowLabel arrow={arrow} place={label} />}
            {count === null ? null : <ArrowCount arrow={arrow} place={count} />}
          </Fragment>
        )
      })}
      <Forgotten />
    </>
  )
}

/** The number of a step; what a replay has not reached yet is outlined. */
export function Badge({
  x,
  y,
  number,
  radius = 9,
}: Point & { readonly number: number; readonly radius?: number }): ReactNode {
  const isLater = number > useFollowedContext().shownSteps
  return (
    <g data-badge="">
      <circle cx={x} cy={y} r={radius} className={styles[isLater ? 'badgeLater' : 'badge']} />
      <Text
        x={x}
        y={y + 4}
        anchor="middle"
        look={isLater ? 'badgeText badgeTextLater' : 'badgeText'}
      >
        {number}
      </Text>
    </g>
  )
}

/** Numbers on the arrows of what is followed. */
export function Badges(): ReactNode {
  const { steps } = useFollowedContext()
  const { wires } = useLayout()
  return steps.map(({ arrow, number }) => {
    const { badge = { x: 0, y: 0 } } = wires.get(arrow) ?? {}
    return <Badge key={arrow} {...badge} number={number} />
  })
}
