import type { KubeletDeps } from '../kubelet/kubelet.ts'
import { Kubelet } from '../kubelet/kubelet.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { Transport } from '../../shared/kubernetes/request.ts'
import type { NodeView, SourceProblem, SourceView } from '../../shared/model/cluster-view.ts'
import type { ManifestsView } from '../../shared/model/manifests.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import type { NotSimulated } from '../../shared/not-simulated/not-simulated.ts'
import type { Result } from '../../shared/result.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { TransportApiClient } from '../cluster/api-client.ts'
import { nodeReflector, reflectorNodeLister } from '../cluster/node-lister.ts'
import type { Reflector, ReflectorStatus } from '../cluster/reflector.ts'
import { RetryAfterTransport } from '../cluster/retry-after-transport.ts'
import type {
  HoldableClock,
  ImageService,
  Log,
  Random,
  RuntimeService,
  Trace,
} from '../kubelet/ports.ts'
import type { NodeExitOptions } from '../kubelet/node/node-exit.ts'
import { podNamespace } from '../kubelet/pod/identity.ts'
import type { ParseText } from '../parsing/kubernetes-text.ts'
import { ApiPodSource } from '../sources/api-pods.ts'
import { watchFolder } from '../sources/folder-watch.ts'
import type { WatchFolder } from '../sources/folder-watch.ts'
import { ManifestFolderSource } from '../sources/manifest-folder.ts'
import { describeNode } from './node-description.ts'
import type { NodeAgent } from './node-agent.ts'
import { NotSimulatedTrace } from './not-simulated-trace.ts'
import type { ManifestUrlConfig } from './session-config.ts'
import { UrlPods } from './url-pods.ts'

/** As a kubelet's client for heartbeats, with all it waits for: a lease is then renewed anew. */
const heartbeatLimitMs = 10_000

/** Names of pods whose status waits, for a line of text. */
const unsentNamesShown = 5

function podTitle(pod: Pod): string {
  return `${podNamespace(pod)}/${pod.metadata.name}`
}

export interface KubeletAgentDeps {
  readonly nodeName: string
  /** Answers as the node. */
  readonly transport: Transport
  /** The same for lease and node status, with a shorter time limit and connections of its own; default `transport`. */
  readonly heartbeatTransport?: Transport
  /** Called from the second failed try of a heartbeat on, so that connections that are dead can be closed. */
  readonly onRepeatedHeartbeatFailure?: () => void
  readonly server: string
  readonly clock: HoldableClock & { readonly catchUp?: () => number }
  readonly random: Random
  readonly trace: Trace
  readonly log: Log
  readonly runtime: RuntimeService & ImageService
  readonly manifestsPath: string
  /** Of manifests; default: in place. */
  readonly parse?: ParseText | undefined
  /** Default: the operating system's. */
  readonly watchFolder?: WatchFolder | undefined
  readonly manifestUrl?: ManifestUrlConfig | null
  readonly isTainted: boolean
  /** As a kubelet's maxPods; its default is 110. */
  readonly maxPods?: number
  /** Of how many pods a status may be on its way to the API at a time. Default 1, as a kubelet. */
  readonly statusWritesAtOnce?: number
  /** What `leave` says; absent: nothing, as a kubelet. */
  readonly exit?: NodeExitOptions | undefined
  /** What of a pod the runtime, or the cluster, does not do; it is said in the trace. */
  readonly notSimulated: (pod: Pod) => readonly NotSimulated[]
  /** Whether the API server answers, as the pod source finds it. */
  readonly onConnection: (status: ReflectorStatus) => void
  /** Something of the node's own view changed. */
  readonly onChange: () => void
}

/** One kubelet with its sources, runtime and lister: a node at work. */
export class KubeletAgent {
  readonly nodeName: string
  /** For the desk over its folder. */
  readonly manifests: ManifestFolderSource
  readonly #deps: KubeletAgentDeps
  readonly #kubelet: Kubelet
  readonly #nodes: Reflector<'nodes'>
  readonly #urlPods: UrlPods | undefined
  readonly #apiPods: ApiPodSource
  readonly #calls: readonly RetryAfterTransport[]
  #problems: readonly SourceProblem[] = []
  #fileRevision = 0

  constructor(deps: KubeletAgentDeps) {
    this.#deps = deps
    this.nodeName = deps.nodeName
    this.#nodes = nodeReflector({
      transport: deps.transport,
      nodeName: deps.nodeName,
      clock: deps.clock,
      random: deps.random.fork('node reflector'),
      log: deps.log,
      onChange: () => {
        deps.onChange()
      },
    })
    const nodeLister = reflectorNodeLister(this.#nodes, deps.nodeName)
    const { clock, transport, heartbeatTransport = transport } = deps
    const calls = new RetryAfterTransport({ clock, transport })
    const heartbeats = new RetryAfterTransport({
      clock,
      transport: heartbeatTransport,
      limitMs: heartbeatLimitMs,
    })
    this.#calls = [calls, heartbeats]
    this.#kubelet = new Kubelet({
      ...this.#kubeletDeps(nodeLister),
      api: new TransportApiClient({ transport: calls }),
      heartbeatApi: new TransportApiClient({ transport: heartbeats }),
    })
    this.manifests = this.#manifestSource()
    this.#urlPods = this.#urlSource()
    this.#apiPods = new ApiPodSource({
      ...deps,
      nodeLister,
      random: deps.random.fork('pod reflector'),
      onPods: (pods, causes) => {
        this.#kubelet.setPods('api', pods, causes)
      },
      onStatus: deps.onConnection,
    })
  }

  get podManager(): NodeAgent['podManager'] {
    return this.#kubelet.podManager
  }

  get podWorkers(): NodeAgent['podWorkers'] {
    return this.#kubelet.podWorkers
  }

  get statusManager(): NodeAgent['statusManager'] {
    return this.#kubelet.statusManager
  }

  get podCache(): NodeAgent['podCache'] {
    return this.#kubelet.podCache
  }

  start(): void {
    this.#nodes.start()
    this.#kubelet.start()
    this.manifests.start()
    this.#urlPods?.start()
    this.#apiPods.start()
  }

  /** What the Node is told before `stop`, where `exit` asks for something; in a few seconds of the clock at most. */
  leave(): Promise<void> {
    return this.#kubelet.leave()
  }

  /** As a kubelet: writes nothing on the way out. */
  stop(): void {
    this.#apiPods.stop()
    this.#urlPods?.stop()
    this.manifests.stop()
    this.#kubelet.stop()
    for (const calls of this.#calls) calls.stop()
    this.#nodes.stop()
  }

  /** How the third source stands; null without one. */
  readonly urlView = (): ManifestsView['url'] => this.#urlPods?.view() ?? null

  readonly mirrorTrouble = (uid: string): string | undefined => this.#kubelet.mirrorTrouble(uid)

  readonly retryNow = (): void => {
    this.#nodes.retryNow()
    this.#apiPods.retryNow()
  }

  readonly loopIterations = (): number => this.#kubelet.podsController.view().iterations

  readonly pleg: NodeAgent['pleg'] = () => this.#kubelet.plegView()

  readonly nodeView = (): Omit<NodeView, 'agent' | 'machine' | 'isCutOff'> => {
    const { nodeName, runtime, manifestsPath, server } = this.#deps
    const node = this.#kubelet.nodeController.view()
    const { unsent, pods } = this.#kubelet.statusManager.backlog(unsentNamesShown)
    return {
      name: nodeName,
      registered: node.registered,
      status: node.status,
      runtime: `${runtime.name}://${runtime.version}`,
      leaseRenewedAt: node.leaseRenewedAt ?? null,
      leaseDurationSeconds: node.leaseDurationSeconds,
      sources: [
        {
          source: 'file',
          location: manifestsPath,
          ready: this.#kubelet.sourcesReady.isReady('file'),
          pods: this.#kubelet.podConfig.count('file'),
          problems: this.#problems,
          revision: this.#fileRevision,
        },
        ...this.#urlView(),
        {
          source: 'api',
          location: server,
          ready: this.#kubelet.sourcesReady.isReady('api'),
          pods: this.#kubelet.podConfig.count('api'),
          problems: this.#apiPods.problems(),
          revision: 0,
        },
      ],
      unsentStatuses: { count: unsent, names: pods.map(podTitle) },
      heldEvents: this.#kubelet.heldEvents,
      shutdown: this.#kubelet.shutdownView(),
    }
  }

  readonly kill = (
    uid: string,
    gracePeriodSeconds: number | undefined,
    causes: TraceCauses,
  ): Promise<Result<undefined, string>> => this.#kubelet.kill(uid, gracePeriodSeconds, causes)

  readonly evict = (uid: string, causes: TraceCauses): Promise<Result<undefined, string>> =>
    this.#kubelet.evict(uid, causes)

  readonly shutDown: NodeAgent['shutDown'] = (config, causes) =>
    this.#kubelet.shutDown(config, causes)

  readonly cancelShutDown: NodeAgent['cancelShutDown'] = (causes) =>
    this.#kubelet.cancelShutDown(causes)

  #kubeletDeps(nodeLister: KubeletDeps['nodeLister']): Omit<KubeletDeps, 'api' | 'heartbeatApi'> {
    const { nodeName, clock, random, trace, log, runtime, isTainted, maxPods, notSimulated } =
      this.#deps
    return {
      nodeName,
      description: describeNode({ nodeName, runtime, isTainted, maxPods }),
      clock,
      random: random.fork('kubelet'),
      hash: nodeHash,
      trace: new NotSimulatedTrace({
        trace,
        podOf: (uid) => this.#kubelet.podManager.getPodByUID(uid),
        find: notSimulated,
      }),
      log,
      nodeLister,
      runtimeService: runtime,
      imageService: runtime,
      sources: this.#deps.manifestUrl ? ['file', 'http', 'api'] : ['file', 'api'],
      statusWritesAtOnce: this.#deps.statusWritesAtOnce,
      exit: this.#deps.exit,
      onIteration: this.#deps.onChange,
      onRepeatedHeartbeatFailure: () => {
        this.#deps.onRepeatedHeartbeatFailure?.()
      },
    }
  }

  #urlView(): readonly SourceView[] {
    if (this.#urlPods === undefined) return []
    return [
      {
        source: 'http',
        location: this.#urlPods.view().url,
        ready: this.#kubelet.sourcesReady.isReady('http'),
        pods: this.#kubelet.podConfig.count('http'),
        problems: this.#urlPods.problems(),
        revision: this.#urlPods.revision,
      },
    ]
  }

  #urlSource(): UrlPods | undefined {
    const { manifestUrl, nodeName, parse, clock, trace, log, onChange } = this.#deps
    if (!manifestUrl) return undefined
    return new UrlPods(manifestUrl, {
      nodeName,
      parse,
      clock,
      trace,
      log,
      onPods: (pods, causes) => {
        this.#kubelet.setPods('http', pods, causes)
      },
      onChange,
    })
  }

  #manifestSource(): ManifestFolderSource {
    const { manifestsPath, nodeName, parse, clock, trace, log } = this.#deps
    return new ManifestFolderSource({
      path: manifestsPath,
      nodeName,
      hash: nodeHash,
      parse,
      clock,
      trace,
      log,
      watchFolder: this.#deps.watchFolder ?? watchFolder,
      onPods: (pods, causes) => {
        this.#fileRevision++
        this.#kubelet.setPods('file', pods, causes)
      },
      onProblems: (problems) => {
        this.#problems = problems
        this.#fileRevision++
        this.#deps.onChange()
      },
    })
  }
}
