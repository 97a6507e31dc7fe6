import type { StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { PodKey } from '../../../shared/model/pod-row.ts'
import type { PairFacts } from '../slices/mirrors-slice.ts'
import type { Pair } from '../rows/mirrors-order.ts'
import { PairOrder } from '../rows/mirrors-order.ts'
import type { KeyedRequest } from '../requests/keyed-request.ts'
import type { RowTable } from '../rows/row-table.ts'
import { shownScope } from '../shown-node.ts'
import type { State } from '../state.ts'
import type { RowFeedDeps } from './feed-deps.ts'
import { text } from '../../text/text.ts'

async function askPair(bridge: Bridge, key: PodKey): Promise<PairFacts | null> {
  const [objects, history] = await Promise.all([
    bridge.request('pod.objects', { key }),
    bridge.request('mirror.history', { key }),
  ])
  return objects === null ? null : { key, objects, history }
}

/** Requests objects and history of the selected pair whenever its row changes, while the Mirror pods view is shown. */
export class MirrorsFeed {
  readonly pairs: PairOrder
  readonly #state: StoreApi<State>
  readonly #rows: RowTable
  readonly #facts: KeyedRequest<PodKey, PairFacts>
  #leaveRow: (() => void) | undefined
  /** A UID that a link named and that no pair has yet: its rows may come later. */
  #asked: string | null = null

  constructor({ bridge, requests, rows, state }: RowFeedDeps) {
    this.#state = state
    this.pairs = new PairOrder({ rows, scope: shownScope(state.getState()) })
    this.#rows = rows
    this.#facts = requests.add<PodKey, PairFacts>(text.frame.requests.pair, {
      ask: (key) => askPair(bridge, key),
      publish: (pairFacts) => state.setState({ pairFacts }),
    })
  }

  /** Returns a function that stops it. */
  start(): () => void {
    const stops = [
      this.pairs.start(),
      this.pairs.subscribe(() => this.#follow()),
      this.#state.subscribe((now, before) => {
        this.pairs.setScope(shownScope(now))
        if (now.mirrorUid !== before.mirrorUid) this.#asked = now.mirrorUid
        const isTouched =
          now.mirrorUid !== before.mirrorUid ||
          now.view !== before.view ||
          now.pairId !== before.pairId
        if (isTouched) this.#follow()
      }),
      () => this.#leaveRow?.(),
    ]
    return () => stops.forEach((stop) => stop())
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
    const key = view === 'mirrors' ? (chosen?.key ?? null) : null
    if (!this.#facts.setKey(key)) return
    this.#leaveRow?.()
    this.#leaveRow =
      key === null ? undefined : this.#rows.subscribeRow(key, () => this.#facts.refresh())
  }
}
