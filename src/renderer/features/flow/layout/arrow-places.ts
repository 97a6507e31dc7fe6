import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowArea } from '../../../../shared/model/flow-parts.ts'
import type { Box, Point } from './box.ts'
import { bottom, center, overlaps, right, shared } from './box.ts'
import { mono } from './fit.ts'
import type { FlowTables } from './flow-tables.ts'
import { recreatedPath } from './lanes.ts'

/** A text at an arrow: its base line, and the room that it must fit into. */
export interface TextPlace extends Point {
  readonly anchor: 'start' | 'middle' | 'end'
  readonly width: number
  readonly lines: 1 | 2
}

/** Where an arrow and what belongs to it are drawn. */
export interface ArrowPlace {
  readonly path: string
  /** The corners of the path. */
  readonly points: readonly Point[]
  /** Where its number in a followed cause is drawn. */
  readonly badge: Point
  /** Null for an arrow without a label, and without room for one. */
  readonly label: TextPlace | null
  /** The count of the last minute; null where the label or the API server's band has it. */
  readonly count: TextPlace | null
}

interface Surroundings {
  readonly parts: ReadonlyMap<string, Box>
  readonly frame: Box
  /** What no label may cover. */
  readonly taken: readonly Box[]
  /** Where arrows pass a row of helpers. */
  readonly ports: ReadonlyMap<string, number>
}

interface End {
  readonly area: FlowArea
  readonly box: Box
}

interface Route {
  readonly arrow: FlowArrowRow
  readonly from: End
  readonly to: End
  readonly points: readonly Point[]
}

/** From an arrow's head to the part that it points at. */
const headGap = 4
/** Half of a packet's pill, and half of its height: no text within it. */
const pill = { across: 18, down: 8 }
/** From a vertical arrow to its texts. */
const aside = 20
const corner = 6
/** From the middle of the loop to the ends of its ticks. */
const loopRadius = 60
/** Between several arrows into one side of a part. */
const entryPitch = 36
const countWidth = 27
/** With less room than this there is no label. */
const leastLabel = 24
/** A last move: `ContainerDied`, or `worker-0, 3 s ago`. */
const moveWidth = 106
/** A gap no higher than this has room for one line. */
const twoLines = 34

/** The side of `from` that faces `to`: 1 is right or bottom, -1 is left or top. */
function sideFacing(from: End, to: End, along: 'x' | 'y'): number {
  return from.box[along] < to.box[along] ? 1 : -1
}

/** The edge of a part above or below `x`; the loop is round. */
function edgeY({ area, box }: End, x: number, side: number): number {
  const middle = center(box)
  if (area !== 'loop') return middle.y + (side * box.height) / 2
  return middle.y + side * Math.sqrt(Math.max(0, loopRadius ** 2 - (x - middle.x) ** 2))
}

function edgeX({ area, box }: End, side: number): number {
  return center(box).x + side * (area === 'loop' ? loopRadius : box.width / 2)
}

function vertical(from: End, to: End, x: number): readonly Point[] {
  const side = sideFacing(from, to, 'y')
  return [
    { x, y: edgeY(from, x, side) },
    { x, y: edgeY(to, x, -side) - side * headGap },
  ]
}

function horizontal(from: End, to: End, startY: number, endY: number): readonly Point[] {
  const side = sideFacing(from, to, 'x')
  const start = { x: edgeX(from, side), y: startY }
  const edge = edgeX(to, -side)
  const end = { x: edge - side * headGap, y: endY }
  if (Math.abs(startY - endY) < 1) return [start, { ...end, y: startY }]
  const turn = (start.x + edge) / 2 + side * 5
  return [start, { x: turn, y: startY }, { x: turn, y: endY }, end]
}

/** The corners of an arrow's path. Throws if its parts do not face each other. */
function pointsOf(
  arrow: FlowArrowRow,
  from: End,
  to: End,
  { arrows }: FlowTables,
  ports: ReadonlyMap<string, number>,
): readonly Point[] {
  const ends = [arrow.from, arrow.to]
  const pair = arrows.filter(
    ({ from: start, to: end }) => start !== end && ends.includes(start) && ends.includes(end),
  )
  const across = shared(from.box, to.box, 'x')
  const spreadOver = ({ start, end }: typeof across): number =>
    start + ((end - start) * (pair.indexOf(arrow) + 1)) / (pair.length + 1)
  if (across.end - across.start >= entryPitch)
    return vertical(from, to, ports.get(arrow.id) ?? spreadOver(across))
  const siblings = arrows.filter((other) => other.to === arrow.to && from.area === 'sources')
  if (siblings.length > 1) {
    const offset = (siblings.indexOf(arrow) - (siblings.length - 1) / 2) * entryPitch
    return horizontal(from, to, center(from.box).y, center(to.box).y + offset)
  }
  const down = shared(from.box, to.box, 'y')
  if (down.end - down.start < 8)
    throw new Error(
      `The flow's arrow ${arrow.id} has no straight way: place ${arrow.from} and ${arrow.to} in areas that face each other.`,
    )
  return horizontal(from, to, spreadOver(down), spreadOver(down))
}

/** The point `by` units from one towards another, straight across or down. */
function toward(from: Point, to: Point, by: number): string {
  return `${from.x + Math.sign(to.x - from.x) * by} ${from.y + Math.sign(to.y - from.y) * by}`
}

/** Through all corners, rounded. */
function pathThrough(points: readonly Point[]): string {
  const turns = points.slice(1, -1).map((point, index) => {
    const [before = point, after = point] = [points[index], points[index + 2]]
    return `L${toward(point, before, corner)}Q${point.x} ${point.y} ${toward(point, after, corner)}`
  })
  const [start = { x: 0, y: 0 }, end = start] = [points[0], points.at(-1)]
  return `M${start.x} ${start.y}${turns.join('')}L${end.x} ${end.y}`
}

/** What packets on a path can cover. */
function corridors(points: readonly Point[]): readonly Box[] {
  return points.slice(1).map((end, index) => {
    const start = points[index] ?? end
    const grow = start.x === end.x ? { x: pill.across, y: 0 } : { x: 0, y: pill.down }
    return {
      x: Math.min(start.x, end.x) - grow.x,
      y: Math.min(start.y, end.y) - grow.y,
      width: Math.abs(start.x - end.x) + 2 * grow.x,
      height: Math.abs(start.y - end.y) + 2 * grow.y,
    }
  })
}

/** What a text covers when it takes all of its room. */
export function textBox({ x, y, anchor, width, lines }: TextPlace): Box {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { x: left, y: y - 10, width, height: 14 + (lines - 1) * 15 }
}

function isVertical([start, end]: readonly Point[]): boolean {
  return start?.x === end?.x
}

function middleOf(points: readonly Point[]): Point {
  const half = Math.floor((points.length - 1) / 2)
  const [start = { x: 0, y: 0 }, end = start] = points.slice(half)
  return { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }
}

/** The size that a label needs; a short arrow has room for one line. Null for an arrow without a label. */
function labelSize({ arrow, points }: Route): Pick<TextPlace, 'width' | 'lines'> | null {
  const { label, shows = [] } = arrow
  if (label === undefined && shows.length === 0) return null
  const own = label === undefined ? 0 : mono(label.replace('{node}', 'a-node-name'))
  const isLong = Math.abs((points[0]?.y ?? 0) - (points.at(-1)?.y ?? 0)) > twoLines
  return shows.length > 0 && isLong
    ? { width: Math.max(own, moveWidth), lines: 2 }
    : { width: own === 0 ? moveWidth : own, lines: 1 }
}

/** Gives each text the room that arrows, parts and earlier texts leave next to its arrow. */
class FreeRoom {
  /** By the text that has taken it, or by itself. */
  readonly #taken: Map<object, Box>
  readonly #frame: Box

  constructor(taken: readonly Box[], frame: Box) {
    this.#taken = new Map(taken.map((box) => [box, box]))
    this.#frame = frame
  }

  /** Takes the room of a label, of the size that it needs at most; null without room. */
  takeLabel(route: Route): TextPlace | null {
    const size = labelSize(route)
    if (size === null) return null
    const { points } = route
    const { x, y } = middleOf(points)
    if (!isVertical(points)) {
      const width = Math.abs((points.at(-1)?.x ?? x) - (points[0]?.x ?? x))
      const above = { x, y: y - 13, anchor: 'middle', width, lines: 1 } as const
      return width < leastLabel ? null : this.#take(above)
    }
    const line = this.#baseline(route, size.lines)
    const after = this.#roomAt(x, line, size.lines, 'start')
    const before = this.#roomAt(x, line, size.lines, 'end')
    const best = after.width >= Math.min(size.width, before.width) ? after : before
    if (best.width < leastLabel) return null
    return this.#take({ ...best, width: Math.min(best.width, size.width) })
  }

  /** Takes the room of a count, on the side opposite the label; null without room. */
  takeCount(route: Route, label: TextPlace | null): TextPlace | null {
    const { points, from, to } = route
    const [start, turn, next] = points
    // The server's band counts what is written to it.
    if (start === undefined || turn === undefined || to.area === 'server') return null
    const isLabeled = labelSize(route) !== null
    const count = (x: number, y: number, anchor: TextPlace['anchor']): TextPlace | null =>
      this.#take({ x, y, anchor, width: countWidth, lines: 1 })
    if (isVertical(points)) {
      // The long arrow of the watch of pods passes the kubelet's head: its count is drawn at its end.
      const isLong = from.area === 'server' && to.area === 'sources'
      const y = isLong ? turn.y - 12 : (label?.y ?? this.#baseline(route, 1))
      return isLabeled && label?.anchor !== 'end'
        ? count(turn.x - aside, y, 'end')
        : count(turn.x + aside, y, 'start')
    }
    if (isLabeled) return count(middleOf(points).x, start.y + 21, 'middle')
    // Above a straight arrow there is the number of a step, too.
    const y = start.y + (next === undefined ? -15 : next.y < turn.y ? 20 : -12)
    return turn.x > start.x ? count(start.x + 4, y, 'start') : count(start.x - 4, y, 'end')
  }

  /** The same label with the room that has remained free, up to twice what it needs. */
  growLabel(label: TextPlace): TextPlace {
    const { x, y, anchor, width, lines } = label
    if (anchor === 'middle') return label
    this.#taken.delete(label)
    const free = this.#roomAt(anchor === 'start' ? x - aside : x + aside, y, lines, anchor)
    const grown = { ...label, width: Math.max(width, Math.min(free.width, width * 2)) }
    this.#taken.set(grown, textBox(grown))
    return grown
  }

  #take(place: TextPlace): TextPlace | null {
    const box = textBox(place)
    for (const other of this.#taken.values()) if (overlaps(box, other)) return null
    this.#taken.set(place, box)
    return place
  }

  /** The base line of the words of a vertical arrow. */
  #baseline({ from, to, points }: Route, lines: number): number {
    const areas = [from.area, to.area]
    if (areas.includes('server')) return this.#frame.y - 11
    if (areas.includes('runtime')) return bottom(this.#frame) + 13
    return middleOf(points).y + (lines === 2 ? 1 : 5)
  }

  /** The free room on one side of a vertical arrow. */
  #roomAt(x: number, y: number, lines: 1 | 2, anchor: 'start' | 'end'): TextPlace {
    const end = right(this.#frame)
    const [start, limit] = anchor === 'start' ? [x + aside, end] : [x - aside, this.#frame.x]
    const line = textBox({ x: 0, y, anchor: 'start', width: end, lines })
    const met = [...this.#taken.values()].filter((box) => overlaps(line, box))
    const edge =
      anchor === 'start'
        ? Math.min(limit, ...met.filter((box) => right(box) > start).map((box) => box.x))
        : Math.max(limit, ...met.filter((box) => box.x < start).map(right))
    return { x: start, y, anchor, width: Math.max(0, Math.abs(edge - start) - 4), lines }
  }
}

type Placed = readonly [arrow: string, place: ArrowPlace]

/** Where all arrows and their texts are drawn. Pure. Throws if an arrow joins parts that do not face each other. */
export function placeArrows(
  tables: FlowTables,
  { parts, frame, taken, ports }: Surroundings,
): ReadonlyMap<string, ArrowPlace> {
  const end = (id: string): End => {
    const [area, box] = [tables.parts.find((part) => part.id === id)?.area, parts.get(id)]
    if (area === undefined || box === undefined)
      throw new Error(
        `The flow's table of arrows names the part ${id}, which its table of parts has not.`,
      )
    return { area, box }
  }
  const routes = tables.arrows.map((arrow): Route => {
    const [from, to] = [end(arrow.from), end(arrow.to)]
    return {
      arrow,
      from,
      to,
      points: arrow.from === arrow.to ? [] : pointsOf(arrow, from, to, tables, ports),
    }
  })
  const room = new FreeRoom(
    [...parts.values(), ...taken, ...routes.flatMap(({ points }) => corridors(points))],
    frame,
  )
  const outer = routes
    .filter(({ points }) => points.length > 0)
    .map((route) => ({ ...route, label: room.takeLabel(route) }))
    .map((route) => ({ ...route, count: room.takeCount(route, route.label) }))
    .map(({ arrow, points, label, count }): Placed => {
      const grown = label === null ? null : room.growLabel(label)
      const [path, badge] = [pathThrough(points), middleOf(points)]
      return [arrow.id, { path, points, badge, label: grown, count }]
    })
  // The arrow of the workers to themselves is inside their frame; the lanes draw its words.
  const inner = routes
    .filter(({ points }) => points.length === 0)
    .map(({ arrow, points, from }): Placed => {
      return [arrow.id, { ...recreatedPath(from.box), points, label: null, count: null }]
    })
  return new Map([...outer, ...inner])
}
