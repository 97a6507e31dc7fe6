import type { ReactNode } from 'react'
import type { ContainerBrick, PodRow } from '../../../../shared/model/pod-row.ts'
import { flowNode } from '../../../store/shown-node.ts'
import { useAppState } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import type { Token } from '../board/board.ts'
import { drawnIn, groupRules } from '../board/board.ts'
import { useBoard } from '../flow-context.ts'
import { useFollowed } from '../follow/followed.ts'
import type { Box } from '../layout/box.ts'
import { fitText, shortName } from '../layout/fit.ts'
import styles from './Picture.module.css'
import { MoreButton, PodButton, PodPlaces } from './PodButtons.tsx'
import type { PartProps } from './drawing.tsx'
import { Drawn, Text } from './drawing.tsx'

const words = text.flow.runtime

/** A sandbox has room for so many containers; the others are a number. */
const bricksShown = 3

const brickClasses: Readonly<Record<ContainerBrick, string>> = {
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

/** The containers of a pod: 18 units for each. */
function Bricks({ row: { bricks, worker } }: { readonly row: PodRow }): ReactNode {
  const shown = bricks.slice(0, bricks.length > bricksShown ? bricksShown - 1 : bricksShown)
  const more = bricks.length - shown.length
  return (
    <>
      {shown.map(({ name, state }, index) => {
        const isRunning = state === 'running' || state === 'notready'
        const isHatched = worker === 'TerminatingPod' && isRunning
        const className = styles[isHatched ? 'stopping' : brickClasses[state]]
        const fill = isHatched ? { fill: 'url(#flow-hatch)' } : {}
        const mark = brickMarks[state]
        return (
          <g key={name} transform={`translate(${index * 18})`}>
            <rect width="14" height="14" rx="2.5" className={className} {...fill} />
            {mark === undefined ? null : <path d={mark} className={className} />}
          </g>
        )
      })}
      <Text x={shown.length * 18} y={11} words={more === 0 ? '' : `+${more}`} classes="count" />
    </>
  )
}

/** The n-th sandbox in the runtime's band. */
function sandboxBox(index: number, { x, y, height: bandHeight }: Box): Box {
  const height = Math.min(58, bandHeight - 18)
  return { x: x + 226 + index * 65, y: y + (bandHeight - height) / 2, width: 62, height }
}

function Sandbox({ token, box }: { readonly token: Token; readonly box: Box }): ReactNode {
  const { row } = token
  const isFollowed = useFollowed().uids.has(row.uid)
  const className = classNames(styles['tile'], isFollowed && styles['hot'])
  const name = shortName(row, box.width - 9)
  return (
    <PodButton
      token={token}
      frame={<rect {...box} rx="4" className={className} data-frame="a sandbox" />}
    >
      <Text x={box.x + 5} y={box.y + 16} words={name} classes={isFollowed ? 'strong' : ''} />
      <g transform={`translate(${box.x + 7} ${box.y + 30})`}>
        <Bricks row={row} />
      </g>
    </PodButton>
  )
}

/** The container runtime with its pod sandboxes. */
export function Runtime({ row, box }: PartProps): ReactNode {
  const middle = box.y + box.height / 2
  const x = box.x + 20
  const sandboxes = useBoard(({ groups }) => groups.sandboxes)
  const running = useBoard(({ runningContainers }) => runningContainers)
  const runtime = useAppState((state) => flowNode(state)?.runtime ?? '')
  const { tokens, more } = drawnIn(sandboxes, groupRules.sandboxes.room, true)
  const none = sandboxes.total === 0 ? words.noSandboxes : ''
  const counts = fitText(words.counts(sandboxes.total, running), 200)
  return (
    <>
      <Drawn>
        <Text x={x} y={middle - 11} words={row.title} classes="title big" />
        <Text x={x} y={middle + 8} words={fitText(runtime, 200)} />
        <Text x={x} y={middle + 26} words={counts} classes="faint" />
        <Text x={sandboxBox(0, box).x + 8} y={middle + 4} words={none} classes="faint" />
      </Drawn>
      <PodPlaces>
        {tokens.map((token, index) => (
          <Sandbox key={token.row.key} token={token} box={sandboxBox(index, box)} />
        ))}
        {more > 0 ? (
          <MoreButton
            count={more}
            box={sandboxBox(tokens.length, box)}
            filter=""
            of={words.theRuntime}
            lines={words.more(more)}
          />
        ) : null}
      </PodPlaces>
    </>
  )
}
