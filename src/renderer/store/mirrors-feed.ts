import type { StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../shared/ipc/contract.ts'
import type { Pair } from './mirrors-order.ts'
import { PairOrder } from './mirrors-order.ts'
import { PairWatch } from './mirrors-watch.ts'
import type { RowTable } from './row-table.ts'
import { shownRef } from './shown-node.ts'
import type { State } from './state.ts'

/** Ties the chosen pair to what main is asked about, while the Mirror pods view is shown. */
export class MirrorsFeed {
  readonly pairs: PairOrder
  readonly #state: StoreApi<State>
  readonly #watch: PairWatch
  readonly #unsubscribe: (() => void)[] = []
  /** A UID that a link named and that no pair has yet: the rows may not be here. */
  #asked: string | null = null

  constructor(deps: {
    readonly bridge: Bridge
    readonly rows: RowTable
    readonly state: StoreApi<State>
  }) {
    const { bridge, rows, state } = deps
    this.#state = state
    this.pairs = new PairOrder({ rows, scope: shownRef(state.getState()) })
    this.#watch = new PairWatch({
      bridge,
      rows,
      publish: (pairFacts) => state.setState({ pairFacts }),
    })
  }

  start(): void {
    this.pairs.start()
    this.#unsubscribe.push(
      this.pairs.subscribe(() => this.#follow()),
      this.#state.subscribe((now, before) => {
        this.pairs.setScope(shownRef(now))
        if (now.mirrorUid !== before.mirrorUid) this.#asked = now.mirrorUid
        const isTouched =
          now.mirrorUid !== before.mirrorUid ||
          now.view !== before.view ||
          now.pairId !== before.pairId
        if (isTouched) this.#follow()
      }),
    )
  }

  stop(): void {
    for (const leave of this.#unsubscribe.splice(0)) leave()
    this.pairs.stop()
    this.#watch.stop()
  }

  #takeAsked(): Pair | undefined {
    const asked = this.#asked === null ? undefined : this.pairs.byUid(this.#asked)
    if (asked !== undefined) this.#asked = null
    return asked
  }

  #follow(): void {
    const { view, pairId, choosePair } = this.#state.getState()
    const asked = this.#takeAsked()
    const chosen = asked ?? this.pairs.byId(pairId) ?? this.pairs.pairs()[0]
    if (chosen !== undefined && chosen.id !== pairId) choosePair(chosen.id)
    this.#watch.watch(view === 'mirrors' ? (chosen?.key ?? null) : null)
  }
}
