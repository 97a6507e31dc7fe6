/** Answers as `decodeMessage` gives them, and what they are in the words of the port. */
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type {
  ContainerStats,
  CpuUsage,
  ExecSyncResponse,
  FilesystemUsage,
  ImageFsInfo,
  LinuxContainerResources,
  LinuxContainerUser,
  MemoryUsage,
  Mount,
  NamespaceMode,
  NamespaceOption,
  NetworkInterfaceUsage,
  RuntimeCondition,
  RuntimeConfig,
  RuntimeStatus,
  VersionResponse,
} from '../../kubelet/cri-types.ts'
import type {
  ContainerRuntimeState,
  PodSandbox,
  PodSandboxMetadata,
  PodSandboxStats,
  PodSandboxStatus,
  RuntimeContainer,
  RuntimeContainerStatus,
  RuntimeError,
  RuntimeImage,
} from '../../kubelet/ports.ts'
import { isEmpty, withoutEmpty } from '../without-empty.ts'

type Labels = Readonly<Record<string, string>>

interface Wrapped {
  readonly value?: number
}

interface WireSandbox {
  readonly id?: string
  readonly metadata?: Partial<PodSandboxMetadata>
  readonly state?: string
  readonly createdAt?: number
  readonly labels: Labels
  readonly annotations: Labels
}

interface WireSandboxStatus extends WireSandbox {
  readonly network?: {
    readonly ip?: string
    readonly additionalIps: readonly { readonly ip?: string }[]
  }
  readonly linux?: {
    readonly namespaces?: {
      readonly options?: NamespaceOption & { readonly network?: NamespaceMode }
    }
  }
  readonly runtimeHandler?: string
}

interface WireContainerMetadata {
  readonly name?: string
  readonly attempt?: number
}

interface WireContainer {
  readonly id?: string
  readonly podSandboxId?: string
  readonly metadata?: WireContainerMetadata
  readonly image?: { readonly image?: string }
  readonly imageRef?: string
  readonly imageId?: string
  readonly state?: string
  readonly createdAt?: number
  readonly labels: Labels
  readonly annotations: Labels
}

interface WireContainerStatus extends Omit<WireContainer, 'podSandboxId'> {
  readonly startedAt?: number
  readonly finishedAt?: number
  readonly exitCode?: number
  readonly reason?: string
  readonly message?: string
  readonly mounts: readonly Partial<Mount>[]
  readonly logPath?: string
  readonly resources?: { readonly linux?: LinuxContainerResources }
  readonly user?: { readonly linux?: Partial<LinuxContainerUser> }
}

interface WireImage {
  readonly id?: string
  readonly repoTags: readonly string[]
  readonly repoDigests: readonly string[]
  readonly size?: number
  readonly uid?: Wrapped
  readonly username?: string
  readonly pinned?: boolean
}

type WireUsage<T> = { readonly timestamp?: number } & {
  readonly [K in keyof Omit<T, 'timestamp'>]?: Wrapped
}

type WireFilesystem = WireUsage<Omit<FilesystemUsage, 'mountpoint'>> & {
  readonly fsId?: { readonly mountpoint?: string }
}

type WireInterface = WireUsage<Omit<NetworkInterfaceUsage, 'name'>> & { readonly name?: string }

interface WireContainerStats {
  readonly attributes?: {
    readonly id?: string
    readonly metadata?: WireContainerMetadata
    readonly labels: Labels
    readonly annotations: Labels
  }
  readonly cpu?: WireUsage<CpuUsage>
  readonly memory?: WireUsage<MemoryUsage>
  readonly writableLayer?: WireFilesystem
}

interface WireSandboxStats {
  readonly attributes?: {
    readonly id?: string
    readonly metadata?: Partial<PodSandboxMetadata>
    readonly labels: Labels
    readonly annotations: Labels
  }
  readonly linux?: {
    readonly cpu?: WireUsage<CpuUsage>
    readonly memory?: WireUsage<MemoryUsage>
    readonly network?: { readonly timestamp?: number; readonly defaultInterface?: WireInterface }
    readonly process?: { readonly timestamp?: number; readonly processCount?: Wrapped }
    readonly containers: readonly WireContainerStats[]
  }
}

/** Every answer, by its message. */
export interface Answers {
  readonly Empty: object
  readonly VersionResponse: Partial<VersionResponse>
  readonly StatusResponse: {
    readonly status?: { readonly conditions: readonly Partial<RuntimeCondition>[] }
    readonly runtimeHandlers: readonly {
      readonly name?: string
      readonly features?: { recursiveReadOnlyMounts?: boolean; userNamespaces?: boolean }
    }[]
    readonly features?: { readonly supplementalGroupsPolicy?: boolean }
    readonly info: Readonly<Record<string, string>>
  }
  readonly RuntimeConfigResponse: {
    readonly linux?: { readonly cgroupDriver?: 'SYSTEMD' | 'CGROUPFS' }
  }
  readonly PodSandboxId: { readonly podSandboxId?: string }
  readonly PodSandboxStatusResponse: { readonly status?: WireSandboxStatus }
  readonly ListPodSandboxResponse: { readonly items: readonly WireSandbox[] }
  readonly ContainerId: { readonly containerId?: string }
  readonly ListContainersResponse: { readonly containers: readonly WireContainer[] }
  readonly ContainerStatusResponse: {
    readonly status?: WireContainerStatus
    readonly info: Readonly<Record<string, string>>
  }
  readonly ExecSyncResponse: {
    readonly stdout?: Uint8Array
    readonly stderr?: Uint8Array
    readonly exitCode?: number
  }
  readonly Url: { readonly url?: string }
  readonly ContainerStatsResponse: { readonly stats?: WireContainerStats }
  readonly ListContainerStatsResponse: { readonly stats: readonly WireContainerStats[] }
  readonly PodSandboxStatsResponse: { readonly stats?: WireSandboxStats }
  readonly ListPodSandboxStatsResponse: { readonly stats: readonly WireSandboxStats[] }
  readonly ListImagesResponse: { readonly images: readonly WireImage[] }
  readonly ImageStatusResponse: { readonly image?: WireImage }
  readonly PullImageResponse: { readonly imageRef?: string }
  readonly ImageFsInfoResponse: {
    readonly imageFilesystems: readonly WireFilesystem[]
    readonly containerFilesystems: readonly WireFilesystem[]
  }
}

/** An answer that leaves out what it must have. */
function incomplete(message: string): Result<never, RuntimeError> {
  return err({ kind: 'failed', message })
}

/** The value, or what is said of its absence. An empty text is absent. */
export function required<T>(value: T | undefined, message: string): Result<T, RuntimeError> {
  return value === undefined || value === '' ? incomplete(message) : ok(value)
}

/** Milliseconds of CRI's nanoseconds, exact to the microsecond, like `nanoseconds`. */
function milliseconds(ns = 0): number {
  return Math.round(ns / 1000) / 1000
}

function metadataOf(metadata: Partial<PodSandboxMetadata> = {}): PodSandboxMetadata {
  const { name = '', uid = '', namespace = '', attempt = 0 } = metadata
  return { name, uid, namespace, attempt }
}

export function podSandboxOf(wire: WireSandbox): PodSandbox {
  const { id = '', metadata, state, createdAt, labels, annotations } = wire
  return {
    id,
    metadata: metadataOf(metadata),
    state: state === 'SANDBOX_NOTREADY' ? 'notready' : 'ready',
    createdAt: milliseconds(createdAt),
    labels,
    annotations,
  }
}

/** Only the namespaces that are not the pod's. */
function namespaceOptionsOf({ pid, ipc, targetId }: NamespaceOption): NamespaceOption {
  return {
    ...(pid === undefined || pid === 'POD' ? {} : { pid }),
    ...(ipc === undefined || ipc === 'POD' ? {} : { ipc }),
    ...(targetId === undefined || targetId === '' ? {} : { targetId }),
  }
}

export function podSandboxStatusOf(
  wire: WireSandboxStatus | undefined,
): Result<PodSandboxStatus, RuntimeError> {
  if (wire === undefined) return incomplete('pod sandbox status is nil')
  if ((wire.id ?? '') === '') return incomplete('status.Id is not set')
  const { network, linux, runtimeHandler = '' } = wire
  const { network: networkMode, ...others } = linux?.namespaces?.options ?? {}
  const addresses = [network?.ip, ...(network?.additionalIps ?? []).map(({ ip }) => ip)]
  const namespaceOptions = namespaceOptionsOf(others)
  return ok({
    ...podSandboxOf(wire),
    hostNetwork: networkMode === 'NODE',
    ips: addresses.filter((ip): ip is string => ip !== undefined && ip !== ''),
    ...(isEmpty(namespaceOptions) ? {} : { namespaceOptions }),
    ...(runtimeHandler === '' ? {} : { runtimeHandler }),
  })
}

const containerStates: ReadonlyMap<string, ContainerRuntimeState> = new Map([
  ['CONTAINER_CREATED', 'created'],
  ['CONTAINER_RUNNING', 'running'],
  ['CONTAINER_EXITED', 'exited'],
  ['CONTAINER_UNKNOWN', 'unknown'],
])

export function containerOf(wire: WireContainer): RuntimeContainer {
  const { id = '', podSandboxId = '', metadata, image, imageRef = '', imageId = '' } = wire
  const { state = 'CONTAINER_CREATED', createdAt, labels, annotations } = wire
  return {
    id,
    podSandboxId,
    name: metadata?.name ?? '',
    attempt: metadata?.attempt ?? 0,
    state: containerStates.get(state) ?? 'unknown',
    image: image?.image ?? '',
    imageRef,
    // Older runtimes have no image id.
    ...(imageId === '' || imageId === imageRef ? {} : { imageId }),
    createdAt: milliseconds(createdAt),
    labels,
    annotations,
  }
}

function userOf({
  uid = 0,
  gid = 0,
  supplementalGroups = [],
}: Partial<LinuxContainerUser>): LinuxContainerUser {
  return { uid, gid, ...(supplementalGroups.length === 0 ? {} : { supplementalGroups }) }
}

function mountOf({ containerPath = '', hostPath = '', ...rest }: Partial<Mount>): Mount {
  return { containerPath, hostPath, ...rest }
}

export function containerStatusOf(
  wire: WireContainerStatus | undefined,
  podSandboxId: string,
): Result<RuntimeContainerStatus, RuntimeError> {
  if (wire === undefined) return incomplete('container status is nil')
  if ((wire.id ?? '') === '') return incomplete('status.Id is not set')
  const { exitCode = 0, reason = '', message = '', logPath = '', mounts, resources, user } = wire
  return ok({
    ...containerOf({ ...wire, podSandboxId }),
    startedAt: milliseconds(wire.startedAt),
    finishedAt: milliseconds(wire.finishedAt),
    exitCode,
    reason,
    message,
    ...(logPath === '' ? {} : { logPath }),
    ...(mounts.length === 0 ? {} : { mounts: mounts.map(mountOf) }),
    ...(resources?.linux === undefined ? {} : { resources: withoutEmpty(resources.linux) }),
    ...(user?.linux === undefined ? {} : { user: userOf(user.linux) }),
  })
}

export function execSyncOf(wire: Answers['ExecSyncResponse']): ExecSyncResponse {
  const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8')
  return { stdout: text(wire.stdout), stderr: text(wire.stderr), exitCode: wire.exitCode ?? 0 }
}

function numbersOf<K extends string>(
  wire: { readonly [key in K]?: Wrapped },
  keys: readonly K[],
): Record<K, number> {
  const entries = keys.map((key) => [key, wire[key]?.value ?? 0])
  return Object.fromEntries(entries) as Record<K, number>
}

function cpuOf(wire: WireUsage<CpuUsage> = {}): CpuUsage {
  const usage = numbersOf(wire, ['usageCoreNanoSeconds', 'usageNanoCores'])
  return { timestamp: milliseconds(wire.timestamp), ...usage }
}

function memoryOf(wire: WireUsage<MemoryUsage> = {}): MemoryUsage {
  const usage = numbersOf(wire, [
    'workingSetBytes',
    'availableBytes',
    'usageBytes',
    'rssBytes',
    'pageFaults',
    'majorPageFaults',
  ])
  return { timestamp: milliseconds(wire.timestamp), ...usage }
}

function filesystemOf(wire: WireFilesystem = {}): FilesystemUsage {
  return {
    timestamp: milliseconds(wire.timestamp),
    mountpoint: wire.fsId?.mountpoint ?? '',
    ...numbersOf(wire, ['usedBytes', 'inodesUsed']),
  }
}

function interfaceOf(wire: WireInterface = {}): NetworkInterfaceUsage {
  const counters = numbersOf(wire, ['rxBytes', 'rxErrors', 'txBytes', 'txErrors'])
  return { name: wire.name ?? '', ...counters }
}

export function containerStatsOf(wire: WireContainerStats): ContainerStats {
  const { attributes, cpu, memory, writableLayer } = wire
  return {
    id: attributes?.id ?? '',
    name: attributes?.metadata?.name ?? '',
    attempt: attributes?.metadata?.attempt ?? 0,
    labels: attributes?.labels ?? {},
    annotations: attributes?.annotations ?? {},
    cpu: cpuOf(cpu),
    memory: memoryOf(memory),
    writableLayer: filesystemOf(writableLayer),
  }
}

export function podSandboxStatsOf({ attributes, linux }: WireSandboxStats): PodSandboxStats {
  const { network, process, containers = [] } = linux ?? {}
  return {
    id: attributes?.id ?? '',
    metadata: metadataOf(attributes?.metadata),
    labels: attributes?.labels ?? {},
    annotations: attributes?.annotations ?? {},
    cpu: cpuOf(linux?.cpu),
    memory: memoryOf(linux?.memory),
    network: {
      timestamp: milliseconds(network?.timestamp),
      defaultInterface: interfaceOf(network?.defaultInterface),
    },
    process: {
      timestamp: milliseconds(process?.timestamp),
      processCount: process?.processCount?.value ?? 0,
    },
    containers: containers.map(containerStatsOf),
  }
}

export function versionOf(wire: Answers['VersionResponse']): Result<VersionResponse, RuntimeError> {
  const { version = '', runtimeName = '', runtimeVersion = '', runtimeApiVersion = '' } = wire
  const fields = {
    Version: version,
    RuntimeName: runtimeName,
    RuntimeApiVersion: runtimeApiVersion,
    RuntimeVersion: runtimeVersion,
  }
  const missing = Object.entries(fields).filter(([, value]) => value === '')
  if (missing.length === 0) return ok({ version, runtimeName, runtimeVersion, runtimeApiVersion })
  const names = missing.map(([name]) => name).join(', ')
  return incomplete(`not all fields are set in VersionResponse (missing ${names})`)
}

export function statusOf(wire: Answers['StatusResponse']): Result<RuntimeStatus, RuntimeError> {
  const { status, runtimeHandlers, features = {} } = wire
  if (status === undefined || status.conditions.length < 2)
    return incomplete('RuntimeReady or NetworkReady condition are not set')
  const handlers = runtimeHandlers.map(({ name = '', features: own = {} }) => ({
    name,
    ...(isEmpty(own) ? {} : { features: own }),
  }))
  return ok({
    conditions: status.conditions.map((condition) => {
      const { type = '', reason = '', message = '' } = condition
      return { type, status: condition.status ?? false, reason, message }
    }),
    ...(handlers.length === 0 ? {} : { runtimeHandlers: handlers }),
    ...(isEmpty(features) ? {} : { features }),
  })
}

export function runtimeConfigOf({ linux }: Answers['RuntimeConfigResponse']): RuntimeConfig {
  return linux === undefined ? {} : { linux: { cgroupDriver: linux.cgroupDriver ?? 'SYSTEMD' } }
}

export function imageOf(wire: WireImage): RuntimeImage {
  const { id = '', size = 0, repoTags, repoDigests, uid, username = '', pinned = false } = wire
  return {
    id,
    sizeBytes: size,
    repoTags,
    repoDigests,
    ...(uid === undefined ? {} : { uid: uid.value ?? 0 }),
    ...(username === '' ? {} : { username }),
    ...(pinned ? { pinned } : {}),
  }
}

/** Undefined where the image is not present. `image`: what was asked for. */
export function presentImageOf(
  { image: wire }: Answers['ImageStatusResponse'],
  image: string,
): Result<RuntimeImage | undefined, RuntimeError> {
  if (wire === undefined) return ok(undefined)
  if ((wire.id ?? '') === '' || (wire.size ?? 0) === 0)
    return incomplete(`Id or size of image "${image}" is not set`)
  return ok(imageOf(wire))
}

export function imageFsInfoOf(wire: Answers['ImageFsInfoResponse']): ImageFsInfo {
  return {
    imageFilesystems: wire.imageFilesystems.map(filesystemOf),
    containerFilesystems: wire.containerFilesystems.map(filesystemOf),
  }
}
