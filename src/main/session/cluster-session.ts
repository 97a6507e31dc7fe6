import type {
  ClockView,
  ClusterView,
  ConnectionView,
  LoopView,
} from '../../shared/model/cluster-view.ts'
import type { FlowView } from '../../shared/model/flow.ts'
import type { PodDetail, UidTranslation } from '../../shared/model/pod-detail.ts'
import type { MirrorMoment } from '../../shared/model/pod-objects.ts'
import type { GraceView, PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { TraceEvent, TraceSubject } from '../../shared/model/trace-event.ts'
import type { PodDisruptionBudget } from '../../shared/kubernetes/disruption-budget.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { ActFacts } from '../../shared/model/act.ts'
import type { Clock } from '../kubelet/ports.ts'
import {
  fullNameOf,
  isMirror,
  isStatic,
  podNamespace,
  podSubject,
} from '../kubelet/pod/identity.ts'
import type { ClusterTrace } from '../kubelet/trace.ts'
import { actFacts } from './act-facts.ts'
import type { ActOptions } from './act-facts.ts'
import { FlowRecorder } from './flow-recorder.ts'
import { FlowRoots } from './flow-roots.ts'
import { flowView } from './flow-view.ts'
import type { Dirt, HubCluster } from './hub.ts'
import { LoopRecorder } from './loop-entries.ts'
import type { NodeAgent } from './node-agent.ts'
import { MirrorHistory } from './mirror-history.ts'
import { mirrorState } from './mirror-state.ts'
import { notSimulatedOf } from './not-simulated-pods.ts'
import { podDetail } from './pod-detail.ts'
import type { Tracked } from './pod-inquiry.ts'
import { whyNoKubelet } from './no-kubelet.ts'
import { podRow } from './pod-row.ts'
import { UnreadCommands } from './unread-commands.ts'
import type { PodKnowledge } from './pod-row.ts'
import type { NameHolder } from './why-steps.ts'

/** Trace events that the panel shows at most. */
const traceShown = 60
/** Entries of the strip. */
const loopEntriesShown = 12

export interface ClusterIdentity {
  readonly id: string
  readonly label: string
  readonly server: string
  readonly sandbox: boolean
  readonly exportLine: string
  readonly manifestsPath: string
}

/** The pods that the API server has, where it can be asked at any time without a request: the sandbox's. */
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

/** How a cluster stands beyond what its nodes say. */
type Standing = Pick<ClusterView, 'exhibit'>

interface AgentEntry {
  readonly agent: NodeAgent
  readonly loop: LoopRecorder
  readonly graces: Map<string, GraceView>
  readonly unreadCommands: UnreadCommands
  readonly flow: FlowRecorder
  readonly mirrors: MirrorHistory
}

/** What the API server traces of the pod. */
function asObject(subject: ReturnType<typeof podSubject>): TraceSubject {
  return { ...subject, kind: 'object', resource: 'pods' }
}

/**
 * One cluster as the pages see it: its trace says which pods changed, its agents say what they are now.
 * Of pods it remembers only the stop under way, which no part of the kubelet keeps.
 */
export class ClusterSession implements HubCluster {
  readonly id: string
  readonly #identity: ClusterIdentity
  readonly #clock: Clock
  readonly #presentNow: () => number
  readonly #trace: ClusterTrace
  readonly #readOnly: boolean
  readonly #budgets: (() => readonly PodDisruptionBudget[]) | undefined
  readonly #apiPods: ApiPods | undefined
  readonly #clockFacts: () => Omit<ClockView, 'now'>
  readonly #agents = new Map<string, AgentEntry>()
  readonly #roots = new FlowRoots()
  readonly #listeners = new Set<(dirt: Dirt) => void>()
  #connection: ConnectionView = { kind: 'connecting' }
  #standing: Standing = { exhibit: null }
  /** Nodes that were cut off from the API server by hand; undefined where none can be. */
  #cutOff: ReadonlySet<string> | undefined

  constructor(deps: {
    readonly identity: ClusterIdentity
    readonly clock: Clock
    /** Where the clock stands between two timers, for a clock that only moves at them. */
    readonly presentNow?: () => number
    readonly trace: ClusterTrace
    readonly readOnly: boolean
    /** The cluster's disruption budgets; absent where they cannot be read. */
    readonly budgets?: () => readonly PodDisruptionBudget[]
    /** Absent where only what the kubelets are told of the API can be seen. */
    readonly apiPods?: ApiPods
    readonly clockFacts: () => Omit<ClockView, 'now'>
  }) {
    this.id = deps.identity.id
    this.#identity = deps.identity
    this.#clock = deps.clock
    this.#presentNow = deps.presentNow ?? deps.clock.now
    this.#trace = deps.trace
    this.#readOnly = deps.readOnly
    this.#budgets = deps.budgets
    this.#clockFacts = deps.clockFacts
    this.#apiPods = deps.apiPods
    this.#trace.listen((event) => {
      this.#take(event)
    })
    this.#apiPods?.listen(({ before, after }) => {
      for (const pod of [before, after]) if (pod !== undefined) this.#markApiPod(pod)
    })
  }

  addAgent(agent: NodeAgent): void {
    this.#agents.set(agent.nodeName, {
      agent,
      loop: new LoopRecorder({ limit: loopEntriesShown }),
      graces: new Map(),
      unreadCommands: new UnreadCommands(),
      flow: new FlowRecorder(),
      mirrors: new MirrorHistory(),
    })
    this.touchView()
  }

  setConnection(connection: ConnectionView): void {
    const wasAway = this.#connection.kind === 'away'
    this.#connection = connection
    this.touchView()
    if (wasAway !== (connection.kind === 'away')) this.#markUnmirrored()
  }

  /** The nodes that are cut off from the API server by hand. */
  setCutOff(nodes: ReadonlySet<string>): void {
    const before = this.#cutOff ?? new Set()
    this.#cutOff = nodes
    this.touchView()
    this.#markUnmirrored()
    for (const node of [...before, ...nodes])
      if (before.has(node) !== nodes.has(node))
        for (const key of this.#keys(node)) this.#emit({ kind: 'row', key })
  }

  setStanding(part: Partial<Standing>): void {
    this.#standing = { ...this.#standing, ...part }
    this.touchView()
  }

  /** Runs `change`, after which another kubelet may know other pods of this node than the one before. */
  changeAgent(node: string, change: () => void): void {
    const before = this.#keys(node)
    change()
    for (const key of new Set([...before, ...this.#keys(node)])) this.#emit({ kind: 'row', key })
    this.touchView()
  }

  /** Something of the cluster's own view changed: a source's problem, the connection. */
  touchView(): void {
    this.#emit({ kind: 'view' })
    for (const node of this.#agents.keys()) this.#emit({ kind: 'flow', node })
  }

  readonly now = (): number => this.#presentNow()

  get isPaused(): boolean {
    return this.#clockFacts().paused
  }

  readonly onDirt = (listener: (dirt: Dirt) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly view = (): ClusterView => ({
    ...this.#identity,
    ...this.#standing,
    isCutOff:
      this.#cutOff === undefined
        ? null
        : [...this.#agents.keys()].every((node) => this.#cutOff?.has(node)),
    connection: this.#connection,
    clock: { ...this.#clockFacts(), now: this.now() },
    nodes: [...this.#agents.values()].map(({ agent }) => ({
      ...agent.nodeView(),
      isCutOff: this.#cutOff?.has(agent.nodeName) ?? null,
    })),
    loops: [...this.#agents.values()].map((entry) => this.#loopView(entry)),
  })

  readonly rows = (): readonly PodRow[] => {
    const now = this.#clock.now()
    const rows: PodRow[] = []
    for (const entry of this.#agents.values()) {
      for (const uid of this.#uids(entry)) {
        const known = this.#knowledge(entry, uid)
        if (known !== undefined) rows.push(podRow(known, now))
      }
    }
    for (const pod of this.#apiPods?.list() ?? [])
      if (!this.#isInKubelet(pod)) {
        const known = this.#apiKnowledge(pod.metadata.uid, this.#homeOf(pod))
        if (known !== undefined) rows.push(podRow(known, now))
      }
    return rows
  }

  readonly row = (key: PodKey): PodRow | undefined => {
    const known = this.#find(key)?.known
    return known === undefined ? undefined : podRow(known, this.#clock.now())
  }

  readonly detail = (key: PodKey): PodDetail | undefined => {
    const found = this.#find(key)
    if (found === undefined) return undefined
    const { entry, known } = found
    const subject = podSubject(known.pod)
    return podDetail(known, {
      trace:
        known.noKubelet === ''
          ? this.#trace.about(known.node, subject, traceShown)
          : this.#trace.about('', asObject(subject), traceShown),
      holder: entry === undefined ? undefined : this.#nameHolder(entry, known),
      areSourcesReady: entry?.agent.nodeView().sources.every(({ ready }) => ready) ?? true,
      ...this.#actOptions(entry),
    })
  }

  /** All that is known of a pod, for who looks at it closely. */
  knowledge(key: PodKey): PodKnowledge | undefined {
    return this.#find(key)?.known
  }

  /** All that has a history in the trace: pods, their objects in the API, sources and nodes. */
  tracked(): readonly Tracked[] {
    const onNodes = [...this.#agents.values()].flatMap((entry) => {
      const node = entry.agent.nodeName
      const pods = [...this.#uids(entry)].flatMap((uid) => this.#trackedPod(entry, uid))
      const sources = entry.agent
        .nodeView()
        .sources.map(({ source }): Tracked => ({ node, subject: { kind: 'source', source } }))
      return [{ node, subject: { kind: 'node' } } as const, ...sources, ...pods]
    })
    const others = [...(this.#apiPods?.list() ?? [])]
      .filter((pod) => !this.#isInKubelet(pod))
      .map((pod): Tracked => ({ node: '', subject: asObject(podSubject(pod)) }))
    return [...onNodes, ...others]
  }

  /** Newest first; of the full name, whatever uids the static pod and its mirrors had. */
  mirrorHistory(key: PodKey): readonly MirrorMoment[] {
    const found = this.#find(key)
    if (found?.entry === undefined) return []
    const { pod } = found.known
    return found.entry.mirrors.of(podNamespace(pod), pod.metadata.name)
  }

  readonly flow = (node: string): FlowView | undefined => {
    const entry = this.#agents.get(node)
    if (entry === undefined) return undefined
    return flowView({
      cluster: this.id,
      agent: entry.agent,
      recorder: entry.flow,
      roots: this.#roots.of(node),
      lastLoopEntry: entry.loop.recent[0],
      now: this.now(),
    })
  }

  /** The pod behind a key with its agent and the facts that decide what may be done to it. */
  actTarget(key: PodKey):
    | {
        /** Undefined where no kubelet has the pod: then its facts refuse what only a kubelet can do. */
        readonly agent: NodeAgent | undefined
        readonly node: string
        readonly uid: string
        readonly apiUid: string
        readonly facts: ActFacts
      }
    | undefined {
    const found = this.#find(key)
    if (found === undefined) return undefined
    return {
      agent: found.known.noKubelet === '' ? found.entry?.agent : undefined,
      node: found.known.node,
      uid: found.known.pod.metadata.uid,
      apiUid: (found.known.mirror ?? found.known.pod).metadata.uid,
      facts: actFacts(found.known, this.#actOptions(found.entry)),
    }
  }

  /** Both uids of a static pod, given either; undefined where the uid belongs to no static pod here. */
  translate(uid: string): UidTranslation | undefined {
    for (const { agent } of this.#agents.values()) {
      const staticUid = agent.podManager.translatePodUID(uid)
      const pod = agent.podManager.getPodByUID(staticUid)
      if (pod === undefined || !isStatic(pod)) continue
      const mirror = agent.podManager.getMirrorPodByPod(pod)
      return { node: agent.nodeName, staticUid, mirrorUid: mirror?.metadata.uid ?? '' }
    }
    return undefined
  }

  #keys(node: string): readonly PodKey[] {
    const entry = this.#agents.get(node)
    return entry === undefined
      ? []
      : [...this.#uids(entry)].map((uid): PodKey => `${this.id}/${node}/${uid}`)
  }

  #actOptions(entry: AgentEntry | undefined): ActOptions {
    const isRunning = entry?.agent.nodeView().agent === 'running'
    const isCutOff = entry !== undefined && this.#isCutOff(entry.agent.nodeName)
    return {
      // A pod that is on none of the nodes here has no kubelet that could act.
      kubelet: !isRunning ? 'stopped' : isCutOff ? 'cutOff' : 'running',
      // Where nodes can be cut off, this page has a way of its own.
      apiServerReachable: this.#connection.kind !== 'away' || this.#cutOff !== undefined,
      readOnly: this.#readOnly,
      now: this.now(),
      budgets: this.#budgets?.(),
    }
  }

  #isCutOff(node: string): boolean {
    return this.#cutOff?.has(node) ?? false
  }

  #isServerAway(node: string): boolean {
    return this.#connection.kind === 'away' || this.#isCutOff(node)
  }

  /** The rows that speak of a mirror that is not in step, for they say what the server has to do with it. */
  #markUnmirrored(): void {
    for (const { agent } of this.#agents.values())
      for (const pod of agent.podManager.getPods())
        if (
          isStatic(pod) &&
          mirrorState(pod, agent.podManager.getMirrorPodByPod(pod)) !== 'matched'
        )
          this.#emit({ kind: 'row', key: `${this.id}/${agent.nodeName}/${pod.metadata.uid}` })
  }

  #emit(dirt: Dirt): void {
    for (const listener of this.#listeners) listener(dirt)
  }

  #loopView(entry: AgentEntry): LoopView {
    return {
      node: entry.agent.nodeName,
      iterations: entry.agent.loopIterations(),
      recent: entry.loop.recent,
    }
  }

  #take(event: TraceEvent): void {
    this.#roots.take(event)
    const entry = this.#agents.get(event.node)
    if (entry === undefined) return
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
    entry: AgentEntry,
    uid: string,
    event: Extract<TraceEvent, { readonly kind: 'container.killing' }>,
  ): void {
    const seconds = event.data.gracePeriodSeconds
    const killAt = event.at + seconds * 1000
    // SyncPod stops single containers too, to start them anew: that is no stop of the pod.
    if (entry.agent.podWorkers.workerView(uid)?.state !== 'TerminatingPod') return
    const before = entry.graces.get(uid)
    if (before !== undefined && before.killAt >= killAt) return
    entry.graces.set(uid, { seconds, startedAt: before?.startedAt ?? event.at, killAt })
  }

  /** A mirror that outlives the worker of its static pod stands alone from now on. */
  #markLoneMirror(
    entry: AgentEntry,
    metadata: { readonly namespace: string; readonly name: string; readonly uid: string },
  ): void {
    const { nodeName, podManager } = entry.agent
    const mirror = podManager.getMirrorPodByPod({ metadata, spec: { containers: [] } })
    if (mirror !== undefined)
      this.#emit({ kind: 'row', key: `${this.id}/${nodeName}/${mirror.metadata.uid}` })
  }

  /** The node of this cluster that the pod is bound to; empty where it is bound to none that runs here. */
  #homeOf({ spec }: Pod): string {
    const { nodeName = '' } = spec
    return this.#agents.has(nodeName) ? nodeName : ''
  }

  /** Whether its row is made of what a kubelet knows; a mirror belongs to its static pod's. */
  #isInKubelet(pod: Pod): boolean {
    const entry = this.#agents.get(this.#homeOf(pod))
    if (entry === undefined) return false
    const { podManager, podWorkers } = entry.agent
    const { uid } = pod.metadata
    return (
      isMirror(pod) ||
      podManager.getPodByUID(uid) !== undefined ||
      podWorkers.lastPod(uid) !== undefined
    )
  }

  #markApiPod(pod: Pod): void {
    const entry = this.#agents.get(this.#homeOf(pod))
    const { uid } = pod.metadata
    if (entry === undefined) this.#emit({ kind: 'row', key: `${this.id}//${uid}` })
    else this.#markRow(entry, uid)
  }

  /** The named uid and, for a mirror's, the static pod that stands for it in the table. */
  #markRow(entry: AgentEntry, uid: string): void {
    const node = entry.agent.nodeName
    const shown = entry.agent.podManager.translatePodUID(uid)
    this.#emit({ kind: 'row', key: `${this.id}/${node}/${uid}` })
    if (shown !== uid) this.#emit({ kind: 'row', key: `${this.id}/${node}/${shown}` })
  }

  #uids(entry: AgentEntry): Set<string> {
    const { podManager, podWorkers } = entry.agent
    return new Set([
      ...podManager.getPods().map((pod) => pod.metadata.uid),
      ...podWorkers.recordUids(),
      ...this.#loneMirrors(entry).map((mirror) => mirror.metadata.uid),
    ])
  }

  /** Orphaned mirrors, but for those whose static pod a worker still has: they stay in that pod's row. */
  #loneMirrors({ agent: { podManager, podWorkers } }: AgentEntry): readonly Pod[] {
    const { allMirrorPods, orphanedMirrorPodFullNames } = podManager.getPodsAndMirrorPods()
    if (orphanedMirrorPodFullNames.length === 0) return []
    const lone = new Set(orphanedMirrorPodFullNames)
    for (const uid of podWorkers.recordUids()) {
      const pod = podWorkers.lastPod(uid)
      if (pod !== undefined && isStatic(pod)) lone.delete(fullNameOf(pod))
    }
    return allMirrorPods.filter((mirror) => lone.has(fullNameOf(mirror)))
  }

  #find(
    key: PodKey,
  ): { readonly entry: AgentEntry | undefined; readonly known: PodKnowledge } | undefined {
    const [cluster, node = '', ...rest] = key.split('/')
    if (cluster !== this.id) return undefined
    const entry = this.#agents.get(node)
    const uid = rest.join('/')
    const known =
      (entry === undefined ? undefined : this.#knowledge(entry, uid)) ??
      this.#apiKnowledge(uid, node)
    return known === undefined ? undefined : { entry, known }
  }

  #trackedPod(entry: AgentEntry, uid: string): readonly Tracked[] {
    const pod = this.#podFor(entry, uid)
    if (pod === undefined) return []
    const subject = podSubject(pod)
    const mirror = isStatic(pod) ? entry.agent.podManager.getMirrorPodByPod(pod) : undefined
    const apiUid = (mirror ?? pod).metadata.uid
    return [
      { node: entry.agent.nodeName, subject },
      { node: '', subject: { ...subject, kind: 'object', resource: 'pods', uid: apiUid } },
    ]
  }

  /** What is known of a pod that only the API server has; undefined where it has none of this uid on `node`. */
  #apiKnowledge(uid: string, node: string): PodKnowledge | undefined {
    const pod = this.#apiPods?.get(uid)
    if (pod === undefined || this.#homeOf(pod) !== node || this.#isInKubelet(pod)) return undefined
    const agent = this.#agents.get(node)?.agent
    const noKubelet = whyNoKubelet(
      pod,
      agent && {
        name: node,
        isRunning: agent.nodeView().agent === 'running',
        isCutOff: this.#isCutOff(node),
      },
    )
    return {
      cluster: this.id,
      node,
      pod,
      mirror: undefined,
      api: pod,
      noKubelet,
      localStatus: undefined,
      worker: undefined,
      grace: undefined,
      runningContainers: 0,
      isListed: true,
      mirrorTrouble: undefined,
      isServerAway: this.#isServerAway(node),
      notSimulated: notSimulatedOf(pod, this.#identity.sandbox),
    }
  }

  /** The API object of a pod, for a static pod its mirror. */
  #apiObject(pod: Pod, mirror: Pod | undefined): Pod | null | undefined {
    if (this.#apiPods === undefined) return undefined
    const object = isStatic(pod) ? mirror : pod
    return object === undefined ? null : (this.#apiPods.get(object.metadata.uid) ?? null)
  }

  #knowledge(entry: AgentEntry, uid: string): PodKnowledge | undefined {
    const { agent } = entry
    const pod = this.#podFor(entry, uid)
    if (pod === undefined) return undefined
    const worker = agent.podWorkers.workerView(uid)
    const runtime = agent.podCache.get(uid)
    const mirror = isStatic(pod) ? agent.podManager.getMirrorPodByPod(pod) : undefined
    return {
      cluster: this.id,
      node: agent.nodeName,
      pod,
      mirror,
      api: this.#apiObject(pod, mirror),
      noKubelet: '',
      localStatus: agent.statusManager.getPodStatus(uid),
      worker: worker === undefined ? undefined : { ...worker, ...this.#versions(agent, uid) },
      grace: worker?.state === 'TerminatingPod' ? entry.graces.get(uid) : undefined,
      runningContainers: runtime.ok
        ? runtime.value.containers.filter((container) => container.state === 'running').length
        : 0,
      isListed: agent.podManager.getPodByUID(uid) !== undefined || isMirror(pod),
      mirrorTrouble: agent.mirrorTrouble?.(uid),
      isServerAway: this.#isServerAway(agent.nodeName),
      notSimulated: entry.unreadCommands.addedTo(notSimulatedOf(pod, this.#identity.sandbox), pod),
    }
  }

  /** Who keeps a waiting static pod from its turn: the started static pod of the same full name. */
  #nameHolder(entry: AgentEntry, { pod, worker }: PodKnowledge): NameHolder | undefined {
    if (worker?.state !== 'waiting' || !isStatic(pod)) return undefined
    const { podWorkers } = entry.agent
    const fullName = fullNameOf(pod)
    for (const uid of podWorkers.recordUids()) {
      const other = uid === pod.metadata.uid ? undefined : podWorkers.lastPod(uid)
      const view = other === undefined ? undefined : podWorkers.workerView(uid)
      if (other === undefined || view === undefined || fullNameOf(other) !== fullName) continue
      if (isStatic(other) && view.startedAt !== null && !view.finished)
        return { uid, state: view.state, killAt: entry.graces.get(uid)?.killAt ?? null }
    }
    return undefined
  }

  #versions(
    agent: NodeAgent,
    uid: string,
  ): { readonly statusVersion: number | null; readonly statusVersionSent: number | null } {
    const versions = agent.statusManager.versions(uid)
    return { statusVersion: versions?.cached ?? null, statusVersionSent: versions?.sent ?? null }
  }

  #podFor(entry: AgentEntry, uid: string): Pod | undefined {
    const { podManager, podWorkers } = entry.agent
    // A worker may outlive its pod in the config.
    const pod = podManager.getPodByUID(uid) ?? podWorkers.lastPod(uid)
    if (pod !== undefined) return pod
    entry.graces.delete(uid)
    const stored = this.#apiPods?.get(uid)
    if (stored !== undefined && !isMirror(stored)) return undefined
    return this.#loneMirrors(entry).find((mirror) => mirror.metadata.uid === uid)
  }
}
