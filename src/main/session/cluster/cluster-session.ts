import type {
  ClockView,
  ClusterKind,
  ClusterView,
  ConnectionView,
  LoopView,
  RecorderView,
} from '../../../shared/model/cluster-view.ts'
import type { SeenView } from '../../../shared/model/seen-cluster.ts'
import type { FlowView } from '../../../shared/model/flow.ts'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import type { PodDetail, UidTranslation } from '../../../shared/model/pod-detail.ts'
import type { OpenScenario } from '../../../shared/model/scenarios/scenario.ts'
import type { MirrorHistoryEntry } from '../../../shared/model/pod-objects.ts'
import type { GraceView, PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import type { ProbeView } from '../../../shared/model/probe-view.ts'
import type { TraceEvent, TraceSubject } from '../../../shared/model/trace-event.ts'
import type { TimelineQuery, TimelineView } from '../../../shared/model/timeline/timeline.ts'
import type { PodDisruptionBudget } from '../../../shared/kubernetes/disruption-budget.ts'
import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { ActFacts } from '../../../shared/model/act.ts'
import type { Clock } from '../../kubelet/ports.ts'
import {
  configSourceAnnotation,
  fullNameOf,
  isMirrorPod,
  isStaticPod,
  podNamespace,
  podSubject,
} from '../../kubelet/pod/identity.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import { actFacts } from '../rows/act-facts.ts'
import type { ActOptions } from '../rows/act-facts.ts'
import { FlowRecorder } from '../flow/flow-recorder.ts'
import { FlowRoots } from '../flow/flow-roots.ts'
import { flowContent, flowView } from '../flow/flow-view.ts'
import type { ClusterChange } from '../../../shared/model/cluster-change.ts'
import type { TraceSource } from '../trace/trace-source.ts'
import { traceTimeline } from '../trace/trace-timeline.ts'
import { LoopRecorder } from '../flow/loop-entries.ts'
import type { SessionKubelet, SessionNode } from './session-node.ts'
import { MirrorHistory } from '../rows/mirror-history.ts'
import { mirrorState } from '../rows/mirror-state.ts'
import type { NotSimulated } from '../../../shared/not-simulated/not-simulated.ts'
import { notSimulatedOf } from '../../nodes/not-simulated-pods.ts'
import { runningByStatus } from '../rows/running-containers.ts'
import { podDetail } from '../rows/pod-detail.ts'
import { whyNoKubelet, whyNotSeen } from '../rows/no-kubelet.ts'
import { podRow } from '../rows/pod-row.ts'
import { UnreadCommands } from '../rows/unread-commands.ts'
import type { InferredWorkerState, PodKnowledge } from '../rows/pod-knowledge.ts'
import type { NameHolder } from '../explanations/why-facts.ts'

/** Trace events that the drawer shows, at most. */
export const traceShown = 60
/** Entries that the sync loop strip shows, at most. */
export const loopEntriesShown = 12

export interface ClusterIdentity {
  readonly id: string
  readonly label: string
  readonly server: string
  readonly kind: ClusterKind
  readonly exportLine: string
  readonly manifestsPath: string
  /** Default: false. */
  readonly isPageJoined?: boolean
}

/** The pods of the API server where they can be read without a request: in the sandbox. */
export interface ApiPods {
  readonly get: (uid: string) => Pod | undefined
  readonly list: () => Iterable<Pod>
  /** Calls back after each write. */
  readonly listen: (
    listener: (write: {
      readonly before: Pod | undefined
      readonly after: Pod | undefined
    }) => void,
  ) => void
}

/** What is known of nodes whose kubelets are not this program. */
export interface SeenFacts {
  readonly view: () => SeenView
  /** Whether the control plane still hears of the node's kubelet. */
  readonly isNodeHeard: (node: string) => boolean
  /** What a pod's worker must be, by all that was seen of it; undefined: not known. */
  readonly inferred: (pod: Pod) => InferredWorkerState | undefined
  /** What pages are shown of a node that one of them inspects; undefined: none does. */
  readonly inspection: (node: string) => InspectView | undefined
  /** What is inferred about the moves in their kubelets. */
  readonly flow: {
    /** Whether something moves that a page is shown. */
    take: (event: TraceEvent) => boolean
    view: (node: string) => FlowView | undefined
  }
}

interface NodeEntry {
  readonly node: SessionNode
  readonly loop: LoopRecorder
  readonly graces: Map<string, GraceView>
  readonly unreadCommands: UnreadCommands
  readonly flow: FlowRecorder
  readonly mirrors: MirrorHistory
}

/** The same pod as the API server's trace events name it. */
function asObject(subject: ReturnType<typeof podSubject>): TraceSubject {
  return { ...subject, kind: 'object', resource: 'pods' }
}

/** A subject that the trace keeps a history of. */
export type TracedSubject = Pick<TraceEvent, 'node' | 'subject'>

/** A pod with the facts that decide what may be done to it. */
export interface ActTarget {
  /** Undefined if no kubelet has the pod: then its facts refuse what only a kubelet can do. */
  readonly kubelet: SessionKubelet | undefined
  /** Of its node, whether or not a kubelet runs there; undefined if that is not one of these nodes. */
  readonly runtime: SessionNode['runtime'] | undefined
  readonly node: string
  readonly uid: string
  /** UID of the object in the API server, for a static pod its mirror. */
  readonly apiUid: string
  readonly facts: ActFacts
}

interface ClusterSessionDeps {
  readonly identity: ClusterIdentity
  readonly clock: Clock
  /** The present time, ms; needed for a clock that moves only when a timer fires. */
  readonly presentNow?: () => number
  readonly trace: ClusterTrace
  /** Why nothing may be changed, in one sentence; empty if it may. */
  readonly readOnly: () => string
  /** The cluster's disruption budgets; absent or undefined if they cannot be read. */
  readonly budgets?: () => readonly PodDisruptionBudget[] | undefined
  /** Absent if only the kubelets' copies of API objects are known. */
  readonly apiPods?: ApiPods
  readonly clockFacts: () => Omit<ClockView, 'now'>
  /** Absent: the cluster's nodes run here. */
  readonly seen?: SeenFacts
  /** What has no effect for a pod. Default: what the simulator does not do. */
  readonly notSimulated?: (pod: Pod) => readonly NotSimulated[]
}

/**
 * One cluster as the pages see it. Its trace tells which pods changed, its kubelets tell their present state. Of pods it
 * stores only the stop in progress, which no part of the kubelet keeps.
 */
export class ClusterSession implements TraceSource {
  readonly #deps: ClusterSessionDeps
  readonly id: string
  readonly #nodes = new Map<string, NodeEntry>()
  readonly #roots = new FlowRoots()
  readonly #listeners = new Set<(change: ClusterChange) => void>()
  #connection: ConnectionView = { kind: 'connecting' }
  #scenario: OpenScenario | null = null
  #recorder: RecorderView | null = null
  /** Nodes that a user has disconnected from the API server; undefined if no node can be. */
  #cutOff: ReadonlySet<string> | undefined

  constructor(deps: ClusterSessionDeps) {
    this.#deps = deps
    this.id = deps.identity.id
    this.#deps.trace.listen((event) => {
      this.#take(event)
    })
    this.#deps.apiPods?.listen(({ before, after }) => {
      for (const pod of [before, after]) if (pod !== undefined) this.#markApiPod(pod)
    })
  }

  addNode(node: SessionNode): void {
    this.#nodes.set(node.nodeName, {
      node,
      loop: new LoopRecorder(loopEntriesShown),
      graces: new Map(),
      unreadCommands: new UnreadCommands(),
      flow: new FlowRecorder(),
      mirrors: new MirrorHistory(),
    })
    node.listen({
      viewChanged: () => {
        this.touchView()
      },
      kubeletChanged: (previous) => {
        this.#markPods(node.nodeName, [previous, node.kubelet])
        this.touchView()
      },
    })
    this.touchView()
  }

  setConnection(connection: ConnectionView): void {
    const wasAway = this.#connection.kind === 'away'
    this.#connection = connection
    this.touchView()
    if (wasAway !== (connection.kind === 'away')) this.#markUnmirrored()
  }

  /** The nodes that a user has disconnected from the API server. */
  setCutOff(nodes: ReadonlySet<string>): void {
    const before = this.#cutOff ?? new Set()
    this.#cutOff = nodes
    this.touchView()
    this.#markUnmirrored()
    for (const { node } of this.#nodes.values())
      if (before.has(node.nodeName) !== nodes.has(node.nodeName))
        this.#markPods(node.nodeName, [node.kubelet])
  }

  setScenario(scenario: OpenScenario): void {
    this.#scenario = scenario
    this.touchView()
  }

  setRecorder(recorder: RecorderView | null): void {
    this.#recorder = recorder
    this.touchView()
  }

  /** Marks the cluster's own view as changed: a problem of a source, the connection. */
  touchView(): void {
    this.#emit({ kind: 'view' })
    for (const node of this.#nodes.keys()) this.#emit({ kind: 'flow', node })
  }

  /** Marks the row of a pod that is only seen as changed: what is inferred about its worker. */
  touchRow(node: string, uid: string): void {
    this.#emit({ kind: 'row', key: `${this.id}/${node}/${uid}` })
  }

  touchInspection(node: string): void {
    this.#emit({ kind: 'inspect', node })
  }

  readonly inspection = (node: string): InspectView | undefined => this.#deps.seen?.inspection(node)

  touchFlow(node: string): void {
    this.#emit({ kind: 'flow', node })
  }

  readonly now = (): number => (this.#deps.presentNow ?? this.#deps.clock.now)()

  get isPaused(): boolean {
    return this.#deps.clockFacts().paused
  }

  readonly onChange = (listener: (change: ClusterChange) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly view = (): ClusterView => ({
    ...this.#deps.identity,
    isPageJoined: this.#deps.identity.isPageJoined ?? false,
    scenario: this.#scenario,
    recorder: this.#recorder,
    seen: this.#deps.seen?.view() ?? null,
    recording: null,
    isCutOff:
      this.#cutOff === undefined
        ? null
        : [...this.#nodes.keys()].every((node) => this.#cutOff?.has(node)),
    connection: this.#connection,
    clock: { ...this.#deps.clockFacts(), now: this.now() },
    nodes: [...this.#nodes.values()].map(({ node }) => ({
      ...node.view(this.#deps.identity.server),
      isCutOff: this.#cutOff?.has(node.nodeName) ?? null,
    })),
    loops: [...this.#nodes.values()].map((entry) => this.#loopView(entry)),
  })

  readonly rows = (): readonly PodRow[] => {
    const now = this.#deps.clock.now()
    const rows: PodRow[] = []
    for (const entry of this.#nodes.values()) {
      for (const uid of podUids(entry.node.kubelet)) {
        const known = this.#knowledge(entry, uid)
        if (known !== undefined) rows.push(podRow(known, now))
      }
    }
    for (const pod of this.#deps.apiPods?.list() ?? [])
      if (!this.#isInKubelet(pod)) {
        const known = this.#apiKnowledge(pod.metadata.uid, this.#nodeOf(pod))
        if (known !== undefined) rows.push(podRow(known, now))
      }
    return rows
  }

  readonly row = (key: PodKey): PodRow | undefined => {
    const known = this.#find(key)?.known
    return known === undefined ? undefined : podRow(known, this.#deps.clock.now())
  }

  readonly detail = (key: PodKey): PodDetail | undefined => {
    const found = this.#find(key)
    if (found === undefined) return undefined
    const { entry, known } = found
    const subject = podSubject(known.pod)
    return podDetail(known, {
      isSimulated: entry?.node.isSimulated ?? false,
      trace:
        known.noKubelet === ''
          ? this.#deps.trace.about(known.node, subject, traceShown)
          : this.#deps.trace.about('', asObject(subject), traceShown),
      holder: entry === undefined ? undefined : this.#nameHolder(entry, known),
      areSourcesReady: entry?.node.kubelet.sourcesReady.allReady() ?? true,
      ...this.#actOptions(entry, known.node),
    })
  }

  /** The probes that the kubelet runs for the pod; null if there is no such pod. */
  probes(key: PodKey): readonly ProbeView[] | null {
    const target = this.actTarget(key)
    return target === undefined ? null : (target.kubelet?.probeViews(target.uid) ?? [])
  }

  /** All that is known of one pod. */
  knowledge(key: PodKey): PodKnowledge | undefined {
    return this.#find(key)?.known
  }

  /** All subjects with a history in the trace: pods, their API objects, sources and nodes. */
  tracedSubjects(): readonly TracedSubject[] {
    const onNodes = [...this.#nodes.values()].flatMap((entry) => {
      const { nodeName: node, kubelet } = entry.node
      const pods = [...podUids(kubelet)].flatMap((uid) => this.#tracedSubjectsOf(entry, uid))
      const sources = entry.node
        .view(this.#deps.identity.server)
        .sources.map(({ source }): TracedSubject => ({ node, subject: { kind: 'source', source } }))
      return [{ node, subject: { kind: 'node' } } as const, ...sources, ...pods]
    })
    const others = [...(this.#deps.apiPods?.list() ?? [])]
      .filter((pod) => !this.#isInKubelet(pod))
      .map((pod): TracedSubject => ({ node: '', subject: asObject(podSubject(pod)) }))
    return [...onNodes, ...others]
  }

  /** Newest first; for the full name, over all UIDs of the static pod and its mirrors. */
  mirrorHistory(key: PodKey): readonly MirrorHistoryEntry[] {
    const found = this.#find(key)
    if (found?.entry === undefined) return []
    const { pod } = found.known
    return found.entry.mirrors.of(podNamespace(pod), pod.metadata.name)
  }

  readonly flow = (node: string): FlowView | undefined => {
    const entry = this.#nodes.get(node)
    if (entry === undefined) return this.#deps.seen?.flow.view(node)
    return flowView({
      cluster: this.id,
      node,
      content: flowContent(entry.node.kubelet),
      recorder: entry.flow,
      roots: this.#roots.of(node),
      lastLoopEntry: entry.loop.recent[0],
      now: this.now(),
    })
  }

  readonly timeline = (query: TimelineQuery): TimelineView =>
    traceTimeline(
      {
        cluster: this.id,
        trace: this.#deps.trace,
        row: this.row,
        now: this.now(),
        nodes: [...this.#nodes.keys()],
      },
      query,
    )

  actTarget(key: PodKey): ActTarget | undefined {
    const found = this.#find(key)
    if (found === undefined) return undefined
    return {
      kubelet: found.known.noKubelet === '' ? found.entry?.node.kubelet : undefined,
      runtime: found.entry?.node.runtime,
      node: found.known.node,
      uid: found.known.pod.metadata.uid,
      apiUid: (found.known.mirror ?? found.known.pod).metadata.uid,
      facts: actFacts(found.known, this.#actOptions(found.entry, found.known.node)),
    }
  }

  /** Both UIDs of a static pod, given either; undefined if the UID belongs to no static pod here. */
  translate(uid: string): UidTranslation | undefined {
    for (const { node } of this.#nodes.values()) {
      const { podManager } = node.kubelet
      const staticUid = podManager.translatePodUID(uid)
      const pod = podManager.getPodByUID(staticUid)
      if (pod === undefined || !isStaticPod(pod)) continue
      const mirror = podManager.getMirrorPodByPod(pod)
      return { node: node.nodeName, staticUid, mirrorUid: mirror?.metadata.uid ?? '' }
    }
    return undefined
  }

  #markPods(node: string, kubelets: readonly SessionKubelet[]): void {
    const uids = new Set(kubelets.flatMap((kubelet) => [...podUids(kubelet)]))
    for (const uid of uids) this.#emit({ kind: 'row', key: `${this.id}/${node}/${uid}` })
  }

  #actOptions(entry: NodeEntry | undefined, node: string): ActOptions {
    const { seen } = this.#deps
    const isRunning = entry?.node.isRunning === true
    const isCutOff = entry !== undefined && this.#isCutOff(entry.node.nodeName)
    return {
      // A pod that is on none of these nodes has no kubelet that can act.
      kubelet:
        seen !== undefined
          ? seen.isNodeHeard(node)
            ? 'running'
            : 'cutOff'
          : !isRunning
            ? 'stopped'
            : isCutOff
              ? 'cutOff'
              : 'running',
      // In a sandbox the page reaches the API server even if the nodes do not.
      apiServerReachable: this.#connection.kind !== 'away' || this.#cutOff !== undefined,
      runtime: entry?.node.runtimeState ?? 'answers',
      readOnly: this.#deps.readOnly(),
      seenIn: seen === undefined ? '' : this.#deps.identity.label,
      now: this.now(),
      budgets: this.#deps.budgets?.(),
    }
  }

  #isCutOff(node: string): boolean {
    return this.#cutOff?.has(node) ?? false
  }

  #isServerAway(node: string): boolean {
    return this.#connection.kind === 'away' || this.#isCutOff(node)
  }

  /** Marks the rows of static pods without a current mirror: their reason depends on the API server. */
  #markUnmirrored(): void {
    for (const { node } of this.#nodes.values()) {
      const { podManager } = node.kubelet
      for (const pod of podManager.getPods())
        if (isStaticPod(pod) && mirrorState(pod, podManager.getMirrorPodByPod(pod)) !== 'matched')
          this.#emit({ kind: 'row', key: `${this.id}/${node.nodeName}/${pod.metadata.uid}` })
    }
  }

  #emit(change: ClusterChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  #loopView(entry: NodeEntry): LoopView {
    return {
      node: entry.node.nodeName,
      iterations: entry.node.kubelet.podsController.view().iterations,
      recent: entry.loop.recent,
    }
  }

  #take(event: TraceEvent): void {
    this.#roots.take(event)
    const entry = this.#nodes.get(event.node)
    if (entry === undefined) {
      if (this.#deps.seen?.flow.take(event) === true) this.touchFlow(event.node)
      return
    }
    entry.mirrors.take(event)
    if (entry.flow.take(event)) this.#emit({ kind: 'flow', node: event.node })
    if (entry.loop.record(event)) this.touchView()
    if (event.subject.kind === 'node') this.touchView()
    if (event.subject.kind !== 'pod') return
    const { uid } = event.subject
    entry.unreadCommands.take(event, uid)
    if (event.kind === 'container.killing') this.#noteGrace(entry, uid, event)
    if (event.kind === 'worker.transitioned' && event.data.to !== 'terminating')
      entry.graces.delete(uid)
    if (event.kind === 'worker.forgotten') this.#markLoneMirror(entry, event.subject)
    this.#markRow(entry, uid)
  }

  #noteGrace(
    entry: NodeEntry,
    uid: string,
    event: Extract<TraceEvent, { readonly kind: 'container.killing' }>,
  ): void {
    const seconds = event.data.gracePeriodSeconds
    const killAt = event.at + seconds * 1000
    // SyncPod also stops single containers to restart them; that does not stop the pod.
    if (entry.node.kubelet.podWorkers.workerView(uid)?.state !== 'TerminatingPod') return
    const before = entry.graces.get(uid)
    if (before !== undefined && before.killAt >= killAt) return
    entry.graces.set(uid, { seconds, startedAt: before?.startedAt ?? event.at, killAt })
  }

  /** A mirror that outlives the worker of its static pod gets a row of its own. */
  #markLoneMirror(
    entry: NodeEntry,
    metadata: { readonly namespace: string; readonly name: string; readonly uid: string },
  ): void {
    const { nodeName, kubelet } = entry.node
    const mirror = kubelet.podManager.getMirrorPodByPod({ metadata, spec: { containers: [] } })
    if (mirror !== undefined)
      this.#emit({ kind: 'row', key: `${this.id}/${nodeName}/${mirror.metadata.uid}` })
  }

  /** The node that the pod is bound to; empty if none of this cluster's nodes is it, where they run here. */
  #nodeOf({ spec }: Pod): string {
    const { nodeName = '' } = spec
    return this.#deps.seen !== undefined || this.#nodes.has(nodeName) ? nodeName : ''
  }

  /** Whether its row is made from a kubelet's data; a mirror belongs to the row of its static pod. */
  #isInKubelet(pod: Pod): boolean {
    const entry = this.#nodes.get(this.#nodeOf(pod))
    if (entry === undefined) return false
    const { podManager, podWorkers } = entry.node.kubelet
    const { uid } = pod.metadata
    return (
      isMirrorPod(pod) ||
      podManager.getPodByUID(uid) !== undefined ||
      podWorkers.lastPod(uid) !== undefined
    )
  }

  #markApiPod(pod: Pod): void {
    const node = this.#nodeOf(pod)
    const entry = this.#nodes.get(node)
    const { uid } = pod.metadata
    if (entry === undefined) this.#emit({ kind: 'row', key: `${this.id}/${node}/${uid}` })
    else this.#markRow(entry, uid)
  }

  /** Marks the row of the UID and, for a mirror, the row of its static pod. */
  #markRow(entry: NodeEntry, uid: string): void {
    const node = entry.node.nodeName
    const shown = entry.node.kubelet.podManager.translatePodUID(uid)
    this.#emit({ kind: 'row', key: `${this.id}/${node}/${uid}` })
    if (shown !== uid) this.#emit({ kind: 'row', key: `${this.id}/${node}/${shown}` })
  }

  #find(
    key: PodKey,
  ): { readonly entry: NodeEntry | undefined; readonly known: PodKnowledge } | undefined {
    const [cluster, node = '', ...rest] = key.split('/')
    if (cluster !== this.id) return undefined
    const entry = this.#nodes.get(node)
    const uid = rest.join('/')
    const known =
      (entry === undefined ? undefined : this.#knowledge(entry, uid)) ??
      this.#apiKnowledge(uid, node)
    return known === undefined ? undefined : { entry, known }
  }

  #tracedSubjectsOf(entry: NodeEntry, uid: string): readonly TracedSubject[] {
    const pod = this.#podFor(entry, uid)
    if (pod === undefined) return []
    const subject = podSubject(pod)
    const mirror = isStaticPod(pod)
      ? entry.node.kubelet.podManager.getMirrorPodByPod(pod)
      : undefined
    const apiUid = (mirror ?? pod).metadata.uid
    return [
      { node: entry.node.nodeName, subject },
      { node: '', subject: { ...subject, kind: 'object', resource: 'pods', uid: apiUid } },
    ]
  }

  /** What is known of a pod that only the API server has; undefined if it has no such pod on `node`. */
  #apiKnowledge(uid: string, node: string): PodKnowledge | undefined {
    const { seen } = this.#deps
    const pod = this.#deps.apiPods?.get(uid)
    if (pod === undefined || this.#nodeOf(pod) !== node || this.#isInKubelet(pod)) return undefined
    const bound = this.#nodes.get(node)?.node
    const isCutOff = this.#isCutOff(node)
    const why =
      seen === undefined
        ? whyNoKubelet(pod, bound && { name: node, isRunning: bound.isRunning, isCutOff })
        : whyNotSeen(pod)
    return {
      cluster: this.id,
      node,
      pod: seen === undefined ? pod : ofApiSource(pod),
      api: pod,
      noKubelet: why.reason,
      isMomentary: why.isMomentary,
      isCutOff,
      inferred: seen?.inferred(pod),
      runningContainers: seen === undefined ? 0 : runningByStatus(pod),
      isListed: true,
      isServerAway: this.#isServerAway(node),
      notSimulated: this.#notSimulated(pod),
    }
  }

  #notSimulated(pod: Pod): readonly NotSimulated[] {
    const { notSimulated, identity } = this.#deps
    return notSimulated?.(pod) ?? notSimulatedOf(pod, identity.kind === 'sandbox')
  }

  /** The API object of a pod, for a static pod its mirror. */
  #apiObject(pod: Pod, mirror: Pod | undefined): Pod | null | undefined {
    if (this.#deps.apiPods === undefined) return undefined
    const object = isStaticPod(pod) ? mirror : pod
    return object === undefined ? null : (this.#deps.apiPods.get(object.metadata.uid) ?? null)
  }

  #knowledge(entry: NodeEntry, uid: string): PodKnowledge | undefined {
    const { nodeName, kubelet } = entry.node
    const { podManager, statusManager } = kubelet
    const pod = this.#podFor(entry, uid)
    if (pod === undefined) return undefined
    const worker = kubelet.workerView(uid)
    const runtime = kubelet.podCache.get(uid)
    const mirror = isStaticPod(pod) ? podManager.getMirrorPodByPod(pod) : undefined
    return {
      cluster: this.id,
      node: nodeName,
      pod,
      mirror,
      api: this.#apiObject(pod, mirror),
      noKubelet: '',
      isCutOff: this.#isCutOff(nodeName),
      localStatus: statusManager.getPodStatus(uid),
      worker,
      grace: worker?.state === 'TerminatingPod' ? entry.graces.get(uid) : undefined,
      runtimeStatus: runtime.ok ? runtime.value : undefined,
      backOff: (container) => kubelet.crashLoopBackOff(pod, container),
      runningContainers: runtime.ok
        ? runtime.value.containers.filter((container) => container.state === 'running').length
        : 0,
      isListed: podManager.getPodByUID(uid) !== undefined || isMirrorPod(pod),
      mirrorFailure: kubelet.mirrorReconciler.failure(uid),
      isServerAway: this.#isServerAway(nodeName),
      notSimulated: entry.unreadCommands.addedTo(this.#notSimulated(pod), pod),
    }
  }

  /** The started static pod of the same full name, which a waiting static pod waits for. */
  #nameHolder(entry: NodeEntry, { pod, worker }: PodKnowledge): NameHolder | undefined {
    if (worker?.state !== 'waiting' || !isStaticPod(pod)) return undefined
    const { podWorkers } = entry.node.kubelet
    const fullName = fullNameOf(pod)
    for (const uid of podWorkers.recordUids()) {
      const other = uid === pod.metadata.uid ? undefined : podWorkers.lastPod(uid)
      const view = other === undefined ? undefined : podWorkers.workerView(uid)
      if (other === undefined || view === undefined || fullNameOf(other) !== fullName) continue
      if (isStaticPod(other) && view.startedAt !== null && !view.finished)
        return { uid, state: view.state, killAt: entry.graces.get(uid)?.killAt ?? null }
    }
    return undefined
  }

  #podFor(entry: NodeEntry, uid: string): Pod | undefined {
    const { podManager, podWorkers } = entry.node.kubelet
    // A worker may outlive its pod in the pod manager.
    const pod = podManager.getPodByUID(uid) ?? podWorkers.lastPod(uid)
    if (pod !== undefined) return pod
    entry.graces.delete(uid)
    const stored = this.#deps.apiPods?.get(uid)
    if (stored !== undefined && !isMirrorPod(stored)) return undefined
    return loneMirrors(entry.node.kubelet).find((mirror) => mirror.metadata.uid === uid)
  }
}

/** As PodConfig has a pod of the API server: a mirror keeps the source of its static pod, which is not its own. */
function ofApiSource(pod: Pod): Pod {
  if (!isStaticPod(pod)) return pod
  const annotations = { ...pod.metadata.annotations, [configSourceAnnotation]: 'api' }
  return { ...pod, metadata: { ...pod.metadata, annotations } }
}

/** UIDs of the pods that a kubelet has, and of mirrors without a static pod. */
function podUids(kubelet: SessionKubelet): ReadonlySet<string> {
  return new Set([
    ...kubelet.podManager.getPods().map((pod) => pod.metadata.uid),
    ...kubelet.podWorkers.recordUids(),
    ...loneMirrors(kubelet).map((mirror) => mirror.metadata.uid),
  ])
}

/** Orphaned mirrors, except those whose static pod still has a worker: they are in that pod's row. */
function loneMirrors({ podManager, podWorkers }: SessionKubelet): readonly Pod[] {
  const { allMirrorPods, orphanedMirrorPodFullNames } = podManager.getPodsAndMirrorPods()
  if (orphanedMirrorPodFullNames.length === 0) return []
  const lone = new Set(orphanedMirrorPodFullNames)
  for (const uid of podWorkers.recordUids()) {
    const pod = podWorkers.lastPod(uid)
    if (pod !== undefined && isStaticPod(pod)) lone.delete(fullNameOf(pod))
  }
  return allMirrorPods.filter((mirror) => lone.has(fullNameOf(mirror)))
}
