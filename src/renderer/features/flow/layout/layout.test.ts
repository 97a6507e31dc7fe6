import { describe, expect, it } from 'vitest'
import type { Box, Point } from './box.ts'
import { bottom, overlaps, right } from './box.ts'
import { mono, title } from './fit.ts'
import type { FlowTables } from './flow-tables.ts'
import { flowTables } from './flow-tables.ts'
import { arrow, grown } from './fake-tables.ts'
import type { Layout } from './layout.ts'
import { heights, layoutOf, legendLines, partBox } from './layout.ts'
import { textBox } from './arrow-places.ts'
import { helperRow } from './rows.ts'

const tables: readonly (readonly [string, FlowTables])[] = [
  ['as it is', flowTables],
  ['with one more arrow', grown],
]

interface Named {
  readonly name: string
  readonly box: Box
}

/** The layouts of every height that a picture can have, in steps of 4 units. */
function layouts(of: FlowTables): readonly Layout[] {
  const { tallest, lowest } = heights(of)
  return Array.from({ length: (tallest - lowest) / 4 + 1 }, (_, index) =>
    layoutOf(lowest + 4 * index, of),
  )
}

/** All texts of arrows, each with all the room that it may take. */
function texts({ arrows }: Layout): readonly Named[] {
  return [...arrows].flatMap(([id, { label, count }]) => [
    ...(label === null ? [] : [{ name: `label of ${id}`, box: textBox(label) }]),
    ...(count === null ? [] : [{ name: `count of ${id}`, box: textBox(count) }]),
  ])
}

/** The numbers of a followed cause's steps, each in its disk. */
function badges({ arrows }: Layout): readonly Named[] {
  return [...arrows].map(
    ([
      id,
      {
        badge: { x, y },
      },
    ]) => ({
      name: `number of ${id}`,
      box: { x: x - 9, y: y - 9, width: 18, height: 18 },
    }),
  )
}

function boxes({ parts }: Layout): readonly Named[] {
  return [...parts].map(([name, box]) => ({ name, box }))
}

/** The straight pieces of an arrow. */
function pieces(points: readonly Point[]): readonly Box[] {
  return points.slice(1).map((end, index) => {
    const start = points[index] ?? end
    const [x, y] = [Math.min(start.x, end.x), Math.min(start.y, end.y)]
    return { x, y, width: Math.abs(end.x - start.x), height: Math.abs(end.y - start.y) }
  })
}

/** The pairs that lie over each other, in words. */
function collisions(all: readonly Named[]): readonly string[] {
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter((other) => overlaps(one.box, other.box))
      .map((other) => `${one.name} over ${other.name}`),
  )
}

/** Whether a point is at the edge of a box, the loop's ticks and an arrow's head apart. */
function isAtEdge(point: Point | undefined, { x, y, width, height }: Box): boolean {
  const { x: px, y: py } = point ?? { x: 0, y: 0 }
  const near = { x: x - 8, y: y - 8, width: width + 16, height: height + 16 }
  return overlaps(near, { x: px, y: py, width: 0.1, height: 0.1 })
}

describe.each(tables)('the picture %s, at every height', (_, of) => {
  const all = layouts(of)

  it('draws no step number over a text', () => {
    expect(all.flatMap((layout) => collisions([...texts(layout), ...badges(layout)]))).toEqual([])
  })

  it('draws no part and no text over another', () => {
    const met = all.flatMap((layout) => {
      const { head, legend } = layout
      const list = { ...legend, y: legend.y - 26, height: legendLines * legend.line + 20 }
      return collisions([
        ...boxes(layout),
        ...texts(layout),
        { name: 'the head of the kubelet', box: head },
        { name: 'the legend', box: list },
      ])
    })
    expect(met).toEqual([])
  })

  it('draws no arrow through a text or through a part that it does not join', () => {
    const met = all.flatMap((layout) => {
      const things = [...boxes(layout), ...texts(layout)]
      return of.arrows.flatMap(({ id, from, to }) => {
        const way = pieces(layout.arrows.get(id)?.points ?? [])
        return things
          .filter(({ name }) => name !== from && name !== to)
          .filter(({ box }) => way.some((piece) => overlaps(piece, box)))
          .map(({ name }) => `${id} through ${name}`)
      })
    })
    expect(met).toEqual([])
  })

  it('stays within its edges', () => {
    const out = all.flatMap((layout) =>
      [...boxes(layout), ...texts(layout)]
        .filter(
          ({ box }) =>
            box.x < layout.frame.x ||
            box.y < 0 ||
            right(box) > right(layout.frame) ||
            bottom(box) > layout.height,
        )
        .map(({ name }) => name),
    )
    expect(out).toEqual([])
  })

  it('draws each arrow from the edge of one part to the edge of the other', () => {
    const loose = all.flatMap((layout) =>
      of.arrows
        .filter(({ from, to }) => from !== to)
        .filter(({ id, from, to }) => {
          const points = layout.arrows.get(id)?.points ?? []
          return !(
            isAtEdge(points[0], partBox(layout, from)) &&
            isAtEdge(points.at(-1), partBox(layout, to))
          )
        })
        .map(({ id }) => id),
    )
    expect(loose).toEqual([])
  })

  it('has room for the label of every vertical arrow', () => {
    const without = all.flatMap(({ arrows }) =>
      of.arrows
        .filter(({ label, shows }) => label !== undefined || shows !== undefined)
        .filter(({ id }) => {
          const { points = [], label } = arrows.get(id) ?? {}
          return points[0]?.x === points[1]?.x && (label === null || (label?.width ?? 0) < 50)
        })
        .map(({ id }) => id),
    )
    expect(new Set(without)).toEqual(new Set())
  })
})

it.each([1, 2, 3, 4, 5])('lets arrows pass between %i helpers', (count) => {
  const area = { x: 632, y: 600, width: 594, height: 44 }
  const { boxes, ports } = helperRow(area, count, [790, 998])
  const lines = ports.map((x) => ({ x: x - 18, y: 590, width: 36, height: 64 }))
  const all = [...boxes, ...lines]
  const met = all.flatMap((one, index) =>
    all.slice(index + 1).filter((other) => overlaps(one, other)),
  )
  expect([boxes.length, met]).toEqual([count, []])
  expect(boxes.every((box) => box.width > 60 && box.x >= 632 && right(box) <= 1226.01)).toBe(true)
})

it('reports an arrow without a straight way', () => {
  const lost = { ...flowTables, arrows: [arrow('pleg', 'nodeController')] }
  expect(() => layoutOf(760, lost)).toThrow(
    "The flow's arrow pleg-nodeController has no straight way: place pleg and nodeController in areas that face each other.",
  )
})

it('has room for the whole name of a PLEG event', () => {
  const widths = layouts(flowTables).map(({ arrows }) => arrows.get('pleg-syncLoop')?.label?.width)
  expect(Math.min(...widths.map((width) => width ?? 0))).toBeGreaterThanOrEqual(
    mono('ContainerRemoved'),
  )
})

it('has room for the whole name of every call', () => {
  const cut = layouts(flowTables).flatMap(({ arrows }) =>
    flowTables.arrows
      .filter(({ label }) => label !== undefined && !label.includes('{node}'))
      .filter(({ id, label = '' }) => (arrows.get(id)?.label?.width ?? 0) < mono(label))
      .map(({ label }) => label),
  )
  expect(new Set(cut)).toEqual(new Set())
})

it('has room for the titles of the helpers', () => {
  const helpers = flowTables.parts.filter(({ area }) => area === 'helpers')
  const cut = layouts(flowTables).flatMap((layout) =>
    helpers.filter((part) => partBox(layout, part.id).width - 8 < title(part.title)),
  )
  expect(new Set(cut)).toEqual(new Set())
})
