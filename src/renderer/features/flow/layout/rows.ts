import type { Box } from './box.ts'
import { center, right } from './box.ts'

/** `count` boxes side by side over the width of an area, with `gaps` between them. */
export function row(area: Box, count: number, gaps: readonly number[]): readonly Box[] {
  const width = (area.width - gaps.reduce((sum, gap) => sum + gap, 0)) / count
  let x = area.x
  return Array.from({ length: count }, (_, index) => {
    const box = { ...area, x, width }
    x += width + (gaps[index] ?? 0)
    return box
  })
}

/** A row of `count` boxes with equal gaps, at most `widest` wide, in the middle of an area. */
export function centeredRow(
  area: Box,
  count: number,
  { gap, widest }: { readonly gap: number; readonly widest: number },
): readonly Box[] {
  const gaps = gap * Math.max(0, count - 1)
  const width = Math.min(widest * count + gaps, area.width)
  const x = center(area).x - width / 2
  return row({ ...area, x, width }, count, Array<number>(Math.max(0, count - 1)).fill(gap))
}

/** Boxes one below the other, `height` high. */
export function stack(area: Box, count: number, height: number): readonly Box[] {
  const pitch = (area.height - height) / Math.max(2, count - 1)
  return Array.from({ length: count }, (_, index) => ({
    ...area,
    y: area.y + index * pitch,
    height,
  }))
}

const helperForm = { gap: 12, widest: 134 }
/** Free room on each side of an arrow that passes the row: the names of the calls fit between the arrows below it. */
const arrowRoom = 35

export interface HelperRow {
  readonly boxes: readonly Box[]
  /** Where the arrows pass, in their order. */
  readonly ports: readonly number[]
}

/** A row of `count` boxes that lets arrows pass at `wanted`, or as near to it as the boxes allow. Pure. */
export function helperRow(area: Box, count: number, wanted: readonly number[]): HelperRow {
  if (count === 0) return { boxes: [], ports: wanted }
  const { gap, widest } = helperForm
  const arrows = wanted.length * 2 * arrowRoom
  const each = Math.min(widest, (area.width - arrows - (count - 1) * gap) / count)
  const before = wanted.map((port) => Math.round(((port - area.x) / area.width) * count))
  const groups = [...before, count].map((end, index) => end - (before[index - 1] ?? 0))
  const room = (boxes: number): number => Math.max(0, boxes * (each + gap) - gap)
  const ports = [...wanted]
  let from = area.x
  for (const [index, port] of wanted.entries()) {
    ports[index] = Math.max(port, from + room(groups[index] ?? 0) + arrowRoom)
    from = (ports[index] ?? 0) + arrowRoom
  }
  let end = right(area)
  for (const [index, port] of [...ports.entries()].toReversed()) {
    ports[index] = Math.min(port, end - room(groups[index + 1] ?? 0) - arrowRoom)
    end = (ports[index] ?? 0) - arrowRoom
  }
  const edges = [area.x - arrowRoom, ...ports, right(area) + arrowRoom]
  const boxes = groups.flatMap((boxCount, index) => {
    const [start = 0, stop = 0] = edges.slice(index)
    const width = stop - start - 2 * arrowRoom
    return centeredRow({ ...area, x: start + arrowRoom, width }, boxCount, helperForm)
  })
  return { boxes, ports }
}
