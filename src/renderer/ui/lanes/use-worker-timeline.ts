import { useMemo, useState } from 'react'
import type { Bridge, Requests } from '../../../shared/ipc/contract.ts'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { TimelineLane, TimelineView } from '../../../shared/model/timeline/timeline.ts'
import { useKeptAnswer } from '../../store/requests/use-kept-answer.ts'
import { text } from '../../text/text.ts'
import type { TimeRange } from './lane-geometry.ts'
import { moved, sortedPods, zoomed } from './lane-geometry.ts'
import type { LaneKeyActs } from './lane-keys.ts'
import { pressLaneKey } from './lane-keys.ts'
import type { LaneSelection } from './lane-selection.ts'

/** What is shown while the view follows a clock that goes on. */
const followedMs = 600_000
/** With a clock that can be set, these keys are the clock's. */
const clockKeys = new Set(['+', '=', '-', '.', ','])

type Query = Requests['cluster.timeline']['args']

function ask(bridge: Bridge, query: Query): Promise<TimelineView | null> {
  return bridge.request('cluster.timeline', query)
}

/** The last minutes of a time that goes on; null: all of it. */
function followedRange(view: TimelineView | null, isStill: boolean): TimeRange | null {
  if (view === null || isStill || view.to - view.from <= followedMs) return null
  return { from: view.to - followedMs, to: view.to }
}

/** The workers of a node or cluster over time, as a view shows them. */
export interface WorkerTimeline {
  /** Null: not answered yet. */
  readonly view: TimelineView | null
  /** In the order of their lanes. */
  readonly pods: readonly TimelineLane[]
  readonly range: TimeRange
  readonly isFollowing: boolean
  readonly follow: () => void
  readonly zoom: (factor: number) => void
  readonly setWidth: (width: number) => void
  readonly selection: LaneSelection
  readonly select: (selection: LaneSelection) => void
  /** False: the timeline has no such key. */
  readonly press: (key: string, acts?: Pick<LaneKeyActs, 'focusFilter' | 'focusLine'>) => boolean
}

/** `node` null: the whole cluster. `isShown`: a lane that is not is left out. */
export function useWorkerTimeline(
  cluster: ClusterView,
  {
    node,
    filter = '',
    isShown = () => true,
    selection,
    select,
  }: {
    readonly node: string | null
    readonly filter?: string
    readonly isShown?: (lane: TimelineLane) => boolean
    readonly selection: LaneSelection
    readonly select: (selection: LaneSelection) => void
  },
): WorkerTimeline {
  const [chosen, setRange] = useState<TimeRange | null>(null)
  const [from, setFrom] = useState<number | null>(null)
  const [width, setWidth] = useState(200)
  const to = chosen?.to ?? null
  const view = useKeptAnswer<Query, TimelineView>(
    text.timeline.request,
    { cluster: cluster.id, node, filter, width, from: chosen?.from ?? from, to },
    ask,
  )
  const followed = followedRange(view, cluster.clock.paused && !cluster.clock.virtual)
  // In whole minutes: the range that main is asked for must not change each second.
  const floor = followed === null ? null : Math.floor(followed.from / 60_000) * 60_000
  if (floor !== from) setFrom(floor)
  const pods = useMemo(() => sortedPods(view?.pods ?? []), [view]).filter(isShown)
  const whole = { from: view?.from ?? 0, to: Math.max(view?.to ?? 1, (view?.from ?? 0) + 1) }
  const range = chosen ?? followed ?? whole
  const about = selection.at ?? (range.from + range.to) / 2
  const zoom = (factor: number): void => setRange(zoomed({ range, whole, about }, factor))
  const follow = (): void => setRange(null)
  return {
    view,
    pods,
    range,
    isFollowing: chosen === null,
    follow,
    zoom,
    setWidth,
    selection,
    select,
    press: (key, acts) => {
      if (cluster.clock.virtual && clockKeys.has(key)) return false
      const move = (share: number): void => setRange(moved(range, whole, share))
      return pressLaneKey(key, { ...acts, pods, selection, select, zoom, move, showWhole: follow })
    },
  }
}
