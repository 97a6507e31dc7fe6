import type { Box } from './box.ts'

const widest = 150
const gap = 12
/** What an arrow that passes the row keeps free on each side. */
const wireRoom = 22

export interface HelperRow {
  readonly boxes: readonly Box[]
  /** Where the arrows pass, in their order. */
  readonly ports: readonly number[]
}

/** All ways to put `count` things into `places` places, in order. */
function splits(count: number, places: number): readonly (readonly number[])[] {
  if (places === 1) return [[count]]
  return Array.from({ length: count + 1 }, (_, first) => first).flatMap((first) =>
    splits(count - first, places - 1).map((rest) => [first, ...rest]),
  )
}

function roomOf(count: number, each: number): number {
  return count === 0 ? 0 : count * each + (count - 1) * gap
}

/** The arrows as near to where they would be as `groups` of boxes between them allow. */
function portsOf(
  { x, width }: Box,
  groups: readonly number[],
  wanted: readonly number[],
  each: number,
): readonly number[] {
  const ports = [...wanted]
  let from = x
  for (const [index, port] of wanted.entries()) {
    ports[index] = Math.max(port, from + roomOf(groups[index] ?? 0, each) + wireRoom)
    from = (ports[index] ?? 0) + wireRoom
  }
  let end = x + width
  for (let index = ports.length - 1; index >= 0; index--) {
    ports[index] = Math.min(
      ports[index] ?? 0,
      end - roomOf(groups[index + 1] ?? 0, each) - wireRoom,
    )
    end = (ports[index] ?? 0) - wireRoom
  }
  return ports
}

function boxesOf(area: Box, groups: readonly number[], ports: readonly number[]): readonly Box[] {
  return groups.flatMap((count, index) => {
    const before = ports[index - 1]
    const after = ports[index]
    const start = before === undefined ? area.x : before + wireRoom
    const end = after === undefined ? area.x + area.width : after - wireRoom
    const width = Math.min(widest, (end - start - (count - 1) * gap) / count)
    const left = (start + end - roomOf(count, width)) / 2
    return Array.from({ length: count }, (_, place) => ({
      ...area,
      x: left + place * (width + gap),
      width,
    }))
  })
}

/**
 * A row of `count` boxes that lets arrows pass at `wanted` or near it: the grouping of the boxes between the
 * arrows is the one with the widest boxes and the least moved arrows. Pure.
 */
export function helperRow(area: Box, count: number, wanted: readonly number[]): HelperRow {
  if (count === 0) return { boxes: [], ports: wanted }
  const each = Math.min(
    widest,
    (area.width - wanted.length * 2 * wireRoom - (count - 1) * gap) / count,
  )
  let best: HelperRow & { readonly cost: number } = { boxes: [], ports: wanted, cost: Infinity }
  for (const groups of splits(count, wanted.length + 1)) {
    const ports = portsOf(area, groups, wanted, each)
    const boxes = boxesOf(area, groups, ports)
    const moved = ports.reduce((sum, port, index) => sum + Math.abs(port - (wanted[index] ?? 0)), 0)
    const cost = moved / 2 - Math.min(...boxes.map(({ width }) => width))
    if (cost < best.cost) best = { boxes, ports, cost }
  }
  return best
}
