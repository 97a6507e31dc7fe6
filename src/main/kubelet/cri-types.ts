/**
 * Messages of CRI v1 that calls of RuntimeService and ImageService carry (k8s.io/cri-api runtime/v1), in CRI's names.
 * Times are milliseconds since the epoch where CRI has nanoseconds. A field that is absent has the value that
 * protobuf gives it: zero, false, an empty text or list.
 */

export interface DnsConfig {
  readonly servers?: readonly string[]
  readonly searches?: readonly string[]
  readonly options?: readonly string[]
}

export interface PortMapping {
  readonly protocol: 'TCP' | 'UDP' | 'SCTP'
  readonly containerPort: number
  readonly hostPort?: number
  readonly hostIp?: string
}

export type MountPropagation =
  'PROPAGATION_PRIVATE' | 'PROPAGATION_HOST_TO_CONTAINER' | 'PROPAGATION_BIDIRECTIONAL'

export interface Mount {
  readonly containerPath: string
  readonly hostPath: string
  readonly readonly?: boolean
  readonly selinuxRelabel?: boolean
  readonly propagation?: MountPropagation
  readonly recursiveReadOnly?: boolean
}

export interface Device {
  readonly containerPath: string
  readonly hostPath: string
  readonly permissions: string
}

export type NamespaceMode = 'POD' | 'CONTAINER' | 'NODE' | 'TARGET'

/** The network is missing here: a sandbox's `hostNetwork` says it. */
export interface NamespaceOption {
  readonly pid?: NamespaceMode
  readonly ipc?: NamespaceMode
  /** The container whose namespaces are joined, with TARGET. */
  readonly targetId?: string
}

export interface SecurityProfile {
  readonly profileType: 'RuntimeDefault' | 'Unconfined' | 'Localhost'
  readonly localhostRef?: string
}

export interface SeLinuxOption {
  readonly user?: string
  readonly role?: string
  readonly type?: string
  readonly level?: string
}

/** What the security contexts of sandboxes and containers have in common. */
export interface LinuxSandboxSecurityContext {
  readonly namespaceOptions?: NamespaceOption
  readonly selinuxOptions?: SeLinuxOption
  /** Absent is not 0: the image decides. */
  readonly runAsUser?: number
  readonly runAsGroup?: number
  readonly readonlyRootfs?: boolean
  readonly supplementalGroups?: readonly number[]
  readonly supplementalGroupsPolicy?: 'Merge' | 'Strict'
  readonly privileged?: boolean
  readonly seccomp?: SecurityProfile
  readonly apparmor?: SecurityProfile
}

export interface LinuxContainerSecurityContext extends LinuxSandboxSecurityContext {
  readonly capabilities?: {
    readonly addCapabilities?: readonly string[]
    readonly dropCapabilities?: readonly string[]
  }
  readonly runAsUsername?: string
  readonly noNewPrivs?: boolean
  readonly maskedPaths?: readonly string[]
  readonly readonlyPaths?: readonly string[]
}

/** Who a container's first process runs as. */
export interface LinuxContainerUser {
  readonly uid: number
  readonly gid: number
  readonly supplementalGroups?: readonly number[]
}

/** CPU times in microseconds, sizes in bytes. */
export interface LinuxContainerResources {
  readonly cpuPeriod?: number
  readonly cpuQuota?: number
  readonly cpuShares?: number
  readonly memoryLimitInBytes?: number
  readonly memorySwapLimitInBytes?: number
  readonly oomScoreAdj?: number
  readonly cpusetCpus?: string
  readonly cpusetMems?: string
  readonly hugepageLimits?: readonly { readonly pageSize: string; readonly limit: number }[]
  /** Files of cgroup v2 and what is written to them. */
  readonly unified?: Readonly<Record<string, string>>
}

export interface LinuxPodSandboxConfig {
  readonly cgroupParent?: string
  readonly securityContext?: LinuxSandboxSecurityContext
  readonly sysctls?: Readonly<Record<string, string>>
  readonly overhead?: LinuxContainerResources
  readonly resources?: LinuxContainerResources
}

export interface LinuxContainerConfig {
  readonly resources?: LinuxContainerResources
  readonly securityContext?: LinuxContainerSecurityContext
}

export interface VersionResponse {
  /** The version of the kubelet's runtime API, `0.1.0`. */
  readonly version: string
  readonly runtimeName: string
  readonly runtimeVersion: string
  /** `v1` */
  readonly runtimeApiVersion: string
}

/** `RuntimeReady`, `NetworkReady`, or one of the runtime's own. */
export interface RuntimeCondition {
  readonly type: string
  readonly status: boolean
  readonly reason: string
  readonly message: string
}

export interface RuntimeStatus {
  readonly conditions: readonly RuntimeCondition[]
  readonly runtimeHandlers?: readonly {
    /** Empty for the default one. */
    readonly name: string
    readonly features?: {
      readonly recursiveReadOnlyMounts?: boolean
      readonly userNamespaces?: boolean
    }
  }[]
  readonly features?: { readonly supplementalGroupsPolicy?: boolean }
}

export interface RuntimeConfig {
  /** Absent on a system without cgroups. */
  readonly linux?: { readonly cgroupDriver: 'SYSTEMD' | 'CGROUPFS' }
}

export interface ExecSyncResponse {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** One of stdin, stdout and stderr must be set; with a terminal there is no stderr. */
interface StreamOptions {
  readonly tty: boolean
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
}

export interface ExecRequest extends StreamOptions {
  readonly containerId: string
  readonly cmd: readonly string[]
}

export interface AttachRequest extends StreamOptions {
  readonly containerId: string
}

export interface PortForwardRequest {
  readonly podSandboxId: string
  /** Not used by today's clients, which name the port on the stream. */
  readonly ports: readonly number[]
}

export interface CpuUsage {
  readonly timestamp: number
  /** Since the container started. */
  readonly usageCoreNanoSeconds: number
  readonly usageNanoCores: number
}

export interface MemoryUsage {
  readonly timestamp: number
  readonly workingSetBytes: number
  /** What is left of the limit; 0 without one. */
  readonly availableBytes: number
  readonly usageBytes: number
  readonly rssBytes: number
  readonly pageFaults: number
  readonly majorPageFaults: number
}

export interface FilesystemUsage {
  readonly timestamp: number
  /** A folder of the file system. */
  readonly mountpoint: string
  readonly usedBytes: number
  readonly inodesUsed: number
}

export interface NetworkInterfaceUsage {
  readonly name: string
  readonly rxBytes: number
  readonly rxErrors: number
  readonly txBytes: number
  readonly txErrors: number
}

/** What narrows a listing of statistics: every field that is there must match. */
export interface StatsFilter {
  readonly id?: string
  /** Of containers. */
  readonly podSandboxId?: string
  readonly labelSelector?: Readonly<Record<string, string>>
}

export interface ContainerStats {
  readonly id: string
  readonly name: string
  readonly attempt: number
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly cpu: CpuUsage
  readonly memory: MemoryUsage
  readonly writableLayer: FilesystemUsage
}

/** CRI's ImageFsInfoResponse: where images are, and where the writable layers of containers are. */
export interface ImageFsInfo {
  readonly imageFilesystems: readonly FilesystemUsage[]
  readonly containerFilesystems: readonly FilesystemUsage[]
}
