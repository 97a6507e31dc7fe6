import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowArea, FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import type { Box } from './box.ts'
import { bottom, center, row } from './box.ts'
import type { FlowTables } from './flow-tables.ts'
import { flowTables } from './flow-tables.ts'
import { helperRow } from './helper-row.ts'
import { laneBox } from './lanes.ts'
import type { WirePlace } from './wires.ts'
import { placeWires } from './wires.ts'

/** Where everything in the picture stands, in its own units. */
export interface Layout {
  readonly height: number
  readonly parts: ReadonlyMap<string, Box>
  readonly wires: ReadonlyMap<string, WirePlace>
  /** The kubelet's frame, around all but the API server and the runtime. */
  readonly frame: Box
  /** The words of the frame: its name, the node, the sources. */
  readonly head: Box
  /** The list under the sources; its lines are `line` apart. */
  readonly legend: Box & { readonly line: number }
}

/** The picture is always as wide; a low window takes rows, gaps and air from its height. */
export const pictureWidth = 1264

const [tallest, lowest] = [760, 668]
/** A row of helpers makes the picture so much taller, and the workers so much lower. */
const helpers = { taller: 40, lower: 34, gap: 30, height: 44 }

/** The heights that a picture of these parts can have. */
export function heights({ parts }: FlowTables): {
  readonly tallest: number
  readonly lowest: number
} {
  const more = parts.some(({ area }) => area === 'helpers') ? helpers.taller : 0
  return { tallest: tallest + more, lowest: lowest + more }
}

interface Frames {
  readonly areas: Readonly<Record<FlowArea, Box>>
  readonly frame: Box
  readonly legendGap: number
  readonly legendLine: number
}

/** The areas of the picture; `mix` gives a measure between that of the tallest and that of the lowest. */
function framesOf(mix: (tall: number, low: number) => number, hasHelpers: boolean): Frames {
  const loopY = mix(345, 307)
  const pitch = mix(80, 74)
  const workers: Box = {
    x: 632,
    y: mix(244, 220),
    width: 594,
    height: mix(360, 316) - (hasHelpers ? helpers.lower : 0),
  }
  const helperBand: Box = {
    ...workers,
    y: bottom(workers) + helpers.gap,
    height: hasHelpers ? helpers.height : -helpers.gap,
  }
  const frameY = mix(104, 92)
  const frameEnd = bottom(helperBand) + mix(20, 16)
  const runtimeY = frameEnd + mix(38, 36)
  const loop = { x: 449, y: loopY - 57, width: 114, height: 114 }
  return {
    areas: {
      server: { x: 24, y: mix(8, 4), width: 1216, height: 58 },
      sources: { x: 44, y: loopY - pitch - 33, width: 160, height: 2 * pitch + 66 },
      merge: { x: 258, y: loopY - 83, width: 126, height: 166 },
      loop,
      managers: { x: 416, y: mix(128, 110), width: 810, height: 78 },
      workers,
      // Nearer to the runtime: two lines of words stand above it, one below.
      feeds: { x: 396, y: (bottom(loop) + runtimeY) / 2 - 16, width: 220, height: 44 },
      helpers: helperBand,
      runtime: { x: 24, y: runtimeY, width: 1216, height: mix(86, 76) },
    },
    frame: { x: 24, y: frameY, width: 1216, height: frameEnd - frameY },
    legendGap: mix(46, 32),
    legendLine: mix(18, 16),
  }
}

/** Boxes one below the other. */
function stack({ x, y, width, height }: Box, count: number): readonly Box[] {
  const pitch = (height - 66) / Math.max(2, count - 1)
  return Array.from({ length: count }, (_, index) => ({
    x,
    y: y + index * pitch,
    width,
    height: 66,
  }))
}

/** Below the loop, and in its middle. */
function feedRow(area: Box, count: number): readonly Box[] {
  const each = count === 1 ? 88 : Math.min(100, (area.width - 10 * (count - 1)) / count)
  const width = each * count + 10 * (count - 1)
  const gaps = Array.from({ length: count - 1 }, () => 10)
  return row({ ...area, x: center(area).x - width / 2 }, width, count, gaps)
}

/** Neighbors with an arrow between them stand farther apart. */
function managerRow(
  area: Box,
  parts: readonly FlowPartRow[],
  arrows: readonly FlowArrowRow[],
): readonly Box[] {
  const gaps = parts.slice(1).map((part, index) => {
    const pair = [part.id, parts[index]?.id]
    return arrows.some(({ from, to }) => pair.includes(from) && pair.includes(to)) ? 36 : 16
  })
  return row(area, area.width, parts.length, gaps)
}

/** Where an arrow from a lane leaves the workers. */
function lanePort(workers: Box, { lane }: FlowArrowRow): number {
  return lane === undefined ? center(workers).x : laneBox(lane, { total: 0 }, workers).x + 28
}

function isIn(area: FlowArea): (part: FlowPartRow) => boolean {
  return (part) => part.area === area
}

/** The arrows that pass the row of helpers. */
function throughArrows({ parts, arrows }: FlowTables): readonly FlowArrowRow[] {
  const joins = (id: string, area: FlowArea): boolean =>
    parts.some((part) => part.id === id && part.area === area)
  return arrows.filter(({ from, to }) => joins(from, 'workers') && joins(to, 'runtime'))
}

/** All boxes, and where arrows pass the row of helpers. */
function place(
  { parts, arrows }: FlowTables,
  areas: Frames['areas'],
  through: readonly FlowArrowRow[],
): { readonly boxes: ReadonlyMap<string, Box>; readonly ports: readonly number[] } {
  const managers = parts.filter(isIn('managers'))
  const feeds = parts.filter(isIn('feeds'))
  const sources = parts.filter(isIn('sources'))
  const helped = helperRow(
    areas.helpers,
    parts.filter(isIn('helpers')).length,
    through.map((arrow) => lanePort(areas.workers, arrow)),
  )
  const rows: Readonly<Partial<Record<FlowArea, readonly Box[]>>> = {
    sources: stack(areas.sources, sources.length),
    managers: managerRow(areas.managers, managers, arrows),
    feeds: feedRow(areas.feeds, feeds.length),
    helpers: helped.boxes,
  }
  const boxes = parts.map((part): readonly [string, Box] => {
    const { id, area } = part
    return [id, rows[area]?.[parts.filter(isIn(area)).indexOf(part)] ?? areas[area]]
  })
  return { boxes: new Map(boxes), ports: helped.ports }
}

/** Under the sources, up to what feeds the loop. */
function legendOf(
  { areas, frame, legendGap, legendLine }: Frames,
  feedsX: number,
): Layout['legend'] {
  const { x } = areas.sources
  const y = bottom(areas.sources) + legendGap
  return {
    x,
    y,
    width: Math.min(402, feedsX - 16 - x),
    height: bottom(frame) - y,
    line: legendLine,
  }
}

/**
 * The layout of a picture of `wanted` units of height, as near to it as can be. Pure. Throws where an arrow
 * joins parts that do not face each other.
 */
export function layoutOf(wanted: number, tables: FlowTables = flowTables): Layout {
  const limits = heights(tables)
  const height = Math.min(limits.tallest, Math.max(limits.lowest, wanted))
  /** 0: as tall as it gets, 1: as low. */
  const spent = (limits.tallest - height) / (limits.tallest - limits.lowest)
  const frames = framesOf(
    (tall, low) => Math.round((tall + (low - tall) * spent) * 10) / 10,
    tables.parts.some(isIn('helpers')),
  )
  const { areas, frame } = frames
  const through = throughArrows(tables)
  const { boxes, ports } = place(tables, areas, through)
  const feeds = tables.parts.filter(isIn('feeds')).map(({ id }) => boxes.get(id)?.x ?? 0)
  const legend = legendOf(frames, Math.min(...feeds))
  const head = { x: 146, y: frame.y + 22, width: areas.managers.x - 10 - 146, height: 54 }
  const surroundings = {
    parts: boxes,
    frame,
    taken: [head, { ...legend, y: legend.y - 28, height: legend.height + 14 }],
    ports: new Map(through.map(({ id }, index) => [id, ports[index] ?? 0])),
  }
  return { height, parts: boxes, frame, head, legend, wires: placeWires(tables, surroundings) }
}

/** The box of a part that is drawn. Throws for one that is not in the table. */
export function partBox({ parts }: Layout, id: string): Box {
  const box = parts.get(id)
  if (box === undefined) throw new Error(`The flow's table has no part ${id}.`)
  return box
}
