import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowArea } from '../../../../shared/model/flow-parts.ts'
import type { Box, Point } from './box.ts'
import { bottom, center, overlaps, right, shared } from './box.ts'
import { mono } from './fit.ts'
import { recreatedPath } from './lanes.ts'
import type { FlowTables } from './flow-tables.ts'

/** Where a text stands: its base line, and what it must fit into. */
export interface TextPlace extends Point {
  readonly anchor: 'start' | 'middle' | 'end'
  readonly width: number
  readonly lines: 1 | 2
}

/** Where an arrow and what belongs to it are drawn. */
export interface WirePlace {
  readonly path: string
  /** The corners of the path. */
  readonly points: readonly Point[]
  /** Where its number in a followed cause stands. */
  readonly badge: Point
  /** Null where it has no label, or no room for one. */
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
  readonly id: string
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
/** The loop's ticks reach so far from its middle. */
const loopRadius = 60
/** Several arrows into one side are so far apart. */
const entryPitch = 36
const countWidth = 27
/** No text beyond the picture's edges. */
const pictureLimit = 1256
/** A label with less room says nothing. */
const leastLabel = 24
/** What a last move asks for: `ContainerDied`, or `worker-0, 3 s ago`. */
const tellingWidth = 106
/** Lower than two lines, with some air, is a gap for one. */
const twoLines = 34

/** The edge of a part above or below `x`: the loop is round. */
function edgeY({ area, box }: End, x: number, side: 'top' | 'bottom'): number {
  const middle = center(box)
  const sign = side === 'top' ? -1 : 1
  if (area !== 'loop') return middle.y + (sign * box.height) / 2
  return middle.y + sign * Math.sqrt(Math.max(0, loopRadius ** 2 - (x - middle.x) ** 2))
}

function edgeX({ area, box }: End, side: 'left' | 'right'): number {
  const out = area === 'loop' ? loopRadius - box.width / 2 : 0
  return side === 'left' ? box.x - out : right(box) + out
}

/** The share of the `index`-th of `count` things spread over a length. */
function spread(start: number, end: number, index: number, count: number): number {
  return start + ((end - start) * (index + 1)) / (count + 1)
}

function samePair(one: FlowArrowRow, other: FlowArrowRow): boolean {
  return (
    (one.from === other.from && one.to === other.to) ||
    (one.from === other.to && one.to === other.from)
  )
}

function vertical(from: End, to: End, x: number): readonly Point[] {
  const isDown = from.box.y < to.box.y
  const end = edgeY(to, x, isDown ? 'top' : 'bottom')
  return [
    { x, y: edgeY(from, x, isDown ? 'bottom' : 'top') },
    { x, y: isDown ? end - headGap : end + headGap },
  ]
}

function horizontal(from: End, to: End, startY: number, endY: number): readonly Point[] {
  const isRight = from.box.x < to.box.x
  const start = { x: edgeX(from, isRight ? 'right' : 'left'), y: startY }
  const edge = edgeX(to, isRight ? 'left' : 'right')
  const end = { x: isRight ? edge - headGap : edge + headGap, y: endY }
  if (Math.abs(startY - endY) < 1) return [start, { x: end.x, y: startY }]
  const turn = (start.x + edge) / 2 + (isRight ? 5 : -5)
  return [start, { x: turn, y: startY }, { x: turn, y: endY }, end]
}

/** The corners of an arrow's way. Throws where its parts do not face each other. */
function pointsOf(
  arrow: FlowArrowRow,
  from: End,
  to: End,
  { arrows }: FlowTables,
  ports: ReadonlyMap<string, number>,
): readonly Point[] {
  const pair = arrows.filter((other) => samePair(arrow, other))
  const place = pair.indexOf(arrow)
  const across = shared(from.box, to.box, 'x')
  if (across.end - across.start >= entryPitch)
    return vertical(
      from,
      to,
      ports.get(arrow.id) ?? spread(across.start, across.end, place, pair.length),
    )
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
  const y = spread(down.start, down.end, place, pair.length)
  return horizontal(from, to, y, y)
}

/** The point `by` units from one towards another, which lies straight across or down. */
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

/** What packets of a way can cover. */
function corridors(points: readonly Point[]): readonly Box[] {
  return points.slice(1).map((end, index) => {
    const start = points[index] ?? end
    const grow = start.x === end.x ? { x: pill.across, y: 0 } : { x: 0, y: pill.down }
    const left = Math.min(start.x, end.x) - grow.x
    const top = Math.min(start.y, end.y) - grow.y
    return {
      x: left,
      y: top,
      width: Math.abs(start.x - end.x) + 2 * grow.x,
      height: Math.abs(start.y - end.y) + 2 * grow.y,
    }
  })
}

/** What a text covers where it takes all of its room. */
export function textBox({ x, y, anchor, width, lines }: TextPlace): Box {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { x: left, y: y - 10, width, height: 14 + (lines - 1) * 15 }
}

function isSameBox(one: Box, other: Box): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width
}

function isVertical([start, end]: readonly Point[]): boolean {
  return start?.x === end?.x
}

function middleOf(points: readonly Point[]): Point {
  const half = Math.floor((points.length - 1) / 2)
  const [one, other] = [points[half], points[half + 1]]
  if (one === undefined || other === undefined) return { x: 0, y: 0 }
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
}

/** How wide a label would like to be, and in how many lines: a short arrow has room for one. */
function wish({ arrow, points }: Route): { width: number; lines: 1 | 2 } | null {
  const { label, tells = [] } = arrow
  if (label === undefined && tells.length === 0) return null
  const own = label === undefined ? 0 : mono(label.replace('{node}', 'a-node-name'))
  const isLong = Math.abs((points[0]?.y ?? 0) - (points.at(-1)?.y ?? 0)) > twoLines
  return tells.length > 0 && isLong
    ? { width: Math.max(own, tellingWidth), lines: 2 }
    : { width: own === 0 ? tellingWidth : own, lines: 1 }
}

/** Gives each text the room that arrows, parts and earlier texts leave next to its arrow. */
class Placer {
  readonly #taken: Box[]
  readonly #frame: Box

  constructor(taken: readonly Box[], frame: Box) {
    this.#taken = [...taken]
    this.#frame = frame
  }

  /** Where the label of an arrow would stand now, at most as wide as it likes; null without room. */
  labelOf(route: Route): TextPlace | null {
    const wanted = wish(route)
    if (wanted === null) return null
    const { points } = route
    const { x, y } = middleOf(points)
    if (!isVertical(points)) {
      const width = Math.abs((points.at(-1)?.x ?? x) - (points[0]?.x ?? x))
      return width < leastLabel ? null : { x, y: y - 13, anchor: 'middle', width, lines: 1 }
    }
    const line = this.#baseline(route, wanted.lines)
    const after = this.#roomAt(x, line, wanted.lines, 'start')
    const before = this.#roomAt(x, line, wanted.lines, 'end')
    const best = after.width >= Math.min(wanted.width, before.width) ? after : before
    if (best.width < leastLabel) return null
    return { ...best, width: Math.min(best.width, wanted.width) }
  }

  /** Where the count of an arrow would stand: on the other side than its label. */
  countOf(route: Route, label: TextPlace | null): TextPlace | null {
    const { points, from, to } = route
    const [start, turn, next] = points
    // The server's band counts what is written to it.
    if (start === undefined || turn === undefined || to.area === 'server') return null
    const text = { width: countWidth, lines: 1 } as const
    const isLabeled = wish(route) !== null
    if (isVertical(points)) {
      // The long arrow of the watch passes the kubelet's head: its count stands where it ends.
      const y = from.area === 'server' ? turn.y - 12 : (label?.y ?? this.#baseline(route, 1))
      return isLabeled && label?.anchor !== 'end'
        ? { ...text, x: turn.x - aside, y, anchor: 'end' }
        : { ...text, x: turn.x + aside, y, anchor: 'start' }
    }
    if (isLabeled) return { ...text, x: middleOf(points).x, y: start.y + 21, anchor: 'middle' }
    // Above a straight arrow there is the number of a step, too.
    const y = start.y + (next === undefined ? -15 : next.y < turn.y ? 20 : -12)
    return turn.x > start.x
      ? { ...text, x: start.x + 4, y, anchor: 'start' }
      : { ...text, x: start.x - 4, y, anchor: 'end' }
  }

  /** Takes the room of a text; null where something stands there already. */
  take(place: TextPlace | null): TextPlace | null {
    if (place === null) return null
    const box = textBox(place)
    if (this.#taken.some((other) => overlaps(box, other))) return null
    this.#taken.push(box)
    return place
  }

  /** The same label with the room that has remained free, up to twice what it likes. */
  grow(label: TextPlace): TextPlace {
    const { x, y, anchor, width, lines } = label
    if (anchor === 'middle') return label
    const own = this.#taken.findIndex((box) => isSameBox(box, textBox(label)))
    if (own !== -1) this.#taken.splice(own, 1)
    const free = this.#roomAt(anchor === 'start' ? x - aside : x + aside, y, lines, anchor)
    const grown = { ...label, width: Math.max(width, Math.min(free.width, width * 2)) }
    this.#taken.push(textBox(grown))
    return grown
  }

  /** The base line of the words of a vertical arrow. */
  #baseline({ from, to, points }: Route, lines: number): number {
    if (from.area === 'server' || to.area === 'server') return this.#frame.y - 11
    if (from.area === 'runtime' || to.area === 'runtime') return bottom(this.#frame) + 13
    return middleOf(points).y + (lines === 2 ? 1 : 5)
  }

  /** The free room on one side of a vertical arrow. */
  #roomAt(x: number, y: number, lines: 1 | 2, anchor: 'start' | 'end'): TextPlace {
    const [start, limit] = anchor === 'start' ? [x + aside, pictureLimit] : [x - aside, 0]
    const line = textBox({ x: 0, y, anchor: 'start', width: pictureLimit, lines })
    const met = this.#taken.filter((box) => overlaps(line, box))
    const edge =
      anchor === 'start'
        ? Math.min(limit, ...met.filter((box) => right(box) > start).map((box) => box.x))
        : Math.max(limit, ...met.filter((box) => box.x < start).map(right))
    return { x: start, y, anchor, width: Math.max(0, Math.abs(edge - start) - 4), lines }
  }
}

/** The arrow of the workers to themselves runs inside their frame, whose words are the lanes' own. */
function withinPlace({ points }: Route, workers: Box): WirePlace {
  const { path, turnX } = recreatedPath(workers)
  const badge = { x: turnX, y: workers.y + 166 }
  return { path, points, badge, label: null, count: null }
}

/** Where all arrows and their texts stand. Pure. Throws where an arrow joins parts that do not face each other. */
export function placeWires(
  tables: FlowTables,
  { parts, frame, taken, ports }: Surroundings,
): ReadonlyMap<string, WirePlace> {
  const end = (id: string): End => {
    const [area, box] = [tables.parts.find((part) => part.id === id)?.area, parts.get(id)]
    if (area === undefined || box === undefined)
      throw new Error(
        `The flow's table of arrows names the part ${id}, which its table of parts has not.`,
      )
    return { id, area, box }
  }
  const routes = tables.arrows.map((arrow): Route => {
    const [from, to] = [end(arrow.from), end(arrow.to)]
    const points = from.id === to.id ? [] : pointsOf(arrow, from, to, tables, ports)
    return { arrow, from, to, points }
  })
  const placer = new Placer(
    [...parts.values(), ...taken, ...routes.flatMap(({ points }) => corridors(points))],
    frame,
  )
  const outer = routes.filter(({ points }) => points.length > 0)
  const labels = new Map(
    outer.map((route) => [route.arrow.id, placer.take(placer.labelOf(route))] as const),
  )
  const counts = new Map(
    outer.map((route) => {
      const { id } = route.arrow
      return [id, placer.take(placer.countOf(route, labels.get(id) ?? null))] as const
    }),
  )
  return new Map(
    routes.map((route) => {
      const { arrow, points, from } = route
      if (points.length === 0) return [arrow.id, withinPlace(route, from.box)]
      const label = labels.get(arrow.id) ?? null
      return [
        arrow.id,
        {
          path: pathThrough(points),
          points,
          badge: middleOf(points),
          label: label === null ? null : placer.grow(label),
          count: counts.get(arrow.id) ?? null,
        },
      ]
    }),
  )
}
