import { createStore as createZustandStore } from 'zustand/vanilla'
import type { StoreApi } from 'zustand/vanilla'
import type { Bridge, NodeRef, Snapshot, ViewPatch } from '../../shared/ipc/contract.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { CausalChain } from '../../shared/model/pod-objects.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'
import { podSelector } from '../../shared/model/row-selectors.ts'
import type { TraceSeq } from '../../shared/model/trace-event.ts'
import { clustersSlice } from './slices/clusters-slice.ts'
import { clockSlice } from './slices/clock-slice.ts'
import { ClusterClocks } from './slices/cluster-clocks.ts'
import { handbookSlice } from './slices/handbook-slice.ts'
import { DetailFeed } from './feeds/detail-feed.ts'
import { detailSlice } from './slices/detail-slice.ts'
import { FlowWatch } from './feeds/flow-watch.ts'
import { InspectFeed } from './feeds/inspect-feed.ts'
import { ManifestsFeed } from './feeds/manifests-feed.ts'
import { draftsWithout, manifestsSlice } from './slices/manifests-slice.ts'
import type { PreferenceStorage } from './preferences.ts'
import { MirrorsFeed } from './feeds/mirrors-feed.ts'
import type { PairOrder } from './rows/mirrors-order.ts'
import { mirrorsSlice } from './slices/mirrors-slice.ts'
import { GotchasFeed } from './feeds/gotchas-feed.ts'
import { scenariosSlice } from './slices/scenarios-slice.ts'
import { behaviorSlice } from './slices/behavior-slice.ts'
import { seenNodeSlice } from './slices/seen-node-slice.ts'
import { applySlice } from './slices/apply-slice.ts'
import { faultsSlice } from './slices/faults-slice.ts'
import { ownerActSlice } from './slices/owner-act-slice.ts'
import { rowsActSlice } from './slices/rows-act-slice.ts'
import { tablesSlice } from './slices/tables-slice.ts'
import { noMarking } from './tables/marking.ts'
import { nodeEditSlice } from './slices/node-edit-slice.ts'
import { nodeActsSlice } from './slices/node-acts-slice.ts'
import { updateMovedKeys } from './rows/moved-pod.ts'
import { RowOrder } from './rows/row-order.ts'
import { KeyedRequests } from './requests/keyed-requests.ts'
import { parseFilter } from './rows/row-filter.ts'
import type { RowQuery } from './rows/row-order.ts'
import { RowTable } from './rows/row-table.ts'
import { runMenuItem } from './run-menu-item.ts'
import { isSameNode, shownCluster, flowRef } from './shown-node.ts'
import { changeClusters, podScope, shownSlice } from './slices/shown-slice.ts'
import {
  actSlice,
  flowSlice,
  linkSlice,
  navigationSlice,
  tableSlice,
  toastSlice,
} from './slices.ts'
import type { State } from './state.ts'
import { watchedKey } from './state.ts'
import { TryFeed } from './feeds/try-feed.ts'
import { trySlice } from './slices/try-slice.ts'
import { KubeletLogFeed } from './feeds/kubelet-log-feed.ts'
import { kubeletLogSlice } from './slices/kubelet-log-slice.ts'
import { WorkloadsFeed } from './feeds/workloads-feed.ts'
import { ViewFeed } from './feeds/view-feed.ts'
import { text } from '../text/text.ts'

export interface StoreDeps {
  readonly bridge: Bridge
  readonly storage: PreferenceStorage
  readonly afterPaint: (callback: () => void) => void
  /** The page's own clocks, in ms: one that never jumps, and the wall's. */
  readonly monotonic: () => number
  readonly wallClock: () => number
}

/** The page's copy of main's data. Rows and clocks are not part of the state, since they change too often to be copied. */
export interface Store {
  readonly state: StoreApi<State>
  readonly rows: RowTable
  readonly order: RowOrder
  readonly clocks: ClusterClocks
  /** The kubelet's parts and arrows; not part of the state for the same reason. */
  readonly flow: FlowWatch
  /** Static pods with their mirrors. */
  readonly pairs: PairOrder
  /** The things to try on the start page. */
  readonly tries: Pick<TryFeed, 'deleteMirror' | 'deleteWithGrace'>
  readonly bridge: Bridge
  readonly requests: KeyedRequests
  readonly wallClock: () => number
  readonly start: () => void
  readonly stop: () => void
}

/** Removes the closed clusters first: one patch can close a cluster and open it again. */
function mergeClusters(
  before: readonly ClusterView[],
  { clusters: changed, closed }: Pick<ViewPatch, 'clusters' | 'closed'>,
): readonly ClusterView[] {
  const open = before.filter(({ id }) => !closed.includes(id))
  const byId = new Map(changed.map((view) => [view.id, view]))
  const kept = open.map((view) => byId.get(view.id) ?? view)
  const known = new Set(open.map((view) => view.id))
  return [...kept, ...changed.filter((view) => !known.has(view.id))]
}

/** The node whose flow main sends; null while the Flow view is not shown. */
function watchedFlow(state: State): NodeRef | null {
  return state.view === 'flow' ? flowRef(state) : null
}

interface Event {
  readonly cluster: string
  readonly seq: TraceSeq
}

/** The shortest time between two requests about the followed cause. */
const chainPaceMs = 1000

function followedEvent({ follow, view }: State): Event | null {
  const isShown = follow.kind === 'cause' && view === 'flow'
  return isShown ? { cluster: follow.cluster, seq: follow.seq } : null
}

function queryOf(state: State): RowQuery {
  const { namespace, segment } = state
  const { filterText, selectors, sort } = state.tables.pods
  const selector = podSelector(selectors)
  return {
    scope: podScope(state),
    namespace,
    filter: parseFilter(filterText),
    // A selector that cannot be read selects nothing: an act on all rows must not be for more than was meant.
    isSelected: selector.ok ? selector.value : () => false,
    segment,
    sort,
  }
}

/** Whether the table is about the same pods, whatever is typed in its filter. */
function isSameList(now: State, before: State): boolean {
  return (
    now.namespace === before.namespace &&
    now.segment === before.segment &&
    isSameNode(podScope(now), podScope(before))
  )
}

/** Whether the table shows the same rows in the same order. */
function isSameQuery(now: State, before: State): boolean {
  const [{ pods }, { pods: old }] = [now.tables, before.tables]
  return (
    pods.filterText === old.filterText &&
    pods.selectors === old.selectors &&
    pods.sort === old.sort &&
    isSameList(now, before)
  )
}

/** Marks are for rows that the user has seen: the rows of another place are marked anew. */
function unmark(now: State, before: State): void {
  if (!isSameList(now, before)) now.setMarking('pods', noMarking)
  if (shownCluster(now)?.id !== shownCluster(before)?.id) now.setMarking('nodes', noMarking)
}

function createState(deps: StoreDeps): StoreApi<State> {
  return createZustandStore<State>()((set, get) => ({
    ...linkSlice(set, get),
    ...navigationSlice(set, get, deps.storage),
    ...shownSlice(set, get),
    ...tableSlice(set),
    ...tablesSlice(set, get, deps.storage),
    ...rowsActSlice(set, get, deps.bridge),
    ...detailSlice(set, get, deps.storage),
    ...actSlice(set, get, deps.bridge),
    ...flowSlice(set, get),
    ...handbookSlice(set, get),
    ...kubeletLogSlice(set, get, deps.bridge),
    ...manifestsSlice(set, get, deps.bridge),
    ...mirrorsSlice(set),
    ...scenariosSlice(set, get, deps.bridge),
    ...behaviorSlice(set, get, deps.bridge),
    ...nodeActsSlice(set, get, deps.bridge),
    ...seenNodeSlice(set, get, deps.bridge),
    ...clustersSlice(set, get, deps.bridge),
    ...clockSlice(set, get, deps.bridge, deps.storage),
    ...toastSlice(set, get),
    ...trySlice(),
    ...ownerActSlice(set, get, deps.bridge),
    ...applySlice(set, get, deps.bridge),
    ...faultsSlice(set, get, deps.bridge),
    ...nodeEditSlice(set, get, deps.bridge),
    workloads: null,
    workloadsState: 'none',
    inspected: null,
    inspectState: 'none',
  }))
}

/** Creates the store, which receives everything from main; nothing happens before `start`. */
export function createStore(deps: StoreDeps): Store {
  const { bridge } = deps
  const state = createState(deps)
  const rows = new RowTable()
  const clocks = new ClusterClocks({ monotonic: deps.monotonic })
  const order = new RowOrder({ rows, query: queryOf(state.getState()) })
  const requests = new KeyedRequests({
    onFailure: (what, failure) => state.getState().setNotCurrent(what, failure),
  })
  const watched = requests.add<PodKey, PodDetail>(text.frame.requests.pod, {
    ask: (key) => bridge.request('pod.watch', { key }),
    unsubscribe: () => bridge.request('pod.watch', { key: null }),
    publish: (answer) => state.setState({ detail: answer.value, detailState: answer.state }),
  })
  const chain = requests.add<Event, CausalChain>(text.frame.requests.followedEvent, {
    ask: (event) => bridge.request('trace.related', event),
    // A cause can have more effects later.
    minIntervalMs: chainPaceMs,
    publish: (answer) => state.setState({ chain: answer.value, chainState: answer.state }),
  })
  const details = new DetailFeed({ bridge, requests, state })
  const flow = new FlowWatch({ bridge, requests })
  const manifests = new ManifestsFeed({ bridge, requests, state })
  const mirrors = new MirrorsFeed({ bridge, requests, rows, state })
  const gotchas = new GotchasFeed({ bridge, requests, rows, state })
  const logs = new KubeletLogFeed({ bridge, state })
  const inspection = new InspectFeed({ bridge, requests, state })
  const workloads = new WorkloadsFeed({ bridge, requests, state })
  const tries = new TryFeed({ bridge, rows, state })

  const takeSnapshot = (snapshot: Snapshot): void => {
    const isOpen = new Set(snapshot.clusters.map(({ id }) => id))
    for (const { id } of state.getState().clusters) if (!isOpen.has(id)) clocks.drop(id)
    for (const view of snapshot.clusters) clocks.set(view.id, view.clock)
    rows.replaceAll(snapshot.rows)
    state.setState({
      ...updateMovedKeys(state.getState(), () => rows.values()),
      ...changeClusters(state.getState(), snapshot.clusters),
      program: snapshot.program,
    })
    requests.restart()
  }
  const forgetClusters = (closed: readonly string[]): void => {
    const { awaitedCluster, otherDrafts } = state.getState()
    const isAwaited = awaitedCluster === null || !closed.includes(awaitedCluster)
    state.setState({
      // Another page may open it later.
      awaitedCluster: isAwaited ? awaitedCluster : null,
      otherDrafts: draftsWithout(otherDrafts, closed),
    })
  }
  const takePatch = (patch: ViewPatch): void => {
    if (patch.closed.length > 0) forgetClusters(patch.closed)
    for (const id of patch.closed) {
      clocks.drop(id)
      rows.closeCluster(id)
    }
    for (const [cluster, now] of Object.entries(patch.now)) clocks.sync(cluster, now)
    for (const view of patch.clusters) clocks.set(view.id, view.clock)
    rows.apply(patch.upserts, patch.removed)
    if (patch.removed.length > 0)
      state.setState(updateMovedKeys(state.getState(), () => patch.upserts))
    if (patch.clusters.length > 0 || patch.closed.length > 0) {
      const clusters = mergeClusters(state.getState().clusters, patch)
      state.setState(changeClusters(state.getState(), clusters))
    }
    // Main has dropped this page's watches there, even if the same cluster is open again.
    if (patch.closed.length > 0) requests.restart()
  }
  const setLink = (link: 'open' | 'lost'): void => {
    const before = state.getState().link
    if (link === 'open') state.setState({ link: { kind: 'open' } })
    else if (before.kind !== 'lost')
      state.setState({ link: { kind: 'lost', since: deps.wallClock() } })
  }
  const feed = new ViewFeed({
    bridge,
    afterPaint: deps.afterPaint,
    onSnapshot: takeSnapshot,
    onPatch: takePatch,
    onLink: setLink,
    onRefused: (message) => state.setState({ link: { kind: 'refused', message } }),
  })
  const parts = [logs, order, manifests, mirrors, gotchas, inspection, workloads, tries, details]
  const unsubscribe: (() => void)[] = []

  return {
    state,
    rows,
    order,
    clocks,
    flow,
    pairs: mirrors.pairs,
    tries,
    bridge,
    requests,
    wallClock: deps.wallClock,
    start: () => {
      unsubscribe.push(
        ...parts.map((part) => part.start()),
        bridge.subscribe('pod.detailed', (detail) => watched.receive(detail.row.key, detail)),
        bridge.subscribe('menu.chosen', ({ item }) => runMenuItem(item, state.getState())),
        bridge.subscribe('flow.changed', (view) => flow.receive(view)),
        flow.subscribe(() => chain.refresh()),
        state.subscribe((now, before) => {
          watched.setKey(watchedKey(now))
          flow.watch(watchedFlow(now))
          chain.setKey(followedEvent(now))
          clocks.alignTo(shownCluster(now)?.id ?? '')
          unmark(now, before)
          if (!isSameQuery(now, before)) order.setQuery(queryOf(now))
        }),
      )
      feed.start()
    },
    stop: () => {
      feed.stop()
      flow.stop()
      requests.stop()
      for (const leave of unsubscribe.splice(0)) leave()
    },
  }
}
