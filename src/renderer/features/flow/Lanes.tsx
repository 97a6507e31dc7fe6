import type { ReactNode } from 'react'
import { useTicking } from '../../store/store-context.ts'
import { classNames } from '../../ui/class-names.ts'
import tone from '../../ui/tone.module.css'
import { workerLook } from '../../ui/worker-look.ts'
import { countText, graceLeft } from '../../words/time.ts'
import type { Lane, LaneName, Token } from './board.ts'
import { fitText, shortName, wrapText } from './fit.ts'
import { useBoard, useFlow } from './flow-context.ts'
import { useFollowedContext } from './followed-context.ts'
import type { LaneBox } from './lane-boxes.ts'
import { laneBox, moreBox, tokenBox } from './lane-boxes.ts'
import { partBoxes } from './parts.ts'
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
  readonly box: LaneBox
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
      />
      <Sign name={row.source} x={box.x + 6} y={box.y + 5} size={10} ink={sourceInks[row.source]} />
      {children}
    </g>
  )
}

function SyncToken({ token, box }: { readonly token: Token; readonly box: LaneBox }): ReactNode {
  const isCalm = token.tone === 'plain'
  const note = fitText(token.note, 18)
  const room = Math.floor((box.width - 34 - note.length * 5.8) / 5.9)
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

function PlainToken({ token, box }: { readonly token: Token; readonly box: LaneBox }): ReactNode {
  return (
    <TokenFrame token={token} box={box} isCalm={false}>
      <text x={box.x + 21} y={box.y + 14.5} className={styles['strong']}>
        {shortName(token.row, 12)}
      </text>
    </TokenFrame>
  )
}

/** What is left of the grace, once a second; what is spent is the track. */
function GraceToken({ token, box }: { readonly token: Token; readonly box: LaneBox }): ReactNode {
  const { grace, cluster } = token.row
  const left = useTicking(cluster, (now) => (grace === null ? 0 : graceLeft(grace, now)), 0)
  const whole = grace === null ? 1 : Math.max(1, (grace.killAt - grace.startedAt) / 1000)
  const y = box.y + 34
  return (
    <TokenFrame token={token} box={box} isCalm={false}>
      <text x={box.x + 21} y={box.y + 14.5} className={styles['strong']}>
        {shortName(token.row, 13)}
      </text>
      {grace === null ? (
        <text x={box.x + 7} y={y} className={styles['faint']}>
          stopping
        </text>
      ) : (
        <>
          <rect x={box.x + 7} y={y - 6} width="58" height="5" className={styles['track']} />
          <rect
            x={box.x + 7}
            y={y - 6}
            width={Math.min(58, (left / whole) * 58)}
            height="5"
            fill="url(#flow-hatch)"
          />
          <text
            x={box.x + box.width - 6}
            y={y}
            textAnchor="end"
            className={classNames(styles['mono'], tone['terminating'], styles['state'])}
          >
            {left} s
          </text>
        </>
      )}
    </TokenFrame>
  )
}

const tokenLooks: Readonly<
  Record<LaneName, (props: { readonly token: Token; readonly box: LaneBox }) => ReactNode>
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
  readonly box: LaneBox
  readonly total: number
}): ReactNode {
  const look = workerLook(name)
  const ink = tone[look.tone]
  const word = classNames(ink, styles['state'], styles['mono'], styles['tight'])
  const x = box.x + 8
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
          <text x={x + 2} y={box.y + 53} className={word}>
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
            x={x + 15}
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

function WaitingFoot({ lane, box }: { readonly lane: Lane; readonly box: LaneBox }): ReactNode {
  const [first] = lane.shown
  if (first === undefined)
    return <Lines lines={['no worker waits']} x={box.x + 10} y={box.y + 76} />
  const below = box.y + 60 + lane.shown.length * 24
  return (
    <Lines
      lines={wrapText(first.row.workerReason, 15, lane.shown.length > 1 ? 3 : 6)}
      x={box.x + 8}
      y={below + 15}
      look={undefined}
    />
  )
}

function TerminatedFoot({ lane, box }: { readonly lane: Lane; readonly box: LaneBox }): ReactNode {
  const words = lane.tallies.slice(0, 2)
  return words.map(({ word, count, tone: look }, index) => (
    <text
      key={word}
      x={box.x + 10}
      y={
        box.y +
        (lane.total > 2 ? 139 : 124) -
        (words.length - 1 - index) * 15 +
        (lane.total > 2 ? 0 : 15)
      }
      className={look === 'bad' ? styles['error'] : styles['faint']}
    >
      {fitText(`${count} ${word === '' ? 'without status' : word}`, 17)}
    </text>
  ))
}

function RecreatedFoot({ lane, box }: { readonly lane: Lane; readonly box: LaneBox }): ReactNode {
  if (lane.more > 0) return null
  return (
    <Lines
      lines={[lane.total === 0 ? 'no UID came back' : 'same UID back']}
      x={box.x + 10}
      y={box.y + (lane.total === 0 ? 76 : 103)}
    />
  )
}

function Foot(props: {
  readonly name: LaneName
  readonly lane: Lane
  readonly box: LaneBox
}): ReactNode {
  switch (props.name) {
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

function More({ lane, box }: { readonly lane: Lane; readonly box: LaneBox }): ReactNode {
  return (
    <text x={box.x + 5} y={box.y + 13.5} className={styles['more']}>
      and {countText(lane.more)} more
    </text>
  )
}

function LaneView({ name }: { readonly name: LaneName }): ReactNode {
  const lane = useBoard((board) => board.lanes[name])
  const box = laneBox(name, lane)
  const Look = tokenLooks[name]
  return (
    <g>
      <rect {...box} rx="5" className={classNames(styles['zone'], tone[workerLook(name).tone])} />
      <Head name={name} box={box} total={lane.total} />
      {lane.shown.map((token, index) => (
        <Look key={token.row.key} token={token} box={tokenBox(name, box, index)} />
      ))}
      <Foot name={name} lane={lane} box={box} />
      {lane.more > 0 ? <More lane={lane} box={moreBox(name, box)} /> : null}
    </g>
  )
}

function NothingYet(): ReactNode {
  const total = useBoard((board) => board.workers)
  const isKnown = useFlow(() => true) ?? false
  if (total > 0 || !isKnown) return null
  return (
    <>
      <text x="778" y="360" className={styles['strong']}>
        No pods yet
      </text>
      <Lines
        lines={wrapText(
          'Write a manifest into the folder of the file source, or run kubectl run: watch it pass from part to part.',
          29,
          6,
        )}
        x={778}
        y={380}
      />
    </>
  )
}

const steps = 'M747 376H759M955 376H967M1084 376H1097M1154 450V474'

/** The workers by what they are doing; arrows show in which order a worker passes the lanes. */
export function PodWorkersPart(): ReactNode {
  const workers = useBoard((board) => board.workers)
  const { x, y, width, height } = partBoxes.podWorkers
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="8"
        className={classNames(styles['part'], styles['wide'])}
      />
      <text x="646" y="271" className={classNames(styles['title'], styles['big'])}>
        PodWorkers
      </text>
      <text x="740" y="271">
        one worker for each UID
      </text>
      <text x="1208" y="272" textAnchor="end" className={styles['figure']}>
        {countText(workers)}
      </text>
      <LaneView name="waiting" />
      <LaneView name="SyncPod" />
      <LaneView name="TerminatingPod" />
      <LaneView name="TerminatedPod" />
      <LaneView name="TerminatedAndRecreatedPod" />
      {steps
        .split('M')
        .filter((path) => path !== '')
        .map((path) => (
          <path
            key={path}
            d={`M${path}`}
            className={styles['wire']}
            markerEnd="url(#flow-head-plain)"
          />
        ))}
      <NothingYet />
    </g>
  )
}
