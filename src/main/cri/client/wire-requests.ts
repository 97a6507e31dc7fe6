/** Requests of the port as messages of CRI, for `encodeMessage`. */
import type {
  LinuxContainerConfig,
  LinuxPodSandboxConfig,
  LinuxSandboxSecurityContext,
  StatsFilter,
} from '../../kubelet/cri-types.ts'
import type {
  ContainerConfig,
  ContainerFilter,
  PodSandboxConfig,
  PodSandboxFilter,
} from '../../kubelet/ports.ts'

const podUidLabel = 'io.kubernetes.pod.uid'

function numbers(context: LinuxSandboxSecurityContext): object {
  const { runAsUser, runAsGroup } = context
  return {
    ...(runAsUser === undefined ? {} : { runAsUser: { value: runAsUser } }),
    ...(runAsGroup === undefined ? {} : { runAsGroup: { value: runAsGroup } }),
  }
}

function securityContextMessage(
  context: LinuxSandboxSecurityContext,
  hostNetwork: boolean,
): object {
  const network = hostNetwork ? 'NODE' : 'POD'
  const namespaceOptions = { ...context.namespaceOptions, network }
  return { ...context, ...numbers(context), namespaceOptions }
}

function linuxSandboxMessage(linux: LinuxPodSandboxConfig, hostNetwork: boolean): object {
  const { securityContext = {}, ...same } = linux
  return { ...same, securityContext: securityContextMessage(securityContext, hostNetwork) }
}

export function podSandboxConfigMessage({
  hostNetwork,
  linux = {},
  ...same
}: PodSandboxConfig): object {
  return { ...same, linux: linuxSandboxMessage(linux, hostNetwork) }
}

function linuxContainerMessage(
  { resources, securityContext = {} }: LinuxContainerConfig,
  hostNetwork: boolean,
): object {
  return {
    ...(resources === undefined ? {} : { resources }),
    securityContext: securityContextMessage(securityContext, hostNetwork),
  }
}

/** `hostNetwork`: the sandbox's; CRI wants it at each container too. */
export function containerConfigMessage(config: ContainerConfig, hostNetwork: boolean): object {
  const { name, attempt, image, linux = {}, ...same } = config
  return {
    ...same,
    metadata: { name, attempt },
    image: { image, userSpecifiedImage: image },
    linux: linuxContainerMessage(linux, hostNetwork),
  }
}

function selectorOf({
  podUid,
  labelSelector,
}: Pick<PodSandboxFilter, 'podUid' | 'labelSelector'>): object {
  return { ...labelSelector, ...(podUid === undefined ? {} : { [podUidLabel]: podUid }) }
}

export function podSandboxFilterMessage({ id, state, ...filter }: PodSandboxFilter): object {
  return {
    ...(id === undefined ? {} : { id }),
    ...(state === undefined ? {} : { state: { state: `SANDBOX_${state.toUpperCase()}` } }),
    labelSelector: selectorOf(filter),
  }
}

export function containerFilterMessage(filter: ContainerFilter): object {
  const { id, podSandboxId, state } = filter
  return {
    ...(id === undefined ? {} : { id }),
    ...(podSandboxId === undefined ? {} : { podSandboxId }),
    ...(state === undefined ? {} : { state: { state: `CONTAINER_${state.toUpperCase()}` } }),
    labelSelector: selectorOf(filter),
  }
}

export function statsFilterMessage({ id, podSandboxId, labelSelector }: StatsFilter): object {
  return {
    ...(id === undefined ? {} : { id }),
    ...(podSandboxId === undefined ? {} : { podSandboxId }),
    labelSelector: labelSelector ?? {},
  }
}
