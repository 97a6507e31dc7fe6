/** Answers of the port as messages of CRI, for `encodeMessage`. */
import type {
  ContainerStats,
  CpuUsage,
  FilesystemUsage,
  MemoryUsage,
  NetworkInterfaceUsage,
  RuntimeStatus,
} from '../kubelet/cri-types.ts'
import type {
  PodSandbox,
  PodSandboxStats,
  PodSandboxStatus,
  RuntimeContainer,
  RuntimeContainerStatus,
  RuntimeImage,
} from '../kubelet/ports.ts'
import { nanoseconds } from './cri-codec.ts'

/** No time is 0, and not the epoch. */
function time(ms: number): object | number {
  return ms === 0 ? 0 : nanoseconds(ms)
}

function sandboxState({ state }: PodSandbox): string {
  return state === 'ready' ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY'
}

function containerState({ state }: RuntimeContainer): string {
  return `CONTAINER_${state.toUpperCase()}`
}

export function podSandboxMessage(sandbox: PodSandbox): object {
  const { id, metadata, createdAt, labels, annotations } = sandbox
  const state = sandboxState(sandbox)
  return { id, metadata, state, createdAt: time(createdAt), labels, annotations }
}

export function podSandboxStatusMessage(sandbox: PodSandboxStatus): object {
  const { ips, hostNetwork, namespaceOptions, runtimeHandler = '' } = sandbox
  const [ip = '', ...additionalIps] = ips
  const network = hostNetwork ? 'NODE' : 'POD'
  return {
    ...podSandboxMessage(sandbox),
    network: { ip, additionalIps: additionalIps.map((other) => ({ ip: other })) },
    linux: { namespaces: { options: { pid: 'POD', ipc: 'POD', ...namespaceOptions, network } } },
    runtimeHandler,
  }
}

export function containerMessage(container: RuntimeContainer): object {
  const { id, podSandboxId, name, attempt, image, imageRef, createdAt, labels, annotations } =
    container
  return {
    id,
    podSandboxId,
    metadata: { name, attempt },
    image: { image },
    imageRef,
    imageId: imageRef,
    state: containerState(container),
    createdAt: time(createdAt),
    labels,
    annotations,
  }
}

export function containerStatusMessage(status: RuntimeContainerStatus): object {
  const { startedAt, finishedAt, exitCode, reason, message, logPath, mounts, resources, user } =
    status
  return {
    ...containerMessage(status),
    startedAt: time(startedAt),
    finishedAt: time(finishedAt),
    exitCode,
    reason,
    message,
    mounts: mounts ?? [],
    logPath: logPath ?? '',
    ...(resources === undefined ? {} : { resources: { linux: resources } }),
    ...(user === undefined ? {} : { user: { linux: user } }),
  }
}

function values<K extends string>(
  source: Readonly<Record<K, number>>,
  keys: readonly K[],
): Record<string, object> {
  return Object.fromEntries(keys.map((key) => [key, { value: source[key] }]))
}

function cpuMessage(cpu: CpuUsage): object {
  const usage = values(cpu, ['usageCoreNanoSeconds', 'usageNanoCores'])
  return { timestamp: time(cpu.timestamp), ...usage }
}

function memoryMessage(memory: MemoryUsage): object {
  const usage = values(memory, [
    'workingSetBytes',
    'availableBytes',
    'usageBytes',
    'rssBytes',
    'pageFaults',
    'majorPageFaults',
  ])
  return { timestamp: time(memory.timestamp), ...usage }
}

export function filesystemMessage(usage: FilesystemUsage): object {
  return {
    timestamp: time(usage.timestamp),
    fsId: { mountpoint: usage.mountpoint },
    ...values(usage, ['usedBytes', 'inodesUsed']),
  }
}

function interfaceMessage(usage: NetworkInterfaceUsage): object {
  const counters = values(usage, ['rxBytes', 'rxErrors', 'txBytes', 'txErrors'])
  return { name: usage.name, ...counters }
}

export function containerStatsMessage(stats: ContainerStats): object {
  const { id, name, attempt, labels, annotations, cpu, memory, writableLayer } = stats
  return {
    attributes: { id, metadata: { name, attempt }, labels, annotations },
    cpu: cpuMessage(cpu),
    memory: memoryMessage(memory),
    writableLayer: filesystemMessage(writableLayer),
  }
}

export function podSandboxStatsMessage(stats: PodSandboxStats): object {
  const { id, metadata, labels, annotations, cpu, memory, network, containers } = stats
  const defaultInterface = interfaceMessage(network.defaultInterface)
  return {
    attributes: { id, metadata, labels, annotations },
    linux: {
      cpu: cpuMessage(cpu),
      memory: memoryMessage(memory),
      network: {
        timestamp: time(network.timestamp),
        defaultInterface,
        interfaces: [defaultInterface],
      },
      process: {
        timestamp: time(stats.process.timestamp),
        ...values(stats.process, ['processCount']),
      },
      containers: containers.map(containerStatsMessage),
    },
  }
}

export function statusMessage({ conditions, runtimeHandlers, features }: RuntimeStatus): object {
  return {
    status: { conditions },
    runtimeHandlers: runtimeHandlers ?? [],
    features: features ?? {},
  }
}

export function imageMessage(image: RuntimeImage): object {
  const { id, sizeBytes, repoTags = [], repoDigests = [], uid, username, pinned } = image
  return {
    id,
    repoTags,
    repoDigests,
    size: sizeBytes,
    spec: { image: repoTags[0] ?? id },
    ...(uid === undefined ? {} : { uid: { value: uid } }),
    ...(username === undefined ? {} : { username }),
    ...(pinned === undefined ? {} : { pinned }),
  }
}
