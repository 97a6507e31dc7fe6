import type { StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { ExhibitView } from '../../../shared/model/museum.ts'
import type { KeyedRequest } from '../requests/keyed-request.ts'
import type { KeyedRequests } from '../requests/keyed-requests.ts'
import type { RowTable } from '../rows/row-table.ts'
import type { State } from '../state.ts'

/** Asks for the exhibits when somebody looks at them, and leads to one as soon as its cluster is here. */
export class MuseumFeed {
  readonly #exhibits: KeyedRequest<'all', readonly ExhibitView[]>
  readonly #rows: RowTable
  readonly #state: StoreApi<State>
  #unsubscribe: (() => void) | undefined

  constructor(deps: {
    readonly bridge: Bridge
    readonly requests: KeyedRequests
    readonly rows: RowTable
    readonly state: StoreApi<State>
  }) {
    this.#rows = deps.rows
    this.#state = deps.state
    this.#exhibits = deps.requests.add('gotchas', {
      ask: () => deps.bridge.request('museum.list', {}),
      publish: ({ value }) => {
        if (value !== null) this.#state.setState({ exhibits: value })
      },
    })
  }

  start(): void {
    this.#unsubscribe = this.#state.subscribe((state) => {
      this.#exhibits.about(state.view === 'gotchas' && state.exhibits === null ? 'all' : null)
      this.#enter(state)
    })
  }

  stop(): void {
    this.#unsubscribe?.()
  }

  #enter({ awaitedCluster, clusters }: State): void {
    const cluster = clusters.find(({ id }) => id === awaitedCluster)
    if (cluster === undefined) return
    this.#state.setState({ awaitedCluster: null })
    this.#show(cluster)
  }

  /** The pod that it is about, in the table; its cluster alone where it is about none. */
  #show({ id, nodes, exhibit }: ClusterView): void {
    const { show, showNode, showPod } = this.#state.getState()
    const [node] = nodes
    const pod = exhibit?.pod ?? null
    show('pods')
    if (pod !== null && this.#rows.get(pod) !== undefined) showPod(pod)
    else if (node !== undefined) showNode({ cluster: id, node: node.name })
  }
}
