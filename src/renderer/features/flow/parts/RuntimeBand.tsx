import type { ReactNode } from 'react'
import type { ContainerBrick, PodRow } from '../../../../shared/model/pod-row.ts'
import { shownNode } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import { countText } from '../../../words/time.ts'
import type { Token } from '../board/board.ts'
import { tilesShown } from '../board/board.ts'
import type { Box } from '../layout/box.ts'
import { fitText, shortName } from '../layout/fit.ts'
import { useBoard } from '../flow-context.ts'
import { useFollowedContext } from '../follow/followed-context.ts'
import styles from './Picture.module.css'
import { Held, MoreButton, PodButton } from './PodButtons.tsx'
import { Text } from './Text.tsx'

/** A tile has room for so many containers; the rest is a number. */
const bricksShown = 3

const brickLooks: Readonly<Record<ContainerBrick, string>> = {
  running: 'running',
  notready: 'notReady',
  down: 'down',
  exited: 'exited',
  waiting: 'pending',
}
const brickMarks: Readonly<Partial<Record<ContainerBrick, string>>> = {
  down: 'M2 12l10-10',
  exited: 'M4 7h6',
}

function Brick({
  state,
  isStopping,
}: {
  readonly state: ContainerBrick
  readonly isStopping: boolean
}): ReactNode {
  const isHatched = isStopping && (state === 'running' || state === 'notready')
  const look = styles[isHatched ? 'stopping' : brickLooks[state]]
  const fill = isHatched ? { fill: 'url(#flow-hatch)' } : {}
  const mark = brickMarks[state]
  return (
    <>
      <rect width="14" height="14" rx="2.5" className={look} {...fill} />
      {mark === undefined ? null : <path d={mark} className={look} />}
    </>
  )
}

/** The containers of a pod: 18 units for each. */
function Bricks({ row: { bricks, worker } }: { readonly row: PodRow }): ReactNode {
  const shown = bricks.slice(0, bricks.length > bricksShown ? bricksShown - 1 : bricksShown)
  const more = bricks.length - shown.length
  return (
    <>
      {shown.map(({ name, state }, index) => (
        <g key={name} transform={`translate(${index * 18})`}>
          <Brick state={state} isStopping={worker === 'TerminatingPod'} />
        </g>
      ))}
      <Text x={shown.length * 18} y={11} look="count">
        {more === 0 ? '' : `+${more}`}
      </Text>
    </>
  )
}

/** The n-th sandbox in the runtime's band. */
function tileBox(index: number, { x, y, height: whole }: Box): Box {
  const height = Math.min(58, whole - 18)
  return { x: x + 226 + index * 65, y: y + (whole - height) / 2, width: 62, height }
}

function Tile({ token, box }: { readonly token: Token; readonly box: Box }): ReactNode {
  const { uids } = useFollowedContext()
  const { row } = token
  const isHot = uids.has(row.uid)
  const look = classNames(styles['tile'], isHot && styles['hot'])
  return (
    <PodButton
      token={token}
      frame={<rect {...box} rx="4" className={look} data-frame="a sandbox" />}
    >
      <Text x={box.x + 5} y={box.y + 16} look={isHot ? 'strong' : ''}>
        {shortName(row, box.width - 9)}
      </Text>
      <g transform={`translate(${box.x + 7} ${box.y + 30})`}>
        <Bricks row={row} />
      </g>
    </PodButton>
  )
}

export function RuntimeFace({ box }: { readonly box: Box }): ReactNode {
  const middle = box.y + box.height / 2
  const x = box.x + 20
  const tiles = useBoard((board) => board.tiles)
  const running = useBoard((board) => board.runningContainers)
  const runtime = useAppState((state) => shownNode(state)?.runtime ?? '')
  const sandboxes = `${countText(tiles.total)} ${tiles.total === 1 ? 'sandbox' : 'sandboxes'}`
  return (
    <>
      <Text x={x} y={middle - 11} look="title big">
        Container runtime
      </Text>
      <Text x={x} y={middle + 8}>
        {fitText(runtime, 200)}
      </Text>
      <Text x={x} y={middle + 26} look="faint">
        {fitText(`${sandboxes}, ${countText(running)} running`, 200)}
      </Text>
      {tiles.total === 0 ? (
        <Text x={tileBox(0, box).x + 8} y={middle + 4} look="faint">
          No sandboxes. One appears here when a worker starts a pod.
        </Text>
      ) : null}
    </>
  )
}

/** The pod sandboxes. */
export function RuntimePods({ box }: { readonly box: Box }): ReactNode {
  const { tokens, more } = tilesShown(useBoard((board) => board.tiles))
  return (
    <Held>
      {tokens.map((token, index) => (
        <Tile key={token.row.key} token={token} box={tileBox(index, box)} />
      ))}
      {more > 0 ? (
        <MoreButton
          count={more}
          box={tileBox(tokens.length, box)}
          filter=""
          of="the container runtime"
          lines={[`and ${countText(more)}`, 'more']}
        />
      ) : null}
    </Held>
  )
}
