import type { NodeRef } from '../../../../shared/ipc/contract.ts'
import type { PodRow } from '../../../../shared/model/pod-row.ts'
import type { RowTable } from '../../../store/rows/row-table.ts'
import { isSameNode } from '../../../store/shown-node.ts'
import type { Board } from './board.ts'
import { deriveBoard, emptyBoard } from './board.ts'

/** The rows are read at most this often, however many of them change. */
const paceMs = 200

/** The groups of one node's pods, kept current while there are listeners. */
export class FlowBoard {
  readonly #table: RowTable
  readonly #node: NodeRef
  readonly #listeners = new Set<() => void>()
  #board: Board = emptyBoard
  #isHeld = false
  #isStale = true
  #gate: ReturnType<typeof setTimeout> | undefined
  #unsubscribe: (() => void) | undefined

  constructor(table: RowTable, node: NodeRef) {
    this.#table = table
    this.#node = node
  }

  current(): Board {
    if (this.#isStale && this.#gate === undefined) this.#derive()
    return this.#board
  }

  /** The node's rows. */
  *rows(): Iterable<PodRow> {
    for (const row of this.#table.values()) if (isSameNode(row, this.#node)) yield row
  }

  /** While held nothing changes its place. */
  hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return
    this.#isHeld = isHeld
    if (!isHeld) this.#refresh()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    this.#unsubscribe ??= this.#table.subscribe(() => this.#refresh())
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
    this.#board = deriveBoard(this.rows(), {
      before: this.#board,
      isHeld: this.#isHeld,
      find: (key) => this.#table.get(key),
    })
  }
}
