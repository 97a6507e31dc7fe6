import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { bytesOfText } from '../files/byte-text.ts'
import type { ImageService, RuntimeError, RuntimeService } from '../kubelet/ports.ts'
import {
  containerConfigOf,
  containerFilterOf,
  invalid,
  podSandboxConfigOf,
  podSandboxFilterOf,
  statsFilterOf,
} from './cri-requests.ts'
import type { Requests, WireFilter, WireImageSpec, WireStreams } from './cri-requests.ts'
import {
  containerMessage,
  containerStatsMessage,
  containerStatusMessage,
  filesystemMessage,
  imageMessage,
  podSandboxMessage,
  podSandboxStatsMessage,
  podSandboxStatusMessage,
  statusMessage,
} from './cri-responses.ts'
import type { MessageName } from './cri-schema.ts'
import { withoutEmpty } from './without-empty.ts'

type Answer = Promise<Result<object, RuntimeError>>

/** One call of a service: its messages, and what it does. */
export interface CriMethod {
  readonly request: MessageName
  readonly response: MessageName
  readonly handle: (request: unknown) => Answer
}

export type CriMethods = Readonly<Record<string, CriMethod>>

function method<R extends MessageName & keyof Requests>(
  request: R,
  response: MessageName,
  handle: (request: Requests[R]) => Answer,
): CriMethod {
  // What decodeMessage gives for the message is what Requests says of it.
  return { request, response, handle: (message) => handle(message as Requests[R]) }
}

function mapped<T>(result: Result<T, RuntimeError>, messageOf: (value: T) => object) {
  return result.ok ? ok(messageOf(result.value)) : result
}

const nothing = (): object => ({})

/** Ids in full have so many digits; a shorter one is a prefix, as crictl shows them. */
const fullIdLength = 64

/** The id that a prefix is of. One that none or several have is left as it is, and is not found. */
async function fullId(
  given: string,
  list: () => Promise<Result<readonly { readonly id: string }[], RuntimeError>>,
): Promise<string> {
  if (given === '' || given.length >= fullIdLength) return given
  const listed = await list()
  const [found, ...others] = listed.ok ? listed.value.filter(({ id }) => id.startsWith(given)) : []
  return found === undefined || others.length > 0 ? given : found.id
}

function streamsOf({ tty = false, stdin = false, stdout = false, stderr = false }: WireStreams) {
  return { tty, stdin, stdout, stderr }
}

const noFilter: WireFilter = { labelSelector: {} }

/** Of a verbose ContainerStatus, as containerd gives it: of its parts only the variables of the config. */
async function informationOf(runtime: RuntimeService, id: string): Promise<object> {
  const envs = await runtime.containerEnvironment?.(id)
  if (envs?.ok !== true || envs.value === undefined) return {}
  return { info: JSON.stringify({ config: { envs: envs.value } }) }
}

/** CRI's RuntimeService over the port. Calls that are not here are answered Unimplemented by gRPC. */
export function runtimeMethods(runtime: RuntimeService): CriMethods {
  const sandboxId = (given = ''): Promise<string> => fullId(given, () => runtime.listPodSandboxes())
  const containerId = (given = ''): Promise<string> => fullId(given, () => runtime.listContainers())
  const withFullIds = async (filter: WireFilter = noFilter, ofSandbox = false) => ({
    ...filter,
    id: await (ofSandbox ? sandboxId(filter.id) : containerId(filter.id)),
    podSandboxId: await sandboxId(filter.podSandboxId),
  })
  return {
    Version: method('VersionRequest', 'VersionResponse', () => runtime.getVersion()),
    Status: method('Empty', 'StatusResponse', async () =>
      mapped(await runtime.status(), statusMessage),
    ),
    RuntimeConfig: method('Empty', 'RuntimeConfigResponse', () => runtime.runtimeConfig()),
    UpdateRuntimeConfig: method('UpdateRuntimeConfigRequest', 'Empty', async (request) => {
      const podCidr = request.runtimeConfig?.networkConfig?.podCidr ?? ''
      return mapped(await runtime.updateRuntimeConfig({ podCidr }), nothing)
    }),
    RunPodSandbox: method('RunPodSandboxRequest', 'PodSandboxId', async (request) => {
      const config = podSandboxConfigOf(request.config)
      if (!config.ok) return config
      const ran = await runtime.runPodSandbox(config.value, [], request.runtimeHandler)
      return mapped(ran, (podSandboxId) => ({ podSandboxId }))
    }),
    StopPodSandbox: method('PodSandboxId', 'Empty', async ({ podSandboxId }) =>
      mapped(await runtime.stopPodSandbox(await sandboxId(podSandboxId)), nothing),
    ),
    RemovePodSandbox: method('PodSandboxId', 'Empty', async ({ podSandboxId }) =>
      mapped(await runtime.removePodSandbox(await sandboxId(podSandboxId)), nothing),
    ),
    PodSandboxStatus: method('PodSandboxId', 'PodSandboxStatusResponse', async (request) => {
      const status = await runtime.podSandboxStatus(await sandboxId(request.podSandboxId))
      return mapped(status, (value) => ({ status: podSandboxStatusMessage(value), info: {} }))
    }),
    ListPodSandbox: method(
      'ListPodSandboxRequest',
      'ListPodSandboxResponse',
      async ({ filter }) => {
        const wanted = podSandboxFilterOf(await withFullIds(filter, true))
        return mapped(await runtime.listPodSandboxes(wanted), (sandboxes) => ({
          items: sandboxes.map(podSandboxMessage),
        }))
      },
    ),
    CreateContainer: method('CreateContainerRequest', 'ContainerId', async (request) => {
      const config = containerConfigOf(request.config)
      if (!config.ok) return config
      const sandboxConfig = podSandboxConfigOf(request.sandboxConfig)
      if (!sandboxConfig.ok) return sandboxConfig
      const id = await sandboxId(request.podSandboxId)
      const created = await runtime.createContainer(id, config.value, sandboxConfig.value)
      return mapped(created, (container) => ({ containerId: container }))
    }),
    StartContainer: method('ContainerId', 'Empty', async (request) =>
      mapped(await runtime.startContainer(await containerId(request.containerId)), nothing),
    ),
    StopContainer: method('StopContainerRequest', 'Empty', async (request) => {
      const id = await containerId(request.containerId)
      return stopped(await runtime.stopContainer(id, request.timeout ?? 0))
    }),
    RemoveContainer: method('ContainerId', 'Empty', async (request) =>
      mapped(await runtime.removeContainer(await containerId(request.containerId)), nothing),
    ),
    ListContainers: method(
      'ListContainersRequest',
      'ListContainersResponse',
      async ({ filter }) => {
        const wanted = containerFilterOf(await withFullIds(filter))
        return mapped(await runtime.listContainers(wanted), (containers) => ({
          containers: containers.map(containerMessage),
        }))
      },
    ),
    ContainerStatus: method(
      'ContainerStatusRequest',
      'ContainerStatusResponse',
      async (request) => {
        const id = await containerId(request.containerId)
        const status = await runtime.containerStatus(id)
        const info = request.verbose === true ? await informationOf(runtime, id) : {}
        return mapped(status, (value) => ({ status: containerStatusMessage(value), info }))
      },
    ),
    UpdateContainerResources: method(
      'UpdateContainerResourcesRequest',
      'Empty',
      async (request) => {
        const id = await containerId(request.containerId)
        return mapped(
          await runtime.updateContainerResources(id, withoutEmpty(request.linux ?? {})),
          nothing,
        )
      },
    ),
    ReopenContainerLog: method('ContainerId', 'Empty', async (request) =>
      mapped(await runtime.reopenContainerLog(await containerId(request.containerId)), nothing),
    ),
    ExecSync: method('ExecSyncRequest', 'ExecSyncResponse', async (request) => {
      if (request.cmd.length === 0) return invalid('cmd cannot be empty')
      const id = await containerId(request.containerId)
      const ran = await runtime.execSync(id, request.cmd, request.timeout ?? 0)
      return mapped(ran, ({ stdout, stderr, exitCode }) => ({
        stdout: bytesOfText(stdout),
        stderr: bytesOfText(stderr),
        exitCode,
      }))
    }),
    Exec: method('ExecRequest', 'Url', async (request) => {
      const id = await containerId(request.containerId)
      const streams = streamsOf(request)
      return mapped(await runtime.exec({ containerId: id, cmd: request.cmd, ...streams }), urlOf)
    }),
    Attach: method('AttachRequest', 'Url', async (request) => {
      const id = await containerId(request.containerId)
      return mapped(await runtime.attach({ containerId: id, ...streamsOf(request) }), urlOf)
    }),
    PortForward: method('PortForwardRequest', 'Url', async (request) => {
      const id = await sandboxId(request.podSandboxId)
      return mapped(await runtime.portForward({ podSandboxId: id, ports: request.port }), urlOf)
    }),
    ContainerStats: method('ContainerId', 'ContainerStatsResponse', async (request) => {
      const stats = await runtime.containerStats(await containerId(request.containerId))
      return mapped(stats, (value) => ({ stats: containerStatsMessage(value) }))
    }),
    ListContainerStats: method(
      'ListContainerStatsRequest',
      'ListContainerStatsResponse',
      async ({ filter }) => {
        const wanted = statsFilterOf(await withFullIds(filter))
        return mapped(await runtime.listContainerStats(wanted), (stats) => ({
          stats: stats.map(containerStatsMessage),
        }))
      },
    ),
    PodSandboxStats: method('PodSandboxId', 'PodSandboxStatsResponse', async (request) => {
      const stats = await runtime.podSandboxStats(await sandboxId(request.podSandboxId))
      return mapped(stats, (value) => ({ stats: podSandboxStatsMessage(value) }))
    }),
    ListPodSandboxStats: method(
      'ListPodSandboxStatsRequest',
      'ListPodSandboxStatsResponse',
      async ({ filter }) => {
        const wanted = statsFilterOf(await withFullIds(filter, true))
        return mapped(await runtime.listPodSandboxStats(wanted), (stats) => ({
          stats: stats.map(podSandboxStatsMessage),
        }))
      },
    ),
  }
}

function urlOf(url: string): object {
  return { url }
}

/** A container that is gone is stopped already (containerd container_stop.go). */
function stopped(result: Result<undefined, RuntimeError>): Result<object, RuntimeError> {
  return result.ok || result.error.kind === 'not-found' ? ok({}) : err(result.error)
}

/** CRI's ImageService over the port. */
export function imageMethods(images: ImageService): CriMethods {
  const named = (spec: WireImageSpec | undefined): string => spec?.image ?? ''
  return {
    ListImages: method('ListImagesRequest', 'ListImagesResponse', async ({ filter }) => {
      const image = named(filter?.image)
      const listed = await images.listImages(image === '' ? undefined : image)
      return mapped(listed, (found) => ({ images: found.map(imageMessage) }))
    }),
    ImageStatus: method('ImageRequest', 'ImageStatusResponse', async ({ image }) =>
      mapped(await images.imageStatus(named(image)), (found) =>
        found === undefined ? {} : { image: imageMessage(found) },
      ),
    ),
    PullImage: method('ImageRequest', 'PullImageResponse', async ({ image }) =>
      mapped(await images.pullImage(named(image)), (imageRef) => ({ imageRef })),
    ),
    RemoveImage: method('ImageRequest', 'Empty', async ({ image }) =>
      mapped(await images.removeImage(named(image)), nothing),
    ),
    ImageFsInfo: method('Empty', 'ImageFsInfoResponse', async () =>
      mapped(await images.imageFsInfo(), ({ imageFilesystems, containerFilesystems }) => ({
        imageFilesystems: imageFilesystems.map(filesystemMessage),
        containerFilesystems: containerFilesystems.map(filesystemMessage),
      })),
    ),
  }
}
