/**
 * What the core needs from outside. Every duty of an implementer is stated here; fakes and real
 * adapters pass the same contract tests. The core itself names no Electron, Node, DOM or network.
 */
import type {
  ConfigMap,
  KubeEvent,
  KubeObject,
  Lease,
  Namespace,
  Node,
  Pod,
  Secret,
  Service,
} from '../../shared/kubernetes/objects.ts'
import type { Result } from '../../shared/result.ts'
import type { TraceCauses, TraceInput, TraceSeq } from '../../shared/model/trace-event.ts'
import type { UseSample } from '../../shared/model/inside-pod/pod-use.ts'
import type {
  AttachRequest,
  ContainerStats,
  CpuUsage,
  Device,
  DnsConfig,
  ExecRequest,
  ExecSyncResponse,
  ImageFsInfo,
  LinuxContainerConfig,
  LinuxContainerResources,
  LinuxContainerUser,
  LinuxPodSandboxConfig,
  MemoryUsage,
  Mount,
  NamespaceOption,
  NetworkInterfaceUsage,
  PortForwardRequest,
  PortMapping,
  RuntimeConfig,
  RuntimeStatus,
  StatsFilter,
  VersionResponse,
} from './cri-types.ts'
import type { ContainerLogReader } from './host/container-log-reader.ts'
import type { NotifyMemory } from './eviction/memory-threshold-notifier.ts'
import type { StatsProvider } from './eviction/stats.ts'
import type { HostFiles } from './host/host-files.ts'
import type { KubeletMetrics } from './metrics/kubelet-metrics.ts'

/** Cancels a timer. Twice, or after it fired, does nothing. */
export type CancelTimer = () => void

/** Time. Milliseconds since the Unix epoch; on a virtual clock they are virtual milliseconds. */
export interface Clock {
  readonly now: () => number
  /** Calls `fn` once, at or after now + delayMs (a negative or NaN delay counts as 0), never inside `after` itself. */
  readonly after: (delayMs: number, fn: () => void) => CancelTimer
}

/** A clock that waits for real I/O: it does not advance while a hold is open. On the system clock a hold does nothing. */
export interface HoldableClock extends Clock {
  /** Returns the release; releasing twice does nothing. */
  readonly hold: () => () => void
}

/** Seeded chance. One instance per concern, so that adding a draw in one place leaves the others alone. */
export interface Random {
  /** Uniform in [0, 1). */
  readonly next: () => number
  /** A stream of its own, derived from this one's seed and the name. */
  readonly fork: (name: string) => Random
}

/** Go's context, as far as the kubelet uses it. Cancelling twice does nothing. */
export interface Cancellation {
  readonly isCancelled: () => boolean
  /** Calls `fn` once when cancelled, at once if it already is. Returns the unsubscribe. */
  readonly onCancel: (fn: () => void) => () => void
}

/** MD5 of a UTF-8 string, 32 lower-case hex digits. Used for static pod UIDs only, never for secrets. */
export interface Hash {
  readonly md5Hex: (text: string) => string
}

export type LogFields = Readonly<Record<string, unknown>>

/** Structured log: a constant message, fields for the rest. Never blocks, never throws. */
export interface Log {
  readonly debug: (message: string, fields?: LogFields) => void
  readonly info: (message: string, fields?: LogFields) => void
  readonly warn: (message: string, fields?: LogFields) => void
  readonly error: (message: string, fields?: LogFields) => void
}

/** Takes what happened; returns its sequence number, which later events name as their cause. */
export interface Trace {
  readonly emit: (event: TraceInput) => TraceSeq
}

/** What most parts of the kubelet need. */
export interface CorePorts {
  readonly clock: Clock
  readonly trace: Trace
  readonly log: Log
  /** Absent: nothing is counted. */
  readonly metrics?: KubeletMetrics | undefined
}

// --- API server -----------------------------------------------------------------------------

/** Why an API call failed. `message` is the server's own sentence where there was one. */
export type ApiErrorKind =
  | 'not-found'
  | 'already-exists'
  | 'conflict'
  | 'gone'
  | 'forbidden'
  | 'unauthorized'
  | 'invalid'
  | 'too-many-requests'
  | 'timeout'
  | 'unavailable'
  | 'unknown'

export interface ApiError {
  readonly kind: ApiErrorKind
  readonly message: string
  /** HTTP status code; absent when no answer came. */
  readonly code?: number
  /** No answer came, because the server did not get the request. Absent: whether it got it is not known. */
  readonly isUnsent?: true
  /** `reason` of the Status, where it has one. */
  readonly reason?: string
  /** The messages of `details.causes`, where there are any. */
  readonly causes?: readonly string[]
  readonly retryAfterSeconds?: number
}

/** The resources that the core touches, by plural name, and their objects. */
export interface Resources {
  readonly pods: Pod
  readonly nodes: Node
  readonly leases: Lease
  readonly events: KubeEvent
  readonly namespaces: Namespace
  readonly daemonsets: KubeObject
  readonly secrets: Secret
  readonly configmaps: ConfigMap
  readonly services: Service
  readonly runtimeclasses: RuntimeClass
}

export type ResourceName = keyof Resources

/** A RuntimeClass, as far as a kubelet reads it. */
export interface RuntimeClass extends KubeObject {
  /** Names what the container runtime runs pods with. */
  readonly handler?: string
}

export interface ObjectKey<R extends ResourceName = ResourceName> {
  readonly resource: R
  /** Absent for cluster-scoped resources. */
  readonly namespace?: string
  readonly name: string
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  /** What happens to dependents. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
}

/** A token of a service account that is valid while the object exists to which it is bound. */
export interface TokenRequestSpec {
  /** Empty: the API server's own. */
  readonly audiences: readonly string[]
  readonly expirationSeconds: number
  readonly boundObjectRef: {
    readonly apiVersion: 'v1'
    readonly kind: 'Pod'
    readonly name: string
    readonly uid: string
  }
}

/** `expirationSeconds` as the server decided. */
export interface TokenRequest {
  readonly spec: { readonly expirationSeconds: number }
  readonly status: { readonly token: string; readonly expirationTimestamp: string }
}

export interface Patch {
  readonly type: 'strategic' | 'merge' | 'json'
  readonly body: unknown
  readonly subresource?: 'status' | 'approval'
}

/**
 * Typed calls on one API server with one credential. Never throws for a server's answer or a missing
 * one: both are `ApiError` values. `causes` are the trace events that led to the call.
 */
export interface ApiClient {
  readonly get: <R extends ResourceName>(
    key: ObjectKey<R>,
    causes?: TraceCauses,
  ) => Promise<Result<Resources[R], ApiError>>
  readonly list: <R extends ResourceName>(
    scope: {
      readonly resource: R
      readonly namespace?: string
      readonly fieldSelector?: string
      readonly labelSelector?: string
    },
    causes?: TraceCauses,
  ) => Promise<Result<readonly Resources[R][], ApiError>>
  readonly create: <R extends ResourceName>(
    scope: { readonly resource: R; readonly namespace?: string },
    object: Resources[R],
    causes?: TraceCauses,
  ) => Promise<Result<Resources[R], ApiError>>
  readonly update: <R extends ResourceName>(
    key: ObjectKey<R>,
    object: Resources[R],
    causes?: TraceCauses,
  ) => Promise<Result<Resources[R], ApiError>>
  readonly patch: <R extends ResourceName>(
    key: ObjectKey<R>,
    patch: Patch,
    causes?: TraceCauses,
  ) => Promise<Result<Resources[R], ApiError>>
  /** The object as it was, or a status, depending on the server: callers use only success or failure. */
  readonly delete: (
    key: ObjectKey,
    options: DeleteOptions,
    causes?: TraceCauses,
  ) => Promise<Result<undefined, ApiError>>
  /** POST pods/eviction (policy/v1). */
  readonly evict: (
    key: { readonly namespace: string; readonly name: string },
    options: DeleteOptions & { readonly dryRun?: boolean },
    causes?: TraceCauses,
  ) => Promise<Result<undefined, ApiError>>
}

/** Asks for tokens of service accounts, as `ApiClient` calls. */
export interface TokenClient {
  /** POST serviceaccounts/token: the TokenRequest with its answer in `status`. */
  readonly createToken: (
    account: { readonly namespace: string; readonly name: string },
    spec: TokenRequestSpec,
    causes?: TraceCauses,
  ) => Promise<Result<TokenRequest, ApiError>>
}

/** Reads the node's own Node object from a local cache (a lister): `undefined` before the first sync or when it is gone. */
export interface NodeLister {
  readonly get: () => Node | undefined
  /** True once the cache has been filled from the server for the first time. */
  readonly hasSynced: () => boolean
}

/** Reads all Services from a local cache. */
export interface ServiceLister {
  readonly list: () => readonly Service[]
  /** True once the cache has been filled from the server for the first time. */
  readonly hasSynced: () => boolean
}

/** A list and watch of one object (client-go's Reflector with the field selector `metadata.name`), from when it was asked for. */
export interface ObjectWatch<T> {
  /** True once the server has been asked; it stays true when the server is away later, and after `stop`. */
  readonly hasSynced: () => boolean
  /** As the server last told; `undefined`: there is none, or `hasSynced` is false. After `stop` it does not change. */
  readonly get: () => T | undefined
  readonly stop: () => void
}

/** As the server last listed them. */
export interface RuntimeClassLister {
  readonly get: (name: string) => RuntimeClass | undefined
}

/** What the watch of one object has found; `resourceVersion` and `uid` are empty for one that is not there. */
export interface ObjectChange {
  readonly change: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly uid: string
  readonly resourceVersion: string
  /** Of the write; none for a list. */
  readonly causes: TraceCauses
}

/** Begins to watch one object. The server is tried again, with a back-off, until `stop`. `onChange` is called after each change. */
export type WatchObject = <R extends 'secrets' | 'configmaps'>(
  key: ObjectKey<R> & { readonly namespace: string },
  onChange: (change: ObjectChange) => void,
) => ObjectWatch<Resources[R]>

export interface EventRecorder {
  /**
   * Records a Kubernetes event about a pod or the node; returns at once, delivery is best effort, equal events are counted up.
   * For a pod the reference carries the pod's own uid as the kubelet knows it (a static pod's hash), `fieldPath` names a container.
   * `annotations` are the event's own.
   */
  readonly event: (
    subject:
      | { readonly kind: 'pod'; readonly pod: Pod; readonly fieldPath?: string }
      | { readonly kind: 'node' },
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    causes?: TraceCauses,
    annotations?: Readonly<Record<string, string>>,
  ) => void
}

// --- Container runtime (CRI's words) --------------------------------------------------------

export type ContainerRuntimeState = 'created' | 'running' | 'exited' | 'unknown'
export type SandboxRuntimeState = 'ready' | 'notready'

export interface PodSandboxMetadata {
  readonly name: string
  readonly uid: string
  readonly namespace: string
  readonly attempt: number
}

export interface PodSandboxConfig {
  readonly metadata: PodSandboxMetadata
  /** In CRI `linux.security_context.namespace_options.network` is NODE. */
  readonly hostNetwork: boolean
  readonly hostname?: string
  /** The folder of the logs of its containers; they keep none where it is absent. */
  readonly logDirectory?: string
  readonly dnsConfig?: DnsConfig
  readonly portMappings?: readonly PortMapping[]
  readonly linux?: LinuxPodSandboxConfig
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** A sandbox as ListPodSandbox gives it. */
export interface PodSandbox {
  readonly id: string
  readonly metadata: PodSandboxMetadata
  readonly state: SandboxRuntimeState
  /** ms since the epoch. */
  readonly createdAt: number
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** A sandbox as PodSandboxStatus gives it. */
export interface PodSandboxStatus extends PodSandbox {
  readonly hostNetwork: boolean
  /** Empty for host network, or while there is none. */
  readonly ips: readonly string[]
  /** Absent: all namespaces are the pod's, but the network as `hostNetwork` says. */
  readonly namespaceOptions?: NamespaceOption
  /** Absent: the default one. */
  readonly runtimeHandler?: string
}

export interface PodSandboxStats {
  readonly id: string
  readonly metadata: PodSandboxMetadata
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly cpu: CpuUsage
  readonly memory: MemoryUsage
  readonly network: { readonly timestamp: number; readonly defaultInterface: NetworkInterfaceUsage }
  readonly process: { readonly timestamp: number; readonly processCount: number }
  readonly containers: readonly ContainerStats[]
}

export interface ContainerConfig {
  readonly name: string
  readonly attempt: number
  readonly image: string
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly workingDir?: string
  readonly envs: readonly { readonly key: string; readonly value: string }[]
  readonly mounts?: readonly Mount[]
  readonly devices?: readonly Device[]
  /** Below the sandbox's log directory; absent: no log is kept. */
  readonly logPath?: string
  readonly stdin?: boolean
  readonly stdinOnce?: boolean
  readonly tty?: boolean
  readonly linux?: LinuxContainerConfig
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** A container as ListContainers gives it. */
export interface RuntimeContainer {
  readonly id: string
  readonly podSandboxId: string
  readonly name: string
  readonly attempt: number
  readonly state: ContainerRuntimeState
  readonly image: string
  readonly imageRef: string
  /** The image's id. Absent: `imageRef` is it. */
  readonly imageId?: string
  readonly createdAt: number
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** A container as ContainerStatus gives it, with its sandbox, which CRI tells only in ListContainers. Times are ms since the epoch, 0 when it has not happened. */
export interface RuntimeContainerStatus extends RuntimeContainer {
  readonly startedAt: number
  readonly finishedAt: number
  readonly exitCode: number
  /** `Completed`, `Error`, `OOMKilled`, `ContainerCannotRun`, or empty while it has not ended. */
  readonly reason: string
  readonly message: string
  /** Absolute; absent: no log is kept. */
  readonly logPath?: string
  readonly mounts?: readonly Mount[]
  readonly resources?: LinuxContainerResources
  /** Absent: the runtime does not say. */
  readonly user?: LinuxContainerUser
}

/** What a listing of sandboxes is narrowed to (CRI PodSandboxFilter): every field that is there must match. */
export interface PodSandboxFilter {
  readonly id?: string
  readonly state?: SandboxRuntimeState
  /** In CRI the label `io.kubernetes.pod.uid`, which the kubelet sets to the sandbox's own `metadata.uid`. */
  readonly podUid?: string
  readonly labelSelector?: Readonly<Record<string, string>>
}

/** What a listing of containers is narrowed to (CRI ContainerFilter): every field that is there must match. */
export interface ContainerFilter {
  readonly id?: string
  readonly state?: ContainerRuntimeState
  readonly podSandboxId?: string
  /** The label `io.kubernetes.pod.uid`. */
  readonly podUid?: string
  readonly labelSelector?: Readonly<Record<string, string>>
}

/**
 * Why a call of the runtime failed, by its gRPC code. `not-found`: no such sandbox, container or image;
 * `invalid-argument`: no runtime could do what was asked; `unimplemented`: this one cannot; `deadline-exceeded`: a
 * command took longer than it was given; `unavailable`: the runtime does not answer; `failed` (gRPC Unknown): it
 * refused. `message` says why.
 */
export interface RuntimeError {
  readonly kind:
    | 'not-found'
    | 'invalid-argument'
    | 'unimplemented'
    | 'deadline-exceeded'
    | 'unavailable'
    | 'failed'
  readonly message: string
}

/**
 * CRI RuntimeService. Every call may take (virtual) time and settles by microtasks or the clock.
 * `stopContainer` sends SIGTERM (the simulated process decides what it does), waits up to
 * `timeoutSeconds`, then SIGKILL; resolves when the container has ended; a stopped one resolves at once.
 * `stopPodSandbox` and the two removes are idempotent; `not-found` counts as success for callers.
 * Listings return every sandbox and container that has not been removed and that the filter lets through,
 * in the order of their creation. What was listed is never changed afterwards: what has changed is another
 * object, so that the same one means the same state. One by `podUid` must not look at what belongs to
 * other pods: it is asked for every pod that changed, and for every worker that stops one.
 */
export interface RuntimeService {
  readonly name: string
  readonly version: string
  readonly getVersion: () => Promise<Result<VersionResponse, RuntimeError>>
  readonly status: () => Promise<Result<RuntimeStatus, RuntimeError>>
  readonly runtimeConfig: () => Promise<Result<RuntimeConfig, RuntimeError>>
  /** The kubelet calls it when the node gets a pod CIDR. */
  readonly updateRuntimeConfig: (config: {
    readonly podCidr: string
  }) => Promise<Result<undefined, RuntimeError>>
  /** `runtimeHandler` absent or empty: the default one. */
  readonly runPodSandbox: (
    config: PodSandboxConfig,
    causes?: TraceCauses,
    runtimeHandler?: string,
  ) => Promise<Result<string, RuntimeError>>
  readonly stopPodSandbox: (
    id: string,
    causes?: TraceCauses,
  ) => Promise<Result<undefined, RuntimeError>>
  readonly removePodSandbox: (
    id: string,
    causes?: TraceCauses,
  ) => Promise<Result<undefined, RuntimeError>>
  readonly listPodSandboxes: (
    filter?: PodSandboxFilter,
  ) => Promise<Result<readonly PodSandbox[], RuntimeError>>
  readonly podSandboxStatus: (id: string) => Promise<Result<PodSandboxStatus, RuntimeError>>
  /** `sandboxConfig`: as runPodSandbox had it. */
  readonly createContainer: (
    podSandboxId: string,
    config: ContainerConfig,
    sandboxConfig: PodSandboxConfig,
    causes?: TraceCauses,
  ) => Promise<Result<string, RuntimeError>>
  readonly startContainer: (
    id: string,
    causes?: TraceCauses,
  ) => Promise<Result<undefined, RuntimeError>>
  readonly stopContainer: (
    id: string,
    timeoutSeconds: number,
    causes?: TraceCauses,
  ) => Promise<Result<undefined, RuntimeError>>
  readonly removeContainer: (
    id: string,
    causes?: TraceCauses,
  ) => Promise<Result<undefined, RuntimeError>>
  readonly updateContainerResources: (
    id: string,
    resources: LinuxContainerResources,
  ) => Promise<Result<undefined, RuntimeError>>
  /** The log was renamed: from now on a new file is written under its path. */
  readonly reopenContainerLog: (id: string) => Promise<Result<undefined, RuntimeError>>
  /** Runs a command in a running container until it ends; SIGKILL after `timeoutSeconds`, 0: never. */
  readonly execSync: (
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
    causes?: TraceCauses,
  ) => Promise<Result<ExecSyncResponse, RuntimeError>>
  /** These three answer with the URL of a stream that is opened by SPDY/3.1 or WebSocket. */
  readonly exec: (request: ExecRequest) => Promise<Result<string, RuntimeError>>
  readonly attach: (request: AttachRequest) => Promise<Result<string, RuntimeError>>
  readonly portForward: (request: PortForwardRequest) => Promise<Result<string, RuntimeError>>
  readonly listContainers: (
    filter?: ContainerFilter,
  ) => Promise<Result<readonly RuntimeContainer[], RuntimeError>>
  readonly containerStatus: (id: string) => Promise<Result<RuntimeContainerStatus, RuntimeError>>
  readonly containerStats: (id: string) => Promise<Result<ContainerStats, RuntimeError>>
  /** Of running containers. */
  readonly listContainerStats: (
    filter?: StatsFilter,
  ) => Promise<Result<readonly ContainerStats[], RuntimeError>>
  readonly podSandboxStats: (id: string) => Promise<Result<PodSandboxStats, RuntimeError>>
  /** Of ready sandboxes. */
  readonly listPodSandboxStats: (
    filter?: StatsFilter,
  ) => Promise<Result<readonly PodSandboxStats[], RuntimeError>>
  /**
   * The trace events by which a container or sandbox last changed, so that the PLEG can name them as
   * causes. Absent, or empty, for a runtime that does not share the trace.
   */
  readonly causesOf?: (id: string) => TraceCauses
  /**
   * The variables that a container was created with, without those of its image; for pages, and answered while the clock stands still.
   * `undefined`: the runtime does not say. In CRI they are in the information of a verbose ContainerStatus, where containerd puts them.
   */
  readonly containerEnvironment?: (
    id: string,
  ) => Promise<Result<ContainerConfig['envs'] | undefined, RuntimeError>>
}

/** Size and free space of a file system, in bytes. */
export interface FilesystemInfo {
  readonly capacityBytes: number
  readonly availableBytes: number
}

/** The file system that a folder is on (cadvisor GetDirFsInfo). `undefined`: it is not known. */
export type DirFilesystemInfo = (
  folder: string,
) => Promise<Result<FilesystemInfo | undefined, string>>

/** In ms on the clock. */
export interface UsePeriod {
  readonly from: number
  readonly to: number
  /** Between two samples. */
  readonly stepMs: number
}

/** What a container used in that time, oldest first, as far as its runtime can tell. Empty: nothing is known. */
export type PastUse = (containerId: string, period: UsePeriod) => readonly UseSample[]

/** What a machine gives to its containers beyond the runtime. */
export interface ContainerHost {
  /** The machine's files. */
  readonly files: HostFiles
  /** The kubelet's root directory: pods have their folders and volumes below it. */
  readonly rootFolder: string
  /**
   * Whether volumes of storage that Nodescope does not mount (claims, CSI, NFS and others) are folders of the machine instead;
   * otherwise their pods do not start.
   */
  readonly simulatesStorage: boolean
  /** Resolves when the storage behind a volume answers. Absent: at once. */
  readonly beforeMount?: () => Promise<void>
  /** The ends of containers' logs. Absent: the logs are files. */
  readonly lastLogLines?: ContainerLogReader['lastLogLines']
  /** Absent: logs cannot be read. */
  readonly openLog?: ContainerLogReader['openLog']
  /** Absent: the runtime says what containers use now, not what they used before. */
  readonly pastUse?: PastUse
  /** What the machine has and uses, for the eviction manager. Absent: nothing is known, and no threshold is ever met. */
  readonly nodeFigures?: StatsProvider['node']
  /** Absent: one disk for all. */
  readonly diskLayout?: StatsProvider['diskLayout']
  /** How large the log of a container is. Absent: logs are files. */
  readonly logBytes?: (containerId: string) => number
  /** Absent: the machine tells nothing by itself. */
  readonly notifyMemory?: NotifyMemory
  /** The kubelet's podLogsDir. */
  readonly podLogsFolder: string
  readonly dirFilesystemInfo: DirFilesystemInfo
  /** Where the kubelet's clusterDNS is not set. */
  readonly clusterDns: readonly string[]
  /** Where the kubelet's clusterDomain is not set. */
  readonly clusterDomain: string
  /** As the machine's resolv.conf has it. */
  readonly hostDns: DnsConfig
  /** The machine's memory. */
  readonly memoryBytes: number
  /** As the runtime says; it decides how a pod's cgroup is named. `none`: a pod has none of its own. */
  readonly cgroupDriver: 'SYSTEMD' | 'CGROUPFS' | 'none'
  /** Whether the machine has cgroups v2 only. */
  readonly hasCgroup2: boolean
  /** Whether its cgroups can limit swap. */
  readonly hasSwapController: boolean
  /** Sizes of its huge pages as cgroups name them: `2MB`. */
  readonly hugePageSizes: readonly string[]
}

export interface RuntimeImage {
  /** e.g. `sha256:…`; what containers name as their imageRef. */
  readonly id: string
  readonly sizeBytes: number
  readonly repoTags?: readonly string[]
  readonly repoDigests?: readonly string[]
  /** The user that its processes run as, where it is a number. */
  readonly uid?: number
  /** The same where it is a name. With neither, root. */
  readonly username?: string
  /** The runtime needs it: it is never removed as unused. */
  readonly pinned?: boolean
}

/**
 * CRI ImageService. An image is named by one of its names, or by its id. `imageStatus` answers `undefined` for an image
 * that is not present; removing such a one succeeds.
 */
export interface ImageService {
  readonly imageStatus: (image: string) => Promise<Result<RuntimeImage | undefined, RuntimeError>>
  /** Answers with the image's id. */
  readonly pullImage: (image: string, causes?: TraceCauses) => Promise<Result<string, RuntimeError>>
  /** `image`: only what it names. */
  readonly listImages: (image?: string) => Promise<Result<readonly RuntimeImage[], RuntimeError>>
  readonly removeImage: (
    image: string,
    causes?: TraceCauses,
  ) => Promise<Result<undefined, RuntimeError>>
  readonly imageFsInfo: () => Promise<Result<ImageFsInfo, RuntimeError>>
}
