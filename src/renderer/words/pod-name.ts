export interface NameParts {
  readonly head: string
  /** Says least, so a narrow column leaves it out: a template's hash, or the node's name. */
  readonly middle: string
  /** Never left out: it distinguishes the replicas. */
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

/** The name without its middle if it is longer than `letters`: `checkout-…-k2x8p`. */
export function fitName({ head, middle, tail }: NameParts, letters: number): string {
  const whole = head + middle + tail
  if (whole.length <= letters || middle === '') return whole
  return `${head}-…${tail}`
}
