/** Requests as `decodeMessage` gives them, and what they are in the words of the port. */
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type {
  Device,
  DnsConfig,
  LinuxContainerResources,
  LinuxContainerSecurityContext,
  LinuxPodSandboxConfig,
  LinuxSandboxSecurityContext,
  Mount,
  NamespaceMode,
  NamespaceOption,
  PortMapping,
  StatsFilter,
} from '../kubelet/cri-types.ts'
import type {
  ContainerConfig,
  ContainerFilter,
  PodSandboxConfig,
  PodSandboxFilter,
  PodSandboxMetadata,
  RuntimeError,
} from '../kubelet/ports.ts'

type Labels = Readonly<Record<string, string>>

interface Int64Value {
  readonly value?: number
}

/** What differs from the port: the network among the namespaces, and numbers that may be missing. */
type WireSecurityContext<T extends LinuxSandboxSecurityContext> = Omit<
  T,
  'namespaceOptions' | 'runAsUser' | 'runAsGroup'
> & {
  readonly namespaceOptions?: NamespaceOption & { readonly network?: NamespaceMode }
  readonly runAsUser?: Int64Value
  readonly runAsGroup?: Int64Value
}

export interface WirePodSandboxConfig {
  readonly metadata?: Partial<PodSandboxMetadata>
  readonly hostname?: string
  readonly logDirectory?: string
  readonly dnsConfig?: DnsConfig
  readonly portMappings: readonly Partial<PortMapping>[]
  readonly labels: Labels
  readonly annotations: Labels
  readonly linux?: Omit<LinuxPodSandboxConfig, 'securityContext'> & {
    readonly securityContext?: WireSecurityContext<LinuxSandboxSecurityContext>
  }
}

export interface WireImageSpec {
  readonly image?: string
}

export interface WireContainerConfig {
  readonly metadata?: { readonly name?: string; readonly attempt?: number }
  readonly image?: WireImageSpec
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly workingDir?: string
  readonly envs: readonly { readonly key?: string; readonly value?: string }[]
  readonly mounts: readonly Partial<Mount>[]
  readonly devices: readonly Partial<Device>[]
  readonly labels: Labels
  readonly annotations: Labels
  readonly logPath?: string
  readonly stdin?: boolean
  readonly stdinOnce?: boolean
  readonly tty?: boolean
  readonly linux?: {
    readonly resources?: LinuxContainerResources
    readonly securityContext?: WireSecurityContext<LinuxContainerSecurityContext>
  }
}

export interface WireFilter {
  readonly id?: string
  readonly podSandboxId?: string
  readonly state?: { readonly state?: string }
  readonly labelSelector: Labels
}

/** Of streams: which ones, and whether there is a terminal. */
export interface WireStreams {
  readonly tty?: boolean
  readonly stdin?: boolean
  readonly stdout?: boolean
  readonly stderr?: boolean
}

/** Every request, by its message. */
export interface Requests {
  readonly Empty: object
  readonly VersionRequest: object
  readonly RunPodSandboxRequest: {
    readonly config?: WirePodSandboxConfig
    readonly runtimeHandler?: string
  }
  readonly PodSandboxId: { readonly podSandboxId?: string }
  readonly ListPodSandboxRequest: { readonly filter?: WireFilter }
  readonly CreateContainerRequest: {
    readonly podSandboxId?: string
    readonly config?: WireContainerConfig
    readonly sandboxConfig?: WirePodSandboxConfig
  }
  readonly ContainerId: { readonly containerId?: string }
  readonly ContainerStatusRequest: { readonly containerId?: string; readonly verbose?: boolean }
  readonly StopContainerRequest: { readonly containerId?: string; readonly timeout?: number }
  readonly ListContainersRequest: { readonly filter?: WireFilter }
  readonly UpdateContainerResourcesRequest: {
    readonly containerId?: string
    readonly linux?: LinuxContainerResources
  }
  readonly ExecSyncRequest: {
    readonly containerId?: string
    readonly cmd: readonly string[]
    readonly timeout?: number
  }
  readonly ExecRequest: WireStreams & {
    readonly containerId?: string
    readonly cmd: readonly string[]
  }
  readonly AttachRequest: WireStreams & { readonly containerId?: string }
  readonly PortForwardRequest: {
    readonly podSandboxId?: string
    readonly port: readonly number[]
  }
  readonly ListContainerStatsRequest: { readonly filter?: WireFilter }
  readonly ListPodSandboxStatsRequest: { readonly filter?: WireFilter }
  readonly UpdateRuntimeConfigRequest: {
    readonly runtimeConfig?: { readonly networkConfig?: { readonly podCidr?: string } }
  }
  readonly ListImagesRequest: { readonly filter?: { readonly image?: WireImageSpec } }
  readonly ImageRequest: { readonly image?: WireImageSpec }
}

export function invalid(message: string): Result<never, RuntimeError> {
  return err({ kind: 'invalid-argument', message })
}

type UserAndNamespaces = Pick<
  LinuxSandboxSecurityContext,
  'namespaceOptions' | 'runAsUser' | 'runAsGroup'
>

function userAndNamespaces({
  namespaceOptions,
  runAsUser,
  runAsGroup,
}: WireSecurityContext<LinuxSandboxSecurityContext>): UserAndNamespaces {
  const { network: _, ...namespaces } = namespaceOptions ?? {}
  return {
    ...(namespaceOptions === undefined ? {} : { namespaceOptions: namespaces }),
    ...(runAsUser === undefined ? {} : { runAsUser: runAsUser.value ?? 0 }),
    ...(runAsGroup === undefined ? {} : { runAsGroup: runAsGroup.value ?? 0 }),
  }
}

function sandboxContext(
  wire: WireSecurityContext<LinuxSandboxSecurityContext>,
): LinuxSandboxSecurityContext {
  const { namespaceOptions: _n, runAsUser: _u, runAsGroup: _g, ...same } = wire
  return { ...same, ...userAndNamespaces(wire) }
}

function containerContext(
  wire: WireSecurityContext<LinuxContainerSecurityContext>,
): LinuxContainerSecurityContext {
  const { namespaceOptions: _n, runAsUser: _u, runAsGroup: _g, ...same } = wire
  return { ...same, ...userAndNamespaces(wire) }
}

export function podSandboxConfigOf(
  wire: WirePodSandboxConfig | undefined,
): Result<PodSandboxConfig, RuntimeError> {
  const metadata = wire?.metadata
  if (wire === undefined || metadata === undefined)
    return invalid('sandbox config must include metadata')
  const { name = '', uid = '', namespace = '', attempt = 0 } = metadata
  const { hostname, logDirectory, dnsConfig, portMappings, labels, annotations, linux } = wire
  const { securityContext: context, ...linuxRest } = linux ?? {}
  return ok({
    metadata: { name, uid, namespace, attempt },
    hostNetwork: context?.namespaceOptions?.network === 'NODE',
    labels,
    annotations,
    ...(hostname === undefined ? {} : { hostname }),
    ...(logDirectory === undefined || logDirectory === '' ? {} : { logDirectory }),
    ...(dnsConfig === undefined ? {} : { dnsConfig }),
    portMappings: portMappings.map(({ protocol = 'TCP', containerPort = 0, ...rest }) => ({
      protocol,
      containerPort,
      ...rest,
    })),
    linux: {
      ...linuxRest,
      ...(context === undefined ? {} : { securityContext: sandboxContext(context) }),
    },
  })
}

export function containerConfigOf(
  wire: WireContainerConfig | undefined,
): Result<ContainerConfig, RuntimeError> {
  const name = wire?.metadata?.name ?? ''
  if (wire === undefined || name === '') return invalid('container config must include metadata')
  const image = wire.image?.image ?? ''
  if (image === '') return invalid('container config must include an image')
  const {
    metadata: _metadata,
    image: _image,
    logPath,
    envs,
    mounts,
    devices,
    linux,
    ...same
  } = wire
  return ok({
    ...same,
    name,
    attempt: wire.metadata?.attempt ?? 0,
    image,
    envs: envs.map(({ key = '', value = '' }) => ({ key, value })),
    mounts: mounts.map(({ containerPath = '', hostPath = '', ...rest }) => ({
      containerPath,
      hostPath,
      ...rest,
    })),
    devices: devices.map(({ containerPath = '', hostPath = '', permissions = '' }) => ({
      containerPath,
      hostPath,
      permissions,
    })),
    ...(logPath === undefined || logPath === '' ? {} : { logPath }),
    linux: {
      ...(linux?.resources === undefined ? {} : { resources: linux.resources }),
      ...(linux?.securityContext === undefined
        ? {}
        : { securityContext: containerContext(linux.securityContext) }),
    },
  })
}

const podUidLabel = 'io.kubernetes.pod.uid'

/** The kubelet asks for the pod by its label, for which the runtime has an index. */
function selectionOf(selector: Labels): {
  readonly podUid?: string
  readonly labelSelector?: Labels
} {
  const { [podUidLabel]: podUid, ...labelSelector } = selector
  return {
    ...(podUid === undefined ? {} : { podUid }),
    ...(Object.keys(labelSelector).length === 0 ? {} : { labelSelector }),
  }
}

export function podSandboxFilterOf({ id, state, labelSelector }: WireFilter): PodSandboxFilter {
  return {
    ...(id === undefined || id === '' ? {} : { id }),
    ...(state === undefined
      ? {}
      : { state: state.state === 'SANDBOX_NOTREADY' ? 'notready' : 'ready' }),
    ...selectionOf(labelSelector),
  }
}

const containerStates = {
  CONTAINER_CREATED: 'created',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'exited',
  CONTAINER_UNKNOWN: 'unknown',
} as const

function containerStateOf(
  name = 'CONTAINER_CREATED',
): (typeof containerStates)[keyof typeof containerStates] {
  const known = Object.entries(containerStates).find(([key]) => key === name)
  return known?.[1] ?? 'unknown'
}

export function containerFilterOf(filter: WireFilter): ContainerFilter {
  const { id, podSandboxId, state, labelSelector } = filter
  return {
    ...(id === undefined || id === '' ? {} : { id }),
    ...(podSandboxId === undefined || podSandboxId === '' ? {} : { podSandboxId }),
    ...(state === undefined ? {} : { state: containerStateOf(state.state) }),
    ...selectionOf(labelSelector),
  }
}

export function statsFilterOf({ id, podSandboxId, labelSelector }: WireFilter): StatsFilter {
  return {
    ...(id === undefined || id === '' ? {} : { id }),
    ...(podSandboxId === undefined || podSandboxId === '' ? {} : { podSandboxId }),
    labelSelector,
  }
}
