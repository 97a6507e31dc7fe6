import type { NodeRef, ProgramView, Snapshot } from '../../shared/ipc/contract.ts'
import type { ClusterChange } from '../../shared/model/cluster-change.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { FlowView } from '../../shared/model/flow.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { CancelTimer, Clock } from '../kubelet/ports.ts'
import { ChangedRows } from './cluster/changed-rows.ts'
import type { SendEvent } from './session-channel.ts'

/** A cluster as the hub reads it: only when it sends a patch, so that the page gets the present state. */
export interface HubCluster {
  readonly id: string
  readonly rows: () => readonly PodRow[]
  /** Undefined: the row does not exist, or not any more. */
  readonly row: (key: PodKey) => PodRow | undefined
  readonly view: () => ClusterView
  readonly detail: (key: PodKey) => PodDetail | undefined
  readonly flow: (node: string) => FlowView | undefined
  readonly now: () => number
  readonly onChange: (listener: (change: ClusterChange) => void) => () => void
}

/** Time between two patches to one page, at least. */
const batchMs = 33
/** Time between two flow views, at least: people cannot read counts faster. */
const flowMs = 100

/**
 * Pushes rows to one page, as numbered patches. Between two acknowledgements it keeps only the keys of what changed, so
 * a page that is hidden, slow or gone costs at most one key per row.
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
  /** As it was last sent: the cluster's view changes every second, but the detail of one pod rarely does. */
  #detailSent = ''
  #flowNode: NodeRef | undefined
  #isFlowDirty = false
  #flowSentAt = Number.NEGATIVE_INFINITY
  #cancelPush: CancelTimer | undefined
  #pushDue = 0

  constructor(hub: Hub, send: SendEvent) {
    this.#hub = hub
    this.#send = send
    this.#changed = new ChangedRows((key) => hub.row(key))
  }

  /** A complete snapshot; patches with higher numbers follow. Calling it again starts over. */
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
      epoch: this.#hub.deps.epoch,
      number: this.#number,
      program: this.#hub.deps.program,
      clusters: this.#hub.clusters.map((cluster) => cluster.view()),
      rows,
    }
  }

  /** The page has drawn patch `number`. Ignored unless it is the patch that was sent last. */
  acknowledge(epoch: string, number: number): void {
    if (epoch !== this.#hub.deps.epoch || number !== this.#awaiting) return
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
    this.#cancelPush?.()
    this.#cancelPush = undefined
    this.#hub.drop(this)
  }

  mark(cluster: string, change: ClusterChange): void {
    // Pages that look at these get them without patches.
    if (!this.#isOpen || change.kind === 'inspect' || change.kind === 'workloads') return
    if (change.kind === 'view') {
      this.#clusters.add(cluster)
      // The detail of a pod also depends on the node, the server and the clock.
      if (this.#watched !== undefined && clusterIdOfKey(this.#watched) === cluster)
        this.#isDetailDirty = true
    } else if (change.kind === 'flow') {
      if (this.#flowNode?.cluster !== cluster || this.#flowNode.node !== change.node) return
      this.#isFlowDirty = true
    } else {
      this.#changed.mark(change.key)
      if (change.key === this.#watched) this.#isDetailDirty = true
    }
    this.#schedule()
  }

  /** Marks everything of a cluster that has opened. */
  markNew(cluster: HubCluster): void {
    for (const { key } of cluster.rows()) this.mark(cluster.id, { kind: 'row', key })
    this.mark(cluster.id, { kind: 'view' })
  }

  /** Marks a cluster that has closed, and its rows. */
  markClosed(cluster: string, rows: readonly PodKey[]): void {
    if (!this.#isOpen) return
    this.#clusters.delete(cluster)
    this.#closed.add(cluster)
    if (this.#watched !== undefined && clusterIdOfKey(this.#watched) === cluster) this.watch(null)
    if (this.#flowNode?.cluster === cluster) this.watchFlow(null)
    for (const key of rows) this.#changed.mark(key)
    this.#schedule()
  }

  #hasChanges(): boolean {
    return (
      this.#changed.size > 0 ||
      this.#clusters.size > 0 ||
      this.#closed.size > 0 ||
      this.#isDetailDirty
    )
  }

  /** Time until the flow may be sent; 0: now. */
  #flowWaitMs(): number {
    const waitMs = this.#flowSentAt + flowMs - this.#hub.deps.clock.now()
    // If the wall clock was set back, the flow must not wait longer.
    return Math.min(flowMs, Math.max(0, waitMs))
  }

  #schedule(): void {
    if (this.#awaiting !== undefined) return
    if (this.#hasChanges()) this.#pushAfter(batchMs)
    else if (this.#isFlowDirty) this.#pushAfter(Math.max(batchMs, this.#flowWaitMs()))
  }

  #pushAfter(ms: number): void {
    const due = this.#hub.deps.clock.now() + ms
    if (this.#cancelPush !== undefined) {
      if (due >= this.#pushDue) return
      this.#cancelPush()
    }
    this.#pushDue = due
    this.#cancelPush = this.#hub.deps.clock.after(ms, () => {
      this.#cancelPush = undefined
      this.#pushPatch()
    })
  }

  /** Pushes the rows and views that changed to the page. */
  #pushPatch(): void {
    const isFlowDue = this.#isFlowDirty && this.#flowWaitMs() === 0
    if (!this.#isOpen) return
    if (!this.#hasChanges() && !isFlowDue) {
      // By the wall clock, a timer may fire too early.
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
      epoch: this.#hub.deps.epoch,
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
    this.#flowSentAt = this.#hub.deps.clock.now()
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

interface HubDeps {
  readonly epoch: string
  readonly program: ProgramView
  /** The system clock: patches are paced for the page, whatever the cluster's clock does. */
  readonly clock: Clock
}

/** Pushes the rows of all clusters to the pages: each page gets one snapshot, then numbered patches. */
export class Hub {
  readonly deps: HubDeps
  readonly #clusters: HubCluster[] = []
  readonly #connections = new Set<HubConnection>()
  readonly #unsubscribe = new Map<string, () => void>()

  constructor(deps: HubDeps) {
    this.deps = deps
  }

  get clusters(): readonly HubCluster[] {
    return this.#clusters
  }

  add(cluster: HubCluster): void {
    this.#clusters.push(cluster)
    this.#unsubscribe.set(
      cluster.id,
      cluster.onChange((change) => {
        for (const connection of this.#connections) connection.mark(cluster.id, change)
      }),
    )
    for (const connection of this.#connections) connection.markNew(cluster)
  }

  /** Removes a cluster that has closed, with its rows, from all pages. An unknown id does nothing. */
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
    return this.cluster(clusterIdOfKey(key))?.row(key)
  }

  detail(key: PodKey): PodDetail | undefined {
    return this.cluster(clusterIdOfKey(key))?.detail(key)
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
export function clusterIdOfKey(key: PodKey): string {
  const slash = key.indexOf('/')
  return slash === -1 ? '' : key.slice(0, slash)
}
