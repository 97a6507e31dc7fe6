/** One kubelet, put together from its parts (kubelet pkg/kubelet/kubelet.go NewMainKubelet and Run). */
import type { JsonObject } from '../../shared/json.ts'
import type { Container, Node, Pod, PodStatus } from '../../shared/kubernetes/objects.ts'
import type { PodCgroups } from '../../shared/model/inside-pod/pod-cgroups.ts'
import type { PodSource } from '../../shared/model/pod-source.ts'
import type { PressureView } from '../../shared/model/pressure/pressure-view.ts'
import type { TraceCauses } from '../../shared/model/trace-event.ts'
import type { WorkerView } from '../../shared/model/worker-view.ts'
import { filterOutInactivePods } from './active-pods.ts'
import { admitHandlers } from './admission/admit-handlers.ts'
import type { PodAdmitter } from './admission/pod-admitter.ts'
import { AllocationManager } from './allocation/allocation-manager.ts'
import { PodConfig } from './config/pod-config.ts'
import { cadvisorMetricsText, machineFacts } from './metrics/cadvisor-metrics.ts'
import { podCgroups } from './cm/pod-cgroups.ts'
import type { SourcePod } from './config/pod-config.ts'
import { ExpectedSources } from './config/sources-ready.ts'
import { sleep } from './container/deferred.ts'
import { GenericPleg } from './container/pleg.ts'
import { backOffKey } from './container/back-off.ts'
import type { BackOffView } from './container/back-off.ts'
import { PodStatusCache } from './container/pod-cache.ts'
import { ReasonCache } from './container/reason-cache.ts'
import { RuntimeManager } from './kuberuntime/runtime-manager.ts'
import { KubeletContent } from './kubelet-content.ts'
import { PodEvictor } from './eviction/evict-pod.ts'
import { EvictionManager } from './eviction/eviction-manager.ts'
import type { EvictionManagerDeps } from './eviction/eviction-manager.ts'
import { pressureView } from './eviction/pressure-viewer.ts'
import { noEviction } from './eviction/eviction-settings.ts'
import { RuntimeStats } from './eviction/runtime-stats.ts'
import { ApiEventRecorder } from './event-recorder.ts'
import { defaultKubeletSettings } from './kubelet-settings.ts'
import type { WithKubeletSettings } from './kubelet-settings.ts'
import { instrumented } from './metrics/instrumented-services.ts'
import { KubeletMetrics } from './metrics/kubelet-metrics.ts'
import { NodeController } from './node/node-controller.ts'
import type { NodeExitOptions } from './node/node-exit.ts'
import { NodeShutdown } from './node/node-shutdown.ts'
import type { NodeDescription, NodePressure } from './node/node-status.ts'
import { ManualActions } from './manual-actions.ts'
import { BasicMirrorClient } from './pod/mirror-client.ts'
import { MirrorReconciler } from './pod/mirror-reconciler.ts'
import { podNamespace } from './pod/identity.ts'
import { PodManager } from './pod/pod-manager.ts'
import type { ResourceList } from './pod/resource-field.ts'
import { defaultKubeletConfiguration } from './server/default-configuration.ts'
import { KubeletServer } from './server/kubelet-server.ts'
import { StaticPodRegistration } from './pod/static-pod-registration.ts'
import { PodCleanups } from './pod-cleanups.ts'
import { PodHandlers } from './pod-handlers.ts'
import { KubeletPodSyncer } from './pod-syncer.ts'
import { PodsController } from './pods-controller.ts'
import type { PodProvider } from './pods-controller.ts'
import { ImageGcManager } from './images/image-gc-manager.ts'
import type { PodNetwork } from './probe/pod-network.ts'
import { refusingNetwork } from './probe/refusing-network.ts'
import { ProberManager } from './prober/prober-manager.ts'
import { CriticalPodAdmissionHandler } from './preemption/critical-pod-admission.ts'
import type {
  ApiClient,
  ContainerHost,
  CorePorts,
  Hash,
  ImageService,
  NodeLister,
  Random,
  RuntimeClassLister,
  RuntimeService,
  ServiceLister,
  TokenClient,
  WatchObject,
} from './ports.ts'
import { err, ok } from '../../shared/result.ts'
import { ActiveDeadlineHandler } from './status/active-deadline.ts'
import { makeEnvironmentVariables } from './environment/environment.ts'
import type { EnvironmentSources } from './environment/environment.ts'
import { ConfigMapManager } from './object-managers/config-map-manager.ts'
import { SecretManager } from './object-managers/secret-manager.ts'
import { PodUseMeter } from './stats/pod-use.ts'
import { cgroupViews } from './stats/cgroup-views.ts'
import { SummaryProvider } from './stats/summary.ts'
import { StatusManager } from './status/status-manager.ts'
import { StopGate } from './stop-gate.ts'
import { TokenManager } from './volume/token-manager.ts'
import { VolumePlugins } from './volume/volume-plugins.ts'
import type { PodVolume } from './volume/volume-plugins.ts'
import { VolumeManager } from './volumemanager/volume-manager.ts'
import { VolumesAndEnvironment } from './volumes-and-environment/volumes-and-environment.ts'
import { killPodNow } from './workers/kill-pod.ts'
import type { KillPodFunc } from './workers/kill-pod.ts'
import { PodWorkers } from './workers/pod-workers.ts'
import type { PodStateProvider } from './workers/pod-workers.ts'
import { WorkQueue } from './workers/work-queue.ts'

export interface KubeletDeps extends CorePorts, WithKubeletSettings {
  readonly nodeName: string
  /** The node's capacity, addresses, labels and taints. */
  readonly description: NodeDescription
  readonly random: Random
  readonly hash: Hash
  /** Answers as the node. */
  readonly api: ApiClient & TokenClient
  /** The same for lease and node status, with a shorter time limit and connections of its own; default `api`. */
  readonly heartbeatApi?: ApiClient
  /** Called from the second failed try of a heartbeat on, so that connections that are dead can be closed. */
  readonly onRepeatedHeartbeatFailure?: () => void
  readonly nodeLister: NodeLister
  readonly serviceLister: ServiceLister
  readonly runtimeClassLister: RuntimeClassLister
  /** Stopped with the kubelet. */
  readonly watchObject: WatchObject
  readonly runtimeService: RuntimeService
  readonly imageService: ImageService
  /** The machine of the containers. Absent: their configs name neither logs nor what only Linux acts on, and images are never removed. */
  readonly containerHost?: ContainerHost | undefined
  /** How probes and HTTP hooks reach what runs in pods. Absent: nothing listens anywhere. */
  readonly podNetwork?: PodNetwork | undefined
  /** The sources that will call `setPods`; until each has, nothing is deleted (sources#sources-ready). */
  readonly sources: readonly PodSource[]
  /** What /configz shows. Default: a kubelet's without a file. */
  readonly configuration?: JsonObject | undefined
  /** How many pod statuses may be written at a time. Default 1, as in a kubelet. */
  readonly statusWritesAtOnce?: number | undefined
  /** What `leave` does with the Node. Absent: nothing, as a kubelet. */
  readonly exit?: NodeExitOptions | undefined
  /** What the node runs short of, for admission and the node's conditions. Default: as the eviction manager finds it. */
  readonly pressure?: () => NodePressure
  /** Called after every iteration of the sync loop. */
  readonly onIteration?: () => void
}

/** Ports as the parts see them, with what all of them share. */
type Ports = Omit<KubeletDeps, 'api'> & {
  readonly api: ApiClient
  readonly recorder: ApiEventRecorder
  readonly tokenClient: TokenClient
  readonly metrics: KubeletMetrics
}

interface ContainerParts {
  readonly runtime: RuntimeManager
  readonly podCache: PodStatusCache
  readonly pleg: GenericPleg
}

/** What a real kubelet took from the answer to the mirror's POST to the end of a SyncPod that had nothing else to do, rounded up. */
const setUpPodMs = 2

/** The Node as this kubelet would register it: admission uses it while there is none in the API. */
function initialNode({
  nodeName,
  description,
}: Pick<KubeletDeps, 'nodeName' | 'description'>): Node {
  const { labels, taints, capacity, allocatable } = description
  return {
    metadata: { name: nodeName, uid: '', labels },
    spec: { taints },
    status: { capacity, allocatable },
  }
}

/** As the API server has it; before the node is registered, as it will be. */
function allocatableOf({
  nodeLister,
  description,
}: Pick<KubeletDeps, 'nodeLister' | 'description'>): ResourceList {
  return nodeLister.get()?.status?.allocatable ?? description.allocatable
}

function addressesOf({ addresses }: NodeDescription): readonly string[] {
  return addresses.flatMap(({ type, address }) => (type === 'InternalIP' ? [address] : []))
}

/**
 * A kubelet: takes pods from its sources by `setPods`, runs them on the runtime, mirrors static ones, reports
 * status, registers its node and keeps the lease. `stop` ends it as the death of a process does: nothing is
 * written on exit, containers keep running. It cannot be started again; a new one on the same runtime takes over its pods.
 */
export class Kubelet {
  readonly podManager: PodManager
  readonly podConfig: PodConfig
  readonly sourcesReady: ExpectedSources
  readonly podWorkers: PodWorkers
  readonly statusManager: StatusManager
  readonly allocationManager: AllocationManager
  readonly podCache: PodStatusCache
  readonly podsController: PodsController
  readonly nodeController: NodeController
  readonly pleg: GenericPleg
  readonly mirrorReconciler: MirrorReconciler
  readonly recorder: ApiEventRecorder
  readonly shutdownManager: NodeShutdown
  readonly evictionManager: EvictionManager
  readonly manualActions: ManualActions
  readonly server: KubeletServer
  /** The probes of a pod, by UID; empty without any. */
  readonly probeViews: ProberManager['views']
  /** What the prober, the volume manager and the image managers hold. */
  readonly content: KubeletContent
  /** What the node is short of, or may be, and who would go first; measures when it is called. */
  readonly pressureView: () => Promise<Omit<PressureView, 'other'>>
  /** What the containers of a pod have used lately; measures when it is called. */
  readonly podUse: PodUseMeter['use']
  readonly #cgroupsOf: (pod: Pod) => PodCgroups | undefined
  /** When a container that ends may start again; undefined: at once. */
  readonly crashLoopBackOff = (pod: Pod, container: Container): BackOffView | undefined =>
    this.#runtime.crashLoopBackOff.view(backOffKey(pod, container))
  readonly volumesAndEnvironment: VolumesAndEnvironment
  readonly #gate = new StopGate()
  readonly #pressure: () => NodePressure
  readonly #runtime: RuntimeManager
  readonly #imageGc: ImageGcManager | undefined
  readonly #prober: ProberManager
  readonly #registration: StaticPodRegistration
  readonly #secretManager: SecretManager
  readonly #configMapManager: ConfigMapManager
  readonly #volumes: VolumeManager | undefined

  constructor(deps: KubeletDeps) {
    const ports = this.#gated(deps)
    const { clock, trace, recorder } = ports
    this.#pressure = deps.pressure ?? (() => this.evictionManager.pressure())
    this.#prober = this.#makeProber(ports)
    this.probeViews = this.#prober.views
    const { syncFrequencyMs } = deps.settings ?? defaultKubeletSettings
    const objects = { ...ports, resyncIntervalMs: syncFrequencyMs }
    this.#secretManager = new SecretManager(objects)
    this.#configMapManager = new ConfigMapManager(objects)
    const { runtime, podCache, pleg } = this.#containerParts(ports)
    const workQueue = new WorkQueue({ clock })
    this.recorder = recorder
    this.#runtime = runtime
    const { containerHost } = ports
    this.#imageGc =
      containerHost === undefined
        ? undefined
        : new ImageGcManager({ ...ports, ...containerHost, runtime })
    this.pleg = pleg
    this.podCache = podCache
    this.podManager = new PodManager({ trace })
    this.statusManager = new StatusManager({
      ...ports,
      podManager: this.podManager,
      podDeletionSafety: {
        couldHaveRunningContainers: (uid) => this.podWorkers.couldHaveRunningContainers(uid),
      },
      writesAtOnce: deps.statusWritesAtOnce,
    })
    const mirrorClient = new BasicMirrorClient(ports)
    const mirrorReconciler = new MirrorReconciler({ ...ports, mirrorClient })
    this.mirrorReconciler = mirrorReconciler
    const tokens = new TokenManager({
      ...ports,
      random: ports.random.fork('volumes').fork('tokens'),
    })
    this.#volumes = this.#makeVolumes(ports, tokens)
    this.content = new KubeletContent({
      prober: this.#prober,
      configMaps: this.#configMapManager,
      secrets: this.#secretManager,
      volumes: this.#volumes,
      runtime,
      imageGc: this.#imageGc,
    })
    this.volumesAndEnvironment = new VolumesAndEnvironment({
      ...ports,
      podCache,
      tokens,
      volumes: this.#volumes,
      secretManager: this.#secretManager,
      configMapManager: this.#configMapManager,
      environment: this.#environmentSources(ports),
    })
    const deadline = new ActiveDeadlineHandler({ ...ports, statuses: this.statusManager })
    const kill = killPodNow({
      ...ports,
      podWorkers: { updatePod: (options) => this.podWorkers.updatePod(options) },
    })
    const evictor = new PodEvictor({ ...ports, kill })
    const eviction = this.#evictionDeps(ports, evictor)
    this.evictionManager = new EvictionManager(eviction)
    this.pressureView = () => pressureView({ ...eviction, manager: this.evictionManager })
    this.shutdownManager = new NodeShutdown({
      ...ports,
      activePods: () => filterOutInactivePods(this.podManager.getPods(), this),
      kill,
      syncNodeStatus: () => {
        this.nodeController.notifyAgentReady()
      },
    })
    this.allocationManager = new AllocationManager({
      ...ports,
      admitters: this.#admitters(ports, kill),
      conditions: this.statusManager.resizeConditions,
      sourcesReady: { allReady: () => this.sourcesReady.allReady() },
      activePods: () => filterOutInactivePods(this.podManager.getPods(), this),
      podByUID: (uid) => this.podManager.getPodByUID(uid),
      triggerPodSync: (pod, causes) => {
        this.podsController.handlePodSyncs([pod], causes)
      },
      allocatable: () => ports.description.allocatable,
    })
    const hostIPs = addressesOf(ports.description)
    const podSyncer = new KubeletPodSyncer({
      ...ports,
      runtime,
      statusManager: this.statusManager,
      mirrorReconciler,
      reasonCache: new ReasonCache(),
      prober: this.#prober,
      setUpPod: () => sleep(clock, setUpPodMs),
      secretManager: this.#secretManager,
      configMapManager: this.#configMapManager,
      isTerminationRequested: (uid) => this.podWorkers.isPodTerminationRequested(uid),
      evictionChecks: [deadline],
      hostIPs: () => hostIPs,
      volumes: this.#volumes,
      allocations: this.allocationManager,
    })
    this.podWorkers = new PodWorkers({
      ...ports,
      podCache,
      podSyncer,
      workQueue,
      allocated: this.allocationManager.updatePodFromAllocation,
    })
    this.podConfig = new PodConfig({
      ...ports,
      deliver: (update) => {
        this.podsController.takeConfig(update)
      },
    })
    this.sourcesReady = new ExpectedSources({
      expected: ports.sources,
      hasSeen: this.podConfig.hasSeen,
    })
    this.podsController = this.#loop(ports, { mirrorClient, deadline, workQueue })
    this.nodeController = new NodeController({
      ...ports,
      api: this.#gate.api(deps.heartbeatApi ?? deps.api),
      random: ports.random.fork('node'),
      pressure: this.#pressure,
      readyErrors: () => [
        ...runtime.runtimeErrors(),
        ...present(runtime.networkError()),
        ...present(this.shutdownManager.error()),
      ],
      refreshRuntimeState: () => runtime.refreshState(),
      runtime: () => ({
        ...runtime.capabilities(),
        images: this.#imageGc?.getImageList() ?? [],
      }),
    })
    this.#registration = new StaticPodRegistration({
      ...ports,
      podManager: this.podManager,
      mirrorReconciler,
    })
    this.server = new KubeletServer({
      ...ports,
      podManager: this.podManager,
      statusManager: this.statusManager,
      openLog: containerHost?.openLog,
      runningPods: () => runtime.getPods(false),
      summary: new SummaryProvider(ports),
      cadvisorText: containerHost && (() => this.#cadvisorText(ports, containerHost)),
      syncLoopError: () => this.podsController.healthError(2 * syncFrequencyMs),
      configuration: deps.configuration ?? defaultKubeletConfiguration,
    })
    this.podUse = new PodUseMeter({ ...ports, podOf: (uid) => this.#allocatedPod(uid) }).use
    this.#cgroupsOf = (pod) =>
      containerHost === undefined
        ? undefined
        : podCgroups(pod, containerHost, { isSimulated: ports.runtimeService.name === 'simulated' })
    this.manualActions = new ManualActions({
      podManager: this.podManager,
      podWorkers: this.podWorkers,
      kill,
      evictor,
      isStopped: () => this.#gate.isStopped,
    })
  }

  /** Begins to register, to list and to sync. Running already: nothing. */
  start(): void {
    this.nodeController.start()
    this.statusManager.start()
    this.#secretManager.start()
    this.#configMapManager.start()
    void this.#volumes?.start()
    // Before the sync loop, which waits until the runtime is known to be well.
    this.#registration.start([])
    this.allocationManager.start()
    void this.podsController.run()
    this.#imageGc?.start()
    this.evictionManager.start()
  }

  /**
   * Does what `exit` asks for (marks the Node as left, or deletes it), then stops.
   * Resolves after a few seconds of the clock at most, even if the API server does not answer; without `exit`, at once.
   */
  leave(): Promise<void> {
    return this.nodeController.leave()
  }

  stop(): void {
    this.#gate.stop()
    this.shutdownManager.stop()
    this.evictionManager.stop()
    this.allocationManager.stop()
    this.#registration.stop()
    void this.podsController.stop()
    this.podWorkers.stop()
    this.#prober.stop()
    this.#imageGc?.stop()
    this.statusManager.stop()
    this.#secretManager.stop()
    this.#configMapManager.stop()
    this.#volumes?.stop()
    this.nodeController.stop()
    this.recorder.stop()
  }

  /** The complete list of one source's pods. What changed goes to the sync loop. */
  setPods(source: PodSource, pods: readonly SourcePod[], causes: TraceCauses): void {
    if (!this.#gate.isStopped) this.podConfig.set(source, pods, causes)
  }

  /** A worker's record with the versions of its status; undefined: no worker. */
  workerView(uid: string): WorkerView | undefined {
    const view = this.podWorkers.workerView(uid)
    const versions = this.statusManager.versions(uid)
    return view === undefined
      ? undefined
      : {
          ...view,
          statusVersion: versions?.cached ?? null,
          statusVersionSent: versions?.sent ?? null,
        }
  }

  /** Undefined: there is no such pod, or containers run on no machine. */
  podCgroups(uid: string): PodCgroups | undefined {
    const known = this.#allocatedPod(uid)
    return known === undefined ? undefined : this.#cgroupsOf(known.pod)
  }

  async #cadvisorText(ports: Ports, host: ContainerHost): Promise<string> {
    const { clock, description } = ports
    const startedAt = ports.metrics.startedAt * 1000
    const podOf = (uid: string): Pod | undefined => this.#allocatedPod(uid)?.pod
    const views = await cgroupViews({ ...ports, host, podOf, startedAt })
    return cadvisorMetricsText(
      views.ok ? views.value : undefined,
      machineFacts(description),
      clock.now(),
    )
  }

  #allocatedPod(
    uid: string,
  ): { readonly pod: Pod; readonly status: PodStatus | undefined } | undefined {
    const pod = this.podManager.getPodByUID(uid) ?? this.podWorkers.lastPod(uid)
    if (pod === undefined) return undefined
    const status = this.statusManager.getPodStatus(uid)
    return { pod: this.allocationManager.updatePodFromAllocation(pod), status }
  }

  #gated(deps: KubeletDeps): Ports {
    const api = this.#gate.api(deps.api)
    const metrics = new KubeletMetrics(deps)
    const counted = { metrics, clock: deps.clock }
    const ports = {
      ...deps,
      api,
      trace: this.#gate.trace(deps.trace),
      log: this.#gate.log(deps.log),
      metrics,
      runtimeService: instrumented(this.#gate.runtimeService(deps.runtimeService), counted),
      imageService: instrumented(this.#gate.imageService(deps.imageService), counted),
      containerHost: this.#gate.containerHost(configuredHost(deps)),
      tokenClient: this.#gate.tokenClient(deps.api),
      random: deps.random.fork('kubelet'),
    }
    return { ...ports, recorder: new ApiEventRecorder(ports) }
  }

  #makeProber(ports: Ports): ProberManager {
    const { clock, random, runtimeService, podNetwork = refusingNetwork(clock) } = ports
    return new ProberManager({
      ...ports,
      network: podNetwork,
      statuses: { getPodStatus: (uid) => this.statusManager.getPodStatus(uid) },
      podCache: { get: (uid) => this.podCache.get(uid) },
      causesOf: (id) => runtimeService.causesOf?.(id) ?? [],
      random: random.fork('prober'),
      onUpdate: (type, update) => {
        this.podsController.takeProbe(type, update)
      },
    })
  }

  #evictionDeps(ports: Ports, evictor: PodEvictor): EvictionManagerDeps {
    const { settings = defaultKubeletSettings, containerHost: host } = ports
    return {
      ...ports,
      settings: host?.nodeFigures === undefined ? noEviction : settings.eviction,
      stats: new RuntimeStats({ ...ports, podOf: (uid) => this.#allocatedPod(uid)?.pod }),
      evictor,
      notifyMemory: host?.notifyMemory,
      activePods: (isWanted) => {
        const pods = this.podManager.getPods()
        return filterOutInactivePods(
          isWanted === undefined ? pods : pods.filter(isWanted),
          this,
        ).map(this.allocationManager.updatePodFromAllocation)
      },
      isPodFinished: (uid) => this.podWorkers.shouldPodBeFinished(uid),
      reclaim: {
        'dead containers': async () => {
          const failure = await this.#runtime.collectGarbage(true)
          return failure === undefined ? ok(undefined) : err(failure)
        },
        'unused images': async () => this.#imageGc?.deleteUnusedImages() ?? ok(undefined),
      },
    }
  }

  #environmentSources(ports: Ports): EnvironmentSources {
    const hostIPs = addressesOf(ports.description)
    return {
      serviceLister: ports.serviceLister,
      secretManager: this.#secretManager,
      configMapManager: this.#configMapManager,
      allocatable: () => allocatableOf(ports),
      hostIPs: () => hostIPs,
    }
  }

  #makeVolumes(ports: Ports, tokens: TokenManager): VolumeManager | undefined {
    const { containerHost: host } = ports
    if (host === undefined) return undefined
    const random = ports.random.fork('volumes')
    const plugins = new VolumePlugins({
      ...ports,
      host,
      random,
      getConfigMap: this.#configMapManager.getConfigMap,
      getSecret: this.#secretManager.getSecret,
      held: {
        configMap: this.#configMapManager.heldObject,
        secret: this.#secretManager.heldObject,
      },
      tokens,
      allocatable: () => allocatableOf(ports),
    })
    return new VolumeManager({
      ...ports,
      host,
      plugins,
      pods: this.podManager,
      podStates: {
        shouldPodContainersBeTerminating: (uid) =>
          this.podWorkers.shouldPodContainersBeTerminating(uid),
        shouldPodRuntimeBeRemoved: (uid) => this.podWorkers.shouldPodRuntimeBeRemoved(uid),
      },
      areSourcesReady: () => this.sourcesReady.allReady(),
      objectCauses: (pod, volume) => this.#objectCauses(pod, volume),
    })
  }

  /** The trace events by which the ConfigMaps and Secrets of a volume arrived. */
  #objectCauses(pod: Pod, volume: PodVolume): TraceCauses {
    const spec = { containers: [], volumes: [volume] }
    return [this.#configMapManager, this.#secretManager].flatMap((manager) =>
      manager.causesOf(podNamespace(pod), spec),
    )
  }

  #containerParts(ports: Ports): ContainerParts {
    const { clock, runtimeService } = ports
    const podCache = new PodStatusCache({ clock })
    const sources = this.#environmentSources(ports)
    const runtime = new RuntimeManager({
      ...ports,
      isPodDeleted: (uid) => this.#podStates().isPodTerminationRequested(uid),
      podStateProvider: {
        shouldPodContentBeRemoved: (uid) => this.#podStates().shouldPodContentBeRemoved(uid),
        shouldPodRuntimeBeRemoved: (uid) => this.#podStates().shouldPodRuntimeBeRemoved(uid),
      },
      areSourcesReady: () => this.sourcesReady.allReady(),
      healthError: () => this.pleg.healthError(),
      probeResults: this.#prober.probes,
      allocations: {
        actuatedResources: (uid, name) => this.allocationManager.actuatedResources(uid, name),
        setActuatedResources: (uid, name, resources) => {
          this.allocationManager.setActuatedResources(uid, name, resources)
        },
      },
      inspectPod: (uid) => {
        this.pleg.inspect(uid)
      },
      mountedVolumes: (uid) => this.#volumes?.mountedVolumes(uid) ?? new Map(),
      runtimeHelper: {
        generateRunContainerOptions: async (pod, container, podIPs) => {
          const variables = await makeEnvironmentVariables({ pod, container, podIPs }, sources)
          if (!variables.ok) return variables
          return ok({ envs: [...variables.value].map(([key, value]) => ({ key, value })) })
        },
      },
    })
    const pleg = new GenericPleg({
      ...ports,
      runtime,
      cache: podCache,
      causesOf: (id) => runtimeService.causesOf?.(id) ?? [],
    })
    return { runtime, podCache, pleg }
  }

  #admitters(ports: Ports, kill: KillPodFunc): readonly PodAdmitter[] {
    const { nodeInfo, hasAppArmor = false } = ports.description
    return admitHandlers({
      node: () => ports.nodeLister.get() ?? initialNode(ports),
      // What a kubelet was built for; a description that is silent is a Linux machine's.
      operatingSystem: nodeInfo['operatingSystem'] ?? 'linux',
      kernelVersion: nodeInfo['kernelVersion'] ?? '',
      hasAppArmor,
      pressure: this.#pressure,
      failureHandler: new CriticalPodAdmissionHandler({ ...ports, kill }),
      shutdown: this.shutdownManager,
    })
  }

  #loop(
    ports: Ports,
    parts: {
      readonly mirrorClient: BasicMirrorClient
      readonly deadline: ActiveDeadlineHandler
      readonly workQueue: WorkQueue
    },
  ): PodsController {
    const { podManager, podWorkers, statusManager, podCache, sourcesReady } = this
    const shared = { ...ports, podManager, podWorkers, statusManager, sourcesReady }
    const handlers = new PodHandlers({
      ...shared,
      podCache,
      runtime: this.#runtime,
      allocations: this.allocationManager,
    })
    const { mirrorClient, deadline, workQueue } = parts
    const cleanups = new PodCleanups({
      ...shared,
      mirrorClient,
      prober: this.#prober,
      volumes: this.#volumes,
      allocations: this.allocationManager,
      runtime: this.#runtime,
      crashLoopBackOff: this.#runtime.crashLoopBackOff,
    })
    const controller = new PodsController({
      ...shared,
      handler: Object.assign(handlers, { handlePodCleanups: () => cleanups.run() }),
      dueWork: () => workQueue.getWork(),
      wantsSync: deadline.shouldSync,
      random: ports.random.fork('sync loop'),
    })
    controller.registerProvider(this.#provider())
    return controller
  }

  #provider(): PodProvider {
    return {
      start: (onEvent) => {
        this.#runtime.start()
        this.pleg.start(onEvent)
      },
      stop: () => {
        this.pleg.stop()
        this.#runtime.stop()
      },
      runtimeErrors: () => this.#runtime.runtimeErrors(),
    }
  }

  #podStates(): PodStateProvider {
    return this.podsController.getPodStateProvider()
  }
}

/** The host with what the configuration sets. */
function configuredHost({
  containerHost: host,
  settings = defaultKubeletSettings,
}: KubeletDeps): ContainerHost | undefined {
  if (host === undefined) return undefined
  return {
    ...host,
    clusterDns: settings.clusterDNS ?? host.clusterDns,
    clusterDomain: settings.clusterDomain ?? host.clusterDomain,
    cgroupDriver: settings.cgroupsPerQOS ? host.cgroupDriver : 'none',
  }
}

function present(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text]
}
