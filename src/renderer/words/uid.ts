/** Short as `8 first…4 last`; the whole one belongs into the tooltip and onto the clipboard. */
export function shortUid(uid: string): string {
  return uid.length <= 13 ? uid : `${uid.slice(0, 8)}…${uid.slice(-4)}`
}

export interface NameParts {
  readonly head: string
  /** What says least and goes first where room is short: a template's hash, or the node's name. */
  readonly middle: string
  /** Never cut: it tells the replicas apart. */
  readonly tail: string
}

/** `checkout-7d4b9c6f8-k2x8p` as `checkout`, `-7d4b9c6f8`, `-k2x8p`; `web-node-1` on node-1 as `web`, `-node-1`. */
export function splitName(name: string, node: string): NameParts {
  const replica = /^(.+?)(-[a-z0-9]{8,10})(-[a-z0-9]{5})$/.exec(name)
  if (replica !== null) {
    const [, head = '', middle = '', tail = ''] = replica
    return { head, middle, tail }
  }
  const suffix = `-${node}`
  if (name.endsWith(suffix) && name.length > suffix.length)
    return { head: name.slice(0, -suffix.length), middle: suffix, tail: '' }
  return { head: name, middle: '', tail: '' }
}

/** The name in `room` characters, as far as leaving out its middle helps: `checkout-…-k2x8p`. */
export function fitName({ head, middle, tail }: NameParts, room: number): string {
  const whole = head + middle + tail
  if (whole.length <= room || middle === '') return whole
  return `${head}-…${tail}`
}
