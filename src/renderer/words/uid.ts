/** Short as `8 first…4 last`; the whole one belongs into the tooltip and onto the clipboard. */
export function shortUid(uid: string): string {
  return uid.length <= 13 ? uid : `${uid.slice(0, 8)}…${uid.slice(-4)}`
}

/** A name in two parts: the head may be cut where room is short, the tail never. */
export function splitName(name: string): { readonly head: string; readonly tail: string } {
  const cut = name.lastIndexOf('-')
  return cut <= 0 || name.length - cut > 8
    ? { head: name, tail: '' }
    : { head: name.slice(0, cut), tail: name.slice(cut) }
}
