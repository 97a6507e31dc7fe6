/** A column's place among those of its table. */
interface WithId<C> {
  readonly id: C
}

/** The chosen columns in their order; null, and ids that the table does not have, are left to the table. Pure. */
export function chosenColumns<C, D extends WithId<C>>(
  all: readonly D[],
  chosen: readonly C[],
): readonly D[] {
  return chosen.flatMap((id) => all.find((column) => column.id === id) ?? [])
}

/** One column more, at the end, or less; the last one stays. Pure. */
export function toggledColumn<C>(shown: readonly C[], id: C): readonly C[] {
  if (!shown.includes(id)) return [...shown, id]
  return shown.length === 1 ? shown : shown.filter((other) => other !== id)
}

/** A column one place to the left (-1) or to the right (1). Pure. */
export function movedColumn<C>(shown: readonly C[], id: C, by: -1 | 1): readonly C[] {
  const from = shown.indexOf(id)
  const to = from + by
  const [one, other] = [shown[from], shown[to]]
  if (one === undefined || other === undefined) return shown
  return shown.map((column, index) => (index === from ? other : index === to ? one : column))
}
