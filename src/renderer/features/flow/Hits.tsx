import type { ReactNode } from 'react'
import type { PodKey, WorkerStateWord } from '../../../shared/model/pod-row.ts'
import { shownNode } from '../../store/shown-node.ts'
import { useAppState } from '../../store/store-context.ts'
import { countText } from '../../words/time.ts'
import type { LaneName } from './board.ts'
import { laneNames } from './board.ts'
import { useBoard, useFlow, useFlowPlace } from './flow-context.ts'
import { useFollowedContext } from './followed-context.ts'
import {
  laneBox,
  laneShown,
  moreBox,
  overlay,
  rootBox,
  tileBox,
  tilesShown,
  tokenBox,
  useLayout,
} from './layout.ts'
import type { Box, FlowPart } from './parts.ts'
import { flowParts, isSource, partTitles } from './parts.ts'
import { rootsShown } from './steps.ts'
import styles from './Hits.module.css'
import { usePartSummary } from './use-part-summary.ts'

/** Opens the table at the pods of one worker state; empty: at all of them. */
export function useShowPods(): (filter: string) => void {
  const show = useAppState((state) => state.show)
  const setFilterText = useAppState((state) => state.setFilterText)
  const setSegment = useAppState((state) => state.setSegment)
  const setPodScope = useAppState((state) => state.setPodScope)
  return (filter) => {
    setPodScope('node')
    setSegment('all')
    setFilterText(filter)
    show('pods')
  }
}

/** The table's pods of a lane; finished workers stand with those that have terminated. */
export function laneFilter(name: WorkerStateWord): string {
  return name === 'TerminatedPod' ? 'worker:TerminatedPod|finished' : `worker:${name}`
}

function PartHit({
  part,
  isOpen,
  onOpen,
}: {
  readonly part: FlowPart
  readonly isOpen: boolean
  readonly onOpen: (part: FlowPart) => void
}): ReactNode {
  const layout = useLayout()
  const summary = usePartSummary(part)
  const name = isSource(part) ? `${part} source` : partTitles[part]
  return (
    <button
      type="button"
      className={styles['part']}
      style={overlay(layout.parts[part], layout)}
      aria-expanded={isOpen}
      aria-label={summary === '' ? name : `${name}: ${summary}`}
      data-part={part}
      data-round={part === 'syncLoop' ? '' : undefined}
      onClick={() => onOpen(part)}
    />
  )
}

function PodHit({
  podKey,
  name,
  box,
}: {
  readonly podKey: PodKey
  readonly name: string
  readonly box: Box
}): ReactNode {
  const layout = useLayout()
  const openDrawer = useAppState((state) => state.openDrawer)
  return (
    // The same pods are in the opened part, where the keyboard finds them without passing each here.
    <button
      type="button"
      tabIndex={-1}
      className={styles['token']}
      style={overlay(box, layout)}
      aria-label={`Show ${name}`}
      title={name}
      onClick={() => openDrawer(podKey)}
    />
  )
}

function MoreHit({
  count,
  box,
  filter,
  of,
}: {
  readonly count: number
  readonly box: Box
  readonly filter: string
  readonly of: string
}): ReactNode {
  const layout = useLayout()
  const showPods = useShowPods()
  return (
    <button
      type="button"
      className={styles['token']}
      style={overlay(box, layout)}
      aria-label={`Show all pods of ${of}: ${countText(count)} more than are drawn`}
      onClick={() => showPods(filter)}
    />
  )
}

function LaneHits({ name }: { readonly name: LaneName }): ReactNode {
  const lane = useBoard((board) => board.lanes[name])
  const box = laneBox(name, lane, useLayout())
  const { tokens, more } = laneShown(name, lane, box)
  return (
    <>
      {tokens.map(({ row }, index) => (
        <PodHit
          key={row.key}
          podKey={row.key}
          name={`${row.namespace}/${row.name}`}
          box={tokenBox(name, box, index)}
        />
      ))}
      {more > 0 ? (
        <MoreHit
          count={more}
          box={moreBox(name, box, tokens.length)}
          filter={laneFilter(name)}
          of={name === 'waiting' ? 'waiting to start' : name}
        />
      ) : null}
    </>
  )
}

function TileHits(): ReactNode {
  const layout = useLayout()
  const { tokens, more } = tilesShown(useBoard((board) => board.tiles))
  return (
    <>
      {tokens.map(({ row }, index) => (
        <PodHit
          key={row.key}
          podKey={row.key}
          name={`${row.namespace}/${row.name}`}
          box={tileBox(index, layout)}
        />
      ))}
      {more > 0 ? (
        <MoreHit
          count={more}
          box={tileBox(tokens.length, layout)}
          filter=""
          of="the container runtime"
        />
      ) : null}
    </>
  )
}

function RootHits(): ReactNode {
  const layout = useLayout()
  const { cluster } = useFlowPlace()
  const isEverything = useAppState((state) => state.follow.kind === 'everything')
  const setFollow = useAppState((state) => state.setFollow)
  const roots = useFlow((flow) => flow.roots)
  if (!isEverything) return null
  return roots
    ?.slice(0, rootsShown)
    .map(({ seq, at, text }, index) => (
      <button
        key={seq}
        type="button"
        className={styles['token']}
        style={overlay(rootBox(index, layout), layout)}
        aria-label={`Follow ${text}`}
        title={`Follow its effects: ${text}`}
        onClick={() => setFollow({ kind: 'cause', cluster, seq, at, text })}
      />
    ))
}

/** The steps of what is followed whose line has no room for all that moved. */
function StepHits({ onOpen }: { readonly onOpen: (step: number) => void }): ReactNode {
  const layout = useLayout()
  const { steps } = useFollowedContext()
  return steps.map(({ number, moves, sentence }, index) =>
    moves.length < 2 ? null : (
      <button
        key={number}
        type="button"
        className={styles['token']}
        style={overlay(rootBox(index, layout), layout)}
        aria-label={`All ${moves.length} moves of step ${number}`}
        title={sentence}
        data-step={number}
        onClick={() => onOpen(number)}
      />
    ),
  )
}

/** The picture's buttons, over what they stand for: parts, pods, causes. */
export function Hits({
  open,
  onOpen,
  onOpenStep,
}: {
  readonly open: FlowPart | null
  readonly onOpen: (part: FlowPart) => void
  readonly onOpenStep: (step: number) => void
}): ReactNode {
  const { board } = useFlowPlace()
  const sources = useAppState((state) => shownNode(state)?.sources)
  const parts = flowParts.filter(
    (part) => !isSource(part) || sources?.some(({ source }) => source === part) === true,
  )
  return (
    <>
      {parts.map((part) => (
        <PartHit key={part} part={part} isOpen={open === part} onOpen={onOpen} />
      ))}
      <div
        className={styles['pods']}
        onPointerEnter={() => board.hold(true)}
        onPointerLeave={() => board.hold(false)}
      >
        {laneNames.map((name) => (
          <LaneHits key={name} name={name} />
        ))}
        <TileHits />
      </div>
      <RootHits />
      <StepHits onOpen={onOpenStep} />
    </>
  )
}
