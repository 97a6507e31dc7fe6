import { shallow } from 'zustand/shallow'
import type { FlowView } from '../../../../shared/model/flow.ts'
import type { PodRow, StatusTone } from '../../../../shared/model/pod-row.ts'
import { Top } from '../../../../shared/top.ts'
import { text } from '../../../text/text.ts'
import { hasWorker } from '../../../words/worker-state.ts'

/** Columns of PodWorkers; a finished worker is in the lane of those that have terminated. */
export const laneNames = [
  'waiting',
  'SyncPod',
  'TerminatingPod',
  'TerminatedPod',
  'TerminatedAndRecreatedPod',
] as const

export type LaneName = (typeof laneNames)[number]

/** The lanes of the workers, and the sandboxes of the runtime. */
export type GroupName = LaneName | 'sandboxes'

/** One pod in a lane or in the runtime. */
export interface Token {
  readonly row: PodRow
  /** The lower, the sooner it needs attention. */
  readonly urgency: number
  readonly note: string
  readonly tone: 'plain' | 'wait' | 'bad'
  /** It has left the group, and is drawn only because a pointer rests on it. */
  readonly isLeaving: boolean
}

interface Tally {
  readonly word: string
  readonly tone: StatusTone
  readonly count: number
}

export interface PodGroup {
  readonly total: number
  /** The first of them, as many as the group has room for. */
  readonly shown: readonly Token[]
  /** STATUS words, the most frequent first. */
  readonly tallies: readonly Tally[]
}

/** The rows of one node as the picture draws them. */
export interface Board {
  readonly groups: Readonly<Record<GroupName, PodGroup>>
  /** Null: nothing tells what runs of one of its pods. */
  readonly runningContainers: number | null
}

export interface DrawnPods {
  readonly tokens: readonly Token[]
  /** Those without room. */
  readonly more: number
}

/** The pods that have room; `isShared`: the line for those without room takes the place of a pod. Pure. */
export function drawnIn({ shown, total }: PodGroup, pods: number, isShared: boolean): DrawnPods {
  const tokens = shown.slice(0, isShared && total > pods ? pods - 1 : pods)
  return { tokens, more: total - tokens.filter(({ isLeaving }) => !isLeaving).length }
}

/** Pods of the node whose worker is not known; of a kubelet that runs here, each is. Pure. */
export function unknownWorkers(board: Board, { api, workers }: FlowView): number {
  if (api === null || workers.forgotten !== null) return 0
  return Math.max(0, api.pods - workersOf(board))
}

/** What a pod's line says after its name, and how soon the pod needs attention. Pure. */
export function tokenOf(row: PodRow): Token {
  const { noStatus, mirrors, ready } = text.flow.notes
  const none = row.isStatusUnknown === true ? text.flow.notKnown : noStatus
  const note = row.status === '' ? none : row.status
  const token: Token = { row, urgency: 3, note, tone: 'plain', isLeaving: false }
  if (row.tone === 'bad') return { ...token, urgency: 0, tone: 'bad' }
  if (row.worker === 'TerminatingPod') return token
  if (row.mirror !== null && row.mirror !== 'matched')
    return { ...token, urgency: 1, note: mirrors[row.mirror], tone: 'wait' }
  if (row.tone === 'wait') return { ...token, urgency: 2, tone: 'wait' }
  if (row.worker === 'SyncPod' && row.readyContainers < row.totalContainers)
    return { ...token, urgency: 2, note: ready(row), tone: 'wait' }
  return token
}

function byName(left: PodRow, right: PodRow): number {
  if (left.namespace !== right.namespace) return left.namespace < right.namespace ? -1 : 1
  if (left.name !== right.name) return left.name < right.name ? -1 : 1
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0
}

export function byUrgency(left: Token, right: Token): number {
  return left.urgency - right.urgency || byName(left.row, right.row)
}

function bySigkill(left: Token, right: Token): number {
  const due = ({ row }: Token): number => row.grace?.killAt ?? Number.MAX_SAFE_INTEGER
  return due(left) - due(right) || byName(left.row, right.row)
}

/** Which pods are in a group, in which order, and for how many it has room at most (a low picture draws fewer). */
interface GroupRule {
  readonly has: (row: PodRow) => boolean
  readonly room: number
  readonly compare: (left: Token, right: Token) => number
}

function lane(name: LaneName, room: number, compare = byUrgency): GroupRule {
  const has = ({ worker }: PodRow): boolean =>
    (worker === 'finished' ? 'TerminatedPod' : worker) === name
  return { has, room, compare }
}

export const groupRules: Readonly<Record<GroupName, GroupRule>> = {
  waiting: lane('waiting', 7),
  SyncPod: lane('SyncPod', 12),
  TerminatingPod: lane('TerminatingPod', 4, bySigkill),
  TerminatedPod: lane('TerminatedPod', 2),
  TerminatedAndRecreatedPod: lane('TerminatedAndRecreatedPod', 1),
  sandboxes: {
    has: ({ worker }) => worker === 'SyncPod' || worker === 'TerminatingPod',
    room: 15,
    compare: byUrgency,
  },
}

function forEachGroup<T>(make: (name: GroupName) => T): Readonly<Record<GroupName, T>> {
  return {
    waiting: make('waiting'),
    SyncPod: make('SyncPod'),
    TerminatingPod: make('TerminatingPod'),
    TerminatedPod: make('TerminatedPod'),
    TerminatedAndRecreatedPod: make('TerminatedAndRecreatedPod'),
    sandboxes: make('sandboxes'),
  }
}

export const emptyBoard: Board = {
  groups: forEachGroup(() => ({ total: 0, shown: [], tallies: [] })),
  runningContainers: 0,
}

/** How many pods have a worker: each is in one lane. Pure. */
export function workersOf({ groups }: Board): number {
  return laneNames.reduce((sum, name) => sum + groups[name].total, 0)
}

/** A group while the rows are read. */
class GroupBuilder {
  readonly #rule: GroupRule
  readonly #first: Top<Token>
  readonly #tallies = new Map<string, { word: string; tone: StatusTone; count: number }>()
  #total = 0

  constructor(rule: GroupRule) {
    this.#rule = rule
    this.#first = new Top(rule.room, rule.compare)
  }

  add(row: PodRow): void {
    if (!this.#rule.has(row)) return
    this.#total++
    const { status: word, tone } = row
    const tally = this.#tallies.get(word)
    if (tally === undefined) this.#tallies.set(word, { word, tone, count: 1 })
    else tally.count++
    this.#first.add(tokenOf(row))
  }

  group(): PodGroup {
    return {
      total: this.#total,
      shown: this.#first.items,
      tallies: [...this.#tallies.values()].toSorted((left, right) => right.count - left.count),
    }
  }
}

/** Nothing moves under a pointer: a drawn pod keeps its place, and dims when it leaves the group. */
function holdPlaces(before: PodGroup, now: PodGroup, tokenNow: (token: Token) => Token): PodGroup {
  const kept = before.shown.map(tokenNow)
  const keys = new Set(kept.map(({ row }) => row.key))
  const added = now.shown.filter(({ row }) => !keys.has(row.key))
  return {
    ...now,
    shown: [...kept, ...added.slice(0, Math.max(0, now.shown.length - kept.length))],
  }
}

/** All that is drawn of a group. */
function drawnValues({ total, shown, tallies }: PodGroup): readonly unknown[] {
  return [
    total,
    shown.length,
    ...shown.flatMap(({ row, isLeaving }) => [row, isLeaving]),
    ...tallies.flatMap(({ word, count }) => [word, count]),
  ]
}

interface BoardOptions {
  readonly before: Board
  /** Everything keeps its place while a pointer is over it. */
  readonly isHeld: boolean
  readonly find: (key: string) => PodRow | undefined
}

/** The groups of all rows of a node. Pure; groups that did not change are those of `before`. */
export function deriveBoard(rows: Iterable<PodRow>, { before, isHeld, find }: BoardOptions): Board {
  const builders = forEachGroup((name) => new GroupBuilder(groupRules[name]))
  let runningContainers = 0
  let areAllKnown = true
  for (const row of rows) {
    if (!hasWorker(row)) continue
    for (const builder of Object.values(builders)) builder.add(row)
    if (!groupRules.sandboxes.has(row)) continue
    if (row.isStatusUnknown === true) areAllKnown = false
    else
      for (const { state } of row.bricks)
        if (state === 'running' || state === 'notready') runningContainers++
  }
  const groups = forEachGroup((name) => {
    const { has } = groupRules[name]
    const tokenNow = (token: Token): Token => {
      const row = find(token.row.key)
      return row !== undefined && has(row) ? tokenOf(row) : { ...token, isLeaving: true }
    }
    const [was, now] = [before.groups[name], builders[name].group()]
    const settled = isHeld ? holdPlaces(was, now, tokenNow) : now
    return shallow(drawnValues(was), drawnValues(settled)) ? was : settled
  })
  return { groups, runningContainers: areAllKnown ? runningContainers : null }
}
