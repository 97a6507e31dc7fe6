/** A rectangle of the picture, in its own units. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export function right({ x, width }: Box): number {
  return x + width
}

export function bottom({ y, height }: Box): number {
  return y + height
}

export function center({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 }
}

/** Whether two share more than an edge. */
export function overlaps(one: Box, other: Box): boolean {
  return (
    one.x < right(other) && other.x < right(one) && one.y < bottom(other) && other.y < bottom(one)
  )
}

/** What two share of one direction; `end` is before `start` if they share nothing. */
export function shared(
  one: Box,
  other: Box,
  along: 'x' | 'y',
): { readonly start: number; readonly end: number } {
  const end = along === 'x' ? right : bottom
  return { start: Math.max(one[along], other[along]), end: Math.min(end(one), end(other)) }
}
