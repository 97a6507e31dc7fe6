import type { Box } from './box.ts'
import { center } from './box.ts'

const keys: Readonly<Record<string, readonly ['x' | 'y', 1 | -1] | undefined>> = {
  ArrowUp: ['y', -1],
  ArrowDown: ['y', 1],
  ArrowLeft: ['x', -1],
  ArrowRight: ['x', 1],
}

/** How far a box is on one side of a point, where being aside of it counts twice; Infinity for the other side. */
function distance(from: Box, to: Box, along: 'x' | 'y', sign: number): number {
  const across = along === 'x' ? 'y' : 'x'
  const [here, there] = [center(from), center(to)]
  const ahead = (there[along] - here[along]) * sign
  const half = (across === 'x' ? to.width : to.height) / 2
  const aside = Math.max(0, Math.abs(there[across] - here[across]) - half)
  return ahead > 1 ? ahead + 2 * aside : Infinity
}

/** The part to which an arrow key leads; undefined for other keys, and where there is none. Pure. */
export function nextPart(
  parts: ReadonlyMap<string, Box | undefined>,
  from: string,
  key: string,
): string | undefined {
  const here = parts.get(from)
  const [along, sign] = keys[key] ?? []
  if (here === undefined || along === undefined || sign === undefined) return undefined
  const reached = [...parts].flatMap(([id, box]) =>
    id === from || box === undefined ? [] : [{ id, cost: distance(here, box, along, sign) }],
  )
  const [best] = reached.toSorted((one, other) => one.cost - other.cost)
  return best === undefined || best.cost === Infinity ? undefined : best.id
}
