/** The rows of a table that an act is for. `anchor`: where a range begins. */
export interface Marking {
  readonly marked: ReadonlySet<string>
  readonly anchor: string | null
}

export const noMarking: Marking = { marked: new Set(), anchor: null }

/** As a click with Ctrl: one row more or less. Pure. */
export function toggledRow({ marked }: Marking, id: string): Marking {
  const changed = new Set(marked)
  if (!changed.delete(id)) changed.add(id)
  return { marked: changed, anchor: id }
}

/** As a click with Shift: from the anchor to a row, in the order of the table. Pure. */
export function markedRange({ anchor }: Marking, ids: readonly string[], to: string): Marking {
  const [end, from] = [ids.indexOf(to), anchor === null ? -1 : ids.indexOf(anchor)]
  if (end === -1) return noMarking
  const start = from === -1 ? end : from
  const range = ids.slice(Math.min(start, end), Math.max(start, end) + 1)
  return { marked: new Set(range), anchor: ids[start] ?? to }
}

/** All rows that the table shows, or none if all are marked already. Pure. */
export function toggledAll({ marked }: Marking, ids: readonly string[]): Marking {
  return ids.every((id) => marked.has(id)) ? noMarking : { marked: new Set(ids), anchor: null }
}

/** Those of the shown rows that are marked, in their order. Pure. */
export function markedOf(ids: readonly string[], marked: ReadonlySet<string>): readonly string[] {
  return marked.size === 0 ? [] : ids.filter((id) => marked.has(id))
}
