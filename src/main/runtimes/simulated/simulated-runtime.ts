import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Result } from '../../../shared/result.ts'
import { simulatedBehavior } from '../../../shared/simulated-behavior.ts'
import { err, ok } from '../../../shared/result.ts'
import { ValuePool } from '../../../shared/value-pool.ts'
import type {
  AttachRequest,
  ContainerStats,
  ExecRequest,
  ExecSyncResponse,
  FilesystemUsage,
  ImageFsInfo,
  LinuxContainerResources,
  PortForwardRequest,
  RuntimeConfig,
  RuntimeStatus,
  StatsFilter,
  VersionResponse,
} from '../../kubelet/cri-types.ts'
import type {
  Clock,
  ContainerConfig,
  ContainerFilter,
  DirFilesystemInfo,
  ImageService,
  Log,
  PastUse,
  PodSandbox,
  PodSandboxConfig,
  PodSandboxFilter,
  PodSandboxStats,
  PodSandboxStatus,
  Random,
  RuntimeContainer,
  RuntimeContainerStatus,
  RuntimeError,
  RuntimeImage,
  RuntimeService,
  Trace,
} from '../../kubelet/ports.ts'
import type { PodNetwork } from '../../kubelet/probe/pod-network.ts'
import { podUidOf } from '../../kubelet/kuberuntime/container-labels.ts'
import {
  hasLabels,
  isContainerListed,
  isSandboxListed,
} from '../../kubelet/container/listing-filter.ts'
import type {
  ContainerLogLine,
  ContainerLogCursor,
  ContainerLogReader,
} from '../../kubelet/host/container-log-reader.ts'
import type { ContainerLogs } from './container-log.ts'
import { resolvConfOf } from './files/container-root.ts'
import { FileTree } from './files/file-tree.ts'
import type { MachineFiles } from './files/machine-files.ts'
import { machineRoot } from './files/machine-node.ts'
import { SimulatedHostFiles } from './files/simulated-host-files.ts'
import { hexId } from './hex-id.ts'
import { ImageStore, runtimeImage } from './image-store.ts'
import { Latency } from './latency.ts'
import { OpenPorts } from './network/listener.ts'
import type { MachinePorts } from './network/listener.ts'
import { NodeNetwork } from './network/node-network.ts'
import { SimulatedNetwork } from './network/simulated-network.ts'
import { PodAddresses } from './pod-addresses.ts'
import { PodIndex } from './pod-index.ts'
import { PowerClock } from './power-clock.ts'
import { ReservedNames } from './reserved-names.ts'
import { RuntimeFaults } from './runtime-faults.ts'
import { SimulatedContainer } from './simulated-container.ts'
import type { SimulatedContainerDeps } from './simulated-container.ts'
import { SimulatedSandbox } from './simulated-sandbox.ts'
import { failingAs, forwardFailure } from './stream-failures.ts'
import type { Streaming } from './streams.ts'
import {
  containerStatsOf,
  memoryBytesAt,
  processesOf,
  writableLayerOf,
  fileSystemUsage,
  pastUseOf,
  podSandboxStatsOf,
} from './simulated-stats.ts'
import { CachedListing } from './cached-listing.ts'
import { leastOtherUse, machineFigures, onCrossing } from './machine-figures.ts'
import type { MachineSize, OtherUse } from './machine-figures.ts'
import type { NotifyMemory } from '../../kubelet/eviction/memory-threshold-notifier.ts'
import type { StatsProvider } from '../../kubelet/eviction/stats.ts'

export interface SimulatedRuntimeOptions {
  /** The range of pod addresses. Default 10.244.0.0/16. */
  readonly podCidr?: string
  /** Images that are present at the start. Default: only the pause image. */
  readonly images?: readonly string[]
  /** Writes the logs of containers. Default: no logs. */
  readonly logs?: ContainerLogs
  /** The files that mounts show. Default: `hostFiles`, in memory. */
  readonly machineFiles?: MachineFiles
  /** The network that its pods join. Default: one of its own. */
  readonly network?: SimulatedNetwork
  /** Opens the ports of pods on this machine. Default: they are open in the simulated network only. */
  readonly machinePorts?: MachinePorts
  /** Serves the streams of exec, attach and port-forward. Default: these calls are not implemented. */
  readonly streaming?: Streaming
  /** The reported mount point of images and writable layers. */
  readonly stateFolder?: string
  /** Size of the machine; default: 8 GiB of memory, and 50 GiB of the disk that images and writable layers are on. */
  readonly size?: MachineSize
}

/** A container that a boot finds. */
export interface FoundContainer {
  readonly id: string
  readonly config: ContainerConfig
  readonly image: string
  readonly startedAt: number
  /** Undefined: it ran when the machine lost power. */
  readonly end:
    Pick<RuntimeContainerStatus, 'exitCode' | 'reason' | 'message' | 'finishedAt'> | undefined
}

type Answer<T> = Promise<Result<T, RuntimeError>>

/** The default one, and what containerd and gVisor name theirs. All run containers alike. */
const runtimeHandlers = ['', 'runc', 'runsc']

const defaults = {
  podCidr: '10.244.0.0/16',
  images: ['registry.k8s.io/pause:3.10'],
  stateFolder: '/var/lib/simulated',
  size: { memoryBytes: 8 * 2 ** 30, diskBytes: 50 * 2 ** 30 },
} as const

/**
 * A container runtime on a clock, with CRI's calls and containerd's errors. Its state is in this object, so that
 * containers survive a restart of the agent. Commands are interpreted as far as they are readable; nothing is executed.
 * There is at most one timer for each running container, and one for each stop.
 */
export class SimulatedRuntime implements RuntimeService, ImageService, ContainerLogReader {
  readonly name = 'simulated'
  readonly version = '0.1.0'
  /** Makes calls fail, for labs and tests. */
  readonly faults = new RuntimeFaults()
  /** The node's files: what the kubelet mounts into containers. */
  readonly hostFiles: SimulatedHostFiles
  readonly #clock: PowerClock
  readonly #deps: SimulatedContainerDeps
  readonly #latency: Latency
  readonly #ids: Random
  readonly #images: ImageStore
  readonly #stateFolder: string
  readonly #size: MachineSize
  #lostPowerAt = 0
  /** What takes space on the disk besides images and writable layers. */
  #otherDiskBytes = 0
  #otherUse: OtherUse = leastOtherUse
  readonly #streaming: Streaming | undefined
  readonly #addresses: PodAddresses
  readonly #network: SimulatedNetwork
  readonly #machinePorts: MachinePorts | undefined
  /** Of the node, which pods with host network share. */
  readonly #hostPorts = new OpenPorts()
  /** How the kubelet reaches its pods. */
  readonly podNetwork: PodNetwork
  readonly #sandboxes = new Map<string, SimulatedSandbox>()
  readonly #containers = new Map<string, SimulatedContainer>()
  readonly #sandboxesByPod = new PodIndex<SimulatedSandbox>()
  readonly #containersByPod = new PodIndex<SimulatedContainer>()
  readonly #sandboxListing = new CachedListing<PodSandbox>()
  readonly #containerListing = new CachedListing<RuntimeContainer>()
  readonly #onSandboxChange = (): void => {
    this.#sandboxListing.changed()
  }
  readonly #names = new ReservedNames()
  /** What many sandboxes and containers have. */
  readonly #pool = new ValuePool()
  /** Containers that are being started. */
  readonly #starting = new Set<string>()

  constructor(deps: {
    readonly clock: Clock
    readonly random: Random
    readonly trace: Trace
    readonly log: Log
    readonly options?: SimulatedRuntimeOptions
  }) {
    const { random, trace, log, options = {} } = deps
    const clock = new PowerClock(deps.clock)
    this.#clock = clock
    this.hostFiles = new SimulatedHostFiles({ now: () => clock.now() })
    const latency = new Latency({ clock, random })
    this.#latency = latency
    const { logs, stateFolder = defaults.stateFolder } = options
    const chances = random.fork('probes')
    const execs = random.fork('execs')
    const { machineFiles, network = new SimulatedNetwork() } = options
    const hostFiles =
      machineFiles === undefined
        ? this.hostFiles.tree
        : new FileTree({ root: machineRoot(machineFiles), now: () => clock.now() })
    this.#deps = {
      clock,
      trace,
      log,
      logs,
      hostFiles,
      network,
      chance: () => chances.next(),
      dyingMs: () => latency.draw('killContainer'),
      execId: () => hexId(execs),
      onChange: () => {
        this.#containerListing.changed()
      },
    }
    this.#stateFolder = stateFolder
    this.#size = options.size ?? defaults.size
    this.#streaming = options.streaming
    this.#ids = random.fork('ids')
    this.#images = new ImageStore({
      latency: this.#latency,
      present: options.images ?? defaults.images,
    })
    this.#addresses = new PodAddresses({ podCidr: options.podCidr ?? defaults.podCidr })
    this.#network = network
    this.#machinePorts = options.machinePorts
    const place = { network, ports: this.#hostPorts, address: undefined }
    this.podNetwork = new NodeNetwork({ clock, place, address: this.#addresses.gateway })
  }

  async getVersion(): Answer<VersionResponse> {
    const fault = this.faults.take('getVersion')
    if (fault !== undefined) return err(fault)
    const { name: runtimeName, version: runtimeVersion } = this
    return ok({ version: '0.1.0', runtimeName, runtimeVersion, runtimeApiVersion: 'v1' })
  }

  async status(): Answer<RuntimeStatus> {
    const fault = this.faults.take('status')
    if (fault !== undefined) return err(fault)
    const ready = { status: true, reason: '', message: '' }
    return ok({
      conditions: [
        { type: 'RuntimeReady', ...ready },
        { type: 'NetworkReady', ...ready },
      ],
      runtimeHandlers: runtimeHandlers.map((name) => ({ name })),
    })
  }

  async runtimeConfig(): Answer<RuntimeConfig> {
    const fault = this.faults.take('runtimeConfig')
    return fault === undefined ? ok({ linux: { cgroupDriver: 'CGROUPFS' } }) : err(fault)
  }

  /** No effect: addresses come from the `podCidr` of the options. */
  async updateRuntimeConfig(): Answer<undefined> {
    const fault = this.faults.take('updateRuntimeConfig')
    return fault === undefined ? ok(undefined) : err(fault)
  }

  async runPodSandbox(
    config: PodSandboxConfig,
    causes: TraceCauses = [],
    runtimeHandler = '',
  ): Answer<string> {
    const fault = this.faults.take('runPodSandbox')
    if (fault !== undefined) return err(fault)
    const { name, namespace, uid, attempt } = config.metadata
    const id = hexId(this.#ids)
    const existing = this.#sandboxOfName(config.metadata)
    const reserved = this.#names.reserve('sandbox', [name, namespace, uid, attempt], id, existing)
    if (!reserved.ok) return reserved
    if (!runtimeHandlers.includes(runtimeHandler)) {
      this.#names.release(id)
      return failed(
        `failed to get sandbox runtime: no runtime for "${runtimeHandler}" is configured`,
      )
    }
    await this.#latency.take('startSandbox')
    const ip = config.hostNetwork ? undefined : this.#addresses.take()
    if (ip === undefined && !config.hostNetwork) {
      this.#names.release(id)
      return failed(
        `failed to setup network for sandbox "${id}": plugin type="simulated" failed (add): no IP addresses available`,
      )
    }
    const { clock, trace } = this.#deps
    const createdAt = clock.now()
    const ports = ip === undefined ? this.#hostPorts : this.#portsOf(ip)
    if (ip !== undefined) this.#network.join(ip, ports)
    const pool = this.#pool
    const resolvConf = pool.share(resolvConfOf(config.dnsConfig))
    const network = this.#network
    const onChange = this.#onSandboxChange
    const parts = { id, config, createdAt, ip, runtimeHandler, trace, network, ports, resolvConf }
    const sandbox = new SimulatedSandbox({ ...parts, pool, onChange }, causes)
    this.#sandboxes.set(id, sandbox)
    onChange()
    this.#sandboxesByPod.add(uid, sandbox)
    this.#names.release(id)
    return ok(id)
  }

  /** Kills running containers without SIGTERM (containerd sandbox_stop.go). */
  async stopPodSandbox(id: string, causes: TraceCauses = []): Answer<undefined> {
    const fault = this.faults.take('stopPodSandbox')
    if (fault !== undefined) return err(fault)
    const sandbox = this.#sandboxes.get(id)
    if (sandbox === undefined || !sandbox.isReady) return ok(undefined)
    for (const container of this.#containersOf(id)) container.kill(causes)
    await this.#latency.take('stopSandbox')
    this.#stopNow(sandbox, causes)
    return ok(undefined)
  }

  /** Also removes its containers; stops it first if it is ready. */
  async removePodSandbox(id: string, causes: TraceCauses = []): Answer<undefined> {
    const fault = this.faults.take('removePodSandbox')
    if (fault !== undefined) return err(fault)
    if (!this.#sandboxes.has(id)) return ok(undefined)
    await this.#latency.take('removeSandbox')
    const sandbox = this.#sandboxes.get(id)
    if (sandbox === undefined) return ok(undefined)
    for (const container of this.#containersOf(id)) this.#removeNow(container, causes)
    this.#stopNow(sandbox, causes)
    this.#sandboxes.delete(id)
    this.#sandboxListing.changed()
    this.#sandboxesByPod.delete(sandbox.view.metadata.uid, sandbox)
    return ok(undefined)
  }

  async listPodSandboxes(filter: PodSandboxFilter = {}): Answer<readonly PodSandbox[]> {
    const fault = this.faults.take('listPodSandboxes')
    if (fault !== undefined) return err(fault)
    const { podUid, id, state, labelSelector } = filter
    const all = this.#sandboxes.values()
    if (podUid === undefined && id === undefined && labelSelector === undefined)
      return ok(
        this.#sandboxListing.list(state ?? 'all', all, ({ view }) =>
          state === undefined || view.state === state ? view : undefined,
        ),
      )
    const sandboxes = podUid === undefined ? all : this.#sandboxesByPod.of(podUid)
    const views = [...sandboxes].map(({ view }) => view)
    return ok(views.filter((view) => isSandboxListed(view, filter)))
  }

  async podSandboxStatus(id: string): Answer<PodSandboxStatus> {
    const fault = this.faults.take('podSandboxStatus')
    if (fault !== undefined) return err(fault)
    const sandbox = this.#sandboxes.get(id)
    return sandbox === undefined
      ? notFound('an error occurred when try to find sandbox')
      : ok(sandbox.view)
  }

  async createContainer(
    podSandboxId: string,
    config: ContainerConfig,
    sandboxConfig: PodSandboxConfig,
    causes: TraceCauses = [],
  ): Answer<string> {
    const fault = this.faults.take('createContainer')
    if (fault !== undefined) return err(fault)
    const sandbox = this.#sandboxes.get(podSandboxId)
    if (sandbox === undefined) return notFound(`failed to find sandbox id "${podSandboxId}"`)
    const image = this.#images.find(config.image)
    if (image === undefined) {
      return notFound(`failed to resolve image "${config.image}"`)
    }
    const { metadata } = sandbox.view
    const { name, namespace, uid } = metadata
    const id = hexId(this.#ids)
    const reserved = this.#names.reserve(
      'container',
      [config.name, name, namespace, uid, config.attempt],
      id,
      this.#containerOfName(metadata, config),
    )
    if (!reserved.ok) return reserved
    await this.#latency.take('createContainer')
    if (!sandbox.isReady) {
      this.#names.release(id)
      return failed(`sandbox container "${podSandboxId}" is not running`)
    }
    const refusal = this.#targetRefusal(podSandboxId, config)
    if (refusal !== undefined) {
      this.#names.release(id)
      return failed(
        `failed to generate container "${id}" spec: invalid target container: ${refusal}`,
      )
    }
    const { logDirectory } = sandbox
    const logPath =
      logDirectory === undefined || config.logPath === undefined
        ? undefined
        : `${logDirectory}/${config.logPath}`
    const behavior = simulatedBehavior(sandboxConfig.annotations, config.name)
    const container = new SimulatedContainer(
      this.#deps,
      {
        id,
        config,
        image,
        pool: this.#pool,
        sandbox,
        behavior,
        logPath,
      },
      causes,
    )
    this.#containers.set(id, container)
    this.#containerListing.changed()
    this.#containersByPod.add(podUidOf(container.status), container)
    this.#names.release(id)
    return ok(id)
  }

  #sandboxOfName({ name, namespace, uid, attempt }: PodSandbox['metadata']): string | undefined {
    for (const { view } of this.#sandboxesByPod.of(uid)) {
      const { metadata } = view
      const isSame = metadata.name === name && metadata.namespace === namespace
      if (isSame && metadata.attempt === attempt) return view.id
    }
    return undefined
  }

  /** Containers that no kubelet made have no label with the uid of their pod. */
  #containerOfName(
    { name, namespace, uid }: PodSandbox['metadata'],
    config: ContainerConfig,
  ): string | undefined {
    for (const { status } of [...this.#containersByPod.of(uid), ...this.#containersByPod.of('')]) {
      if (status.name !== config.name || status.attempt !== config.attempt) continue
      const pod = this.#sandboxes.get(status.podSandboxId)?.view.metadata
      if (pod?.uid === uid && pod.name === name && pod.namespace === namespace) return status.id
    }
    return undefined
  }

  /** Why the container cannot see the processes of its target; undefined if it has none or can (containerd validateTargetContainer). */
  #targetRefusal(podSandboxId: string, { linux }: ContainerConfig): string | undefined {
    const { pid, targetId = '' } = linux?.securityContext?.namespaceOptions ?? {}
    if (pid !== 'TARGET') return undefined
    const target = this.#containers.get(targetId)?.status
    if (target === undefined) return `container "${targetId}" does not exist: not found`
    if (target.podSandboxId !== podSandboxId)
      return `container "${targetId}" (sandbox ${target.podSandboxId}) does not belong to sandbox ${podSandboxId}`
    if (target.state === 'running') return undefined
    return `container "${targetId}" is not running - in state CONTAINER_${target.state.toUpperCase()}`
  }

  async startContainer(id: string, causes: TraceCauses = []): Answer<undefined> {
    const fault = this.faults.take('startContainer')
    if (fault !== undefined) return err(fault)
    const container = this.#containers.get(id)
    if (container === undefined) return this.#noContainer(id)
    const { state, podSandboxId } = container.status
    if (state !== 'created' || this.#starting.has(id)) {
      const found = state === 'created' ? 'starting' : `CONTAINER_${state.toUpperCase()}`
      return failed(
        `failed to set starting state for container "${id}": container is in ${found} state`,
      )
    }
    this.#starting.add(id)
    await this.#latency.take('startContainer')
    this.#starting.delete(id)
    if (!this.#containers.has(id)) return this.#noContainer(id)
    if (this.#sandboxes.get(podSandboxId)?.isReady !== true) {
      return failed(`sandbox container "${podSandboxId}" is not running`)
    }
    const failure = container.openLog()
    if (failure !== undefined) return failed(failure)
    const notStarted = container.start(causes)
    return notStarted === undefined ? ok(undefined) : failed(notStarted)
  }

  /** A pod's annotations, which CRI tells a runtime only with a new container. */
  annotatePod(podUid: string, annotations: Readonly<Record<string, string>>): void {
    for (const container of this.#containersByPod.of(podUid))
      container.changeBehavior(simulatedBehavior(annotations, container.status.name))
  }

  /** For overlapping calls see SimulatedContainer.stop. */
  async stopContainer(
    id: string,
    timeoutSeconds: number,
    causes: TraceCauses = [],
  ): Answer<undefined> {
    const fault = this.faults.take('stopContainer')
    if (fault !== undefined) return err(fault)
    const container = this.#containers.get(id)
    if (container === undefined) return this.#noContainer(id)
    if (container.isRunning) await container.stop(timeoutSeconds, causes)
    return ok(undefined)
  }

  /** Kills it first if it runs (containerd container_remove.go). */
  async removeContainer(id: string, causes: TraceCauses = []): Answer<undefined> {
    const fault = this.faults.take('removeContainer')
    if (fault !== undefined) return err(fault)
    if (!this.#containers.has(id)) return ok(undefined)
    await this.#latency.take('removeContainer')
    const container = this.#containers.get(id)
    if (container !== undefined) this.#removeNow(container, causes)
    return ok(undefined)
  }

  async listContainers(filter: ContainerFilter = {}): Answer<readonly RuntimeContainer[]> {
    const fault = this.faults.take('listContainers')
    if (fault !== undefined) return err(fault)
    const { podUid, podSandboxId, id, state, labelSelector } = filter
    const all = this.#containers.values()
    const isWhole = [podUid, podSandboxId, id, labelSelector].every((field) => field === undefined)
    if (isWhole)
      return ok(
        this.#containerListing.list(state ?? 'all', all, ({ status }) =>
          state === undefined || status.state === state ? status : undefined,
        ),
      )
    const containers = podUid === undefined ? all : this.#containersByPod.of(podUid)
    const statuses = [...containers].map(({ status }) => status)
    return ok(statuses.filter((status) => isContainerListed(status, filter)))
  }

  async containerStatus(id: string): Answer<RuntimeContainerStatus> {
    const fault = this.faults.take('containerStatus')
    if (fault !== undefined) return err(fault)
    const container = this.#containers.get(id)
    return container === undefined ? this.#noContainer(id) : ok(container.status)
  }

  /** By its annotations or its image, so that nothing has to be measured. */
  readonly pastUse: PastUse = (id, period) => {
    const container = this.#containers.get(id)
    return container === undefined ? [] : pastUseOf(container.usage, period)
  }

  async containerEnvironment(id: string): Answer<ContainerConfig['envs'] | undefined> {
    const container = this.#containers.get(id)
    return container === undefined ? this.#noContainer(id) : ok(container.envs)
  }

  async lastLogLines(id: string, count: number): Promise<readonly ContainerLogLine[] | undefined> {
    return this.#containers.get(id)?.lastLogLines(count)
  }

  async openLog(id: string, count: number): Promise<ContainerLogCursor | undefined> {
    return this.#containers.get(id)?.openLogCursor(count)
  }

  async updateContainerResources(
    id: string,
    resources: LinuxContainerResources,
  ): Answer<undefined> {
    const fault = this.faults.take('updateContainerResources')
    if (fault !== undefined) return err(fault)
    const container = this.#containers.get(id)
    if (container === undefined) return notFound('failed to find container')
    container.updateResources(resources)
    return ok(undefined)
  }

  async reopenContainerLog(id: string): Answer<undefined> {
    const fault = this.faults.take('reopenContainerLog')
    if (fault !== undefined) return err(fault)
    const container = this.#containers.get(id)
    if (container === undefined) return this.#noContainer(id)
    if (!container.isRunning) return failed('container is not running')
    const failure = container.reopenLog()
    return failure === undefined ? ok(undefined) : failed(failure)
  }

  async execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Answer<ExecSyncResponse> {
    const fault = this.faults.take('execSync')
    if (fault !== undefined) return err(fault)
    const container = this.#containers.get(id)
    if (container === undefined)
      return notFound(`failed to exec in container: failed to find container "${id}" in store`)
    return container.execSync(command, timeoutSeconds)
  }

  async exec({ containerId, cmd, ...request }: ExecRequest): Answer<string> {
    const fault = this.faults.take('exec')
    if (fault !== undefined) return err(fault)
    const container = this.#containers.get(containerId)
    if (container === undefined) return this.#noContainer(containerId)
    if (!container.isRunning) return failed('container is not running')
    const url = this.#streaming?.command(request, (streams) =>
      failingAs('error executing command in container', container.exec(cmd, streams, request)),
    )
    return url === undefined ? noStreams : ok(url)
  }

  async attach({ containerId, ...request }: AttachRequest): Answer<string> {
    const fault = this.faults.take('attach')
    if (fault !== undefined) return err(fault)
    const container = this.#containers.get(containerId)
    if (container === undefined) return this.#noContainer(containerId)
    if (!container.isRunning) return failed('container is not running')
    const url = this.#streaming?.command(request, (streams) =>
      failingAs('error attaching to container', container.attach(streams, request)),
    )
    return url === undefined ? noStreams : ok(url)
  }

  async portForward({ podSandboxId }: PortForwardRequest): Answer<string> {
    const fault = this.faults.take('portForward')
    if (fault !== undefined) return err(fault)
    const sandbox = this.#sandboxes.get(podSandboxId)
    if (sandbox === undefined) return notFound(`failed to find sandbox "${podSandboxId}"`)
    if (!sandbox.isReady) return failed(`sandbox container "${podSandboxId}" is not running`)
    const url = this.#streaming?.portForward((port) => {
      const listener = sandbox.ports.at(port)
      const isOpen = listener !== undefined && listener.isFailing?.() !== true
      return isOpen ? ok(listener) : err(forwardFailure(podSandboxId, port))
    })
    return url === undefined ? noStreams : ok(url)
  }

  async containerStats(id: string): Answer<ContainerStats> {
    const fault = this.faults.take('containerStats')
    if (fault !== undefined) return err(fault)
    const container = this.#containers.get(id)
    if (container === undefined) return notFound('failed to find container')
    return ok(this.#statsOf(container))
  }

  async listContainerStats(filter: StatsFilter = {}): Answer<readonly ContainerStats[]> {
    const fault = this.faults.take('listContainerStats')
    if (fault !== undefined) return err(fault)
    const running = [...this.#containers.values()].filter(
      ({ isRunning, status }) => isRunning && isContainerListed(status, filter),
    )
    return ok(running.map((container) => this.#statsOf(container)))
  }

  async podSandboxStats(id: string): Answer<PodSandboxStats> {
    const fault = this.faults.take('podSandboxStats')
    if (fault !== undefined) return err(fault)
    const sandbox = this.#sandboxes.get(id)
    return sandbox === undefined
      ? notFound(`an error occurred when trying to find sandbox ${id}`)
      : ok(this.#sandboxStatsOf(sandbox))
  }

  async listPodSandboxStats(filter: StatsFilter = {}): Answer<readonly PodSandboxStats[]> {
    const fault = this.faults.take('listPodSandboxStats')
    if (fault !== undefined) return err(fault)
    const { id, labelSelector } = filter
    const ready = [...this.#sandboxes.values()].filter(
      ({ isReady, view }) =>
        isReady && (id === undefined || id === view.id) && hasLabels(labelSelector, view.labels),
    )
    return ok(ready.map((sandbox) => this.#sandboxStatsOf(sandbox)))
  }

  causesOf(id: string): TraceCauses {
    return (this.#containers.get(id) ?? this.#sandboxes.get(id))?.causes ?? []
  }

  async imageStatus(image: string): Answer<RuntimeImage | undefined> {
    const fault = this.faults.take('imageStatus')
    if (fault !== undefined) return err(fault)
    const found = this.#images.find(image)
    return ok(found === undefined ? undefined : runtimeImage(found))
  }

  async pullImage(image: string): Answer<string> {
    const fault = this.faults.take('pullImage')
    return fault === undefined ? this.#images.pull(image) : err(fault)
  }

  async listImages(image?: string): Answer<readonly RuntimeImage[]> {
    const fault = this.faults.take('listImages')
    if (fault !== undefined) return err(fault)
    const wanted = image === undefined ? undefined : this.#images.find(image)
    const images = this.#images.list()
    const listed = image === undefined ? images : images.filter((one) => one === wanted)
    return ok(listed.map(runtimeImage))
  }

  async removeImage(image: string): Answer<undefined> {
    const fault = this.faults.take('removeImage')
    if (fault !== undefined) return err(fault)
    this.#images.remove(image)
    return ok(undefined)
  }

  /** Other data takes this share of the disk, from 0 to 1. */
  readonly fillDisk = (share: number): void => {
    this.#otherDiskBytes = Math.round(this.#size.diskBytes * share)
  }

  readonly dirFilesystemInfo: DirFilesystemInfo = async () => {
    const capacityBytes = this.#size.diskBytes
    return ok({ capacityBytes, availableBytes: Math.max(0, capacityBytes - this.#diskUse()) })
  }

  get memoryBytes(): number {
    return this.#size.memoryBytes
  }

  /** What processes of the machine that are in no pod use. */
  readonly useOther = (use: Partial<OtherUse>): void => {
    this.#otherUse = { ...this.#otherUse, ...use }
  }

  get otherUse(): OtherUse {
    return this.#otherUse
  }

  /** What the machine has and uses at this moment. One disk has everything. */
  readonly nodeFigures: StatsProvider['node'] = async () => {
    const time = this.#clock.now()
    const pods = { memoryBytes: 0, processes: 0 }
    for (const container of this.#containers.values()) {
      if (!container.isRunning) continue
      pods.memoryBytes += memoryBytesAt(container.usage, time)
      pods.processes += processesOf(container.usage, time)
    }
    const disk = { usedBytes: this.#diskUse(), inodesUsed: this.#inodeUse() }
    const other = this.#otherUse
    return ok(machineFigures({ time, pods, disk, other, size: this.#size }))
  }

  /** Looks once a second, as a kernel that tells of a crossing would tell at once. */
  readonly notifyMemory: NotifyMemory = (scope, usageBytes, onCrossed) => {
    const isAbove = async (): Promise<boolean> => {
      const figures = await this.nodeFigures()
      const node = figures.ok ? figures.value : {}
      const memory = scope === 'pods' ? node.podsMemory : node.memory
      return (memory?.usageBytes ?? 0) >= usageBytes
    }
    return onCrossing(this.#clock, isAbove, onCrossed)
  }

  readonly logBytes = (id: string): number => this.#containers.get(id)?.logBytes ?? 0

  #diskUse(): number {
    let bytes = this.#otherDiskBytes + this.#otherUse.diskBytes
    for (const { sizeBytes } of this.#images.list()) bytes += sizeBytes
    for (const { logBytes } of this.#containers.values()) bytes += logBytes
    return bytes + this.#layerUsage().usedBytes
  }

  #inodeUse(): number {
    return this.#otherUse.inodes + this.#images.list().length + this.#layerUsage().inodesUsed
  }

  #layerUsage(): Pick<FilesystemUsage, 'usedBytes' | 'inodesUsed'> {
    const now = this.#clock.now()
    const total = { usedBytes: 0, inodesUsed: 0 }
    for (const { usage } of this.#containers.values()) {
      const { usedBytes, inodesUsed } = writableLayerOf(usage, now)
      total.usedBytes += usedBytes
      total.inodesUsed += inodesUsed
    }
    return total
  }

  async imageFsInfo(): Answer<ImageFsInfo> {
    const fault = this.faults.take('imageFsInfo')
    if (fault !== undefined) return err(fault)
    const now = this.#clock.now()
    const images = this.#images.list()
    const imageBytes = images.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0)
    const layers = this.#layerUsage()
    const usage = (bytes: number, inodes: number) =>
      fileSystemUsage(now, this.#stateFolder, bytes, inodes)
    return ok({
      imageFilesystems: [usage(imageBytes, images.length)],
      containerFilesystems: [usage(layers.usedBytes, layers.inodesUsed)],
    })
  }

  /**
   * A power failure: all processes are gone, and pending calls are never answered. No calls are allowed until `boot`.
   */
  cutPower(): void {
    this.#lostPowerAt = this.#clock.now()
    this.#clock.cut()
    this.#starting.clear()
    this.#images.forgetPulls()
  }

  /**
   * Recovers like containerd after a reboot (internal/cri/server/restart.go): running containers have exited with code
   * 255 and the reason Unknown, no sandbox is ready, images are kept.
   */
  boot(): void {
    for (const container of this.#containers.values()) container.recover(this.#lostPowerAt)
    for (const sandbox of this.#sandboxes.values()) this.#stopNow(sandbox, [])
    this.#names.clear()
  }

  /**
   * What a boot finds on the disk of its machine, before any call: a sandbox that is not ready, with containers that have exited, and
   * their images. The trace has nothing of it.
   */
  recall(config: PodSandboxConfig, containers: readonly FoundContainer[]): void {
    const deps = { ...this.#deps, trace: { emit: () => 0 } }
    const id = hexId(this.#ids)
    const sandbox = new SimulatedSandbox(
      {
        id,
        config,
        createdAt: deps.clock.now(),
        ip: undefined,
        runtimeHandler: '',
        pool: this.#pool,
        trace: deps.trace,
        network: this.#network,
        ports: new OpenPorts(),
        resolvConf: '',
        onChange: this.#onSandboxChange,
      },
      [],
    )
    sandbox.stop([])
    this.#sandboxes.set(id, sandbox)
    this.#sandboxesByPod.add(config.metadata.uid, sandbox)
    for (const found of containers) {
      const image = this.#images.keep(found.image)
      const behavior = simulatedBehavior(config.annotations, found.config.name)
      const parts = {
        id: found.id,
        config: found.config,
        image,
        pool: this.#pool,
        sandbox,
        behavior,
      }
      const container = new SimulatedContainer(deps, { ...parts, logPath: undefined }, [])
      container.recall(found.startedAt, found.end)
      this.#containers.set(found.id, container)
      this.#containersByPod.add(podUidOf(container.status), container)
    }
    this.#containerListing.changed()
  }

  #statsOf(container: SimulatedContainer): ContainerStats {
    return containerStatsOf(container.usage, this.#clock.now(), this.#stateFolder)
  }

  #sandboxStatsOf(sandbox: SimulatedSandbox): PodSandboxStats {
    const running = this.#containersOf(sandbox.view.id).filter(({ isRunning }) => isRunning)
    const stats = running.map((container) => this.#statsOf(container))
    const now = this.#clock.now()
    const processes = running.reduce((sum, { usage }) => sum + processesOf(usage, now), 0)
    return podSandboxStatsOf(sandbox.view, stats, processes, now)
  }

  #containersOf(podSandboxId: string): readonly SimulatedContainer[] {
    return [...this.#containers.values()].filter(
      ({ status }) => status.podSandboxId === podSandboxId,
    )
  }

  #portsOf(address: string): OpenPorts {
    const machine = this.#machinePorts
    if (machine === undefined) return new OpenPorts()
    return new OpenPorts((port, listener) => machine.listen(address, port, listener))
  }

  #stopNow(sandbox: SimulatedSandbox, causes: TraceCauses): void {
    for (const ip of sandbox.view.ips) {
      this.#addresses.free(ip)
      this.#network.leave(ip)
    }
    sandbox.stop(causes)
  }

  #removeNow(container: SimulatedContainer, causes: TraceCauses): void {
    container.kill(causes)
    const { id } = container.status
    this.#containers.delete(id)
    this.#containerListing.changed()
    this.#containersByPod.delete(podUidOf(container.status), container)
  }

  #noContainer(id: string): Result<never, RuntimeError> {
    return notFound(`an error occurred when try to find container "${id}"`)
  }
}

const noStreams: Result<never, RuntimeError> = err({
  kind: 'unimplemented',
  message: 'the simulated runtime serves no streams',
})

function failed(message: string): Result<never, RuntimeError> {
  return err({ kind: 'failed', message })
}

function notFound(what: string): Result<never, RuntimeError> {
  return err({ kind: 'not-found', message: `${what}: not found` })
}
