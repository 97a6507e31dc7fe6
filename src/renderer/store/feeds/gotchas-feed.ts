import type { GotchaView } from '../../../shared/model/scenarios/gotcha.ts'
import type { KeyedRequest } from '../requests/keyed-request.ts'
import type { State } from '../state.ts'
import type { RowFeedDeps } from './feed-deps.ts'
import { text } from '../../text/text.ts'

/** Requests the gotchas when their view is open, and shows an opened gotcha as soon as its cluster has arrived. */
export class GotchasFeed {
  readonly #deps: RowFeedDeps
  readonly #gotchas: KeyedRequest<'all', readonly GotchaView[]>

  constructor(deps: RowFeedDeps) {
    this.#deps = deps
    this.#gotchas = deps.requests.add(text.frame.requests.gotchas, {
      ask: () => deps.bridge.request('gotchas.list', {}),
      publish: ({ value }) => {
        if (value !== null) deps.state.setState({ gotchas: value })
      },
    })
  }

  /** Returns a function that stops it. */
  start(): () => void {
    return this.#deps.state.subscribe((state) => {
      this.#gotchas.setKey(state.view === 'gotchas' && state.gotchas === null ? 'all' : null)
      this.#showAwaited(state)
    })
  }

  /** Shows the pod of the gotcha in the table; only its node if it is about no pod, or the Pressure view opened it. */
  #showAwaited({ awaitedCluster, clusters, view, show, showNode, showPod }: State): void {
    const cluster = clusters.find(({ id }) => id === awaitedCluster)
    if (cluster === undefined) return
    this.#deps.state.setState({ awaitedCluster: null })
    if (cluster.seen !== null) {
      showNode({ cluster: cluster.id, node: '' })
      show('nodes')
      return
    }
    const [node] = cluster.nodes
    const pod = cluster.scenario?.pod ?? null
    if (view === 'pressure' && node !== undefined) {
      showNode({ cluster: cluster.id, node: node.name })
      return
    }
    show('pods')
    if (pod !== null && this.#deps.rows.get(pod) !== undefined) showPod(pod)
    else if (node !== undefined) showNode({ cluster: cluster.id, node: node.name })
  }
}
