import type { StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../shared/ipc/contract.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { RowTable } from './row-table.ts'
import type { State } from './state.ts'

/** Asks for the exhibits when somebody looks at them, and leads to one as soon as its cluster is here. */
export class MuseumFeed {
  readonly #bridge: Bridge
  readonly #rows: RowTable
  readonly #state: StoreApi<State>
  #isAsked = false
  #unsubscribe: (() => void) | undefined

  constructor(deps: {
    readonly bridge: Bridge
    readonly rows: RowTable
    readonly state: StoreApi<State>
  }) {
    this.#bridge = deps.bridge
    this.#rows = deps.rows
    this.#state = deps.state
  }

  start(): void {
    this.#unsubscribe = this.#state.subscribe((state) => {
      this.#ask(state)
      this.#enter(state)
    })
  }

  stop(): void {
    this.#unsubscribe?.()
  }

  #ask({ view, link, exhibits }: State): void {
    if (view !== 'gotchas' || link.kind !== 'open' || exhibits !== null || this.#isAsked) return
    this.#isAsked = true
    this.#bridge.request('museum.list', {}).then(
      (list) => this.#state.setState({ exhibits: list }),
      () => {
        // The connection is lost: they are asked for again when it is back.
        this.#isAsked = false
      },
    )
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
