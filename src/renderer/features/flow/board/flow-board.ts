import type { RowTable } from '../../../store/rows/row-table.ts'
import type { Board } from './board.ts'
import { deriveBoard, emptyBoard } from './board.ts'

/** The rows are looked through at most this often, however many of them change. */
const paceMs = 200

/** The lanes of one node, kept current while it is subscribed to. */
export class FlowBoard {
  readonly #rows: RowTable
  readonly #cluster: string
  readonly #node: string
  readonly #listeners = new Set<() => void>()
  #board: Board = emptyBoard
  #isHeld = false
  #isStale = true
  #gate: ReturnType<typeof setTimeout> | undefined
  #unsubscribe: (() => void) | undefined

  constructor(deps: { readonly rows: RowTable; readonly cluster: string; readonly node: string }) {
    this.#rows = deps.rows
    this.#cluster = deps.cluster
    this.#node = deps.node
  }

  current(): Board {
    if (this.#isStale && this.#gate === undefined) this.#derive()
    return this.#board
  }

  /** While held nothing changes its place. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    if (!isHeld) this.#refresh()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#unsubscribe ??= this.#rows.subscribe(() => this.#refresh())
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#unsubscribe?.()
      this.#unsubscribe = undefined
      clearTimeout(this.#gate)
      this.#gate = undefined
      this.#isStale = true
    }
  }

  #refresh(): void {
    this.#isStale = true
    if (this.#gate !== undefined) return
    this.#derive()
    this.#gate = setTimeout(() => {
      this.#gate = undefined
      if (this.#isStale) this.#refresh()
    }, paceMs)
    for (const listener of this.#listeners) listener()
  }

  #derive(): void {
    this.#isStale = false
    const all = this.#rows
    const [cluster, node] = [this.#cluster, this.#node]
    function* here(): Iterable<ReturnType<typeof all.get> & object> {
      for (const row of all.values()) if (row.node === node && row.cluster === cluster) yield row
    }
    this.#board = deriveBoard(here(), {
      before: this.#board,
      isHeld: this.#isHeld,
      find: (key) => all.get(key),
    })
  }
}
