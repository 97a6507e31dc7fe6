import type { StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { WorkloadsView } from '../../../shared/model/workloads/workloads.ts'
import { text } from '../../text/text.ts'
import type { KeyedRequest } from '../requests/keyed-request.ts'
import type { KeyedRequests } from '../requests/keyed-requests.ts'
import { shownCluster } from '../shown-node.ts'
import type { State } from '../state.ts'

interface WorkloadsFeedDeps {
  readonly bridge: Bridge
  readonly requests: KeyedRequests
  readonly state: StoreApi<State>
}

/** Keeps the owners of the shown cluster's pods current while a view shows them; without it no server is asked. */
export class WorkloadsFeed {
  readonly #deps: WorkloadsFeedDeps
  readonly #request: KeyedRequest<string, WorkloadsView>

  constructor(deps: WorkloadsFeedDeps) {
    this.#deps = deps
    const { bridge, requests, state } = deps
    this.#request = requests.add<string, WorkloadsView>(text.workloads.request, {
      ask: (cluster) => bridge.request('workloads.watch', { cluster }),
      unsubscribe: () => bridge.request('workloads.watch', { cluster: null }),
      publish: ({ value, state: workloadsState }) =>
        state.setState({ workloads: value, workloadsState }),
    })
  }

  /** Returns a function that stops it. */
  start(): () => void {
    const { bridge, state } = this.#deps
    const stops = [
      bridge.subscribe('workloads.changed', ({ cluster, view }) =>
        this.#request.receive(cluster, view),
      ),
      state.subscribe((now) => {
        const isShown = now.view === 'workloads'
        this.#request.setKey(isShown ? (shownCluster(now)?.id ?? null) : null)
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }
}
