import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { ExhibitView } from '../../../shared/model/museum.ts'
import type { KeyedRequest } from '../requests/keyed-request.ts'
import type { State } from '../state.ts'
import type { RowFeedDeps } from './feed-deps.ts'

/** Requests the gotchas when their view is shown, and shows the cluster of one that was opened. */
export class MuseumFeed {
  readonly #exhibits: KeyedRequest<'all', readonly ExhibitView[]>
  readonly #deps: RowFeedDeps
  #unsubscribe: (() => void) | undefined

  constructor(deps: RowFeedDeps) {
    this.#deps = deps
    this.#exhibits = deps.requests.add('gotchas', {
      ask: () => deps.bridge.request('museum.list', {}),
      publish: ({ value }) => {
        if (value !== null) this.#deps.state.setState({ exhibits: value })
      },
    })
  }

  start(): void {
    this.#unsubscribe = this.#deps.state.subscribe((state) => {
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
    this.#deps.state.setState({ awaitedCluster: null })
    this.#show(cluster)
  }

  /** Shows its pod in the table; only its cluster if it has none. */
  #show({ id, nodes, exhibit }: ClusterView): void {
    const { show, showNode, showPod } = this.#deps.state.getState()
    const [node] = nodes
    const pod = exhibit?.pod ?? null
    show('pods')
    if (pod !== null && this.#deps.rows.get(pod) !== undefined) showPod(pod)
    else if (node !== undefined) showNode({ cluster: id, node: node.name })
  }
}
