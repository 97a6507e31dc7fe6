import { formatDuration } from '../../../shared/go/duration.ts'
import { goQuote, statusMessage } from '../../../shared/go/text.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type {
  AttachRequest,
  ContainerStats,
  ExecRequest,
  ExecSyncResponse,
  ImageFsInfo,
  LinuxContainerResources,
  PortForwardRequest,
  RuntimeConfig,
  RuntimeStatus,
  StatsFilter,
  VersionResponse,
} from '../../kubelet/cri-types.ts'
import type {
  ContainerConfig,
  ContainerFilter,
  ImageService,
  PodSandbox,
  PodSandboxConfig,
  PodSandboxFilter,
  PodSandboxStats,
  PodSandboxStatus,
  RuntimeContainer,
  RuntimeContainerStatus,
  RuntimeError,
  RuntimeImage,
  RuntimeService,
} from '../../kubelet/ports.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { MessageName } from '../cri-schema.ts'
import type { CriCall, CriConnection } from './cri-connection.ts'
import { environmentIn } from './container-information.ts'
import { SameObjects } from './same-objects.ts'
import {
  containerOf,
  containerStatsOf,
  containerStatusOf,
  execSyncOf,
  imageFsInfoOf,
  imageOf,
  podSandboxOf,
  podSandboxStatsOf,
  podSandboxStatusOf,
  presentImageOf,
  required,
  runtimeConfigOf,
  statusOf,
  versionOf,
} from './wire-answers.ts'
import type { Answers } from './wire-answers.ts'
import {
  containerConfigMessage,
  containerFilterMessage,
  podSandboxConfigMessage,
  podSandboxFilterMessage,
  statsFilterMessage,
} from './wire-requests.ts'

type Answer<T> = Promise<Result<T, RuntimeError>>

/** The kubelet's runtimeRequestTimeout. */
const defaultTimeoutMs = 120_000

/** A page waits for the answer. */
const pageTimeoutMs = 2_000

/** What a call has besides its service and method; the timeout is the client's own where there is none. */
type Call<A> = Pick<CriCall, 'request' | 'message'> & {
  readonly response: A
  readonly timeoutMs?: number
}

/** What is read from an answer. */
async function read<T, U>(
  answer: Answer<T>,
  valueOf: (value: T) => Result<U, RuntimeError>,
): Answer<U> {
  const result = await answer
  return result.ok ? valueOf(result.value) : result
}

async function mapped<T, U>(answer: Answer<T>, valueOf: (value: T) => U): Answer<U> {
  const result = await answer
  return result.ok ? ok(valueOf(result.value)) : result
}

const nothing = (): undefined => undefined

/**
 * A container runtime that serves CRI v1, with the kubelet's timeouts, checks and error texts (cri-client
 * remote_runtime.go, remote_image.go). It keeps no trace (traced-runtime.ts does).
 */
export class CriClient implements RuntimeService, ImageService {
  readonly name: string
  readonly version: string
  readonly #connection: CriConnection
  readonly #timeoutMs: number
  readonly #sandboxes = new SameObjects<PodSandbox>()
  readonly #containers = new SameObjects<RuntimeContainer>()

  /** `version`: the runtime's answer; its name is what the API puts before container ids. */
  constructor(deps: {
    readonly connection: CriConnection
    readonly version: VersionResponse
    readonly timeoutMs?: number
  }) {
    this.name = deps.version.runtimeName
    this.version = deps.version.runtimeVersion
    this.#connection = deps.connection
    this.#timeoutMs = deps.timeoutMs ?? defaultTimeoutMs
  }

  getVersion(): Answer<VersionResponse> {
    const message = { version: '0.1.0' }
    const call = { request: 'VersionRequest', message, response: 'VersionResponse' } as const
    return read(this.#runtime('Version', call), versionOf)
  }

  status(): Answer<RuntimeStatus> {
    const call = { request: 'Empty', message: {}, response: 'StatusResponse' } as const
    return read(this.#runtime('Status', call), statusOf)
  }

  /** What else the runtime tells about itself, in words of its own. */
  information(): Answer<Readonly<Record<string, string>>> {
    const message = { verbose: true }
    const call = { request: 'StatusRequest', message, response: 'StatusResponse' } as const
    return mapped(this.#runtime('Status', call), ({ info }) => info)
  }

  runtimeConfig(): Answer<RuntimeConfig> {
    const call = { request: 'Empty', message: {}, response: 'RuntimeConfigResponse' } as const
    return mapped(this.#runtime('RuntimeConfig', call), runtimeConfigOf)
  }

  updateRuntimeConfig({ podCidr }: { readonly podCidr: string }): Answer<undefined> {
    const message = { runtimeConfig: { networkConfig: { podCidr } } }
    const request = 'UpdateRuntimeConfigRequest'
    return this.#told('UpdateRuntimeConfig', request, message)
  }

  runPodSandbox(
    config: PodSandboxConfig,
    _causes?: TraceCauses,
    runtimeHandler = '',
  ): Answer<string> {
    const { name } = config.metadata
    return read(
      this.#runtime('RunPodSandbox', {
        request: 'RunPodSandboxRequest',
        message: { config: podSandboxConfigMessage(config), runtimeHandler },
        response: 'PodSandboxId',
        timeoutMs: 2 * this.#timeoutMs,
      }),
      ({ podSandboxId }) => required(podSandboxId, `PodSandboxId is not set for sandbox "${name}"`),
    )
  }

  stopPodSandbox(podSandboxId: string): Answer<undefined> {
    return this.#told('StopPodSandbox', 'PodSandboxId', { podSandboxId })
  }

  removePodSandbox(podSandboxId: string): Answer<undefined> {
    return this.#told('RemovePodSandbox', 'PodSandboxId', { podSandboxId })
  }

  podSandboxStatus(podSandboxId: string): Answer<PodSandboxStatus> {
    const response = 'PodSandboxStatusResponse'
    const call = { request: 'PodSandboxId', message: { podSandboxId }, response } as const
    return read(this.#runtime('PodSandboxStatus', call), ({ status }) => podSandboxStatusOf(status))
  }

  listPodSandboxes(filter: PodSandboxFilter = {}): Answer<readonly PodSandbox[]> {
    return mapped(
      this.#runtime('ListPodSandbox', {
        request: 'ListPodSandboxRequest',
        message: { filter: podSandboxFilterMessage(filter) },
        response: 'ListPodSandboxResponse',
      }),
      ({ items }) =>
        this.#sandboxes.of(items.map(podSandboxOf).toSorted(byCreation), isAll(filter)),
    )
  }

  async createContainer(
    podSandboxId: string,
    config: ContainerConfig,
    sandboxConfig: PodSandboxConfig,
  ): Answer<string> {
    const { hostNetwork } = sandboxConfig
    return read(
      this.#runtime('CreateContainer', {
        request: 'CreateContainerRequest',
        message: {
          podSandboxId,
          config: containerConfigMessage(config, hostNetwork),
          sandboxConfig: podSandboxConfigMessage(sandboxConfig),
        },
        response: 'ContainerId',
      }),
      ({ containerId }) =>
        required(containerId, `ContainerId is not set for container "${config.name}"`),
    )
  }

  startContainer(containerId: string): Answer<undefined> {
    return this.#told('StartContainer', 'ContainerId', { containerId })
  }

  /** The runtime gets the grace period and the client's own timeout. */
  stopContainer(containerId: string, timeoutSeconds: number): Answer<undefined> {
    const message = { containerId, timeout: timeoutSeconds }
    const timeoutMs = this.#timeoutMs + timeoutSeconds * 1000
    return this.#told('StopContainer', 'StopContainerRequest', message, timeoutMs)
  }

  removeContainer(containerId: string): Answer<undefined> {
    return this.#told('RemoveContainer', 'ContainerId', { containerId })
  }

  listContainers(filter: ContainerFilter = {}): Answer<readonly RuntimeContainer[]> {
    return mapped(
      this.#runtime('ListContainers', {
        request: 'ListContainersRequest',
        message: { filter: containerFilterMessage(filter) },
        response: 'ListContainersResponse',
      }),
      ({ containers }) =>
        this.#containers.of(containers.map(containerOf).toSorted(byCreation), isAll(filter)),
    )
  }

  /** CRI tells the sandbox of a container only in a listing: one is made for a container that was never listed. */
  async containerStatus(containerId: string): Answer<RuntimeContainerStatus> {
    const response = 'ContainerStatusResponse'
    const call = { request: 'ContainerId', message: { containerId }, response } as const
    const answer = await this.#runtime('ContainerStatus', call)
    if (!answer.ok) return answer
    if (this.#containers.find(containerId) === undefined) {
      const listed = await this.listContainers({ id: containerId })
      if (!listed.ok) return listed
    }
    const podSandboxId = this.#containers.find(containerId)?.podSandboxId ?? ''
    return containerStatusOf(answer.value.status, podSandboxId)
  }

  /** Of a container that containerd or Nodescope runs; other runtimes do not tell the config. */
  async containerEnvironment(containerId: string): Answer<ContainerConfig['envs'] | undefined> {
    const answer = await this.#runtime('ContainerStatus', {
      request: 'ContainerStatusRequest',
      message: { containerId, verbose: true },
      response: 'ContainerStatusResponse',
      timeoutMs: pageTimeoutMs,
    })
    return answer.ok ? ok(environmentIn(answer.value.info)) : answer
  }

  updateContainerResources(
    containerId: string,
    resources: LinuxContainerResources,
  ): Answer<undefined> {
    const message = { containerId, linux: resources }
    return this.#told('UpdateContainerResources', 'UpdateContainerResourcesRequest', message)
  }

  reopenContainerLog(containerId: string): Answer<undefined> {
    return this.#told('ReopenContainerLog', 'ContainerId', { containerId })
  }

  /** Without a timeout the call has no deadline either; a command that took too long is worded like the kubelet's ErrCommandTimedOut. */
  async execSync(
    containerId: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Answer<ExecSyncResponse> {
    const answer = await this.#runtime('ExecSync', {
      request: 'ExecSyncRequest',
      message: { containerId, cmd: command, timeout: timeoutSeconds },
      response: 'ExecSyncResponse',
      timeoutMs:
        timeoutSeconds > 0 ? this.#timeoutMs + timeoutSeconds * 1000 : Number.POSITIVE_INFINITY,
    })
    if (answer.ok) return ok(execSyncOf(answer.value))
    if (answer.error.kind !== 'deadline-exceeded') return answer
    const took = formatDuration(timeoutSeconds * 1000)
    const message = `command timed out: ${goQuote(command.join(' '))} timed out after ${took}`
    return err({ kind: 'deadline-exceeded', message })
  }

  exec(request: ExecRequest): Answer<string> {
    return this.#url('Exec', 'ExecRequest', request)
  }

  attach(request: AttachRequest): Answer<string> {
    return this.#url('Attach', 'AttachRequest', request)
  }

  portForward({ podSandboxId, ports }: PortForwardRequest): Answer<string> {
    return this.#url('PortForward', 'PortForwardRequest', { podSandboxId, port: ports })
  }

  containerStats(containerId: string): Answer<ContainerStats> {
    const response = 'ContainerStatsResponse'
    const call = { request: 'ContainerId', message: { containerId }, response } as const
    return read(this.#runtime('ContainerStats', call), ({ stats }) =>
      mappedRequired(stats, 'container stats are nil', containerStatsOf),
    )
  }

  listContainerStats(filter: StatsFilter = {}): Answer<readonly ContainerStats[]> {
    return mapped(
      this.#runtime('ListContainerStats', {
        request: 'ListContainerStatsRequest',
        message: { filter: statsFilterMessage(filter) },
        response: 'ListContainerStatsResponse',
      }),
      ({ stats }) => stats.map(containerStatsOf),
    )
  }

  podSandboxStats(podSandboxId: string): Answer<PodSandboxStats> {
    const response = 'PodSandboxStatsResponse'
    const call = { request: 'PodSandboxId', message: { podSandboxId }, response } as const
    return read(this.#runtime('PodSandboxStats', call), ({ stats }) =>
      mappedRequired(stats, 'pod sandbox stats are nil', podSandboxStatsOf),
    )
  }

  listPodSandboxStats(filter: StatsFilter = {}): Answer<readonly PodSandboxStats[]> {
    return mapped(
      this.#runtime('ListPodSandboxStats', {
        request: 'ListPodSandboxStatsRequest',
        message: { filter: statsFilterMessage(filter) },
        response: 'ListPodSandboxStatsResponse',
      }),
      ({ stats }) => stats.map(podSandboxStatsOf),
    )
  }

  imageStatus(image: string): Answer<RuntimeImage | undefined> {
    const response = 'ImageStatusResponse'
    const call = { request: 'ImageRequest', message: { image: { image } }, response } as const
    return read(this.#images('ImageStatus', call), (answer) => presentImageOf(answer, image))
  }

  /** As long as it takes. A failure without a code of its own has the runtime's bare message. */
  async pullImage(image: string): Answer<string> {
    const answer = await this.#images('PullImage', {
      request: 'ImageRequest',
      message: { image: { image } },
      response: 'PullImageResponse',
      timeoutMs: Number.POSITIVE_INFINITY,
    })
    if (answer.ok) return required(answer.value.imageRef, `imageRef of image "${image}" is not set`)
    const { kind, message } = answer.error
    const isUnknown = message.startsWith('rpc error: code = Unknown ')
    return err({ kind, message: isUnknown ? statusMessage(message) : message })
  }

  listImages(image?: string): Answer<readonly RuntimeImage[]> {
    const message = image === undefined ? {} : { filter: { image: { image } } }
    const response = 'ListImagesResponse'
    const call = { request: 'ListImagesRequest', message, response } as const
    return mapped(this.#images('ListImages', call), ({ images }) => images.map(imageOf))
  }

  removeImage(image: string): Answer<undefined> {
    const message = { image: { image } }
    const call = { request: 'ImageRequest', message, response: 'Empty' } as const
    return mapped(this.#images('RemoveImage', call), nothing)
  }

  imageFsInfo(): Answer<ImageFsInfo> {
    const call = { request: 'Empty', message: {}, response: 'ImageFsInfoResponse' } as const
    return mapped(this.#images('ImageFsInfo', call), imageFsInfoOf)
  }

  /** Ends the connection; calls that are under way fail. */
  close(): void {
    this.#connection.close()
  }

  #url(method: string, request: MessageName, message: object): Answer<string> {
    const call = { request, message, response: 'Url' } as const
    return read(this.#runtime(method, call), ({ url }) => required(url, 'URL is not set'))
  }

  /** A call without an answer. */
  #told(
    method: string,
    request: MessageName,
    message: object,
    timeoutMs?: number,
  ): Answer<undefined> {
    const timeout = timeoutMs === undefined ? {} : { timeoutMs }
    return mapped(
      this.#runtime(method, { request, message, response: 'Empty', ...timeout }),
      nothing,
    )
  }

  #runtime<A extends MessageName & keyof Answers>(
    method: string,
    call: Call<A>,
  ): Answer<Answers[A]> {
    return this.#call('RuntimeService', method, call)
  }

  #images<A extends MessageName & keyof Answers>(
    method: string,
    call: Call<A>,
  ): Answer<Answers[A]> {
    return this.#call('ImageService', method, call)
  }

  #call<A extends MessageName & keyof Answers>(
    service: CriCall['service'],
    method: string,
    call: Call<A>,
  ): Answer<Answers[A]> {
    const answer = this.#connection.call({
      timeoutMs: this.#timeoutMs,
      ...call,
      service,
      method,
    })
    // What decodeMessage gives for the message is what Answers says of it.
    return mapped(answer, (value) => value as Answers[A])
  }
}

function mappedRequired<T, U>(
  value: T | undefined,
  message: string,
  valueOf: (value: T) => U,
): Result<U, RuntimeError> {
  const there = required(value, message)
  return there.ok ? ok(valueOf(there.value)) : there
}

/** The port's order; a runtime lists in any. */
function byCreation(a: { readonly createdAt: number }, b: { readonly createdAt: number }): number {
  return a.createdAt - b.createdAt
}

function isAll(filter: PodSandboxFilter | ContainerFilter): boolean {
  return Object.values(filter).every((field) => field === undefined)
}
