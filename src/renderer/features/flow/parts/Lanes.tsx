import type { ReactNode } from 'react'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { text } from '../../../text/text.ts'
import { classNames } from '../../../ui/class-names.ts'
import { workerStyle } from '../../../ui/signs/worker-style.ts'
import { useGraceLeft } from '../../../ui/use-times.ts'
import tone from '../../../ui/tone.module.css'
import { countText } from '../../../words/time.ts'
import type { DrawnPods, LaneName, PodGroup, Token } from '../board/board.ts'
import { laneNames, unknownWorkers, workersOf } from '../board/board.ts'
import { useBoard, useFlow, useFlowPlace } from '../flow-context.ts'
import { useFollowed } from '../follow/followed.ts'
import type { Box, Point } from '../layout/box.ts'
import { bottom, right } from '../layout/box.ts'
import { fitText, mono, plain, shortName, wrapText } from '../layout/fit.ts'
import { laneBox, laneShown, laneSteps, moreBox, tokenBox } from '../layout/lanes.ts'
import { laneFilter } from '../lists/show-pods.ts'
import styles from './Picture.module.css'
import { MoreButton, PodButton, PodPlaces } from './PodButtons.tsx'
import type { PartProps, TextProps } from './drawing.tsx'
import { Drawn, Sign, SourceSign, Text } from './drawing.tsx'

const words = text.flow.lanes

const noteClasses = { plain: 'faint', wait: 'warn', bad: 'error' } as const

const linePitch = 15

/** Lines one below the other, the first one at a point. */
function stackedLines(
  lines: readonly string[],
  { x, y }: Point,
  classes = 'faint',
): readonly TextProps[] {
  return lines.map((line, index) => ({ words: line, classes, x, y: y + index * linePitch }))
}

/** The most frequent STATUS words, from below the pods to the lane's end. */
function statusTallies({ tallies }: PodGroup, box: Box, isMore: boolean): readonly TextProps[] {
  const top = tokenBox('TerminatedPod', box, 2).y + (isMore ? 19 : 0)
  const room = Math.max(0, Math.min(2, Math.floor((bottom(box) - 6 - top) / linePitch)))
  const drawn = tallies.slice(0, room)
  return drawn.map(({ word, count, tone }, index) => ({
    words: fitText(words.tally(count, word), box.width - 14),
    classes: tone === 'bad' ? 'error' : 'faint',
    x: box.x + 10,
    y: bottom(box) - 10 - (drawn.length - 1 - index) * linePitch,
  }))
}

/** What a lane says under its pods, and under the line for those without room. Pure. */
function laneFoot(
  name: LaneName,
  lane: PodGroup,
  box: Box,
  { tokens, more }: DrawnPods,
): readonly TextProps[] {
  const place = { x: box.x + 8, y: box.y + 76 }
  switch (name) {
    case 'waiting': {
      const [first] = lane.shown
      const width = box.width - 14
      if (first === undefined) return stackedLines(wrapText(words.noneWaiting, width, 2), place)
      const drawn = tokens.length + (more > 0 ? 1 : 0)
      const reason = wrapText(first.row.workerReason, width, drawn > 1 ? 3 : 6)
      return stackedLines(reason, { ...place, y: tokenBox('waiting', box, drawn).y + 13 }, '')
    }
    case 'TerminatedPod':
      return statusTallies(lane, box, more > 0)
    case 'TerminatedAndRecreatedPod':
      if (more > 0) return []
      return lane.total === 0
        ? stackedLines([words.noUidReused], place)
        : stackedLines([words.uidReused], { ...place, y: box.y + 95 })
    case 'SyncPod':
    case 'TerminatingPod':
    default:
      return []
  }
}

function Lines({ lines }: { readonly lines: readonly TextProps[] }): ReactNode {
  return lines.map((line) => <Text key={`${line.x} ${line.y}`} {...line} />)
}

/** What is left of the grace period, once a second. */
function Grace({ row, box }: { readonly row: PodRow; readonly box: Box }): ReactNode {
  const { grace, cluster } = row
  const left = useGraceLeft(cluster, grace)
  const [x, y] = [box.x + 7, box.y + 34]
  if (grace === null) return <Text x={x} y={y} words={words.stopping} classes="faint" />
  const all = Math.max(1, (grace.killAt - grace.startedAt) / 1000)
  const seconds = words.seconds(left)
  const width = box.width - 20 - mono(seconds)
  const bar = { x, y: y - 6, height: 5 }
  const label = { words: seconds, classes: 'mono state', className: tone['terminating'] }
  return (
    <>
      <rect {...bar} width={width} className={styles['track']} />
      <rect {...bar} width={Math.min(width, (left / all) * width)} fill="url(#flow-hatch)" />
      <Text x={right(box) - 6} y={y} anchor="end" {...label} />
    </>
  )
}

interface LanePodProps {
  readonly name: LaneName
  readonly token: Token
  readonly box: Box
}

/** A pod in a lane: SyncPod shows its status, TerminatingPod what is left of its grace period. */
function LanePod({ name, token, box }: LanePodProps): ReactNode {
  const { uids } = useFollowed()
  const { row } = token
  const isSync = name === 'SyncPod'
  const isQuiet = isSync && token.tone === 'plain'
  const note = isSync ? fitText(token.note, 108) : ''
  const podName = shortName(row, box.width - (isSync ? 36 + plain(note) : 27))
  const [x, end, y] = [box.x + 21, right(box) - 7, box.y + (isSync ? 13.5 : 14.5)]
  const fill = styles[isQuiet ? 'calm' : 'token']
  const className = classNames(fill, uids.has(row.uid) && styles['hot'])
  const frame = { rx: 3, className, 'data-frame': 'a pod in a lane' }
  return (
    <PodButton token={token} frame={<rect {...box} {...frame} />}>
      <SourceSign name={row.source} x={box.x + 6} y={box.y + 5} size={10} />
      <Text x={x} y={y} words={podName} classes={isQuiet ? '' : 'strong'} />
      <Text x={end} y={y} anchor="end" words={note} classes={noteClasses[token.tone]} />
      {name === 'TerminatingPod' ? <Grace row={row} box={box} /> : null}
    </PodButton>
  )
}

interface HeadProps {
  readonly name: LaneName
  readonly box: Box
  readonly total: number
}

/** Sign, name and count of a lane: the count is large below the name, or small to its right. */
function Head({ name, box, total }: HeadProps): ReactNode {
  const { glyph, tone: color } = workerStyle(name)
  const className = classNames(tone[color])
  const [x, y] = [box.x + 6, box.y + 20.5]
  const isLong = name === 'TerminatedAndRecreatedPod'
  const isSync = name === 'SyncPod'
  const classes = name === 'waiting' ? 'state' : 'state mono tight'
  const lines = isLong
    ? stackedLines(['TerminatedAnd', 'RecreatedPod'], { x: x + 2, y: y + 18.5 }, classes)
    : stackedLines([text.common.workerStates[name]], { x: x + (isSync ? 16 : 14), y }, classes)
  const count = { words: countText(total) }
  const sign = { x, y: box.y + 11, size: 11, className: classNames(className, styles['ink']) }
  return (
    <>
      <Sign name={glyph} {...sign} />
      <Lines lines={lines.map((line) => ({ ...line, className }))} />
      {isLong || isSync ? (
        <Text x={right(box) - 12} y={y + 1.5} anchor="end" {...count} classes="number" />
      ) : (
        <Text x={x + 2} y={y + 27.5} {...count} classes="figure" />
      )}
    </>
  )
}

/** One lane of `workers`, with its pods. */
function LaneView({
  name,
  workers,
}: {
  readonly name: LaneName
  readonly workers: Box
}): ReactNode {
  const lane = useBoard(({ groups }) => groups[name])
  const box = laneBox(name, lane, workers)
  const drawn = laneShown(name, lane, box)
  const { tokens, more } = drawn
  const className = classNames(styles['zone'], tone[workerStyle(name).tone])
  return (
    <>
      <Drawn>
        <rect {...box} rx="5" className={className} data-frame={`the lane ${name}`} />
        <Head name={name} box={box} total={lane.total} />
        <Lines lines={laneFoot(name, lane, box, drawn)} />
      </Drawn>
      {tokens.map((token, index) => (
        <LanePod key={token.row.key} name={name} token={token} box={tokenBox(name, box, index)} />
      ))}
      {more > 0 ? (
        <MoreButton
          count={more}
          box={moreBox(name, box, tokens.length)}
          filter={laneFilter(name)}
          of={text.common.workerStates[name]}
          lines={[words.more(more)]}
        />
      ) : null}
    </>
  )
}

function NoPodsYet({ workers }: { readonly workers: Box }): ReactNode {
  const lane = laneBox('SyncPod', { total: 0 }, workers)
  const [x, y] = [lane.x + 16, lane.y + 60]
  const lines = wrapText(words.firstPod, lane.width - 28, 6)
  return (
    <>
      <Text x={x} y={y} words={words.noPods} classes="strong" />
      <Lines lines={stackedLines(lines, { x, y: y + 20 })} />
    </>
  )
}

/** The workers by their state, with arrows in the order in which a worker passes the lanes. */
export function Workers({ row, box: workers }: PartProps): ReactNode {
  const total = useBoard(workersOf)
  const { board } = useFlowPlace()
  const unknown = useFlow((flow) => unknownWorkers(board.current(), flow))
  const { x, y } = workers
  const end = right(workers) - 18
  return (
    <PodPlaces>
      {laneNames.map((name) => (
        <LaneView key={name} name={name} workers={workers} />
      ))}
      <Drawn>
        <Text x={x + 14} y={y + 27} words={row.title} classes="title big" />
        <Text x={x + 108} y={y + 27} words={words.perUid(unknown ?? 0)} />
        <Text x={end} y={y + 28} anchor="end" words={countText(total)} classes="figure" />
        {laneSteps(workers).map((path) => (
          <path key={path} d={path} className={styles['wire']} markerEnd="url(#flow-head-plain)" />
        ))}
        {total === 0 && unknown === 0 ? <NoPodsYet workers={workers} /> : null}
      </Drawn>
    </PodPlaces>
  )
}
