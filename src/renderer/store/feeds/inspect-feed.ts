import type { StoreApi } from 'zustand/vanilla'
import type { Bridge, NodeRef } from '../../../shared/ipc/contract.ts'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import { text } from '../../text/text.ts'
import type { KeyedRequest } from '../requests/keyed-request.ts'
import type { KeyedRequests } from '../requests/keyed-requests.ts'
import { shownCluster, shownSeenNode } from '../shown-node.ts'
import type { State } from '../state.ts'
import type { ViewName } from '../view-name.ts'

interface InspectFeedDeps {
  readonly bridge: Bridge
  readonly requests: KeyedRequests
  readonly state: StoreApi<State>
}

/** Views of what a kubelet elsewhere does. */
const askingViews: ReadonlySet<ViewName> = new Set(['inspect', 'flow'])

/** The node whose kubelet is asked: the chosen one, while its inspection or its flow is shown. */
function inspected(state: State): NodeRef | null {
  const cluster = shownCluster(state)
  const node = shownSeenNode(state)
  if (!askingViews.has(state.view) || cluster === undefined || node === undefined) return null
  return { cluster: cluster.id, node: node.name }
}

/** Keeps the inspection of the chosen node current while that or its flow is shown; without them no kubelet is asked. */
export class InspectFeed {
  readonly #deps: InspectFeedDeps
  readonly #request: KeyedRequest<NodeRef, InspectView>

  constructor(deps: InspectFeedDeps) {
    this.#deps = deps
    const { bridge, requests, state } = deps
    this.#request = requests.add<NodeRef, InspectView>(text.inspect.request, {
      ask: (node) => bridge.request('inspect.watch', { node }),
      unsubscribe: () => bridge.request('inspect.watch', { node: null }),
      publish: ({ value, state: inspectState }) =>
        state.setState({ inspected: value, inspectState }),
    })
  }

  /** Returns a function that stops it. */
  start(): () => void {
    const { bridge, state } = this.#deps
    const stops = [
      bridge.subscribe('inspect.changed', ({ cluster, node, view }) =>
        this.#request.receive({ cluster, node }, view),
      ),
      state.subscribe((now) => this.#request.setKey(inspected(now))),
    ]
    return () => stops.forEach((stop) => stop())
  }
}
