/** Styles of a mark and of a span on an axis; places are shares of it, 0 to 1. */
export function at(place: number): { readonly left: string } {
  return { left: `${place * 100}%` }
}

export function between(
  from: number,
  to: number,
): { readonly left: string; readonly width: string } {
  return { left: `${from * 100}%`, width: `${(to - from) * 100}%` }
}
