import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowArea, FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import type { ArrowPlace } from './arrow-places.ts'
import { placeArrows } from './arrow-places.ts'
import type { Box } from './box.ts'
import { bottom, center } from './box.ts'
import type { FlowTables } from './flow-tables.ts'
import { flowTables } from './flow-tables.ts'
import { laneBox } from './lanes.ts'
import { centeredRow, helperRow, row, stack } from './rows.ts'

/** Where everything in the picture is drawn, in its own units. */
export interface Layout {
  readonly height: number
  readonly parts: ReadonlyMap<string, Box>
  readonly arrows: ReadonlyMap<string, ArrowPlace>
  /** The kubelet's frame, around all but the API server and the runtime. */
  readonly frame: Box
  /** The words of the frame: its name, the node, the sources. */
  readonly head: Box
  /** The list under the sources; its lines are `line` apart. */
  readonly legend: Box & { readonly line: number }
}

/** The picture's width is fixed; a low window takes rows, gaps and air from its height. */
export const pictureWidth = 1264

const [tallest, lowest] = [760, 662]
/** How many lines the list under the sources has. */
export const legendLines = 8
/** A row of helpers makes the picture so much taller, and the workers so much lower: in the tallest and in the lowest one. */
const helpers = { taller: [40, 26], lower: [34, 40], gap: [30, 24], height: [44, 42] } as const

/** The heights that a picture of these parts can have. */
export function heights({ parts }: FlowTables): {
  readonly tallest: number
  readonly lowest: number
} {
  const [taller, lower] = parts.some(isIn('helpers')) ? helpers.taller : [0, 0]
  return { tallest: tallest + taller, lowest: lowest + lower }
}

interface Frames {
  readonly areas: Readonly<Record<FlowArea, Box>>
  readonly frame: Box
  readonly legendLine: number
}

/** The areas of the picture; `mix` interpolates between the values of the tallest and the lowest picture. */
function framesOf(mix: (tall: number, low: number) => number, hasHelpers: boolean): Frames {
  const loopY = mix(345, 307)
  const pitch = mix(80, 74)
  const workersHeight = mix(360, 316) - (hasHelpers ? mix(...helpers.lower) : 0)
  const workers: Box = { x: 632, y: mix(244, 220), width: 594, height: workersHeight }
  const helperBand: Box = {
    ...workers,
    // The words of the last helper's arrow end within the frame.
    x: workers.x - 18,
    y: bottom(workers) + mix(...helpers.gap),
    height: hasHelpers ? mix(...helpers.height) : -mix(...helpers.gap),
  }
  const frameY = mix(104, 92)
  const frameEnd = bottom(helperBand) + mix(20, 16)
  const runtimeY = frameEnd + mix(38, 36)
  const loop = { x: 445, y: loopY - 57, width: 114, height: 114 }
  return {
    areas: {
      server: { x: 24, y: mix(8, 4), width: 1216, height: 58 },
      sources: { x: 44, y: loopY - pitch - 33, width: 160, height: 2 * pitch + 66 },
      merge: { x: 258, y: loopY - 83, width: 126, height: 166 },
      loop,
      managers: { x: 326, y: mix(128, 110), width: 900, height: 78 },
      workers,
      // Nearer to the runtime: two lines of words are above it, one is below.
      feeds: { x: 392, y: (bottom(loop) + runtimeY) / 2 - mix(30, 44), width: 220, height: 44 },
      helpers: helperBand,
      runtime: { x: 24, y: runtimeY, width: 1216, height: mix(86, 70) },
    },
    frame: { x: 24, y: frameY, width: 1216, height: frameEnd - frameY },
    legendLine: mix(17, 15),
  }
}

function isIn(area: FlowArea): (part: FlowPartRow) => boolean {
  return (part) => part.area === area
}

/** Neighbors with an arrow between them are farther apart. */
function managerGaps(
  managers: readonly FlowPartRow[],
  arrows: readonly FlowArrowRow[],
): readonly number[] {
  return managers.slice(1).map((part, index) => {
    const pair = [part.id, managers[index]?.id]
    return arrows.some(({ from, to }) => pair.includes(from) && pair.includes(to)) ? 36 : 16
  })
}

/** Where an arrow leaves the workers: at its lane. */
function lanePort(workers: Box, { lane }: FlowArrowRow): number {
  return lane === undefined ? center(workers).x : laneBox(lane, { total: 0 }, workers).x + 8
}

interface Places {
  readonly boxes: ReadonlyMap<string, Box>
  /** Where arrows pass the row of helpers. */
  readonly ports: ReadonlyMap<string, number>
}

/** The boxes of all parts: several of one area share it. */
function place({ parts, arrows }: FlowTables, areas: Frames['areas']): Places {
  const of = (area: FlowArea): readonly FlowPartRow[] => parts.filter(isIn(area))
  const joins = (id: string, area: FlowArea): boolean => of(area).some((part) => part.id === id)
  const through = arrows.filter(({ from, to }) => joins(from, 'workers') && joins(to, 'runtime'))
  const wanted = through.map((arrow) => lanePort(areas.workers, arrow))
  const helped = helperRow(areas.helpers, of('helpers').length, wanted)
  const feeds = of('feeds').length
  const managers = of('managers')
  const rows: Readonly<Partial<Record<FlowArea, readonly Box[]>>> = {
    sources: stack(areas.sources, of('sources').length, 66),
    managers: row(areas.managers, managers.length, managerGaps(managers, arrows)),
    feeds: centeredRow(areas.feeds, feeds, { gap: 10, widest: feeds === 1 ? 88 : 100 }),
    helpers: helped.boxes,
  }
  return {
    boxes: new Map(
      parts.map((part) => {
        const { id, area } = part
        return [id, rows[area]?.[of(area).indexOf(part)] ?? areas[area]]
      }),
    ),
    ports: new Map(through.map(({ id }, index) => [id, helped.ports[index] ?? 0])),
  }
}

/**
 * The layout of a picture of `wanted` units of height, or of the nearest height that it can have. Pure. Throws if an
 * arrow joins parts that do not face each other.
 */
export function layoutOf(wanted: number, tables: FlowTables = flowTables): Layout {
  const limits = heights(tables)
  const height = Math.min(limits.tallest, Math.max(limits.lowest, wanted))
  /** 0: the tallest, 1: the lowest. */
  const spent = (limits.tallest - height) / (limits.tallest - limits.lowest)
  const { areas, frame, legendLine } = framesOf(
    (tall, low) => Math.round((tall + (low - tall) * spent) * 10) / 10,
    tables.parts.some(isIn('helpers')),
  )
  const { boxes: parts, ports } = place(tables, areas)
  const feeds = tables.parts.filter(isIn('feeds')).map(({ id }) => parts.get(id)?.x ?? 0)
  const { x } = areas.sources
  const y = bottom(frame) - legendLines * legendLine - 4
  // At the bottom, up to what feeds the loop.
  const width = Math.min(402, Math.min(...feeds) - 16 - x)
  const legend = { x, y, width, height: bottom(frame) - y, line: legendLine }
  const head = { x: 146, y: frame.y + 22, width: areas.managers.x - 10 - 146, height: 54 }
  const taken = [head, { ...legend, y: legend.y - 28, height: legend.height + 14 }]
  const arrows = placeArrows(tables, { parts, frame, taken, ports })
  return { height, parts, frame, head, legend, arrows }
}

/** The box of a part that is drawn. Throws for one that is not in the table. */
export function partBox({ parts }: Layout, id: string): Box {
  const box = parts.get(id)
  if (box === undefined) throw new Error(`The flow's table has no part ${id}.`)
  return box
}
