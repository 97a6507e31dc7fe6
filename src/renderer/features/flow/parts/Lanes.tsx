import type { ReactNode } from 'react'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { useTicking } from '../../../store/store-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import tone from '../../../ui/tone.module.css'
import { workerLook } from '../../../ui/signs/worker-look.ts'
import { countText, graceLeft } from '../../../words/time.ts'
import type { Drawn, Lane, LaneName, Token } from '../board/board.ts'
import { laneNames } from '../board/board.ts'
import type { Box } from '../layout/box.ts'
import { right } from '../layout/box.ts'
import { fitText, mono, plain, shortName, wrapText } from '../layout/fit.ts'
import { useBoard, useFlow } from '../flow-context.ts'
import { useFollowedContext } from '../follow/followed-context.ts'
import type { PlacedLine } from './lane-foot.ts'
import { laneFoot, placed } from './lane-foot.ts'
import { laneBox, laneShown, laneSteps, moreBox, tokenBox } from '../layout/lanes.ts'
import { Held, MoreButton, PodButton } from './PodButtons.tsx'
import styles from './Picture.module.css'
import { laneFilter } from '../lists/show-pods.ts'
import { Sign, sourceInks } from './Sign.tsx'
import { Text } from './Text.tsx'

const noteLooks = { plain: 'faint', wait: 'warn', bad: 'error' } as const

interface LaneProps {
  readonly name: LaneName
  readonly workers: Box
}

interface TokenProps {
  readonly name: LaneName
  readonly token: Token
  readonly box: Box
}

/** What is left of the grace, once a second; what is spent is the track. */
function Grace({
  row: { grace, cluster },
  box,
}: {
  readonly row: PodRow
  readonly box: Box
}): ReactNode {
  const left = useTicking(cluster, (now) => (grace === null ? 0 : graceLeft(grace, now)), 0)
  const [x, y] = [box.x + 7, box.y + 34]
  if (grace === null)
    return (
      <Text x={x} y={y} look="faint">
        stopping
      </Text>
    )
  const whole = Math.max(1, (grace.killAt - grace.startedAt) / 1000)
  const words = `${left} s`
  const width = box.width - 20 - mono(words)
  const bar = { x, y: y - 6, height: 5 }
  const look = classNames(tone['terminating'], styles['state'])
  return (
    <>
      <rect {...bar} width={width} className={styles['track']} />
      <rect {...bar} width={Math.min(width, (left / whole) * width)} fill="url(#flow-hatch)" />
      <Text x={right(box) - 6} y={y} anchor="end" look="mono" className={look}>
        {words}
      </Text>
    </>
  )
}

/** A pod in a lane: SyncPod says its status, TerminatingPod what is left of its grace. */
function LaneToken({ name, token, box }: TokenProps): ReactNode {
  const { uids } = useFollowedContext()
  const { row } = token
  const isSync = name === 'SyncPod'
  const isCalm = isSync && token.tone === 'plain'
  const note = isSync ? fitText(token.note, 108) : ''
  const room = box.width - (isSync ? 36 + plain(note) : 27)
  const y = box.y + (isSync ? 13.5 : 14.5)
  const look = classNames(styles[isCalm ? 'calm' : 'token'], uids.has(row.uid) && styles['hot'])
  const frame = { rx: 3, className: look, 'data-frame': 'a pod in a lane' }
  return (
    <PodButton token={token} frame={<rect {...box} {...frame} />}>
      <Sign name={row.source} x={box.x + 6} y={box.y + 5} size={10} ink={sourceInks[row.source]} />
      <Text x={box.x + 21} y={y} look={isCalm ? '' : 'strong'}>
        {shortName(row, room)}
      </Text>
      <Text x={right(box) - 7} y={y} anchor="end" look={noteLooks[token.tone]}>
        {note}
      </Text>
      {name === 'TerminatingPod' ? <Grace row={row} box={box} /> : null}
    </PodButton>
  )
}

function laneTitle(name: LaneName): string {
  return name === 'waiting' ? 'waiting to start' : name
}

/** Sign, name and count: the count is large below the name, or small to its right. */
function Head({
  name,
  box,
  total,
}: {
  readonly name: LaneName
  readonly box: Box
  readonly total: number
}): ReactNode {
  const { glyph, tone: color } = workerLook(name)
  const ink = tone[color]
  const [x, y] = [box.x + 6, box.y + 20.5]
  const isLong = name === 'TerminatedAndRecreatedPod'
  const look = name === 'waiting' ? 'state' : 'state mono tight'
  const lines = isLong
    ? placed(['TerminatedAnd', 'RecreatedPod'], { x: x + 2, y: y + 18.5 })
    : placed([laneTitle(name)], { x: x + (name === 'SyncPod' ? 16 : 14), y })
  return (
    <>
      <Sign name={glyph} x={x} y={box.y + 11} size={11} ink={classNames(ink, styles['ink'])} />
      {lines.map(({ text, ...place }) => (
        <Text key={text} {...place} look={look} className={ink}>
          {text}
        </Text>
      ))}
      {isLong || name === 'SyncPod' ? (
        <Text x={right(box) - 12} y={y + 1.5} anchor="end" look="number">
          {countText(total)}
        </Text>
      ) : (
        <Text x={x + 2} y={y + 27.5} look="figure">
          {countText(total)}
        </Text>
      )}
    </>
  )
}

function Lines({ lines }: { readonly lines: readonly PlacedLine[] }): ReactNode {
  return lines.map(({ text, ...place }) => (
    <Text key={text} {...place}>
      {text}
    </Text>
  ))
}

function useLane(name: LaneName, workers: Box): Drawn & { readonly lane: Lane; readonly box: Box } {
  const lane = useBoard((board) => board.lanes[name])
  const box = laneBox(name, lane, workers)
  return { lane, box, ...laneShown(name, lane, box) }
}

function LaneView({ name, workers }: LaneProps): ReactNode {
  const { lane, box, tokens, more } = useLane(name, workers)
  const look = classNames(styles['zone'], tone[workerLook(name).tone])
  return (
    <>
      <rect {...box} rx="5" className={look} data-frame={`the lane ${name}`} />
      <Head name={name} box={box} total={lane.total} />
      <Lines lines={laneFoot(name, lane, box, { drawn: tokens.length, isMore: more > 0 })} />
    </>
  )
}

function LanePods({ name, workers }: LaneProps): ReactNode {
  const { box, tokens, more } = useLane(name, workers)
  return (
    <>
      {tokens.map((token, index) => (
        <LaneToken key={token.row.key} name={name} token={token} box={tokenBox(name, box, index)} />
      ))}
      {more > 0 ? (
        <MoreButton
          count={more}
          box={moreBox(name, box, tokens.length)}
          filter={laneFilter(name)}
          of={laneTitle(name)}
          lines={[`and ${countText(more)} more`]}
        />
      ) : null}
    </>
  )
}

const firstPod =
  'Add a manifest to the folder of the file source, or use kubectl run, and watch the pod move through the kubelet.'

function NothingYet({ workers }: { readonly workers: Box }): ReactNode {
  const total = useBoard((board) => board.workers)
  const isKnown = useFlow(() => true) ?? false
  if (total > 0 || !isKnown) return null
  const lane = laneBox('SyncPod', { total: 0 }, workers)
  const [x, y] = [lane.x + 16, lane.y + 60]
  return (
    <>
      <Text x={x} y={y} look="strong">
        No pods yet
      </Text>
      <Lines lines={placed(wrapText(firstPod, lane.width - 28, 6), { x, y: y + 20 })} />
    </>
  )
}

/** The workers by what they are doing; arrows show in which order a worker passes the lanes. */
export function LanesFace({ box: workers }: { readonly box: Box }): ReactNode {
  const total = useBoard((board) => board.workers)
  const { x, y, width } = workers
  return (
    <>
      <Text x={x + 14} y={y + 27} look="title big">
        PodWorkers
      </Text>
      <Text x={x + 108} y={y + 27}>
        one worker per UID
      </Text>
      <Text x={x + width - 18} y={y + 28} anchor="end" look="figure">
        {countText(total)}
      </Text>
      {laneNames.map((name) => (
        <LaneView key={name} name={name} workers={workers} />
      ))}
      {laneSteps(workers).map((path) => (
        <path key={path} d={path} className={styles['wire']} markerEnd="url(#flow-head-plain)" />
      ))}
      <NothingYet workers={workers} />
    </>
  )
}

/** The pods in the lanes. */
export function LanesPods({ box: workers }: { readonly box: Box }): ReactNode {
  return (
    <Held>
      {laneNames.map((name) => (
        <LanePods key={name} name={name} workers={workers} />
      ))}
    </Held>
  )
}
