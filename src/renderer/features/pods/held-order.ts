import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { RowOrder, RowQuery } from '../../store/rows/row-order.ts'

/** How long a held row that no longer belongs there stays, dimmed. */
const leavingMs = 2000

/**
 * Keeps everything down to the lowest held row in place; the rest follows the new order.
 * Rows that no longer belong there stay in the held part until nothing holds it. Pure.
 */
export function holdOrder(
  shown: readonly PodKey[],
  wanted: readonly PodKey[],
  held: readonly PodKey[],
): readonly PodKey[] {
  const lowest = Math.max(-1, ...held.map((key) => shown.indexOf(key)))
  if (lowest === -1) return wanted
  const prefix = shown.slice(0, lowest + 1)
  const inPrefix = new Set(prefix)
  return [...prefix, ...wanted.filter((key) => !inPrefix.has(key))]
}

function isSame(left: readonly PodKey[], right: readonly PodKey[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index])
}

/** What keeps a row in place. */
type Holder = 'pointer' | 'focus'

/**
 * The order on the screen: the wanted one, except that a row never moves while the pointer is over it
 * or the focus is in it. Another sort or filter ends that.
 */
export class HeldOrder {
  readonly #order: RowOrder
  readonly #listeners = new Set<() => void>()
  #query: RowQuery
  #shown: readonly PodKey[]
  #leaving: ReadonlySet<PodKey> = new Set()
  readonly #held = new Map<Holder, PodKey>()
  #unsubscribe: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(deps: { readonly order: RowOrder }) {
    this.#order = deps.order
    this.#query = deps.order.query
    this.#shown = deps.order.keys()
  }

  start(): void {
    this.#unsubscribe = this.#order.subscribe(() => this.#update())
    this.#update()
  }

  stop(): void {
    this.#unsubscribe?.()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  keys = (): readonly PodKey[] => this.#shown

  /** Rows that are shown only because a row is held. */
  leaving = (): ReadonlySet<PodKey> => this.#leaving

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Null: it holds no row. */
  hold(holder: Holder, key: PodKey | null): void {
    if ((this.#held.get(holder) ?? null) === key) return
    if (key === null) this.#held.delete(holder)
    else this.#held.set(holder, key)
    this.#update()
  }

  #update(): void {
    if (this.#query !== this.#order.query) {
      this.#query = this.#order.query
      this.#held.clear()
    }
    const wanted = this.#order.keys()
    const held = [...this.#held.values()]
    const shown = held.length === 0 ? wanted : holdOrder(this.#shown, wanted, held)
    this.#releaseLater(held, wanted)
    const there = shown.length === wanted.length ? undefined : new Set(wanted)
    const leaving = there === undefined ? [] : shown.filter((key) => !there.has(key))
    if (isSame(shown, this.#shown) && isSame(leaving, [...this.#leaving])) return
    this.#shown = shown
    this.#leaving = new Set(leaving)
    for (const listener of this.#listeners) listener()
  }

  /** After a while, a row that no longer belongs there is not held any more. */
  #releaseLater(held: readonly PodKey[], wanted: readonly PodKey[]): void {
    const isGone = held.some((key) => !wanted.includes(key))
    if (!isGone) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      return
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const there = new Set(this.#order.keys())
      for (const [holder, key] of this.#held) if (!there.has(key)) this.#held.delete(holder)
      this.#update()
    }, leavingMs)
  }
}
