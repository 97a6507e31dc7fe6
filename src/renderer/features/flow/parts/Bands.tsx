import type { ReactNode } from 'react'
import { shownCluster, flowNode } from '../../../store/shown-node.ts'
import { useAppState, useStore } from '../../../store/store-context.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useGlow } from '../arrows/ArrowTexts.tsx'
import {
  useAgo,
  useArrow,
  useFlow,
  useFlowPlace,
  useFrozenReason,
  useTables,
} from '../flow-context.ts'
import type { Point } from '../layout/box.ts'
import { fitText, mono, plain } from '../layout/fit.ts'
import { pictureWidth } from '../layout/layout.ts'
import styles from './Picture.module.css'
import type { PartProps } from './drawing.tsx'
import { Drawn, Sign, Text } from './drawing.tsx'

const words = text.flow.server

interface ColumnProps extends Point {
  readonly number: number | string
  readonly unit?: string
  readonly at?: number | null
  readonly foot: string
}

/** A number above its words; a number with a unit is lit by its last move. */
function Column({ x, y, number, unit = '', at = null, foot }: ColumnProps): ReactNode {
  const glow = useGlow(at)
  const head = (
    <>
      <tspan className={classNames(styles['number'], styles[glow])}>{number}</tspan>
      {unit === '' ? null : <tspan dx="6">{unit}</tspan>}
    </>
  )
  return (
    <>
      <Text x={x} y={y + 25} words={head} />
      <Text x={x} y={y + 44} words={foot} classes={unit === '' ? '' : 'faint'} />
    </>
  )
}

interface CallsProps extends Point {
  /** The arrow to the server that the column is at. */
  readonly arrow: string
  /** The width until the next column. */
  readonly room: number
}

/** The mirror client calls rarely: its calls are counted over ten minutes. */
function MirrorCalls({ x, y, room }: CallsProps): ReactNode {
  const { node } = useFlowPlace()
  const calls = useFlow((flow) => flow.mirrorClient.calls) ?? 0
  const last = useFlow((flow) => flow.mirrorClient.lastCall?.text ?? '') ?? ''
  const at = useFlow((flow) => flow.mirrorClient.lastCall?.at ?? null) ?? null
  const ago = useAgo(at)
  const foot = last === '' ? words.noCall : words.lastCall(last.replace(`-${node}`, ''), ago)
  const unit = words.perTenMinutes
  return <Column x={x} y={y} number={calls} unit={unit} at={at} foot={fitText(foot, room)} />
}

function CallsPerMinute({ arrow, room, ...place }: CallsProps): ReactNode {
  const { lastMinute, at, sight } = useArrow(arrow)
  const ago = useAgo(at)
  const lease = useAppState((state) => flowNode(state)?.leaseDurationSeconds ?? 0)
  if (sight === 'notKnown') return <Column {...place} number="–" foot={text.flow.notKnown} />
  const isLease = arrow === 'nodeController-apiServer' && lease > 0
  const foot = fitText(isLease ? words.lasts(lease) : words.last(ago), room)
  return <Column {...place} number={lastMinute} unit={words.perMinute} at={at} foot={foot} />
}

/** The server's name and address, or why nothing reaches it. */
function Address({ x, y }: Point): ReactNode {
  const { wallClock } = useStore()
  const cluster = useAppState(shownCluster)
  const isCutOff = useAppState((state) => flowNode(state)?.isCutOff === true)
  // The wall clock is read again whenever the picture is updated.
  const isKnown = useFlow((view) => view.now) !== undefined
  const { label = '', server = '', connection } = cluster ?? {}
  const isAway = connection?.kind === 'away'
  const problem = isCutOff
    ? words.cutOff
    : isAway
      ? words.unreachable(connection.since, isKnown ? wallClock() : null)
      : ''
  const ruler = problem === '' ? mono : plain
  const address = [label, server.replace(/^https?:\/\//, '')].filter(Boolean).join(', ')
  const sentence = fitText(problem === '' ? address : problem, 205, ruler)
  return <Text x={x} y={y} words={sentence} classes={problem === '' ? 'mono faint' : 'error'} />
}

/** The API server: its own counts, and at each arrow to it the calls of that part. */
export function ApiServer({ row, box: { x, y } }: PartProps): ReactNode {
  const { layout } = useFlowPlace()
  const { arrows } = useTables()
  const pods = useFlow((flow) => flow.api?.pods)
  const mirrors = useFlow((flow) => flow.api?.mirrors)
  const callers = arrows.filter(({ to }) => to === 'apiServer')
  const ends = callers.map(({ id }) => (layout.arrows.get(id)?.badge.x ?? 0) + 10)
  return (
    <Drawn>
      <Sign name="api" x={x + 18} y={y + 14} size={16} className={styles['textInk']} />
      <Text x={x + 44} y={y + 25} words={row.title} classes="title big" />
      <Address x={x + 44} y={y + 44} />
      {pods === undefined ? null : (
        <Column x={x + 258} y={y} number={pods} foot={words.pods(pods)} />
      )}
      {mirrors === undefined ? null : (
        <Column x={x + 390} y={y} number={mirrors} foot={words.mirrors(mirrors)} />
      )}
      {callers.map(({ id }, index) => {
        const [left = 0, next = pictureWidth - 24] = ends.slice(index)
        const Calls = id === 'mirrorClient-apiServer' ? MirrorCalls : CallsPerMinute
        return <Calls key={id} arrow={id} x={left} y={y} room={next - left - 14} />
      })}
    </Drawn>
  )
}

/** The frame around the kubelet's parts, with its name, the node and the state of the sources. */
export function KubeletFrame(): ReactNode {
  const { node, layout } = useFlowPlace()
  const { frame, head } = layout
  const sources = useAppState((state) => flowNode(state)?.sources)
  const frozen = useFrozenReason()
  const all = sources?.length ?? 0
  const ready = sources?.filter((source) => source.ready).length ?? 0
  const state = frozen === '' ? words.sourcesReady(ready, all) : fitText(frozen, head.width)
  const classes = frozen !== '' ? 'error' : ready < all ? 'warn' : 'faint'
  return (
    <g>
      <rect {...frame} rx="12" className={styles['frame']} data-frame="kubelet" />
      <Text x={head.x} y={head.y + 13} words={words.kubelet} classes="title big" />
      <Text x={head.x} y={head.y + 32} words={fitText(node, head.width)} />
      <Text x={head.x} y={head.y + 50} words={state} classes={classes} />
    </g>
  )
}
