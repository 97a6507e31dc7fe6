import { withFields } from '../../../shared/json.ts'
import type { Container, Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses, TraceSeq } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { statusMessage } from '../../../shared/go/text.ts'
import { makeHostsMount } from '../pod/hosts-file.ts'
import { podDescription, tracePod } from '../pod/identity.ts'
import type {
  ContainerConfig,
  ContainerHost,
  CorePorts,
  EventRecorder,
  ImageService,
  PodSandboxConfig,
  Random,
  RuntimeService,
} from '../ports.ts'
import { backOffKey } from '../container/back-off.ts'
import type { BackOff } from '../container/back-off.ts'
import { containerConfig } from './container-config.ts'
import { recordContainerEvent } from './container-events.ts'
import type { ContainerKiller } from './container-killer.ts'
import { restartCountOf } from './container-labels.ts'
import { findContainerStatus } from './container-restart.ts'
import { formatDuration } from '../../../shared/go/duration.ts'
import type { EnsuredImage, ImageManager } from '../images/image-manager.ts'
import { containerLogsFolder, hostContainerConfig } from './host-config.ts'
import type { HandlerRunner } from './lifecycle-hooks.ts'
import { nonRootViolation } from './run-as-non-root.ts'
import { makeTerminationLogMount } from './termination-log.ts'
import type { StartFailure } from '../container/reason-cache.ts'
import type { PodRuntimeStatus, SyncResult } from '../container/runtime.ts'
import type { MountedVolume } from '../volumemanager/volume-manager.ts'
import { volumeMounts } from './container-mounts.ts'
import type { ActuatedResources } from '../allocation/pod-resize.ts'
import type { RuntimeHelper } from '../container/runtime-helper.ts'
import type { Mount } from '../cri-types.ts'

interface ContainerStarterDeps extends CorePorts {
  readonly runtimeService: RuntimeService
  /** For the names of files. */
  readonly random: Random
  readonly imageService: ImageService
  readonly images: ImageManager
  readonly backOff: BackOff
  readonly killer: ContainerKiller
  readonly recorder: EventRecorder
  readonly hooks: HandlerRunner
  readonly runtimeHelper: RuntimeHelper
  /** See KubeletDeps. */
  readonly containerHost?: ContainerHost | undefined
  readonly mountedVolumes: (podUid: string) => ReadonlyMap<string, MountedVolume>
  readonly allocations?: ActuatedResources | undefined
}

/** One container to start, and where. */
export interface StartRequest {
  readonly pod: Pod
  readonly container: Container
  readonly sandboxId: string
  /** Made only when a container is created. */
  readonly sandboxConfig: () => PodSandboxConfig
  /** As it was when the sync began. */
  readonly podStatus: PodRuntimeStatus
  /** Of the sandbox; of the host for a pod on its network. */
  readonly podIPs: readonly string[]
  readonly causes: TraceCauses
}

/** The container whose processes an ephemeral container sees; it was there before (kubelet getTargetID). */
function targetIdOf(
  container: Container,
  podStatus: PodRuntimeStatus,
): Result<string | undefined, string> {
  const name = container['targetContainerName']
  if (typeof name !== 'string' || name === '') return ok(undefined)
  const target = findContainerStatus(podStatus, name)
  return target === undefined ? err(`unable to find target container ${name}`) : ok(target.id)
}

/** As the kubelet's metrics call it. */
function containerType({ pod, container: { name } }: StartRequest): string {
  const { initContainers = [], ephemeralContainers = [] } = pod.spec
  if (initContainers.some((one) => one.name === name)) return 'init_container'
  return ephemeralContainers.some((one) => one.name === name) ? 'ephemeral_container' : 'container'
}

const longestHookMs = Number.POSITIVE_INFINITY

/** Starts containers (containers#runtime-sync, "Start"): back-off check, image, create, start, postStart hook. */
export class ContainerStarter {
  readonly #deps: ContainerStarterDeps

  constructor(deps: ContainerStarterDeps) {
    this.#deps = deps
  }

  /** Resolves when the container runs, or with why it does not. */
  async start(request: StartRequest): Promise<SyncResult> {
    const step = { action: 'StartContainer', target: request.container.name } as const
    const backOff = this.#doBackOff(request)
    if (backOff !== undefined) return { error: { isBackOff: true, ...backOff }, ...step }
    const { metrics } = this.#deps
    const type = containerType(request)
    metrics?.startedContainers.with(type).increment()
    const failure = await this.#start(request)
    if (failure === undefined) return step
    metrics?.startedContainersErrors.with(type, failure.reason).increment()
    const isBackOff = failure.reason === 'ImagePullBackOff'
    return { error: { isBackOff, ...failure }, ...step }
  }

  /** Whether the container ended too short a time ago to be started again (kubelet doBackOff). */
  #doBackOff(request: StartRequest): StartFailure | undefined {
    const { pod, container, podStatus, causes } = request
    const { backOff, trace } = this.#deps
    const last = podStatus.containers.find(
      ({ name, state }) => name === container.name && state === 'exited',
    )
    if (last === undefined) return undefined
    const key = backOffKey(pod, container)
    if (!backOff.isInBackOffSince(key, last.finishedAt)) {
      backOff.next(key, last.finishedAt)
      return undefined
    }
    const delayMs = backOff.get(key)
    const seq = tracePod(trace, pod, 'container.backOff', causes, {
      container: container.name,
      delayMs,
      until: last.finishedAt + delayMs,
    })
    const where = `container ${container.name} in pod ${podDescription(pod)}`
    this.#event(request, 'Warning', 'BackOff', `Back-off restarting failed ${where}`, [seq])
    const message = `back-off ${formatDuration(delayMs)} restarting failed container=${container.name} pod=${podDescription(pod)}`
    return { reason: 'CrashLoopBackOff', message }
  }

  async #start(request: StartRequest): Promise<StartFailure | undefined> {
    const { pod, container, causes } = request
    const image = await this.#deps.images.ensureImageExists(pod, container, causes)
    if (!image.ok) return this.#failed(request, image.error, image.error.reason)
    const created = await this.#create(request, image.value)
    if (!created.ok) return created.error
    const failure = await this.#run(request, created.value, image.value.causes)
    return failure ?? this.#runPostStart(request, created.value, image.value.causes)
  }

  async #create(request: StartRequest, image: EnsuredImage): Promise<Result<string, StartFailure>> {
    const { container, sandboxId, sandboxConfig, podStatus } = request
    const last = findContainerStatus(podStatus, container.name)
    const restartCount =
      last === undefined ? await this.#restartsByLogs(request) : restartCountOf(last) + 1
    const config = await this.#configOf(request, image.imageRef, restartCount)
    if (!config.ok) {
      const failure = { reason: 'CreateContainerConfigError', message: config.error }
      return err(this.#failed(request, failure, config.error))
    }
    const { runtimeService, allocations } = this.#deps
    const { uid } = request.pod.metadata
    allocations?.setActuatedResources(uid, container.name, container.resources ?? {})
    const created = await runtimeService.createContainer(
      sandboxId,
      config.value,
      sandboxConfig(),
      image.causes,
    )
    if (!created.ok) {
      const message = statusMessage(created.error.message)
      return err(this.#failed(request, { reason: 'CreateContainerError', message }, message))
    }
    this.#event(request, 'Normal', 'Created', `Created container: ${container.name}`, image.causes)
    return created
  }

  async #run(
    request: StartRequest,
    containerId: string,
    causes: TraceCauses,
  ): Promise<StartFailure | undefined> {
    const { runtimeService } = this.#deps
    const started = await runtimeService.startContainer(containerId, causes)
    if (!started.ok) {
      const message = statusMessage(started.error.message)
      const failure = { reason: 'RunContainerError', message }
      return this.#failed(request, failure, message, containerId)
    }
    const { name } = request.container
    this.#event(request, 'Normal', 'Started', `Started container ${name}`, causes)
    return undefined
  }

  /** One more than the logs show, where the runtime has forgotten the container (calcRestartCountByLogDir). */
  async #restartsByLogs({ pod, container }: StartRequest): Promise<number> {
    const { containerHost: host } = this.#deps
    const logs = await host?.files.list(containerLogsFolder(pod, container, host))
    const names = logs?.ok === true ? logs.value : []
    const counts = names.flatMap((name) => /^(\d+)\.log/.exec(name)?.[1] ?? [])
    return Math.max(0, ...counts.map((count) => Number(count) + 1))
  }

  /** The error is why the container cannot be made as its spec says (kubelet generateContainerConfig). */
  async #configOf(
    { pod, container, podIPs, podStatus }: StartRequest,
    imageRef: string,
    restartCount: number,
  ): Promise<Result<ContainerConfig, string>> {
    const target = targetIdOf(container, podStatus)
    if (!target.ok) return target
    const { imageService, containerHost: host, runtimeHelper, random, log } = this.#deps
    const options = await runtimeHelper.generateRunContainerOptions(pod, container, podIPs)
    if (!options.ok) return options
    const mounts = await this.#mountsOf({ pod, container, podIPs }, options.value.envs)
    if (!mounts.ok) return mounts
    const image = await imageService.imageStatus(container.image ?? '')
    if (!image.ok) return err(statusMessage(image.error.message))
    const forbidden = nonRootViolation(pod, container, image.value)
    if (forbidden !== undefined) return err(forbidden)
    const config = containerConfig(pod, container, imageRef, restartCount, options.value)
    if (!config.ok || host === undefined) return config
    const logs = containerLogsFolder(pod, container, host)
    const made = await host.files.makeFolder(logs)
    if (!made.ok)
      return err(
        `create container log directory for container ${container.name} failed: ${made.error.message}`,
      )
    const terminationLog = await makeTerminationLogMount(pod, container, { host, random, log })
    // Not spread: that would make a list with spare capacity, of each container.
    const own = mounts.value.concat(terminationLog ?? [])
    const from = { attempt: restartCount, image: image.value, targetId: target.value }
    const added = hostContainerConfig(pod, container, from, host)
    return ok(withFields(config.value, { ...added, mounts: own }))
  }

  /** Those of the pod's volumes and of the hosts file (kubelet makeMounts). */
  async #mountsOf(
    { pod, container, podIPs }: Pick<StartRequest, 'pod' | 'container' | 'podIPs'>,
    envs: ContainerConfig['envs'],
  ): Promise<Result<readonly Mount[], string>> {
    const { containerHost: host } = this.#deps
    if (host === undefined) return ok([])
    const volumes = this.#deps.mountedVolumes(pod.metadata.uid)
    const mounts = await volumeMounts(container, { volumes, envs, files: host.files })
    if (!mounts.ok) return mounts
    const hosts = await makeHostsMount(pod, container, podIPs, host)
    if (!hosts.ok) return hosts
    return hosts.value === undefined ? mounts : ok(mounts.value.concat([hosts.value]))
  }

  /** A container whose hook fails is killed. */
  async #runPostStart(
    request: StartRequest,
    containerId: string,
    causes: TraceCauses,
  ): Promise<StartFailure | undefined> {
    const { pod, container } = request
    const hook = { pod, container, containerId, name: 'postStart', maxMs: longestHookMs } as const
    const message = await this.#deps.hooks.run({ causes, ...hook })
    if (message === undefined) return undefined
    const failure = { reason: 'PostStartHookError', message }
    const failed = [this.#traceFailure(request, failure)]
    // Without the message, which may hold secrets.
    const event = 'PostStartHook failed'
    this.#event(request, 'Warning', 'FailedPostStartHook', event, failed, containerId)
    await this.#deps.killer.kill({
      pod,
      container: { id: containerId, name: container.name },
      message: 'FailedPostStartHook',
      reason: 'FailedPostStartHook',
      causes: failed,
    })
    return failure
  }

  #failed(
    request: StartRequest,
    failure: StartFailure,
    error: string,
    containerId?: string,
  ): StartFailure {
    const failed = [this.#traceFailure(request, failure)]
    this.#event(request, 'Warning', 'Failed', `Error: ${error}`, failed, containerId)
    return failure
  }

  #traceFailure({ pod, container, causes }: StartRequest, failure: StartFailure): TraceSeq {
    const { reason, message } = failure
    return tracePod(this.#deps.trace, pod, 'container.failed', causes, {
      container: container.name,
      reason,
      message,
    })
  }

  #event(
    { pod, container }: StartRequest,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    causes: TraceCauses,
    containerId = '',
  ): void {
    const containerName = container.name
    recordContainerEvent(this.#deps.recorder, {
      pod,
      containerName,
      containerId,
      type,
      reason,
      message,
      causes,
    })
  }
}
