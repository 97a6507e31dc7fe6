export interface GridPlace {
  /** -1: no row is the active one. */
  readonly at: number
  readonly count: number
  readonly pageRows: number
}

/** Where a key leads in the list; undefined: it is no key that moves, or there is nothing to move to. */
export function movedIndex(key: string, { at, count, pageRows }: GridPlace): number | undefined {
  if (count === 0) return undefined
  const within = (index: number): number => Math.min(count - 1, Math.max(0, index))
  switch (key) {
    case 'ArrowDown':
    case 'j':
    case 'J':
      return within(at + 1)
    case 'ArrowUp':
    case 'k':
    case 'K':
      return at === -1 ? count - 1 : within(at - 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    case 'PageDown':
      return within(Math.max(at, 0) + pageRows)
    case 'PageUp':
      return within(Math.max(at, 0) - pageRows)
    default:
      return undefined
  }
}
