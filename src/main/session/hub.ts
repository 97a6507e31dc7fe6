import type {
  EventName,
  Events,
  NodeRef,
  ProgramView,
  Snapshot,
} from '../../shared/ipc/contract.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { FlowView } from '../../shared/model/flow.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { CancelTimer, Clock } from '../kubelet/ports.ts'
import { ChangedRows } from './cluster/changed-rows.ts'

/** What changed in a cluster: one pod's row, the cluster's own view, or what moved inside one node's kubelet. */
export type Dirt =
  | { readonly kind: 'row'; readonly key: PodKey }
  | { readonly kind: 'view' }
  | { readonly kind: 'flow'; readonly node: string }

/** A cluster as the hub sees it: it reads the present state when it sends, never before. */
export interface HubCluster {
  readonly id: string
  readonly rows: () => readonly PodRow[]
  /** Undefined: there is no such row (any more). */
  readonly row: (key: PodKey) => PodRow | undefined
  readonly view: () => ClusterView
  readonly detail: (key: PodKey) => PodDetail | undefined
  readonly flow: (node: string) => FlowView | undefined
  readonly now: () => number
  readonly onDirt: (listener: (dirt: Dirt) => void) => () => void
}

export type SendEvent = <K extends EventName>(name: K, payload: Events[K]) => void

/** Patches leave at most this often per page. */
const batchMs = 33
/** Flow is a picture with counts: ten of them a second are as many as anybody can see. */
const flowMs = 100

/**
 * One page's subscription. Between two acknowledgements only the names of what changed are kept, so a
 * page that is hidden, slow or gone costs no more than one key per row.
 */
export class HubConnection {
  readonly #hub: Hub
  readonly #send: SendEvent
  readonly #changed: ChangedRows
  readonly #clusters = new Set<string>()
  /** Clusters that closed since the last patch. */
  readonly #closed = new Set<string>()
  #isOpen = false
  #number = 0
  #awaiting: number | undefined
  #watched: PodKey | undefined
  #isDetailDirty = false
  /** As it was sent last: the cluster's view changes every second, one pod's detail seldom. */
  #detailSent = ''
  #flowNode: NodeRef | undefined
  #isFlowDirty = false
  #flowSentAt = Number.NEGATIVE_INFINITY
  #cancelFlush: CancelTimer | undefined
  #flushDue = 0

  constructor(hub: Hub, send: SendEvent) {
    this.#hub = hub
    this.#send = send
    this.#changed = new ChangedRows({ row: (key) => hub.row(key) })
  }

  /** A full picture; patches with higher numbers follow. Calling it again starts over. */
  open(): Snapshot {
    this.#isOpen = true
    this.#clusters.clear()
    this.#closed.clear()
    this.#awaiting = undefined
    this.#flowNode = undefined
    this.#isFlowDirty = false
    const rows = this.#hub.clusters.flatMap((cluster) => cluster.rows())
    this.#changed.reset(rows)
    return {
      epoch: this.#hub.epoch,
      number: this.#number,
      program: this.#hub.program,
      clusters: this.#hub.clusters.map((cluster) => cluster.view()),
      rows,
    }
  }

  /** The page has drawn patch `number`. Anything else than the one that was sent last is ignored. */
  acknowledge(epoch: string, number: number): void {
    if (epoch !== this.#hub.epoch || number !== this.#awaiting) return
    this.#awaiting = undefined
    this.#schedule()
  }

  /** The node whose flow this page shows; null for none. */
  watchFlow(node: NodeRef | null): FlowView | undefined {
    this.#flowNode = node ?? undefined
    this.#isFlowDirty = false
    return node === null ? undefined : this.#hub.flow(node)
  }

  watch(key: PodKey | null): PodDetail | undefined {
    this.#watched = key ?? undefined
    this.#isDetailDirty = false
    const detail = key === null ? undefined : this.#hub.detail(key)
    this.#detailSent = detail === undefined ? '' : JSON.stringify(detail)
    return detail
  }

  close(): void {
    this.#isOpen = false
    this.#cancelFlush?.()
    this.#cancelFlush = undefined
    this.#hub.drop(this)
  }

  mark(cluster: string, dirt: Dirt): void {
    if (!this.#isOpen) return
    if (dirt.kind === 'view') {
      this.#clusters.add(cluster)
      // What is said of a pod also depends on the node, the server and the clock.
      if (this.#watched !== undefined && clusterOf(this.#watched) === cluster)
        this.#isDetailDirty = true
    } else if (dirt.kind === 'flow') {
      if (this.#flowNode?.cluster !== cluster || this.#flowNode.node !== dirt.node) return
      this.#isFlowDirty = true
    } else {
      this.#changed.mark(dirt.key)
      if (dirt.key === this.#watched) this.#isDetailDirty = true
    }
    this.#schedule()
  }

  /** All of a cluster that has come. */
  markNew(cluster: HubCluster): void {
    for (const { key } of cluster.rows()) this.mark(cluster.id, { kind: 'row', key })
    this.mark(cluster.id, { kind: 'view' })
  }

  /** All of a cluster that has gone; its rows go with it. */
  markClosed(cluster: string, rows: readonly PodKey[]): void {
    if (!this.#isOpen) return
    this.#clusters.delete(cluster)
    this.#closed.add(cluster)
    if (this.#watched !== undefined && clusterOf(this.#watched) === cluster) this.watch(null)
    if (this.#flowNode?.cluster === cluster) this.watchFlow(null)
    for (const key of rows) this.#changed.mark(key)
    this.#schedule()
  }

  #hasNews(): boolean {
    return (
      this.#changed.size > 0 ||
      this.#clusters.size > 0 ||
      this.#closed.size > 0 ||
      this.#isDetailDirty
    )
  }

  /** How long the flow has to wait for its next turn; 0: it may go now. */
  #flowWaitMs(): number {
    const waitMs = this.#flowSentAt + flowMs - this.#hub.clock.now()
    // A wall clock that was set back must not silence the picture.
    return Math.min(flowMs, Math.max(0, waitMs))
  }

  #schedule(): void {
    if (this.#awaiting !== undefined) return
    if (this.#hasNews()) this.#flushAfter(batchMs)
    else if (this.#isFlowDirty) this.#flushAfter(Math.max(batchMs, this.#flowWaitMs()))
  }

  #flushAfter(ms: number): void {
    const due = this.#hub.clock.now() + ms
    if (this.#cancelFlush !== undefined) {
      if (due >= this.#flushDue) return
      this.#cancelFlush()
    }
    this.#flushDue = due
    this.#cancelFlush = this.#hub.clock.after(ms, () => {
      this.#cancelFlush = undefined
      this.#flush()
    })
  }

  #flush(): void {
    const isFlowDue = this.#isFlowDirty && this.#flowWaitMs() === 0
    if (!this.#isOpen) return
    if (!this.#hasNews() && !isFlowDue) {
      // A timer may fire a moment early by the wall clock.
      this.#schedule()
      return
    }
    const { upserts, removed } = this.#changed.take()
    const clusters = this.#hub.clusters.filter((cluster) => this.#clusters.has(cluster.id))
    const closed = [...this.#closed]
    this.#clusters.clear()
    this.#closed.clear()
    this.#number++
    this.#awaiting = this.#number
    this.#send('view.patched', {
      epoch: this.#hub.epoch,
      number: this.#number,
      now: Object.fromEntries(this.#hub.clusters.map((cluster) => [cluster.id, cluster.now()])),
      upserts,
      removed,
      clusters: clusters.map((cluster) => cluster.view()),
      closed,
    })
    this.#sendDetail()
    if (isFlowDue) this.#sendFlow()
  }

  #sendFlow(): void {
    if (this.#flowNode === undefined) return
    this.#isFlowDirty = false
    this.#flowSentAt = this.#hub.clock.now()
    const flow = this.#hub.flow(this.#flowNode)
    if (flow !== undefined) this.#send('flow.changed', flow)
  }

  #sendDetail(): void {
    if (!this.#isDetailDirty || this.#watched === undefined) return
    this.#isDetailDirty = false
    const detail = this.#hub.detail(this.#watched)
    if (detail === undefined) return
    const text = JSON.stringify(detail)
    if (text === this.#detailSent) return
    this.#detailSent = text
    this.#send('pod.detailed', detail)
  }
}

/** Turns what changes in the clusters into one snapshot and numbered patches for each page. */
export class Hub {
  readonly epoch: string
  readonly program: ProgramView
  readonly clock: Clock
  readonly #clusters: HubCluster[] = []
  readonly #connections = new Set<HubConnection>()
  readonly #unsubscribe = new Map<string, () => void>()

  constructor(deps: {
    readonly epoch: string
    readonly program: ProgramView
    /** Real time: batching is for eyes, not for the cluster. */
    readonly clock: Clock
  }) {
    this.epoch = deps.epoch
    this.program = deps.program
    this.clock = deps.clock
  }

  get clusters(): readonly HubCluster[] {
    return this.#clusters
  }

  add(cluster: HubCluster): void {
    this.#clusters.push(cluster)
    this.#unsubscribe.set(
      cluster.id,
      cluster.onDirt((dirt) => {
        for (const connection of this.#connections) connection.mark(cluster.id, dirt)
      }),
    )
    for (const connection of this.#connections) connection.markNew(cluster)
  }

  /** The cluster is not open any more: no page hears of it again. Not there: nothing. */
  remove(id: string): void {
    const index = this.#clusters.findIndex((cluster) => cluster.id === id)
    const [cluster] = index === -1 ? [] : this.#clusters.splice(index, 1)
    if (cluster === undefined) return
    this.#unsubscribe.get(id)?.()
    this.#unsubscribe.delete(id)
    const keys = cluster.rows().map(({ key }) => key)
    for (const connection of this.#connections) connection.markClosed(id, keys)
  }

  connect(send: SendEvent): HubConnection {
    const connection = new HubConnection(this, send)
    this.#connections.add(connection)
    return connection
  }

  drop(connection: HubConnection): void {
    this.#connections.delete(connection)
  }

  cluster(id: string): HubCluster | undefined {
    return this.#clusters.find((cluster) => cluster.id === id)
  }

  row(key: PodKey): PodRow | undefined {
    return this.cluster(clusterOf(key))?.row(key)
  }

  detail(key: PodKey): PodDetail | undefined {
    return this.cluster(clusterOf(key))?.detail(key)
  }

  flow({ cluster, node }: NodeRef): FlowView | undefined {
    return this.cluster(cluster)?.flow(node)
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe.values()) unsubscribe()
    this.#unsubscribe.clear()
    for (const connection of this.#connections) connection.close()
  }
}

/** The cluster's id, the first part of a pod's key. */
function clusterOf(key: PodKey): string {
  const slash = key.indexOf('/')
  return slash === -1 ? '' : key.slice(0, slash)
}
