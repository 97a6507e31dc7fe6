import type {
  MenuItem,
  ActError,
  ActReceipt,
  Bridge,
  ClockReceipt,
  EventName,
  Events,
  NodeRef,
  RequestName,
  Requests,
  Snapshot,
  ViewPatch,
} from '../../shared/ipc/contract.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { FlowView } from '../../shared/model/flow.ts'
import type { ManifestCheck, ManifestsView } from '../../shared/model/manifests.ts'
import type { KubeletLogView, LogLines } from '../../shared/model/kubelet-log.ts'
import type { GotchaView } from '../../shared/model/scenarios/gotcha.ts'
import type { NodeVerdict, WorkloadsView } from '../../shared/model/workloads/workloads.ts'
import type { InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { PodPorts } from '../../shared/model/inside-pod/port-forward.ts'
import type { TimelineView } from '../../shared/model/timeline/timeline.ts'
import { noEvents } from '../../shared/model/timeline/cluster-events.ts'
import type { ClusterEventList } from '../../shared/model/timeline/cluster-events.ts'
import type { SeenNodeAct } from '../../shared/model/seen/drain.ts'
import type { NodeRowsAct } from '../../shared/model/forecast/rows-forecast.ts'
import type { KubeconfigView } from '../../shared/model/seen/kubeconfigs.ts'
import type { LossWay } from '../../shared/model/loss/loss.ts'
import type {
  ThresholdProblem,
  ThresholdTexts,
} from '../../shared/model/pressure/threshold-texts.ts'
import type { PressureView } from '../../shared/model/pressure/pressure-view.ts'
import type { PodCgroups } from '../../shared/model/inside-pod/pod-cgroups.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type {
  CausalChain,
  MirrorHistoryEntry,
  PodEventList,
  PodObjects,
} from '../../shared/model/pod-objects.ts'
import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { PodLogs } from '../../shared/model/pod-logs.ts'
import type { PodUse } from '../../shared/model/inside-pod/pod-use.ts'
import type { PodVolumes } from '../../shared/model/inside-pod/pod-volumes.ts'
import type { ProbeView } from '../../shared/model/probe-view.ts'
import type { TerminalEnd } from '../../shared/model/terminal.ts'
import type { Fault } from '../../shared/model/node/fault.ts'
import type { ApplyCheck } from '../../shared/model/apply/apply-yaml.ts'
import type { Result } from '../../shared/result.ts'
import { err, ok } from '../../shared/result.ts'
import { startedReadOnly } from '../../shared/model/forecast/read-only.ts'
import { fakeCluster, fakeDetail } from './fake-views.ts'

type Listeners = { readonly [K in EventName]: Set<(payload: Events[K]) => void> }

type Handlers = {
  readonly [K in RequestName]: (args: Requests[K]['args']) => Requests[K]['reply']
}

export interface SentRequest {
  readonly name: RequestName
  readonly args: unknown
}

export interface PatchPart {
  readonly upserts?: readonly PodRow[]
  readonly removed?: readonly PodKey[]
  readonly clusters?: readonly ClusterView[]
  readonly now?: Readonly<Record<string, number>>
  readonly closed?: readonly string[]
}

export interface FakeBridgeStart {
  readonly rows?: readonly PodRow[]
  readonly clusters?: readonly ClusterView[]
  readonly readOnly?: boolean
}

/** A fake main process in memory: rows, numbered patches, details, and the answers of acts. */
export class FakeBridge implements Bridge {
  /** The log that is open, or that is opened. */
  kubeletLog: KubeletLogView | null = null
  logLines: (query: Requests['log.lines']['args']) => LogLines = () => ({
    lines: [],
    next: null,
    previous: null,
  })
  /** All requests of the page, in order. */
  readonly sent: SentRequest[] = []
  /** The answer of acts; by default they are started. */
  actAnswer: (name: RequestName, key: PodKey, grace: number | null) => Result<ActReceipt, ActError>
  /** Main's answers; a test sets what it needs. */
  readonly objects = new Map<PodKey, PodObjects>()
  logs: (args: Requests['pod.logs']['args']) => PodLogs | null = () => ({ parts: [], error: '' })
  /** The number of the terminal that the page opened last. */
  terminal = 0
  terminalAnswer: Requests['terminal.open']['reply'] = ok(null)
  readonly probes = new Map<PodKey, readonly ProbeView[]>()
  readonly uses = new Map<PodKey, PodUse>()
  readonly cgroups = new Map<PodKey, PodCgroups>()
  /** By node. */
  readonly pressures = new Map<string, PressureView>()
  useOtherAnswer: Requests['node.useOther']['reply'] = ok({ message: 'Changed the other use' })
  readonly thresholds = new Map<string, ThresholdTexts>()
  thresholdProblems: readonly ThresholdProblem[] = []
  readonly losses = new Map<PodKey, Requests['pod.losses']['reply']>()
  lossAnswer: (way: LossWay) => Requests['pod.rehearseLoss']['reply'] = () =>
    err({ kind: 'failed', message: 'The copy did not start.' })
  readonly volumes = new Map<PodKey, PodVolumes>()
  variable: Requests['pod.variable']['reply'] = ok({ value: 'secret' })
  readonly events = new Map<PodKey, PodEventList>()
  readonly mirrorHistories = new Map<PodKey, readonly MirrorHistoryEntry[]>()
  readonly chains = new Map<number, CausalChain>()
  flow: FlowView | null = null
  manifests: ManifestsView | null = null
  readonly manifestTexts = new Map<string, string>()
  /** The last valid versions of files that are invalid now. */
  readonly manifestGoodTexts = new Map<string, string>()
  manifestCheck: (name: string, text: string) => ManifestCheck = () => ({
    ok: true,
    problems: [],
    notSimulated: [],
    pod: null,
    effect: '',
  })
  /** The answer of a step of the clock; by default it pauses and no timer is due. */
  clockStep: (cluster: string) => Result<ClockReceipt, ActError>
  gotchas: readonly GotchaView[] = []
  scenarios: Requests['scenarios.list']['reply'] = { shipped: [], recent: [] }
  /** The answer of opening a scenario; `open` adds its cluster. */
  openScenarioAnswer: (name: string) => Requests['scenario.open']['reply'] = (name) =>
    ok({ cluster: `scenario-${name}` })
  savedFileAnswer: Requests['scenario.save']['reply'] = ok({
    kind: 'text',
    name: 'lesson.yaml',
    text: 'kind: Scenario\n',
  })
  stateAnswer: Requests['state.reset']['reply'] = ok({ message: 'A new sandbox has started.' })
  kubeconfigs: readonly KubeconfigView[] = []
  readKubeconfigAnswer: Requests['kubeconfigs.read']['reply'] = err({
    kind: 'refused',
    message: 'It is not a kubeconfig.',
  })
  /** The answer of opening a context; `open` adds its cluster. */
  openClusterAnswer: (args: Requests['cluster.open']['args']) => Requests['cluster.open']['reply'] =
    ({ context }) => ok({ kind: 'opened', cluster: context ?? 'current' })
  joinPlan: Requests['cluster.checkJoin']['reply'] = ok({
    lines: ['node joined-1 will be created'],
    refusal: '',
    needsAllowSimulated: false,
    manifestsPath: '/home/ada/.nodescope/joined/prod-eu1/joined-1/manifests',
  })
  rightsAnswer: Requests['cluster.rights']['reply'] = err({
    kind: 'not-found',
    message: 'This cluster is no longer open.',
  })
  clusterEvents: ClusterEventList = { ...noEvents, note: '' }
  clusterTimeline: TimelineView = {
    from: 0,
    to: 0,
    podCount: 0,
    records: 'event',
    pods: [],
    nodeMarks: [],
    marksLeftOut: 0,
  }
  host: 'electron' | 'web' = 'web'
  podPorts: PodPorts = { named: [], forwards: [] }
  startPortAnswer: Requests['ports.start']['reply'] = err({
    kind: 'refused',
    message: 'Port 8080 of this machine is taken.',
  })
  rehearsalAnswer: Requests['pod.rehearseEviction']['reply'] = ok({
    isAccepted: true,
    code: 201,
    message: '',
  })
  seenNodeForecast: (node: string, act: SeenNodeAct) => Requests['seenNode.forecast']['reply'] = (
    node,
    act,
  ) =>
    ok({
      act,
      isAllowed: true,
      refusal: '',
      title: `${act} ${node}`,
      summary: '',
      unknown: [],
      kubectl: `kubectl ${act} ${node}`,
      confirm: act,
      pods: [],
      isRehearsed: false,
      note: '',
    })
  cordonAnswer: (node: string, act: NodeRowsAct) => Requests['node.cordon']['reply'] = (
    node,
    act,
  ) => ok({ message: `${act} ${node}` })
  /** The pod of --pod. */
  openPod = ''
  readonly #readOnly: boolean
  readonly #rows = new Map<PodKey, PodRow>()
  readonly #details = new Map<PodKey, PodDetail>()
  readonly #listeners: Listeners = {
    'view.patched': new Set(),
    'pod.detailed': new Set(),
    'flow.changed': new Set(),
    'inspect.changed': new Set(),
    'workloads.changed': new Set(),
    'terminal.printed': new Set(),
    'terminal.ended': new Set(),
    'menu.chosen': new Set(),
  }
  readonly #connections = new Set<(state: 'connected' | 'lost') => void>()
  readonly #refusals = new Set<(message: string) => void>()
  #clusters: readonly ClusterView[]
  #epoch = 'first'
  #number = 0
  #watched: PodKey | null = null
  #isLost = false

  constructor({ rows = [], clusters = [fakeCluster()], readOnly = false }: FakeBridgeStart = {}) {
    for (const row of rows) this.#rows.set(row.key, row)
    this.#clusters = clusters
    this.#readOnly = readOnly
    this.clockStep = (cluster) => this.#setClock(cluster, { paused: true })
    this.actAnswer = (name) => ok({ act: 'kill', message: `${name} was begun.` })
  }

  /** The objects of a pod; by default there are none. */
  setObjects(key: PodKey, part: Partial<PodObjects>): void {
    this.objects.set(key, {
      pod: null,
      api: null,
      apiNote: '',
      mirror: null,
      status: null,
      ...part,
    })
  }

  request = <K extends RequestName>(
    name: K,
    args: Requests[K]['args'],
  ): Promise<Requests[K]['reply']> => {
    if (this.#isLost) return Promise.reject(new Error('the connection is lost'))
    this.sent.push({ name, args })
    const handler: Handlers[K] = this.#handlers[name]
    return Promise.resolve(handler(args))
  }

  subscribe = <K extends EventName>(
    name: K,
    listener: (payload: Events[K]) => void,
  ): (() => void) => {
    const listeners: Listeners[K] = this.#listeners[name]
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  onConnection = (listener: (state: 'connected' | 'lost') => void): (() => void) => {
    this.#connections.add(listener)
    return () => this.#connections.delete(listener)
  }

  onRefused = (listener: (message: string) => void): (() => void) => {
    this.#refusals.add(listener)
    return () => this.#refusals.delete(listener)
  }

  get rows(): readonly PodRow[] {
    return [...this.#rows.values()]
  }

  get clusters(): readonly ClusterView[] {
    return this.#clusters
  }

  sentArgs(name: RequestName): readonly unknown[] {
    return this.sent.filter((request) => request.name === name).map((request) => request.args)
  }

  /** Changes main's data and sends a patch to the page. */
  patch(part: PatchPart): void {
    for (const row of part.upserts ?? []) this.#rows.set(row.key, row)
    for (const key of part.removed ?? []) this.#rows.delete(key)
    const changed = new Map((part.clusters ?? []).map((view) => [view.id, view]))
    this.#clusters = this.#clusters.map((view) => changed.get(view.id) ?? view)
    this.#number++
    this.emit({
      epoch: this.#epoch,
      number: this.#number,
      now: part.now ?? {},
      upserts: part.upserts ?? [],
      removed: part.removed ?? [],
      clusters: part.clusters ?? [],
      closed: part.closed ?? [],
    })
    const watched = part.upserts?.find((row) => row.key === this.#watched)
    if (watched !== undefined && !this.#isLost)
      for (const listener of this.#listeners['pod.detailed']) listener(this.#detail(watched))
  }

  /** Adds a cluster with its rows. */
  open(cluster: ClusterView, rows: readonly PodRow[]): void {
    this.#clusters = [...this.#clusters, cluster]
    this.patch({ clusters: [cluster], upserts: rows })
  }

  /** Closes a cluster and removes its rows. */
  close(id: string): void {
    this.#clusters = this.#clusters.filter((view) => view.id !== id)
    for (const row of this.rows) if (row.cluster === id) this.#rows.delete(row.key)
    this.patch({ closed: [id] })
  }

  /** Sends a patch as it is, valid or not. */
  emit(patch: ViewPatch): void {
    if (this.#isLost) return
    for (const listener of this.#listeners['view.patched']) listener(patch)
  }

  /** Something was chosen in Electron's menu. */
  chooseInMenu(item: MenuItem): void {
    for (const listener of this.#listeners['menu.chosen']) listener({ item })
  }

  /** Sets the detail of a pod and sends it. */
  tell(detail: PodDetail): void {
    this.#details.set(detail.row.key, detail)
    if (detail.row.key === this.#watched)
      for (const listener of this.#listeners['pod.detailed']) listener(detail)
  }

  /** Prints on the page's last terminal. */
  print(text: string, dropped = 0): void {
    for (const listener of this.#listeners['terminal.printed'])
      listener({ id: this.terminal, text, dropped })
  }

  /** Ends the page's last terminal. */
  endTerminal(end: TerminalEnd): void {
    for (const listener of this.#listeners['terminal.ended'])
      listener({ id: this.terminal, ...end })
  }

  /** Restarts main: another epoch, numbered from one. */
  restart(): void {
    this.#epoch = `${this.#epoch} again`
    this.#number = 0
  }

  lose(): void {
    this.#isLost = true
    for (const listener of this.#connections) listener('lost')
  }

  /** Main refuses this page. */
  refuse(message: string): void {
    this.#isLost = true
    for (const listener of this.#refusals) listener(message)
  }

  restore(): void {
    this.#isLost = false
    for (const listener of this.#connections) listener('connected')
  }

  /** What `yaml.check` and `yaml.apply` answer. */
  applyCheck: ApplyCheck = { objects: [], problems: [] }
  applyAnswer: (dryRun: boolean) => Requests['yaml.apply']['reply'] = () =>
    err({ kind: 'not-found', message: 'none' })
  /** What `owner.forecast` answers. */
  ownerForecast: Requests['owner.forecast']['reply'] = err({ kind: 'not-found', message: 'none' })
  /** What `nodeEdit.forecast` answers. */
  nodeEditForecast: Requests['nodeEdit.forecast']['reply'] = err({
    kind: 'not-found',
    message: 'none',
  })
  /** What `faults.list` answers. */
  faults: readonly Fault[] = []
  /** What `workloads.verdicts` answers. */
  verdicts: readonly NodeVerdict[] | null = null
  /** What `workloads.watch` answers. */
  workloads: WorkloadsView | null = null

  inspect(of: NodeRef, view: InspectView): void {
    for (const listener of this.#listeners['inspect.changed']) listener({ ...of, view })
  }

  /** Sets the node's flow and sends it. */
  tellFlow(flow: FlowView): void {
    this.flow = flow
    for (const listener of this.#listeners['flow.changed']) listener(flow)
  }

  #setClock(id: string, part: Partial<ClusterView['clock']>): Result<ClockReceipt, ActError> {
    const cluster = this.#clusters.find((view) => view.id === id)
    if (cluster === undefined) return err({ kind: 'not-found', message: `There is no ${id}.` })
    const clock = { ...cluster.clock, ...part }
    this.patch({ clusters: [{ ...cluster, clock }] })
    return ok({ clock, stepped: null })
  }

  #snapshot(): Snapshot {
    return {
      epoch: this.#epoch,
      number: this.#number,
      program: {
        version: '0.1.0',
        host: this.host,
        readOnly: this.#readOnly,
        openPod: this.openPod,
      },
      clusters: this.#clusters,
      rows: this.rows,
    }
  }

  #detail(row: PodRow): PodDetail {
    const told = this.#details.get(row.key) ?? fakeDetail(row)
    return {
      ...told,
      row,
      facts: { ...told.facts, ...(this.#readOnly ? { readOnly: startedReadOnly } : {}) },
    }
  }

  #openLog(): Result<KubeletLogView, ActError> {
    return this.kubeletLog === null
      ? err({ kind: 'failed', message: 'The log cannot be read: it does not exist.' })
      : ok(this.kubeletLog)
  }

  #describe(key: PodKey | null): PodDetail | null {
    const row = key === null ? undefined : this.#rows.get(key)
    return row === undefined ? null : this.#detail(row)
  }

  readonly #handlers: Handlers = {
    'view.open': () => this.#snapshot(),
    'view.acknowledge': () => null,
    'pods.facts': ({ keys }) => keys.map((key) => this.#describe(key)?.facts ?? null),
    'node.cordon': ({ node, act }) => this.cordonAnswer(node, act),
    'pod.watch': ({ key }) => {
      this.#watched = key
      return this.#describe(key)
    },
    'pod.describe': ({ key }) => this.#describe(key),
    'uid.translate': ({ uid }) => {
      const row = this.rows.find((candidate) => [candidate.uid, candidate.mirrorUid].includes(uid))
      return row === undefined || row.kind !== 'static'
        ? null
        : { node: row.node, staticUid: row.uid, mirrorUid: row.mirrorUid ?? '' }
    },
    'pod.kill': ({ key, gracePeriodSeconds }) =>
      this.actAnswer('pod.kill', key, gracePeriodSeconds),
    'pod.evictByKubelet': ({ key }) => this.actAnswer('pod.evictByKubelet', key, null),
    'pod.evictThroughApi': ({ key, gracePeriodSeconds }) =>
      this.actAnswer('pod.evictThroughApi', key, gracePeriodSeconds),
    'pod.delete': ({ key, gracePeriodSeconds }) =>
      this.actAnswer('pod.delete', key, gracePeriodSeconds),
    'pod.forceDelete': ({ key }) => this.actAnswer('pod.forceDelete', key, 0),
    'pod.deleteMirror': ({ key, force }) =>
      this.actAnswer('pod.deleteMirror', key, force ? 0 : null),
    'pod.use': ({ key }) => this.uses.get(key) ?? null,
    'pod.cgroups': ({ key }) => this.cgroups.get(key) ?? null,
    'pod.setBehavior': ({ name }) => ok({ message: `Set ${name}` }),
    'pod.restartContainer': ({ key, gracePeriodSeconds }) =>
      this.actAnswer('pod.restartContainer', key, gracePeriodSeconds),
    'pod.probes': ({ key }) => this.probes.get(key) ?? [],
    'pod.volumes': ({ key }) => this.volumes.get(key) ?? null,
    'pod.variable': () => this.variable,
    'pod.logs': (args) => this.logs(args),
    'terminal.open': ({ id }) => {
      this.terminal = id
      return this.terminalAnswer
    },
    'terminal.write': () => null,
    'terminal.resize': () => null,
    'terminal.close': () => null,
    'pod.objects': ({ key }) => this.objects.get(key) ?? null,
    'pod.events': ({ key }) => this.events.get(key) ?? { events: [], note: '' },
    'mirror.history': ({ key }) => this.mirrorHistories.get(key) ?? [],
    'flow.watch': ({ node }) => (node === null ? null : this.flow),
    'inspect.watch': () => null,
    'workloads.watch': () => this.workloads,
    'inspect.acceptCertificate': () => null,
    'trace.related': ({ seq }) => this.chains.get(seq) ?? null,
    'clock.pause': ({ cluster }) => this.#setClock(cluster, { paused: true }),
    'clock.run': ({ cluster }) => this.#setClock(cluster, { paused: false }),
    'clock.step': ({ cluster }) => this.clockStep(cluster),
    'clock.setSpeed': ({ cluster, speed }) => this.#setClock(cluster, { speed }),
    'clock.seek': ({ cluster, at }) => this.#setClock(cluster, { now: at, paused: true }),
    'cluster.retry': () => ok(null),
    'cluster.allowChanges': () => ok(null),
    'cluster.endChanges': () => null,
    'kubeconfigs.list': () => this.kubeconfigs,
    'kubeconfigs.read': () => this.readKubeconfigAnswer,
    'kubeconfigs.forget': ({ path }) => {
      this.kubeconfigs = this.kubeconfigs.filter(
        ({ source }) => source.kind !== 'file' || source.path !== path,
      )
      return null
    },
    'cluster.open': (args) => this.openClusterAnswer(args),
    'cluster.close': ({ cluster }) => {
      this.close(cluster)
      return ok({ message: `Closed ${cluster}` })
    },
    'recording.start': () => ok({ message: 'Recording to /recordings/r.ndjson' }),
    'recording.stop': () => ok({ message: 'Recorded to /recordings/r.ndjson' }),
    'recording.open': ({ cluster }) => ok({ cluster: `recording ${cluster}` }),
    'cluster.checkJoin': () => this.joinPlan,
    'cluster.join': ({ cluster, node }) => ok({ cluster: `${cluster} ${node}` }),
    'cluster.leave': ({ cluster }) => {
      this.close(cluster)
      return ok({ message: `Left ${cluster}` })
    },
    'cluster.rights': () => this.rightsAnswer,
    'cluster.events': () => this.clusterEvents,
    'cluster.timeline': () => this.clusterTimeline,
    'ports.list': () => this.podPorts,
    'ports.start': () => this.startPortAnswer,
    'ports.stop': () => null,
    'pod.rehearseEviction': () => this.rehearsalAnswer,
    'seenNode.forecast': ({ node, act }) => this.seenNodeForecast(node, act),
    'seenNode.act': ({ node, act }) => ok({ message: `${act} of ${node} has begun` }),
    'seenNode.stopDrain': ({ node }) => ok({ message: `Stopped the drain of ${node}` }),
    'owner.forecast': () => this.ownerForecast,
    'workloads.verdicts': () => this.verdicts,
    'nodeEdit.read': () => ok({ labels: 'zone=a', taints: '' }),
    'nodeEdit.forecast': () => this.nodeEditForecast,
    'nodeEdit.act': ({ node }) => ok({ message: `Changed labels and taints of ${node}` }),
    'faults.list': () => this.faults,
    'faults.set': ({ faults }) => {
      this.faults = faults
      return ok({ message: 'The faults have changed' })
    },
    'yaml.check': () => this.applyCheck,
    'yaml.apply': ({ dryRun }) => this.applyAnswer(dryRun),
    'owner.act': ({ act }) => ok({ message: `${act} has begun` }),
    'node.pressure': ({ node }) => this.pressures.get(node) ?? null,
    'node.useOther': () => this.useOtherAnswer,
    'node.thresholds': ({ node }) => this.thresholds.get(node) ?? null,
    'node.checkThresholds': () => this.thresholdProblems,
    'node.setThresholds': ({ node }) => ok({ message: `Restarted the kubelet of ${node}` }),
    'pod.losses': ({ key }) => this.losses.get(key) ?? ok([]),
    'pod.rehearseLoss': ({ way }) => this.lossAnswer(way),
    'node.act': ({ node, act }) => ok({ message: `${act} of ${node} has begun` }),
    'cluster.cutOff': () => ok({ message: 'The nodes are cut off' }),
    'cluster.reconnect': () => ok({ message: 'The nodes are connected again' }),
    'gotchas.list': () => this.gotchas,
    'scenarios.list': () => this.scenarios,
    'scenario.open': ({ source }) => this.openScenarioAnswer(source.name),
    'scenario.close': () => ok({ message: 'Scenario closed' }),
    'scenario.save': () => this.savedFileAnswer,
    'state.export': () => this.savedFileAnswer,
    'state.reset': () => this.stateAnswer,
    'state.import': ({ isLast }) => (isLast ? this.stateAnswer : ok(null)),
    'manifests.list': () => this.manifests,
    'manifests.read': ({ name }) => {
      const text = this.manifestTexts.get(name)
      return text === undefined
        ? err({ kind: 'not-found', message: `There is no ${name}.` })
        : ok({ name, text, goodText: this.manifestGoodTexts.get(name) ?? null })
    },
    'manifests.check': ({ name, text }) => ok(this.manifestCheck(name, text)),
    'manifests.write': ({ name, text }) => {
      this.manifestTexts.set(name, text)
      return ok({ message: `${name} is written.` })
    },
    'manifests.remove': ({ name }) => {
      this.manifestTexts.delete(name)
      return ok({ message: `${name} is removed.` })
    },
    'manifests.undo': () => ok({ message: 'Taken back.' }),
    'manifests.restore': ({ name }) => ok({ message: `${name} is as it was.` }),
    'log.list': () => (this.kubeletLog === null ? [] : [this.kubeletLog]),
    'log.open': () => this.#openLog(),
    'log.choose': () => this.#openLog(),
    'log.openJournal': () => this.#openLog(),
    'log.upload': () => this.#openLog(),
    'log.pods': () => this.kubeletLog,
    'log.lines': (query) => this.logLines(query),
    'log.search': () => ({ hits: [], next: null }),
    'log.follow': () => this.#openLog(),
    'log.close': () => null,
    'log.write': () => null,
  }
}
