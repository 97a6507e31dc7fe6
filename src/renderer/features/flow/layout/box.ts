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

/** What two share of one direction; `end` is before `start` where they share nothing. */
export function shared(
  one: Box,
  other: Box,
  along: 'x' | 'y',
): { readonly start: number; readonly end: number } {
  const end = along === 'x' ? right : bottom
  return { start: Math.max(one[along], other[along]), end: Math.min(end(one), end(other)) }
}

/** `count` boxes side by side over `width` units from `x`, with `gaps` between them. */
export function row(
  { x, y, height }: Pick<Box, 'x' | 'y' | 'height'>,
  width: number,
  count: number,
  gaps: readonly number[],
): readonly Box[] {
  const each = (width - gaps.reduce((sum, gap) => sum + gap, 0)) / count
  let left = x
  return Array.from({ length: count }, (_, index) => {
    const box = { x: left, y, width: each, height }
    left += each + (gaps[index] ?? 0)
    return box
  })
}
