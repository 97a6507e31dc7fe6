import type { ReactNode } from 'react'
import { useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import tone from '../../ui/tone.module.css'
import { workerLook } from '../../ui/worker-look.ts'
import { countText, graceLeft } from '../../words/time.ts'
import type { Lane, LaneName, Token } from './board.ts'
import { fitText, mono, plain, shortName, wrapText } from './fit.ts'
import { useBoard, useFlow } from './flow-context.ts'
import { useFollowedContext } from './followed-context.ts'
import type { Layout } from './layout.ts'
import { laneBox, laneShown, moreBox, tokenBox, useLayout } from './layout.ts'
import type { Box } from './parts.ts'
import styles from './Picture.module.css'
import { Sign, sourceInks } from './Sign.tsx'

const noteLooks = { plain: styles['faint'], wait: styles['warn'], bad: styles['error'] } as const

function TokenFrame({
  token,
  box,
  isCalm,
  children,
}: {
  readonly token: Token
  readonly box: Box
  readonly isCalm: boolean
  readonly children?: ReactNode
}): ReactNode {
  const { uids } = useFollowedContext()
  const { row } = token
  return (
    <g className={classNames(token.isLeaving && styles['leaving'])}>
      <rect
        {...box}
        rx="3"
        className={classNames(
          isCalm ? styles['calm'] : styles['token'],
          uids.has(row.uid) && styles['hot'],
        )}
        data-frame="a pod in a lane"
      />
      <Sign name={row.source} x={box.x + 6} y={box.y + 5} size={10} ink={sourceInks[row.source]} />
      {children}
    </g>
  )
}

function SyncToken({ token, box }: { readonly token: Token; readonly box: Box }): ReactNode {
  const isCalm = token.tone === 'plain'
  const note = fitText(token.note, 108)
  const room = box.width - 36 - plain(note)
  return (
    <TokenFrame token={token} box={box} isCalm={isCalm}>
      <text x={box.x + 21} y={box.y + 13.5} className={isCalm ? undefined : styles['strong']}>
        {shortName(token.row, room)}
      </text>
      <text
        x={box.x + box.width - 7}
        y={box.y + 13.5}
        textAnchor="end"
        className={noteLooks[token.tone]}
      >
        {note}
      </text>
    </TokenFrame>
  )
}

function PlainToken({ token, box }: { readonly token: Token; readonly box: Box }): ReactNode {
  return (
    <TokenFrame token={token} box={box} isCalm={false}>
      <text x={box.x + 21} y={box.y + 14.5} className={styles['strong']}>
        {shortName(token.row, box.width - 27)}
      </text>
    </TokenFrame>
  )
}

/** What is left of the grace, once a second; what is spent is the track. */
function GraceToken({ token, box }: { readonly token: Token; readonly box: Box }): ReactNode {
  const { grace, cluster } = token.row
  const left = useTicking(cluster, (now) => (grace === null ? 0 : graceLeft(grace, now)), 0)
  const whole = grace === null ? 1 : Math.max(1, (grace.killAt - grace.startedAt) / 1000)
  const y = box.y + 34
  const words = `${left} s`
  const bar = box.width - 20 - mono(words)
  return (
    <TokenFrame token={token} box={box} isCalm={false}>
      <text x={box.x + 21} y={box.y + 14.5} className={styles['strong']}>
        {shortName(token.row, box.width - 27)}
      </text>
      {grace === null ? (
        <text x={box.x + 7} y={y} className={styles['faint']}>
          stopping
        </text>
      ) : (
        <>
          <rect x={box.x + 7} y={y - 6} width={bar} height="5" className={styles['track']} />
          <rect
            x={box.x + 7}
            y={y - 6}
            width={Math.min(bar, (left / whole) * bar)}
            height="5"
            fill="url(#flow-hatch)"
          />
          <text
            x={box.x + box.width - 6}
            y={y}
            textAnchor="end"
            className={classNames(styles['mono'], tone['terminating'], styles['state'])}
          >
            {words}
          </text>
        </>
      )}
    </TokenFrame>
  )
}

const tokenLooks: Readonly<
  Record<LaneName, (props: { readonly token: Token; readonly box: Box }) => ReactNode>
> = {
  waiting: PlainToken,
  SyncPod: SyncToken,
  TerminatingPod: GraceToken,
  TerminatedPod: PlainToken,
  TerminatedAndRecreatedPod: PlainToken,
}

function Head({
  name,
  box,
  total,
}: {
  readonly name: LaneName
  readonly box: Box
  readonly total: number
}): ReactNode {
  const look = workerLook(name)
  const ink = tone[look.tone]
  const word = classNames(ink, styles['state'], styles['mono'], styles['tight'])
  const x = box.x + 6
  const sign = (
    <Sign name={look.glyph} x={x} y={box.y + 11} size={11} ink={classNames(ink, styles['ink'])} />
  )
  switch (name) {
    case 'TerminatedAndRecreatedPod':
      return (
        <>
          {sign}
          <text x={x + 2} y={box.y + 39} className={word}>
            TerminatedAnd
          </text>
          <text x={x + 2} y={box.y + 54} className={word}>
            RecreatedPod
          </text>
          <text
            x={box.x + box.width - 12}
            y={box.y + 22}
            textAnchor="end"
            className={styles['number']}
          >
            {total}
          </text>
        </>
      )
    case 'SyncPod':
      return (
        <>
          {sign}
          <text x={x + 16} y={box.y + 20.5} className={word}>
            SyncPod
          </text>
          <text
            x={box.x + box.width - 12}
            y={box.y + 22}
            textAnchor="end"
            className={styles['number']}
          >
            {countText(total)}
          </text>
        </>
      )
    case 'waiting':
    case 'TerminatingPod':
    case 'TerminatedPod':
    default:
      return (
        <>
          {sign}
          <text
            x={x + 14}
            y={box.y + 20.5}
            className={name === 'waiting' ? classNames(ink, styles['state']) : word}
          >
            {name === 'waiting' ? 'waiting to start' : name}
          </text>
          <text x={x + 2} y={box.y + 48} className={styles['figure']}>
            {countText(total)}
          </text>
        </>
      )
  }
}

function Lines({
  lines,
  x,
  y,
  look = styles['faint'],
}: {
  readonly lines: readonly string[]
  readonly x: number
  readonly y: number
  readonly look?: string | undefined
}): ReactNode {
  return lines.map((line, index) => (
    <text key={line} x={x} y={y + index * 15} className={look}>
      {line}
    </text>
  ))
}

interface FootProps {
  readonly lane: Lane
  readonly box: Box
  /** Pods that are drawn, and those that have no room. */
  readonly drawn: number
  readonly more: number
}

function WaitingFoot({ lane, box, drawn, more }: FootProps): ReactNode {
  const [first] = lane.shown
  if (first === undefined)
    return (
      <Lines
        lines={wrapText('no worker is waiting', box.width - 14, 2)}
        x={box.x + 8}
        y={box.y + 76}
      />
    )
  const below = tokenBox('waiting', box, drawn + (more > 0 ? 1 : 0)).y
  return (
    <Lines
      lines={wrapText(first.row.workerReason, box.width - 14, drawn > 1 ? 3 : 6)}
      x={box.x + 8}
      y={below + 13}
      look={undefined}
    />
  )
}

function TerminatedFoot({ lane, box, more }: FootProps): ReactNode {
  // From below the pods that have room, and the line for the others, to the lane's end.
  const top = tokenBox('TerminatedPod', box, 2).y + (more > 0 ? 19 : 0)
  const lines = Math.max(0, Math.min(2, Math.floor((box.y + box.height - 6 - top) / 15)))
  const words = lane.tallies.slice(0, lines)
  return words.map(({ word, count, tone: look }, index) => (
    <text
      key={word}
      x={box.x + 10}
      y={box.y + box.height - 10 - (words.length - 1 - index) * 15}
      className={look === 'bad' ? styles['error'] : styles['faint']}
    >
      {fitText(`${count} ${word === '' ? 'without status' : word}`, box.width - 14)}
    </text>
  ))
}

function RecreatedFoot({ lane, box, more }: FootProps): ReactNode {
  if (more > 0) return null
  return (
    <Lines
      lines={wrapText(lane.total === 0 ? 'no UID reused' : 'UID reused', box.width - 14, 1)}
      x={box.x + 8}
      y={box.y + (lane.total === 0 ? 76 : 95)}
    />
  )
}

function Foot({ name, ...props }: FootProps & { readonly name: LaneName }): ReactNode {
  switch (name) {
    case 'waiting':
      return <WaitingFoot {...props} />
    case 'TerminatedPod':
      return <TerminatedFoot {...props} />
    case 'TerminatedAndRecreatedPod':
      return <RecreatedFoot {...props} />
    case 'SyncPod':
    case 'TerminatingPod':
    default:
      return null
  }
}

function More({ more, box }: { readonly more: number; readonly box: Box }): ReactNode {
  return (
    <text x={box.x + 5} y={box.y + 13.5} className={styles['more']}>
      and {countText(more)} more
    </text>
  )
}

function LaneView({ name }: { readonly name: LaneName }): ReactNode {
  const lane = useBoard((board) => board.lanes[name])
  const box = laneBox(name, lane, useLayout())
  const { tokens, more } = laneShown(name, lane, box)
  const Look = tokenLooks[name]
  return (
    <g>
      <rect
        {...box}
        rx="5"
        className={classNames(styles['zone'], tone[workerLook(name).tone])}
        data-frame={`the lane ${name}`}
      />
      <Head name={name} box={box} total={lane.total} />
      {tokens.map((token, index) => (
        <Look key={token.row.key} token={token} box={tokenBox(name, box, index)} />
      ))}
      <Foot name={name} lane={lane} box={box} drawn={tokens.length} more={more} />
      {more > 0 ? <More more={more} box={moreBox(name, box, tokens.length)} /> : null}
    </g>
  )
}

function NothingYet(): ReactNode {
  const total = useBoard((board) => board.workers)
  const isKnown = useFlow(() => true) ?? false
  const { laneY } = useLayout()
  if (total > 0 || !isKnown) return null
  return (
    <>
      <text x="778" y={laneY + 60} className={styles['strong']}>
        No pods yet
      </text>
      <Lines
        lines={wrapText(
          'Add a manifest to the folder of the file source, or use kubectl run, and watch the pod move through the kubelet.',
          165,
          6,
        )}
        x={778}
        y={laneY + 80}
      />
    </>
  )
}

/** In which order a worker passes the lanes. */
function laneSteps(layout: Layout, terminated: Lane): readonly string[] {
  const y = layout.laneY + 76
  const from = laneBox('TerminatedPod', terminated, layout)
  const to = laneBox('TerminatedAndRecreatedPod', terminated, layout)
  return [
    `M747 ${y}H759`,
    `M955 ${y}H967`,
    `M1084 ${y}H1097`,
    `M1153 ${from.y + from.height}V${to.y - 3}`,
  ]
}

/** The workers by what they are doing; arrows show in which order a worker passes the lanes. */
export function PodWorkersPart(): ReactNode {
  const workers = useBoard((board) => board.workers)
  const layout = useLayout()
  const terminated = useBoard((board) => board.lanes.TerminatedPod)
  const { x, y, width, height } = layout.parts.podWorkers
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="8"
        className={classNames(styles['part'], styles['wide'])}
        data-frame="PodWorkers"
      />
      <text x="646" y={y + 27} className={classNames(styles['title'], styles['big'])}>
        PodWorkers
      </text>
      <text x="740" y={y + 27}>
        one worker per UID
      </text>
      <text x="1208" y={y + 28} textAnchor="end" className={styles['figure']}>
        {countText(workers)}
      </text>
      <LaneView name="waiting" />
      <LaneView name="SyncPod" />
      <LaneView name="TerminatingPod" />
      <LaneView name="TerminatedPod" />
      <LaneView name="TerminatedAndRecreatedPod" />
      {laneSteps(layout, terminated).map((path) => (
        <path key={path} d={path} className={styles['wire']} markerEnd="url(#flow-head-plain)" />
      ))}
      <NothingYet />
    </g>
  )
}
