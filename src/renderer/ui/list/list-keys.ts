import type { KeyboardEvent } from 'react'

export interface ListPlace {
  /** -1: no line is active. */
  readonly at: number
  readonly count: number
  /**
   * For a list in a view: arrows stop at its ends, and J, K, PageDown and PageUp move too. Undefined for a list that
   * opens over the view: arrows wrap around, and letters jump to names.
   */
  readonly pageRows?: number
  /** The names that letters jump to, one for each line. */
  readonly names?: readonly string[]
}

/** The next name after `at` with a word that begins with the letter: nodes often differ only in their number. */
function typedIndex(letter: string, { at, names = [] }: ListPlace): number | undefined {
  if (letter.length !== 1 || letter === ' ') return undefined
  const begins = (name: string): boolean =>
    name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((word) => word.startsWith(letter.toLowerCase()))
  const order = names.map((_, index) => (at + 1 + index) % names.length)
  return order.find((index) => begins(names[index] ?? ''))
}

function movedInView(key: string, at: number, pageRows: number): number | undefined {
  switch (key) {
    case 'j':
    case 'J':
      return at + 1
    case 'k':
    case 'K':
      return at === -1 ? Infinity : at - 1
    case 'PageDown':
      return Math.max(at, 0) + pageRows
    case 'PageUp':
      return Math.max(at, 0) - pageRows
    default:
      return undefined
  }
}

/** The index to which a key moves; undefined if the key does not move or the list is empty. Pure. */
export function movedIndex(key: string, place: ListPlace): number | undefined {
  const { at, count, pageRows } = place
  if (count === 0) return undefined
  const within = (index: number): number =>
    pageRows === undefined ? (index + count) % count : Math.min(count - 1, Math.max(0, index))
  switch (key) {
    case 'ArrowDown':
      return within(at + 1)
    case 'ArrowUp':
      return at === -1 ? count - 1 : within(at - 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default: {
      if (pageRows === undefined) return typedIndex(key, place)
      const index = movedInView(key, at, pageRows)
      return index === undefined ? undefined : within(index)
    }
  }
}

export interface ListHandlers extends ListPlace {
  readonly onMove: (index: number) => void
  /** Called for Enter; in a list that opens over the view also for the space bar, except in its field. */
  readonly onEnter?: () => void
  readonly onEscape?: () => void
}

function act(event: KeyboardEvent, acts: ListHandlers): boolean {
  const { key } = event
  const isInField = event.target instanceof HTMLInputElement
  const isChoice = key === 'Enter' || (key === ' ' && acts.pageRows === undefined && !isInField)
  // In a field, the other keys edit its text.
  const index = isInField && !key.startsWith('Arrow') ? undefined : movedIndex(key, acts)
  if (key === 'Escape') acts.onEscape?.()
  else if (isChoice) acts.onEnter?.()
  else if (index === undefined) return false
  else acts.onMove(index)
  if (key === 'Escape') return acts.onEscape !== undefined
  return !isChoice || acts.onEnter !== undefined
}

/** The keys of a list, of the field above it, or of a menu. A list over the view stops all letters. */
export function listKeys(acts: ListHandlers): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isHandled = act(event, acts)
    if (isHandled) event.preventDefault()
    if (isHandled || (acts.pageRows === undefined && event.key !== 'Escape'))
      event.stopPropagation()
  }
}
