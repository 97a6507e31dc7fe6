import type {
  ActError,
  ActReceipt,
  NodeRef,
  RequestHandlers,
  RequestName,
  Requests,
} from '../../shared/ipc/contract.ts'
import type { InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { WorkloadsView } from '../../shared/model/workloads/workloads.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { OpenLogs } from '../inspector/kubelet-log/open-logs.ts'
import { journalCommand } from '../inspector/kubelet-log/open-logs.ts'
import type { Log } from '../kubelet/ports.ts'
import { applyReceipt } from './apply/apply-commands.ts'
import type { ServedCluster } from './cluster/open-cluster.ts'
import { logCluster, LogSession } from './logs/log-session.ts'
import { clusterIdOfKey } from './hub.ts'
import type { Hub, HubConnection } from './hub.ts'
import type { ManifestEditor } from './manifests/manifest-editor.ts'
import type { SeenClusters, SeenClustersDeps } from './seen/seen-clusters.ts'
import { PageRecordings } from './recorded/page-recordings.ts'
import { PageWatch } from './page-watch.ts'
import { saveScenario } from './scenarios/save-scenario.ts'
import type { Scenarios, ScenariosDeps } from './scenarios/scenarios.ts'
import type { SaveFile } from './session-ports.ts'
import { StateRequests } from './state/state-requests.ts'
import type { StateCommands } from './state/state-commands.ts'
import type { LoadState } from './state/state-requests.ts'
import { PageTerminals } from './terminals/page-terminals.ts'
import type { SessionChannel, SessionConnection } from './session-channel.ts'

type ActResult = Result<ActReceipt, ActError>

const waitsForClock = 'the clock is paused; the effects wait until it runs'

const noLogs = err({ kind: 'refused', message: 'This session reads no logs.' } as const)

const onlyInSandbox = err({
  kind: 'refused',
  message: 'Only pods of a sandbox can be copied and lost.',
} as const)

const notFound = err({ kind: 'not-found', message: 'This cluster is no longer open.' } as const)

/** What belongs to one page. */
interface PageParts {
  readonly view: HubConnection
  readonly terminals: PageTerminals
  readonly inspection: PageWatch<NodeRef, InspectView>
  readonly workloads: PageWatch<string, WorkloadsView>
  readonly state: StateRequests
}

interface SessionServerDeps {
  readonly hub: Hub
  readonly log: Log
  /** Imported when the first page asks. */
  readonly loadScenarios: (deps: Pick<ScenariosDeps, 'onOpen' | 'onClose'>) => Promise<Scenarios>
  /** Clusters of kubeconfigs; imported when the first page asks, because it costs a start some 100 ms. */
  readonly loadSeenClusters: (
    deps: Pick<SeenClustersDeps, 'onOpen' | 'onClose' | 'ids'>,
  ) => Promise<SeenClusters>
  /** Of the program's own sandbox; absent or undefined: it has none. */
  readonly loadState?: LoadState | undefined
  readonly saveFile?: SaveFile | undefined
  /** See `SessionPorts`. */
  readonly chooseFiles?: (() => Promise<readonly string[]>) | undefined
  /** Of kubelets; absent: none can be opened. */
  readonly logs?: OpenLogs | undefined
}

/** Answers the contract's requests from the clusters and the hub. A missing handler does not compile. */
export class SessionServer implements SessionChannel {
  readonly #deps: SessionServerDeps
  readonly #clusters = new Map<string, ServedCluster>()
  readonly #recordings: PageRecordings
  #seen: Promise<SeenClusters> | undefined
  #scenarios: Promise<Scenarios> | undefined
  #state: ReturnType<LoadState> | undefined

  constructor(deps: SessionServerDeps) {
    this.#deps = deps
    if (deps.logs !== undefined) this.#showLogs(deps.logs)
    this.#recordings = new PageRecordings(this.#shown)
  }

  /** Shows logs as clusters. */
  #showLogs(logs: OpenLogs): void {
    const sources = new Map<string, LogSession>()
    logs.listen({
      begun: (log) => {
        const source = new LogSession(log)
        sources.set(source.id, source)
      },
      opened: (id) => {
        const source = sources.get(id)
        if (source === undefined) return
        source.refresh()
        this.add(logCluster(source))
      },
      read: (id) => sources.get(id)?.refresh(),
      closed: (id) => {
        if (sources.delete(id)) this.#remove(id)
      },
    })
  }

  add(cluster: ServedCluster): void {
    this.#clusters.set(cluster.session.id, cluster)
    this.#deps.hub.add(cluster.session)
  }

  /** The clusters of kubeconfigs. */
  async seenClusters(): Promise<SeenClusters> {
    this.#seen ??= this.#deps.loadSeenClusters({
      ...this.#shown,
      ids: () => [...this.#clusters.keys()],
    })
    return await this.#seen
  }

  async #loadedState(): Promise<StateCommands | undefined> {
    this.#state ??= this.#deps.loadState?.(this.#shown)
    return await this.#state
  }

  async #loadedScenarios(): Promise<Scenarios> {
    this.#scenarios ??= this.#deps.loadScenarios(this.#shown)
    return await this.#scenarios
  }

  /** Closes the scenarios, the clusters and the logs that pages have opened. */
  async stop(): Promise<void> {
    for (const { ports } of this.#clusters.values()) ports.stopAll()
    const [seen, scenarios] = [await this.#seen, await this.#scenarios]
    const ended = await Promise.allSettled([
      this.#recordings.stop(),
      scenarios?.stop(),
      seen?.stop(),
      this.#deps.logs?.stop(),
    ])
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  }

  #remove(id: string): void {
    this.#clusters.get(id)?.ports.stopAll()
    this.#clusters.delete(id)
    this.#deps.hub.remove(id)
  }

  readonly connect: SessionChannel['connect'] = (send): SessionConnection => {
    const { hub } = this.#deps
    const page = {
      state: new StateRequests({
        load: () => this.#loadedState(),
        saveFile: this.#deps.saveFile,
      }),
      view: hub.connect(send),
      terminals: new PageTerminals({ send, clock: hub.deps.clock }),
      inspection: new PageWatch<NodeRef, InspectView>((ref) =>
        this.#clusters.get(ref.cluster)?.inspected?.watch(ref.node, (view) => {
          send('inspect.changed', { ...ref, view })
        }),
      ),
      workloads: new PageWatch<string, WorkloadsView>((cluster) =>
        this.#clusters.get(cluster)?.workloads?.watch((view) => {
          send('workloads.changed', { cluster, view })
        }),
      ),
    }
    return {
      request: async <K extends RequestName>(
        name: K,
        args: Requests[K]['args'],
      ): Promise<Requests[K]['reply']> => this.#handlers[name](args, page),
      close: () => {
        page.terminals.closeAll()
        page.inspection.watch(null)
        page.workloads.watch(null)
        page.view.close()
      },
    }
  }

  /** Shows what a page has opened, and no longer what it has closed. */
  readonly #shown = {
    onOpen: (cluster: ServedCluster): void => {
      this.add(cluster)
    },
    onClose: (id: string): void => {
      this.#remove(id)
    },
  }

  readonly #handlers: RequestHandlers<PageParts> = {
    'view.open': (_args, { view }) => view.open(),
    'view.acknowledge': ({ epoch, number }, { view }) => {
      view.acknowledge(epoch, number)
      return null
    },
    'pod.watch': ({ key }, { view }) => view.watch(key) ?? null,
    'pod.describe': ({ key }) => this.#deps.hub.detail(key) ?? null,
    'flow.watch': ({ node }, { view }) => view.watchFlow(node) ?? null,
    'inspect.watch': ({ node }, { inspection }) => inspection.watch(node),
    'workloads.watch': ({ cluster }, { workloads }) => workloads.watch(cluster),
    'inspect.acceptCertificate': ({ cluster, node, fingerprint }) => {
      this.#clusters.get(cluster)?.inspected?.accept(node, fingerprint)
      return null
    },

    'pod.kill': ({ key, gracePeriodSeconds }) =>
      this.#act(key, (commands) => commands.kill(key, gracePeriodSeconds)),
    'pod.evictByKubelet': ({ key }) => this.#act(key, (commands) => commands.evictByKubelet(key)),
    'pod.evictThroughApi': ({ key, gracePeriodSeconds }) =>
      this.#act(key, (commands) => commands.evictThroughApi(key, gracePeriodSeconds)),
    'pod.delete': ({ key, gracePeriodSeconds }) =>
      this.#act(key, (commands) => commands.delete('delete', key, gracePeriodSeconds)),
    'pod.forceDelete': ({ key }) =>
      this.#act(key, (commands) => commands.delete('forceDelete', key, 0)),
    'pod.deleteMirror': ({ key, force }) =>
      this.#act(key, (commands) => commands.delete('deleteMirror', key, force ? 0 : null)),
    'pod.setBehavior': async ({ key, ...change }) => {
      const cluster = this.#clusterOf(key)
      if (cluster === undefined) return notFound
      cluster.clock.catchUp()
      return cluster.behaviors.set(key, change)
    },
    'pod.restartContainer': ({ key, container, gracePeriodSeconds }) =>
      this.#act(key, (commands) => commands.restartContainer(key, container, gracePeriodSeconds)),

    'pods.facts': ({ keys }) => keys.map((key) => this.#deps.hub.detail(key)?.facts ?? null),
    'uid.translate': ({ cluster, uid }) =>
      this.#clusters.get(cluster)?.session.translate(uid) ?? null,
    'pod.probes': ({ key }) => this.#clusterOf(key)?.session.probes(key) ?? null,
    'pod.use': ({ key }) => this.#clusterOf(key)?.queries.use(key) ?? null,
    'pod.cgroups': ({ key }) => this.#clusterOf(key)?.queries.cgroups(key) ?? null,
    'pod.volumes': ({ key }) => this.#clusterOf(key)?.queries.volumes(key) ?? null,
    'pod.variable': ({ key, ...variable }) =>
      this.#clusterOf(key)?.queries.variable(key, variable) ?? notFound,
    'pod.logs': ({ key, ...query }) => this.#clusterOf(key)?.queries.logs(key, query) ?? null,
    'terminal.open': ({ id, key, columns, rows, ...command }, { terminals }) => {
      const cluster = this.#clusterOf(key)
      if (cluster === undefined) return notFound
      return terminals.open(id, { columns, rows }, (listener) =>
        cluster.terminals.open(key, command, listener),
      )
    },
    'terminal.write': ({ id, text }, { terminals }) => {
      terminals.write(id, text)
      return null
    },
    'terminal.resize': ({ id, ...size }, { terminals }) => {
      terminals.resize(id, size)
      return null
    },
    'terminal.close': ({ id }, { terminals }) => {
      terminals.close(id)
      return null
    },
    'ports.list': ({ key }) => this.#clusterOf(key)?.ports.list(key) ?? null,
    'ports.start': ({ key, port, localPort }) =>
      this.#clusterOf(key)?.ports.start(key, port, localPort) ?? notFound,
    'ports.stop': ({ cluster, id }) => {
      this.#clusters.get(cluster)?.ports.stop(id)
      return null
    },
    'pod.objects': ({ key }) => this.#clusterOf(key)?.queries.objects(key) ?? null,
    'pod.events': ({ key }) => this.#clusterOf(key)?.queries.events(key) ?? null,
    'mirror.history': ({ key }) => this.#clusterOf(key)?.session.mirrorHistory(key) ?? [],
    'trace.related': ({ cluster, seq }) =>
      this.#clusters.get(cluster)?.queries.related(seq) ?? null,

    'clock.pause': ({ cluster }) => this.#clusters.get(cluster)?.clock.pause() ?? notFound,
    'clock.run': ({ cluster }) => this.#clusters.get(cluster)?.clock.run() ?? notFound,
    'clock.step': ({ cluster }) => this.#clusters.get(cluster)?.clock.step() ?? notFound,
    'clock.setSpeed': ({ cluster, speed }) =>
      this.#clusters.get(cluster)?.clock.setSpeed(speed) ?? notFound,
    'clock.seek': ({ cluster, at }) => this.#clusters.get(cluster)?.clock.seek(at) ?? notFound,
    'cluster.retry': ({ cluster }) => {
      const served = this.#clusters.get(cluster)
      served?.retryNow()
      return served === undefined ? notFound : ok(null)
    },

    'cluster.allowChanges': ({ cluster }) =>
      this.#clusters.get(cluster)?.changes?.allow() ?? notFound,
    'cluster.endChanges': ({ cluster }) => {
      this.#clusters.get(cluster)?.changes?.end()
      return null
    },
    'kubeconfigs.list': async () => (await this.seenClusters()).list(),
    'kubeconfigs.read': async ({ source }) => (await this.seenClusters()).read(source),
    'kubeconfigs.forget': async ({ path }) => (await this.seenClusters()).forget(path),
    'cluster.open': async (args) => (await this.seenClusters()).open(args),
    'cluster.close': async ({ cluster }) =>
      (await this.#recordings.close(cluster)) ?? (await this.seenClusters()).close(cluster),
    'recording.start': ({ cluster }) => this.#clusters.get(cluster)?.recording?.start() ?? notFound,
    'recording.stop': ({ cluster }) => this.#clusters.get(cluster)?.recording?.stop() ?? notFound,
    'recording.open': ({ cluster }) => {
      const path = this.#clusters.get(cluster)?.recording?.view?.path
      return path === undefined ? notFound : this.#recordings.open(path)
    },
    'cluster.checkJoin': async (args) => (await this.seenClusters()).joins.check(args),
    'cluster.join': async (args) => (await this.seenClusters()).joins.join(args),
    'cluster.leave': async ({ cluster, deleteNode }) =>
      (await this.seenClusters()).joins.leave(cluster, deleteNode),
    'cluster.rights': ({ cluster, namespace }) =>
      this.#clusters.get(cluster)?.seen?.rights(namespace) ?? notFound,
    'cluster.events': ({ cluster, ...query }) =>
      this.#clusters.get(cluster)?.queries.clusterEvents(query) ?? null,
    'cluster.timeline': ({ cluster, ...query }) =>
      this.#clusters.get(cluster)?.session.timeline(query) ?? null,
    'pod.rehearseEviction': ({ key, gracePeriodSeconds }) =>
      this.#clusterOf(key)?.seen?.rehearseEviction(key, gracePeriodSeconds) ?? notFound,
    'seenNode.forecast': ({ cluster, ...args }) =>
      this.#clusters.get(cluster)?.seen?.nodes.forecast(args) ?? notFound,
    'seenNode.act': ({ cluster, ...args }) =>
      this.#clusters.get(cluster)?.seen?.nodes.act(args) ?? notFound,
    'seenNode.stopDrain': ({ cluster, node }) =>
      this.#clusters.get(cluster)?.seen?.nodes.stopDrain(node) ?? notFound,
    'node.act': (args) => {
      const cluster = this.#clusters.get(args.cluster)
      cluster?.clock.catchUp()
      return cluster?.nodes.act(args) ?? notFound
    },
    'node.pressure': ({ cluster, node }) =>
      this.#clusters.get(cluster)?.nodes.pressure(node) ?? null,
    'node.useOther': (args) => {
      const cluster = this.#clusters.get(args.cluster)
      cluster?.clock.catchUp()
      return cluster?.nodes.useOther(args) ?? notFound
    },
    'node.thresholds': ({ cluster, node }) =>
      this.#clusters.get(cluster)?.nodes.thresholds(node) ?? null,
    'node.checkThresholds': ({ cluster, node, texts }) =>
      this.#clusters.get(cluster)?.nodes.checkThresholds(node, texts) ?? null,
    'node.setThresholds': ({ cluster: id, node, texts }) => {
      const cluster = this.#clusters.get(id)
      cluster?.clock.catchUp()
      return cluster?.nodes.setThresholds(node, texts) ?? notFound
    },
    'pod.losses': ({ key }) => this.#clusterOf(key)?.losses?.forecast(key) ?? onlyInSandbox,
    'pod.rehearseLoss': ({ key, way }) =>
      this.#clusterOf(key)?.losses?.rehearse(key, way) ?? onlyInSandbox,
    'node.cordon': ({ cluster, node, act }) =>
      this.#clusters.get(cluster)?.cordon(act, node) ?? notFound,
    'cluster.cutOff': ({ cluster }) => this.#clusters.get(cluster)?.link.cutOff() ?? notFound,
    'cluster.reconnect': ({ cluster }) => this.#clusters.get(cluster)?.link.reconnect() ?? notFound,

    'workloads.verdicts': ({ cluster, pod }) =>
      this.#clusters.get(cluster)?.verdicts?.(pod) ?? null,
    'nodeEdit.read': ({ cluster, node }) =>
      this.#clusters.get(cluster)?.nodeEdits?.read(node) ?? notFound,
    'nodeEdit.forecast': ({ cluster, ...args }) =>
      this.#clusters.get(cluster)?.nodeEdits?.forecast(args) ?? notFound,
    'nodeEdit.act': ({ cluster, ...args }) =>
      this.#clusters.get(cluster)?.nodeEdits?.act(args) ?? notFound,
    'faults.list': ({ cluster }) => this.#clusters.get(cluster)?.faults?.list() ?? null,
    'faults.set': ({ cluster, faults }) =>
      this.#clusters.get(cluster)?.faults?.set(faults) ?? notFound,

    'owner.forecast': (args) =>
      this.#clusters.get(args.cluster)?.owners?.forecast(args) ?? notFound,
    'owner.act': (args) => {
      const cluster = this.#clusters.get(args.cluster)
      cluster?.clock.catchUp()
      return cluster?.owners?.act(args) ?? notFound
    },

    'yaml.check': ({ cluster, text }) => this.#clusters.get(cluster)?.apply?.check(text) ?? null,
    'yaml.apply': async ({ cluster: id, ...args }) => {
      const cluster = this.#clusters.get(id)
      cluster?.clock.catchUp()
      if (cluster?.apply === undefined) return notFound
      const report = await cluster.apply.apply(args)
      if (!report.ok) return report
      return ok({ ...report.value, message: waiting(cluster, applyReceipt(report.value)) })
    },

    'gotchas.list': async () => (await this.#loadedScenarios()).gotchas(),
    'scenarios.list': async () => (await this.#loadedScenarios()).list(),
    'scenario.open': async ({ source }) => (await this.#loadedScenarios()).open(source),
    'scenario.close': async ({ cluster }) => (await this.#loadedScenarios()).close(cluster),

    'scenario.save': async ({ cluster, ...about }) => {
      const present = this.#clusters.get(cluster)?.present
      if (present === undefined) return notFound
      const saved = await saveScenario(present, about, this.#deps.saveFile)
      if (saved.ok) await (await this.#loadedScenarios()).keep(saved.value.text)
      return saved.ok ? ok(saved.value.file) : saved
    },
    'state.export': (_args, { state }) => state.export(),
    'state.reset': (_args, { state }) => state.reset(),
    'state.import': (args, { state }) => state.import(args),

    'manifests.list': (node) => this.#editor(node)?.list() ?? null,
    'manifests.read': ({ name, ...node }) => this.#editor(node)?.read(name) ?? notFound,
    'manifests.check': ({ name, text, ...node }) =>
      this.#editor(node)?.check(name, text) ?? notFound,
    'manifests.write': ({ name, text, create, ...node }) =>
      this.#editor(node)?.write(name, text, { create }) ?? notFound,
    'manifests.remove': ({ name, ...node }) => this.#editor(node)?.remove(name) ?? notFound,
    'manifests.undo': ({ id, ...node }) => this.#editor(node)?.undo(id) ?? notFound,
    'manifests.restore': ({ name, ...node }) => this.#editor(node)?.restore(name) ?? notFound,

    'log.list': () => this.#deps.logs?.list() ?? [],
    'log.open': ({ paths }) => this.#deps.logs?.openFiles(paths) ?? noLogs,
    'log.choose': async () => {
      const paths = (await this.#deps.chooseFiles?.()) ?? []
      return paths.length === 0 ? ok(null) : (this.#deps.logs?.openFiles(paths) ?? noLogs)
    },
    'log.openJournal': () => this.#deps.logs?.openJournal(journalCommand) ?? noLogs,
    'log.upload': ({ data, ...piece }) =>
      this.#deps.logs?.upload({ ...piece, data: Buffer.from(data, 'base64') }) ?? noLogs,
    'log.pods': ({ id, from, to, width }) => {
      const range = from === null || to === null ? null : { from, to, width }
      return this.#deps.logs?.get(id)?.view(range, width) ?? null
    },
    'log.lines': ({ id, ...query }) => this.#deps.logs?.get(id)?.lines(query) ?? null,
    'log.search': ({ id, text, from }) => this.#deps.logs?.get(id)?.search(text, from) ?? null,
    'log.follow': ({ id, isFollowed }) => this.#deps.logs?.follow(id, isFollowed) ?? noLogs,
    'log.close': async ({ id }) => {
      await this.#deps.logs?.close(id)
      return null
    },
    'log.write': ({ level, message, detail }) => {
      this.#deps.log[level](`page: ${message}`, { detail })
      return null
    },
  }

  #clusterOf(podKey: string): ServedCluster | undefined {
    return this.#clusters.get(clusterIdOfKey(podKey))
  }

  #editor({ cluster, node }: NodeRef): ManifestEditor | undefined {
    return this.#clusters.get(cluster)?.manifests.get(node)
  }

  /** Stamps the click with the cluster's present time. With a paused clock the action only begins. */
  async #act(
    key: string,
    act: (commands: ServedCluster['commands']) => ActResult | Promise<ActResult>,
  ): Promise<ActResult> {
    const cluster = this.#clusterOf(key)
    if (cluster === undefined) return notFound
    cluster.clock.catchUp()
    const result = await act(cluster.commands)
    if (!result.ok) return result
    return ok({ ...result.value, message: waiting(cluster, result.value.message) })
  }
}

/** With a paused clock, effects wait. */
function waiting({ session }: ServedCluster, message: string): string {
  return session.isPaused ? `${message}; ${waitsForClock}` : message
}
