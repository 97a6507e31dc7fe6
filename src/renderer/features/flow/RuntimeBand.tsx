import type { ReactNode } from 'react'
import type { ContainerBrick, PodRow } from '../../../shared/model/pod-row.ts'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { countText } from '../../words/time.ts'
import type { Token } from './board.ts'
import { fitText, shortName } from './fit.ts'
import { useBoard } from './flow-context.ts'
import { useFollowedContext } from './followed-context.ts'
import { tileBox, tilesShown, useLayout } from './layout.ts'
import styles from './Picture.module.css'

/** A tile has room for so many containers; the rest is a number. */
const bricksShown = 3

function Brick({
  state,
  isStopping,
  x,
  y,
}: {
  readonly state: ContainerBrick
  readonly isStopping: boolean
  readonly x: number
  readonly y: number
}): ReactNode {
  const box = { x, y, width: 14, height: 14, rx: 2.5 }
  if (isStopping && (state === 'running' || state === 'notready'))
    return <rect {...box} fill="url(#flow-hatch)" className={styles['stopping']} />
  switch (state) {
    case 'running':
      return <rect {...box} className={styles['running']} />
    case 'notready':
      return <rect {...box} className={styles['notReady']} />
    case 'down':
      return (
        <>
          <rect {...box} className={styles['down']} />
          <path d={`M${x + 2} ${y + 12}l10-10`} className={styles['down']} />
        </>
      )
    case 'exited':
      return (
        <>
          <rect {...box} className={styles['exited']} />
          <path d={`M${x + 4} ${y + 7}h6`} className={styles['exited']} />
        </>
      )
    case 'waiting':
    default:
      return <rect {...box} className={styles['pending']} />
  }
}

function Bricks({
  row,
  x,
  y,
}: {
  readonly row: PodRow
  readonly x: number
  readonly y: number
}): ReactNode {
  const shown = row.bricks.slice(0, row.bricks.length > bricksShown ? bricksShown - 1 : bricksShown)
  const more = row.bricks.length - shown.length
  return (
    <>
      {shown.map((brick, index) => (
        <Brick
          key={brick.name}
          state={brick.state}
          isStopping={row.worker === 'TerminatingPod'}
          x={x + index * 18}
          y={y}
        />
      ))}
      {more === 0 ? null : (
        <text x={x + shown.length * 18} y={y + 11} className={styles['count']}>
          +{more}
        </text>
      )}
    </>
  )
}

function Tile({ token, index }: { readonly token: Token; readonly index: number }): ReactNode {
  const { uids } = useFollowedContext()
  const { row } = token
  const box = tileBox(index, useLayout())
  const isHot = uids.has(row.uid)
  return (
    <g className={classNames(token.isLeaving && styles['leaving'])}>
      <rect
        {...box}
        rx="4"
        className={classNames(styles['tile'], isHot && styles['hot'])}
        data-frame="a sandbox"
      />
      <text x={box.x + 5} y={box.y + 16} className={isHot ? styles['strong'] : undefined}>
        {shortName(row, box.width - 9)}
      </text>
      <Bricks row={row} x={box.x + 7} y={box.y + 30} />
    </g>
  )
}

function MoreTile({ more, index }: { readonly more: number; readonly index: number }): ReactNode {
  const { x, y } = tileBox(index, useLayout())
  return (
    <>
      <text x={x + 5} y={y + 26} className={styles['more']}>
        and {countText(more)}
      </text>
      <text x={x + 5} y={y + 41} className={styles['more']}>
        more
      </text>
    </>
  )
}

export function RuntimeBand(): ReactNode {
  const { x, y, width, height } = useLayout().parts.runtime
  const middle = y + height / 2
  const tiles = useBoard((board) => board.tiles)
  const { tokens, more } = tilesShown(tiles)
  const running = useBoard((board) => board.runningContainers)
  const runtime = useAppState((state) => shownNode(state)?.runtime ?? '')
  const sandboxes = `${countText(tiles.total)} ${tiles.total === 1 ? 'sandbox' : 'sandboxes'}`
  return (
    <g>
      <rect
        {...{ x, y, width, height }}
        rx="8"
        className={styles['band']}
        data-frame="the runtime"
      />
      <text x="44" y={middle - 11} className={classNames(styles['title'], styles['big'])}>
        Container runtime
      </text>
      <text x="44" y={middle + 8}>
        {fitText(runtime, 200)}
      </text>
      <text x="44" y={middle + 26} className={styles['faint']}>
        {fitText(`${sandboxes}, ${countText(running)} running`, 200)}
      </text>
      {tiles.total === 0 ? (
        <text x="258" y={middle + 4} className={styles['faint']}>
          No sandboxes. One appears here when a worker starts a pod.
        </text>
      ) : null}
      {tokens.map((token, index) => (
        <Tile key={token.row.key} token={token} index={index} />
      ))}
      {more > 0 ? <MoreTile more={more} index={tokens.length} /> : null}
    </g>
  )
}
