import type { ReactNode } from 'react'
import { shownCluster, shownNode } from '../../../store/shown-node.ts'
import { useAppState, useStore } from '../../../store/store-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import { clockText, lastingText } from '../../../words/time.ts'
import type { Box } from '../layout/box.ts'
import { fitText, mono, plain } from '../layout/fit.ts'
import { useArrow, useFlow, useFlowPlace, useTables } from '../flow-context.ts'
import { useLayout } from '../layout/layout-context.ts'
import { pictureWidth } from '../layout/layout.ts'
import styles from './Picture.module.css'
import { Sign } from './Sign.tsx'
import { useStandstill } from '../standstill.ts'
import { useAgo, useGlow } from '../arrows/WireWords.tsx'
import { Text } from './Text.tsx'

interface Place {
  readonly x: number
  readonly y: number
}

interface ColumnProps extends Place {
  /** The arrow that the column stands at, and what is left until the next. */
  readonly arrow: string
  readonly room: number
}

function serverText(label: string, server: string): string {
  return `${label}, ${server.replace(/^https?:\/\//, '')}`
}

/** A number above its words, as the band writes them; a number with a unit is lit by its last move. */
function Column({
  x,
  y,
  number,
  unit = '',
  at = null,
  foot,
}: Place & {
  readonly number: number
  readonly unit?: string
  readonly at?: number | null
  readonly foot: string
}): ReactNode {
  return (
    <>
      <Text x={x} y={y + 25}>
        <tspan className={classNames(styles['number'], useGlow(at))}>{number}</tspan>
        {unit === '' ? null : <tspan dx="6">{unit}</tspan>}
      </Text>
      <Text x={x} y={y + 44} look={unit === '' ? '' : 'faint'}>
        {foot}
      </Text>
    </>
  )
}

/** What the mirror client asks for is rare: its calls are counted over ten minutes. */
function MirrorCalls({ x, y, room }: ColumnProps): ReactNode {
  const { node } = useFlowPlace()
  const calls = useFlow((flow) => flow.mirrorClient.calls) ?? 0
  const last = useFlow((flow) => flow.mirrorClient.lastCall?.text ?? '') ?? ''
  const at = useFlow((flow) => flow.mirrorClient.lastCall?.at ?? null) ?? null
  const ago = useAgo(at)
  const foot = last === '' ? 'no call yet' : `last ${last.replace(`-${node}`, '')}, ${ago}`
  return <Column x={x} y={y} number={calls} unit="in 10 min" at={at} foot={fitText(foot, room)} />
}

function PerMinute({ arrow, room, ...place }: ColumnProps): ReactNode {
  const { lastMinute, at } = useArrow(arrow)
  const ago = useAgo(at)
  const lease = useAppState((state) => shownNode(state)?.leaseDurationSeconds ?? 0)
  const last = ago === '' ? 'nothing yet' : `last ${ago}`
  const foot = arrow === 'nodeController-apiServer' && lease > 0 ? `lasts ${lease} s` : last
  return (
    <Column {...place} number={lastMinute} unit="a minute" at={at} foot={fitText(foot, room)} />
  )
}

/** Since when the server does not answer. */
function useAwayText(since: number): string {
  const { wallClock } = useStore()
  // The wall is read again whenever the picture is updated.
  const isTold = useFlow((view) => view.now) !== undefined
  const lasted = isTold ? `, ${lastingText(wallClock() - since)}` : ''
  return `unreachable since ${clockText(since)}${lasted}`
}

/** Whose server it is, or why nothing reaches it. */
function Address(place: Place): ReactNode {
  const cluster = useAppState((state) => shownCluster(state))
  const isCutOff = useAppState((state) => shownNode(state)?.isCutOff === true)
  const connection = cluster?.connection
  const away = useAwayText(connection?.kind === 'away' ? connection.since : 0)
  const isLost = isCutOff || connection?.kind === 'away'
  const server = cluster === undefined ? '' : serverText(cluster.label, cluster.server)
  const text = isCutOff ? 'this node is cut off' : isLost ? away : server
  return (
    <Text {...place} look={isLost ? 'error' : 'mono faint'}>
      {fitText(text, 205, isLost ? plain : mono)}
    </Text>
  )
}

/** The server's own counts, and at each arrow to it what it has brought. */
export function ServerFace({ box: { x, y } }: { readonly box: Box }): ReactNode {
  const { wires } = useLayout()
  const { arrows } = useTables()
  const pods = useFlow((flow) => flow.api.pods) ?? 0
  const mirrors = useFlow((flow) => flow.api.mirrors) ?? 0
  const into = arrows.filter(({ to }) => to === 'apiServer')
  const ends = into.map(({ id }) => (wires.get(id)?.badge.x ?? 0) + 10)
  const podWord = pods === 1 ? 'pod on this node' : 'pods on this node'
  const mirrorWord = mirrors === 1 ? 'of them a mirror' : 'of them mirrors'
  return (
    <>
      <Sign name="api" x={x + 18} y={y + 14} size={16} ink={styles['textInk']} />
      <Text x={x + 44} y={y + 25} look="title big">
        API server
      </Text>
      <Address x={x + 44} y={y + 44} />
      <Column x={x + 258} y={y} number={pods} foot={podWord} />
      <Column x={x + 390} y={y} number={mirrors} foot={mirrorWord} />
      {into.map(({ id }, index) => {
        const left = ends[index] ?? 0
        const room = (ends[index + 1] ?? pictureWidth - 24) - left - 14
        const Calls = id === 'mirrorClient-apiServer' ? MirrorCalls : PerMinute
        return <Calls key={id} arrow={id} x={left} y={y} room={room} />
      })}
    </>
  )
}

function readyText(ready: number, all: number): string {
  if (all === 0) return 'no source'
  if (ready < all) return `${ready} of ${all} sources ready`
  return all === 1 ? 'its source is ready' : `all ${all} sources ready`
}

export function KubeletFrame(): ReactNode {
  const { frame, head } = useLayout()
  const { node } = useFlowPlace()
  const sources = useAppState((state) => shownNode(state)?.sources)
  const still = useStandstill()
  const all = sources?.length ?? 0
  const ready = sources?.filter((source) => source.ready).length ?? 0
  const look = still !== '' ? 'error' : ready < all ? 'warn' : 'faint'
  return (
    <g>
      <rect {...frame} rx="12" className={styles['frame']} data-frame="kubelet" />
      <Text x={head.x} y={head.y + 13} look="title big">
        kubelet
      </Text>
      <Text x={head.x} y={head.y + 32}>
        {fitText(node, head.width)}
      </Text>
      <Text x={head.x} y={head.y + 50} look={look}>
        {still === '' ? readyText(ready, all) : fitText(still, head.width)}
      </Text>
    </g>
  )
}
