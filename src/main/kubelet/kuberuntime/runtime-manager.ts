import { withFields } from '../../../shared/json.ts'
import type { Container, Pod, PodSpec } from '../../../shared/kubernetes/objects.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import { goQuote } from '../../../shared/go/text.ts'
import { podDescription, podNamespace } from '../pod/identity.ts'
import type {
  CancelTimer,
  ContainerHost,
  CorePorts,
  EventRecorder,
  ImageService,
  PodSandboxConfig,
  PodSandboxStatus,
  Random,
  RuntimeContainerStatus,
  RuntimeError,
  RuntimeClassLister,
  RuntimeService,
} from '../ports.ts'
import { BackOff, backOffDefaults, crashLoopBackOff } from '../container/back-off.ts'
import type { WithKubeletSettings } from '../kubelet-settings.ts'
import { podSandboxConfig } from './container-config.ts'
import { ContainerGarbageCollector, containerGcDefaults } from './container-gc.ts'
import type { PodStateProvider } from '../workers/pod-workers.ts'
import { ContainerKiller } from './container-killer.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { ContainerStarter } from './container-starter.ts'
import type { StartRequest } from './container-starter.ts'
import { hostSandboxConfig } from './host-config.ts'
import { HandlerRunner } from './lifecycle-hooks.ts'
import type { PodNetwork } from '../probe/pod-network.ts'
import { refusingNetwork } from '../probe/refusing-network.ts'
import { ImageManager } from '../images/image-manager.ts'
import type { MountedVolume } from '../volumemanager/volume-manager.ts'
import { computePodActions } from './pod-actions.ts'
import type { PodActions } from './pod-actions.ts'
import { PodResizer } from '../allocation/pod-resize.ts'
import type { ActuatedResources } from '../allocation/pod-resize.ts'
import { withTerminationMessage } from './termination-message.ts'
import { PodListing } from '../container/pod-listing.ts'
import { noProbes } from '../container/probe-results.ts'
import type { ProbeResults } from '../container/probe-results.ts'
import { toRunningPod } from '../container/running-pod.ts'
import { RuntimeState } from '../container/runtime-state.ts'
import type {
  PodRuntimeStatus,
  PodSyncResult,
  Runtime,
  RuntimePod,
  SyncResult,
} from '../container/runtime.ts'
import type { RuntimeHelper } from '../container/runtime-helper.ts'

/** What the runtime manager works with. The optional ones are seams that may be wired late, as closures. */
export interface RuntimeManagerDeps extends CorePorts, WithKubeletSettings {
  readonly runtimeService: RuntimeService
  readonly imageService: ImageService
  /** Names files; the kubelet's back-offs have no jitter by default (v1.34). */
  readonly random: Random
  readonly recorder: EventRecorder
  /** Whether the pod's termination was requested meanwhile: failing to create its sandbox is then not an error. */
  readonly isPodDeleted?: (uid: string) => boolean
  readonly podStateProvider?: Pick<PodStateProvider, 'shouldPodContentBeRemoved'> &
    Partial<Pick<PodStateProvider, 'shouldPodRuntimeBeRemoved'>>
  readonly areSourcesReady?: () => boolean
  /** Why the PLEG is not healthy; undefined, or absent: it is. */
  readonly healthError?: () => string | undefined
  /** Absent: there are none. */
  readonly probeResults?: ProbeResults
  /** See KubeletDeps. */
  readonly containerHost?: ContainerHost | undefined
  /** By the UID of a pod and the name of the volume. Absent: pods have none. */
  readonly mountedVolumes?: (podUid: string) => ReadonlyMap<string, MountedVolume>
  readonly runtimeHelper: RuntimeHelper
  /** Absent: there are no classes. */
  readonly runtimeClassLister?: RuntimeClassLister | undefined
  /** Absent: containers are not resized. */
  readonly allocations?: ActuatedResources | undefined
  /** See PodResizer. */
  readonly inspectPod?: ((podUid: string) => void) | undefined
  /** For HTTP hooks. Absent: nothing listens anywhere. */
  readonly podNetwork?: PodNetwork | undefined
}

/**
 * kubecontainer.Runtime over CRI: brings a pod's sandbox and containers to what its spec says, stops
 * them, and removes what is dead (docs/kubelet/containers.md; kubelet kuberuntime). Never throws for
 * what the runtime answers. `start` begins the health check of 5 s and the garbage collection of 1 min.
 */
export class RuntimeManager implements Runtime {
  readonly #deps: RuntimeManagerDeps
  readonly #state: RuntimeState
  /** When a container that ended may start again. Housekeeping forgets what has expired. */
  readonly crashLoopBackOff: BackOff
  readonly #killer: ContainerKiller
  readonly #starter: ContainerStarter
  readonly #garbage: ContainerGarbageCollector
  readonly #resizer: PodResizer
  readonly #images: ImageManager
  readonly #allPods = new PodListing()
  readonly #runningPods = new PodListing(this.#allPods)
  /** By their specs, the UIDs of pods whose sandbox config is made without a warning: it is made again only to create a container. */
  readonly #plainPods = new WeakMap<PodSpec, string>()
  #cancelGarbageTimer: CancelTimer | undefined
  #isRunning = false

  constructor(deps: RuntimeManagerDeps) {
    const { clock } = deps
    this.#deps = deps
    this.#state = new RuntimeState(deps)
    this.crashLoopBackOff = new BackOff({ clock, ...crashLoopBackOff(deps.settings) })
    const hooks = new HandlerRunner({
      ...deps,
      network: deps.podNetwork ?? refusingNetwork(clock),
      podIPs: (pod) => this.#podIPs(pod),
    })
    this.#killer = new ContainerKiller({ ...deps, hooks })
    const imageBackOff = new BackOff({ clock, ...backOffDefaults.imagePull })
    this.#images = new ImageManager({ ...deps, backOff: imageBackOff })
    this.#starter = new ContainerStarter({
      mountedVolumes: () => new Map(),
      ...deps,
      random: deps.random.fork('termination logs'),
      images: this.#images,
      backOff: this.crashLoopBackOff,
      killer: this.#killer,
      hooks,
    })
    this.#resizer = new PodResizer(deps)
    this.#garbage = new ContainerGarbageCollector({ ...deps, killer: this.#killer })
  }

  /** The images of pulls in progress. */
  pulling(): readonly string[] {
    return [...this.#images.pulling].map(({ image }) => image)
  }

  /** Running already: nothing. */
  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#state.start()
    void this.#collectAndGoOn()
  }

  stop(): void {
    this.#isRunning = false
    this.#state.stop()
    this.#cancelGarbageTimer?.()
    this.#cancelGarbageTimer = undefined
  }

  readonly runtimeErrors = (): readonly string[] => this.#state.runtimeErrors()

  readonly networkError = (): string | undefined => this.#state.networkError()

  readonly capabilities: RuntimeState['capabilities'] = () => this.#state.capabilities()

  /** Asks the runtime for its state now, in addition to the five-second check. */
  refreshState(): Promise<void> {
    return this.#state.refresh()
  }

  /** One round of container garbage collection, in addition to the one each minute. Why it failed; undefined when it did not. */
  collectGarbage(ofTerminatedPods = false): Promise<string | undefined> {
    return this.#garbage.collect(ofTerminatedPods)
  }

  readonly getPods: Runtime['getPods'] = async (all) => {
    const { runtimeService } = this.#deps
    const sandboxes = await runtimeService.listPodSandboxes(all ? {} : { state: 'ready' })
    if (!sandboxes.ok) return sandboxes
    const containers = await runtimeService.listContainers(all ? {} : { state: 'running' })
    if (!containers.ok) return containers
    const listing = all ? this.#allPods : this.#runningPods
    return ok(listing.podsOf(sandboxes.value, containers.value))
  }

  readonly getPodStatus: Runtime['getPodStatus'] = async (uid, name, namespace) => {
    const { runtimeService } = this.#deps
    const statuses = await this.#sandboxStatuses(uid)
    if (!statuses.ok) return statuses
    const sandboxes = newestFirst(statuses.value, ({ metadata }) => metadata.attempt)
    const containers = await this.#containerStatuses(uid)
    if (!containers.ok) return containers
    const [newest] = sandboxes
    const isActive = newest?.state === 'ready' && !newest.hostNetwork
    return ok({
      runtimeName: runtimeService.name,
      uid,
      name,
      namespace,
      ips: isActive ? newest.ips : [],
      sandboxes,
      containers: newestFirst(containers.value, ({ attempt }) => attempt),
    })
  }

  async #podIPs(pod: Pod): Promise<Result<readonly string[], string>> {
    const { uid, name } = pod.metadata
    const status = await this.getPodStatus(uid, name, podNamespace(pod))
    return status.ok ? ok(status.value.ips) : err(status.error.message)
  }

  readonly syncPod: Runtime['syncPod'] = async (pod, status, causes) => {
    const { recorder, probeResults = noProbes, allocations } = this.#deps
    const actions = computePodActions(pod, status, probeResults, allocations?.actuatedResources)
    if (actions.createSandbox && actions.sandboxId !== undefined) {
      const message = 'Pod sandbox changed, it will be killed and re-created.'
      recorder.event({ kind: 'pod', pod }, 'Normal', 'SandboxChanged', message, causes)
    }
    const killed = await this.#killUnwanted(pod, status, actions, causes)
    if (hasFailed(killed)) return { results: killed }
    await this.#pruneInitContainers(pod, status, causes)
    const sandbox = await this.#ensureSandbox(pod, actions, causes)
    const prepared = [...killed, ...sandbox.results]
    const { id, error, podIPs = status.ips } = sandbox
    if (id === undefined) return { results: prepared, ...(error === undefined ? {} : { error }) }
    const configured: SyncResult = { action: 'ConfigPodSandbox', target: id }
    const { attempt } = actions
    const config =
      this.#plainPods.get(pod.spec) === pod.metadata.uid
        ? undefined
        : this.#sandboxConfig(pod, attempt, causes)
    if (config?.ok === false) {
      const why = `GeneratePodSandboxConfig for pod ${goQuote(podDescription(pod))} failed: ${config.error}`
      return { results: [...prepared, failedStep(configured, 'ConfigPodSandboxError', why)] }
    }
    const where = {
      pod,
      sandboxId: id,
      sandboxConfig: () => config?.value ?? this.#plainConfig(pod, attempt),
      podStatus: status,
      podIPs,
      causes,
    }
    const started = await this.#startContainers(actions, where)
    return { results: [...prepared, configured, ...started] }
  }

  readonly killPod: Runtime['killPod'] = async (pod, runningPod, gracePeriodOverride, causes) => ({
    results: await this.#killPod(pod, runningPod, gracePeriodOverride, causes),
  })

  readonly deleteContainersInPod: Runtime['deleteContainersInPod'] = (status, died, causes) =>
    this.#garbage.deleteContainersInPod(status, died, causes)

  async #killPod(
    pod: Pod,
    runningPod: RuntimePod,
    gracePeriodOverride: number | undefined,
    causes: TraceCauses,
  ): Promise<readonly SyncResult[]> {
    const containers = runningPod.containers.filter(({ state }) => state === 'running')
    const killed = await this.#killer.killAll({ pod, containers, gracePeriodOverride, causes })
    const step: SyncResult = { action: 'KillPodSandbox', target: runningPod.uid }
    let failure: RuntimeError | undefined
    for (const { id } of runningPod.sandboxes) {
      const stopped = await this.#deps.runtimeService.stopPodSandbox(id, causes)
      if (!stopped.ok && stopped.error.kind !== 'not-found') failure = stopped.error
    }
    if (failure === undefined) return [...killed, step]
    const { message } = failure
    return [...killed, failedStep(step, 'KillPodSandboxError', message)]
  }

  /** The whole pod, or the containers that must not keep running (containers#runtime-sync step 2). Stops at the first failure. */
  async #killUnwanted(
    pod: Pod,
    status: PodRuntimeStatus,
    actions: PodActions,
    causes: TraceCauses,
  ): Promise<readonly SyncResult[]> {
    if (actions.killPod) {
      const killed = await this.#killPod(pod, toRunningPod(status), undefined, causes)
      if (!hasFailed(killed) && actions.createSandbox) {
        await this.#purgeInitContainers(pod, status, causes)
      }
      return killed
    }
    const results: SyncResult[] = []
    for (const { status: container, message, reason } of actions.containersToKill) {
      const failure = await this.#killer.kill({ pod, container, message, reason, causes })
      const step: SyncResult = { action: 'KillContainer', target: container.name }
      results.push(failure === undefined ? step : failedStep(step, 'KillContainerError', failure))
      if (failure !== undefined) break
    }
    return results
  }

  /** A new sandbox starts the init containers again, so the old ones are removed. */
  async #purgeInitContainers(
    pod: Pod,
    status: PodRuntimeStatus,
    causes: TraceCauses,
  ): Promise<void> {
    for (const { id } of initContainersOf(pod, status)) await this.#garbage.remove(id, causes)
  }

  /** Keeps the newest dead init container of each name. */
  async #pruneInitContainers(
    pod: Pod,
    status: PodRuntimeStatus,
    causes: TraceCauses,
  ): Promise<void> {
    const kept = new Set<string>()
    for (const { id, name, state } of initContainersOf(pod, status)) {
      if (state !== 'exited' && state !== 'unknown') continue
      if (kept.has(name)) await this.#garbage.remove(id, causes)
      kept.add(name)
    }
  }

  async #ensureSandbox(
    pod: Pod,
    actions: PodActions,
    causes: TraceCauses,
  ): Promise<PodSyncResult & { readonly id?: string; readonly podIPs?: readonly string[] }> {
    const { recorder, isPodDeleted = () => false, metrics } = this.#deps
    if (!actions.createSandbox)
      return { results: [], ...(actions.sandboxId === undefined ? {} : { id: actions.sandboxId }) }
    metrics?.startedPods.with().increment()
    const step: SyncResult = { action: 'CreatePodSandbox', target: podDescription(pod) }
    const created = await this.#createSandbox(pod, actions.attempt, causes)
    if (created.ok) {
      const status = await this.#newSandboxStatus(pod, created.value, causes)
      if (!status.ok) return { results: [step], error: status.error }
      const { hostNetwork, ips } = status.value
      return { id: created.value, results: [step], ...(hostNetwork ? {} : { podIPs: ips }) }
    }
    // A pod that is deleted while its sandbox is made takes its network away under it.
    if (isPodDeleted(pod.metadata.uid)) return { results: [step] }
    metrics?.startedPodsErrors.with().increment()
    const { doing, message } = created.error
    const event = `Failed to create pod sandbox: ${message}`
    recorder.event({ kind: 'pod', pod }, 'Warning', 'FailedCreatePodSandBox', event, causes)
    const why = `Failed to ${doing} for pod ${goQuote(podDescription(pod))}: ${message}`
    return { results: [failedStep(step, 'CreatePodSandboxError', why)] }
  }

  async #createSandbox(
    pod: Pod,
    attempt: number,
    causes: TraceCauses,
  ): Promise<Result<string, { readonly doing: string; readonly message: string }>> {
    const { runtimeService, containerHost } = this.#deps
    const config = this.#sandboxConfig(pod, attempt, causes)
    if (!config.ok) return err({ doing: 'generate sandbox config', message: config.error })
    const { logDirectory } = config.value
    const made =
      logDirectory === undefined ? undefined : await containerHost?.files.makeFolder(logDirectory)
    if (made?.ok === false)
      return err({ doing: 'create log directory', message: made.error.message })
    const handler = this.#runtimeHandler(pod)
    if (!handler.ok) return err({ doing: 'create sandbox', message: handler.error })
    const created = await runtimeService.runPodSandbox(config.value, causes, handler.value)
    if (created.ok) return created
    return err({ doing: 'create sandbox', message: created.error.message })
  }

  /** The handler of the pod's class (runtimeclass_manager.go LookupRuntimeHandler); the default one is empty. */
  #runtimeHandler({ spec }: Pod): Result<string, string> {
    const name = spec['runtimeClassName']
    if (typeof name !== 'string' || name === '') return ok('')
    const runtimeClass = this.#deps.runtimeClassLister?.get(name)
    if (runtimeClass === undefined)
      return err(`runtimeclass.node.k8s.io ${goQuote(name)} not found`)
    return ok(runtimeClass.handler ?? '')
  }

  /** The error is why there is none. Warns about the pod's DNS each time, like the kubelet. */
  #sandboxConfig(pod: Pod, attempt: number, causes: TraceCauses): Result<PodSandboxConfig, string> {
    const { containerHost, recorder } = this.#deps
    const config = podSandboxConfig(pod, attempt)
    if (containerHost === undefined) return ok(config)
    const added = hostSandboxConfig(pod, containerHost)
    if (!added.ok) return added
    const { warnings, ...fields } = added.value
    if (warnings.length === 0) this.#plainPods.set(pod.spec, pod.metadata.uid)
    for (const { reason, message } of warnings)
      recorder.event({ kind: 'pod', pod }, 'Warning', reason, message, causes)
    return ok(withFields(config, fields))
  }

  #plainConfig(pod: Pod, attempt: number): PodSandboxConfig {
    const config = this.#sandboxConfig(pod, attempt, [])
    if (!config.ok) throw new Error(`a config that was made before cannot be made: ${config.error}`)
    return config.value
  }

  /** For the pod's addresses. */
  async #newSandboxStatus(
    pod: Pod,
    id: string,
    causes: TraceCauses,
  ): Promise<Result<PodSandboxStatus, string>> {
    const status = await this.#deps.runtimeService.podSandboxStatus(id)
    if (status.ok) return status
    const { message } = status.error
    const event = `Unable to get pod sandbox status: ${message}`
    this.#deps.recorder.event(
      { kind: 'pod', pod },
      'Warning',
      'FailedPodSandBoxStatus',
      event,
      causes,
    )
    return err(message)
  }

  /** Ephemeral and init containers, resizes of those that run, regular containers, in this order (containers#runtime-sync steps 5 to 8). */
  async #startContainers(
    actions: PodActions,
    where: Omit<StartRequest, 'container'>,
  ): Promise<readonly SyncResult[]> {
    const results: SyncResult[] = []
    const start = async (container: Container): Promise<SyncResult> => {
      const result = await this.#starter.start({ container, ...where })
      results.push(result)
      return result
    }
    for (const container of actions.ephemeralContainersToStart) await start(container)
    for (const container of actions.initContainersToStart) {
      const { error } = await start(container)
      if (error !== undefined && !isSidecar(container)) return results
    }
    const { pod, sandboxId, causes } = where
    const resized = await this.#resizer.resize({ pod, sandboxId, resizes: actions.resizes, causes })
    if (resized !== undefined) results.push(resized)
    for (const container of actions.containersToStart) await start(container)
    return results
  }

  async #sandboxStatuses(uid: string): Promise<Result<readonly PodSandboxStatus[], RuntimeError>> {
    const { runtimeService } = this.#deps
    const listed = await runtimeService.listPodSandboxes({ podUid: uid })
    if (!listed.ok) return listed
    const statuses: PodSandboxStatus[] = []
    for (const { id } of listed.value) {
      const status = await runtimeService.podSandboxStatus(id)
      if (status.ok) statuses.push(status.value)
      // Removed between listing and looking, which happens.
      else if (status.error.kind !== 'not-found') return err(status.error)
    }
    return ok(statuses)
  }

  async #containerStatuses(
    uid: string,
  ): Promise<Result<readonly RuntimeContainerStatus[], RuntimeError>> {
    const { runtimeService, containerHost } = this.#deps
    const listed = await runtimeService.listContainers({ podUid: uid })
    if (!listed.ok) return listed
    const statuses: RuntimeContainerStatus[] = []
    for (const container of listed.value) {
      const status = await runtimeService.containerStatus(container.id)
      if (status.ok) statuses.push(await withTerminationMessage(status.value, containerHost))
      // Removed between listing and looking, which happens.
      else if (status.error.kind !== 'not-found') return err(status.error)
    }
    return ok(statuses)
  }

  async #collectAndGoOn(): Promise<void> {
    const failure = await this.collectGarbage()
    if (!this.#isRunning) return
    if (failure !== undefined) {
      this.#deps.log.error('container garbage collection failed', { error: failure })
      this.#deps.recorder.event({ kind: 'node' }, 'Warning', 'ContainerGCFailed', failure)
    }
    this.#cancelGarbageTimer = this.#deps.clock.after(containerGcDefaults.periodMs, () => {
      void this.#collectAndGoOn()
    })
  }
}

function failedStep(step: SyncResult, reason: string, message: string): SyncResult {
  return { ...step, error: { reason, message, isBackOff: false } }
}

function hasFailed(results: PodSyncResult['results']): boolean {
  return results.some(({ error }) => error !== undefined)
}

function initContainersOf(pod: Pod, status: PodRuntimeStatus): readonly RuntimeContainerStatus[] {
  const names = new Set((pod.spec.initContainers ?? []).map(({ name }) => name))
  return status.containers.filter(({ name }) => names.has(name))
}

/** By creation, then by attempt: a fast clock may give two of them one time. */
function newestFirst<T extends { readonly createdAt: number }>(
  items: readonly T[],
  attemptOf: (item: T) => number,
): readonly T[] {
  return items.toSorted((a, b) => b.createdAt - a.createdAt || attemptOf(b) - attemptOf(a))
}
