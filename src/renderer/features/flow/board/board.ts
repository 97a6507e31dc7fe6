import type { PodRow, StatusTone } from '../../../../shared/model/pod-row.ts'

/** Columns of PodWorkers; a finished worker stands with those that have terminated. */
export const laneNames = [
  'waiting',
  'SyncPod',
  'TerminatingPod',
  'TerminatedPod',
  'TerminatedAndRecreatedPod',
] as const

export type LaneName = (typeof laneNames)[number]

/** One pod in a lane or in the runtime. */
export interface Token {
  readonly row: PodRow
  /** What needs a person comes first: the lower, the sooner. */
  readonly need: number
  readonly note: string
  readonly tone: 'plain' | 'wait' | 'bad'
  /** It has left this place, and is drawn here only because a pointer rests on it. */
  readonly isLeaving: boolean
}

export interface Tally {
  readonly word: string
  readonly tone: StatusTone
  readonly count: number
}

export interface Lane {
  readonly total: number
  readonly shown: readonly Token[]
  /** Those without room. */
  readonly more: number
  /** STATUS words, the most frequent first. */
  readonly tallies: readonly Tally[]
}

/** The rows of one node as the picture draws them. */
export interface Board {
  readonly workers: number
  readonly lanes: Readonly<Record<LaneName, Lane>>
  readonly tiles: Lane
  readonly runningContainers: number
}

/** How many pods a lane has room for at most; a lower picture draws fewer (`laneShown`). */
export const laneRooms: Readonly<Record<LaneName, number>> = {
  waiting: 7,
  SyncPod: 12,
  TerminatingPod: 4,
  TerminatedPod: 2,
  TerminatedAndRecreatedPod: 1,
}
const tileRoom = 15

export interface Drawn {
  readonly tokens: readonly Token[]
  readonly more: number
}

/** What has room; `isShared`: the line for those without room takes the place of a pod. Pure. */
export function drawnIn({ shown, total, more }: Lane, pods: number, isShared: boolean): Drawn {
  const room = isShared && total > pods ? pods - 1 : pods
  const hidden = shown.slice(room).filter(({ isLeaving }) => !isLeaving).length
  return { tokens: shown.slice(0, room), more: more + hidden }
}

/** The sandboxes that are drawn: a row of tiles. Pure. */
export function tilesShown(tiles: Lane): Drawn {
  return drawnIn(tiles, tileRoom, true)
}

const emptyLane: Lane = { total: 0, shown: [], more: 0, tallies: [] }

export const emptyBoard: Board = {
  workers: 0,
  lanes: {
    waiting: emptyLane,
    SyncPod: emptyLane,
    TerminatingPod: emptyLane,
    TerminatedPod: emptyLane,
    TerminatedAndRecreatedPod: emptyLane,
  },
  tiles: emptyLane,
  runningContainers: 0,
}

function laneOf({ worker }: PodRow): LaneName | undefined {
  if (worker === 'none' || worker === 'noKubelet') return undefined
  return worker === 'finished' ? 'TerminatedPod' : worker
}

function hasSandbox({ worker }: PodRow): boolean {
  return worker === 'SyncPod' || worker === 'TerminatingPod'
}

function calm(row: PodRow): Token {
  const note = row.status === '' ? 'no status yet' : row.status
  return { row, need: 3, note, tone: 'plain', isLeaving: false }
}

/** What the line of a pod says after its name, and how much it needs a person. Pure. */
export function tokenOf(row: PodRow): Token {
  const token = calm(row)
  if (row.tone === 'bad') return { ...token, need: 0, tone: 'bad' }
  if (row.worker === 'TerminatingPod') return token
  if (row.mirror === 'missing') return { ...token, need: 1, note: 'no mirror', tone: 'wait' }
  if (row.mirror === 'stale') return { ...token, need: 1, note: 'stale mirror', tone: 'wait' }
  if (row.mirror === 'deleting') return { ...token, need: 1, note: 'mirror goes', tone: 'wait' }
  if (row.tone === 'wait') return { ...token, need: 2, tone: 'wait' }
  if (row.worker === 'SyncPod' && row.readyContainers < row.totalContainers)
    return {
      ...token,
      need: 2,
      note: `${row.readyContainers}/${row.totalContainers} ready`,
      tone: 'wait',
    }
  return token
}

function byName(left: PodRow, right: PodRow): number {
  if (left.namespace !== right.namespace) return left.namespace < right.namespace ? -1 : 1
  if (left.name !== right.name) return left.name < right.name ? -1 : 1
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0
}

function byNeed(left: Token, right: Token): number {
  return left.need - right.need || byName(left.row, right.row)
}

function bySigkill(left: Token, right: Token): number {
  const due = ({ row }: Token): number => row.grace?.killAt ?? Number.MAX_SAFE_INTEGER
  return due(left) - due(right) || byName(left.row, right.row)
}

/** The first few of many, found in one pass: 10,000 rows are looked at, not sorted. */
class Collector {
  readonly #room: number
  readonly #compare: (left: Token, right: Token) => number
  readonly #best: Token[] = []
  readonly #tallies = new Map<string, { tone: StatusTone; count: number }>()
  #total = 0

  constructor(room: number, compare: (left: Token, right: Token) => number = byNeed) {
    this.#room = room
    this.#compare = compare
  }

  add(row: PodRow): void {
    this.#total++
    const tally = this.#tallies.get(row.status)
    if (tally === undefined) this.#tallies.set(row.status, { tone: row.tone, count: 1 })
    else tally.count++
    const token = tokenOf(row)
    const last = this.#best[this.#room - 1]
    if (last !== undefined && this.#compare(token, last) >= 0) return
    const at = this.#best.findIndex((other) => this.#compare(token, other) < 0)
    this.#best.splice(at === -1 ? this.#best.length : at, 0, token)
    if (this.#best.length > this.#room) this.#best.pop()
  }

  lane(): Lane {
    const shown = [...this.#best]
    return {
      total: this.#total,
      shown,
      more: this.#total - shown.length,
      tallies: [...this.#tallies]
        .map(([word, { tone, count }]) => ({ word, tone, count }))
        .toSorted((left, right) => right.count - left.count),
    }
  }
}

function isSameToken(left: Token, right: Token | undefined): boolean {
  return left.row === right?.row && left.isLeaving === right.isLeaving
}

/** The lane before where nothing changed, so that nothing is drawn again. */
function keep(before: Lane, now: Lane): Lane {
  const isSame =
    before.total === now.total &&
    before.shown.length === now.shown.length &&
    before.shown.every((token, index) => isSameToken(token, now.shown[index])) &&
    before.tallies.length === now.tallies.length &&
    before.tallies.every(
      (tally, index) =>
        tally.word === now.tallies[index]?.word && tally.count === now.tallies[index].count,
    )
  return isSame ? before : now
}

/** Nothing moves under a pointer: what is drawn keeps its place, and dims where it has left. */
function hold(
  before: Lane,
  now: Lane,
  { isHere, find }: { isHere: (row: PodRow) => boolean; find: (key: string) => PodRow | undefined },
): Lane {
  const stay = before.shown.map((token) => {
    const row = find(token.row.key)
    return row !== undefined && isHere(row) ? tokenOf(row) : { ...token, isLeaving: true }
  })
  const keys = new Set(stay.map(({ row }) => row.key))
  const come = now.shown.filter(({ row }) => !keys.has(row.key))
  const shown = [...stay, ...come.slice(0, Math.max(0, now.shown.length - stay.length))]
  const here = shown.filter((token) => !token.isLeaving).length
  return { ...now, shown, more: now.total - here }
}

export interface BoardOptions {
  readonly before: Board
  /** Keeps everything in its place while a pointer is over it. */
  readonly isHeld: boolean
  readonly find: (key: string) => PodRow | undefined
}

/** Lanes and tiles from all rows of a node. Pure; parts that did not change are those of `before`. */
export function deriveBoard(rows: Iterable<PodRow>, options: BoardOptions): Board {
  const lanes: Readonly<Record<LaneName, Collector>> = {
    waiting: new Collector(laneRooms.waiting),
    SyncPod: new Collector(laneRooms.SyncPod),
    TerminatingPod: new Collector(laneRooms.TerminatingPod, bySigkill),
    TerminatedPod: new Collector(laneRooms.TerminatedPod),
    TerminatedAndRecreatedPod: new Collector(laneRooms.TerminatedAndRecreatedPod),
  }
  const tiles = new Collector(tileRoom)
  let workers = 0
  let runningContainers = 0
  for (const row of rows) {
    const name = laneOf(row)
    if (name === undefined) continue
    workers++
    lanes[name].add(row)
    if (!hasSandbox(row)) continue
    tiles.add(row)
    for (const { state } of row.bricks)
      if (state === 'running' || state === 'notready') runningContainers++
  }
  const { before, isHeld, find } = options
  const settle = (was: Lane, now: Lane, isHere: (row: PodRow) => boolean): Lane =>
    keep(was, isHeld ? hold(was, now, { isHere, find }) : now)
  const lane = (name: LaneName): Lane =>
    settle(before.lanes[name], lanes[name].lane(), (row) => laneOf(row) === name)
  return {
    workers,
    lanes: {
      waiting: lane('waiting'),
      SyncPod: lane('SyncPod'),
      TerminatingPod: lane('TerminatingPod'),
      TerminatedPod: lane('TerminatedPod'),
      TerminatedAndRecreatedPod: lane('TerminatedAndRecreatedPod'),
    },
    tiles: settle(before.tiles, tiles.lane(), hasSandbox),
    runningContainers,
  }
}
