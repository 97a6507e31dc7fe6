import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type {
  Clock,
  ContainerConfig,
  ContainerFilter,
  ImageService,
  PodSandboxConfig,
  PodSandboxFilter,
  PodSandboxStatus,
  RuntimeContainerStatus,
  RuntimeError,
  RuntimeImage,
  RuntimeService,
} from '../ports.ts'
import { sleep } from './deferred.ts'
import { isContainerListed, isSandboxListed } from './listing-filter.ts'

type Call = Exclude<keyof RuntimeService | keyof ImageService, 'name' | 'version' | 'causesOf'>

/** How a container of some name behaves; without a script it runs until it is stopped and ends 0 at once. */
interface Script {
  /** Ends by itself after so many ms, with the code. */
  readonly endsAfterMs?: number
  readonly exitCode?: number
  /** How long it takes to end after SIGTERM, in ms; never: SIGKILL at the end of the timeout, 137. */
  readonly stopsAfterMs?: number | 'never'
}

const notFound = (what: string): Result<never, RuntimeError> =>
  err({ kind: 'not-found', message: `${what} not found` })

const unimplemented = (): Promise<Result<never, RuntimeError>> =>
  Promise.resolve(err({ kind: 'unimplemented', message: 'the fake does not have it' }))

/**
 * A small container runtime in memory whose containers follow a script by their name. Calls are kept as
 * `verb name` lines with their times, take no time unless `delayMs` says so, and fail as `failures` says.
 */
export class FakeRuntimeService implements RuntimeService, ImageService {
  readonly name = 'fake'
  readonly version = '1.0'
  readonly sandboxes = new Map<string, PodSandboxStatus>()
  readonly containers = new Map<string, RuntimeContainerStatus>()
  readonly images = new Map<string, RuntimeImage>()
  /** Users of images that are pulled, by their names. */
  readonly users = new Map<string, Pick<RuntimeImage, 'uid' | 'username'>>()
  readonly scripts = new Map<string, Script>()
  readonly failures = new Map<Call, RuntimeError>()
  /** What a call fails with, by its kind and its line. */
  failureOf: (call: Call, line: string) => RuntimeError | undefined = (call) =>
    this.failures.get(call)
  readonly delayMs = new Map<Call, number>()
  readonly calls: { readonly at: number; readonly line: string; readonly causes: TraceCauses }[] =
    []
  readonly created: ContainerConfig[] = []
  /** The listings that were asked for, which are no `calls`: they change nothing. */
  readonly listings: {
    readonly call: 'listPodSandboxes' | 'listContainers'
    readonly filter: PodSandboxFilter | ContainerFilter
  }[] = []
  isNetworkReady = true
  isRuntimeReady = true
  readonly #clock: Clock
  readonly #whenEnded = new Map<string, (() => void)[]>()
  #ids = 0

  readonly getVersion = unimplemented
  readonly runtimeConfig = unimplemented
  readonly updateRuntimeConfig = unimplemented
  readonly reopenContainerLog = unimplemented
  readonly exec = unimplemented
  readonly attach = unimplemented
  readonly portForward = unimplemented
  readonly containerStats = unimplemented
  readonly listContainerStats = unimplemented
  readonly podSandboxStats = unimplemented
  readonly listPodSandboxStats = unimplemented
  readonly imageFsInfo = unimplemented

  constructor(deps: { readonly clock: Clock }) {
    this.#clock = deps.clock
  }

  /** Lines since the last call, which are forgotten. */
  take(): readonly string[] {
    return this.calls.splice(0).map(({ line }) => line)
  }

  /** The containers of a name, newest first. */
  of(name: string): readonly RuntimeContainerStatus[] {
    return [...this.containers.values()].filter((one) => one.name === name).toReversed()
  }

  /** Ends a running container. */
  end(id: string, exitCode: number, reason = exitCode === 0 ? 'Completed' : 'Error'): void {
    const container = this.containers.get(id)
    if (container?.state !== 'running') return
    const finishedAt = this.#clock.now()
    this.containers.set(id, { ...container, state: 'exited', exitCode, reason, finishedAt })
    for (const resolve of this.#whenEnded.get(id)?.splice(0) ?? []) resolve()
  }

  readonly status: RuntimeService['status'] = async () => {
    const failure = await this.#call('status', 'status', [])
    if (failure !== undefined) return err(failure)
    const conditionOf = (type: string, status: boolean, reason: string) => ({
      type,
      status,
      reason: status ? '' : reason,
      message: 'as set',
    })
    return ok({
      conditions: [
        conditionOf('RuntimeReady', this.isRuntimeReady, 'RuntimeNotReady'),
        conditionOf('NetworkReady', this.isNetworkReady, 'NetworkPluginNotReady'),
      ],
    })
  }

  readonly updateContainerResources: RuntimeService['updateContainerResources'] = async (
    id,
    resources,
  ) => {
    const line = `updateContainerResources ${id}`
    const failure = await this.#call('updateContainerResources', line, [])
    if (failure !== undefined) return err(failure)
    const container = this.containers.get(id)
    if (container === undefined) return notFound(id)
    this.containers.set(id, { ...container, resources: { ...container.resources, ...resources } })
    return ok(undefined)
  }

  readonly runPodSandbox = async (config: PodSandboxConfig, causes: TraceCauses = []) => {
    const { name, attempt } = config.metadata
    const failure = await this.#call('runPodSandbox', `runPodSandbox ${name} ${attempt}`, causes)
    if (failure !== undefined) return err(failure)
    const id = `sandbox-${++this.#ids}`
    this.sandboxes.set(id, {
      ...config,
      id,
      state: 'ready',
      createdAt: this.#clock.now(),
      ips: config.hostNetwork ? [] : [`10.0.0.${this.#ids}`],
    })
    return ok(id)
  }

  readonly stopPodSandbox = async (id: string, causes: TraceCauses = []) => {
    const failure = await this.#call('stopPodSandbox', `stopPodSandbox ${id}`, causes)
    if (failure !== undefined) return err(failure)
    const sandbox = this.sandboxes.get(id)
    if (sandbox === undefined) return notFound(id)
    for (const container of this.containers.values())
      if (container.podSandboxId === id) this.end(container.id, 137)
    this.sandboxes.set(id, { ...sandbox, state: 'notready', ips: [] })
    return ok(undefined)
  }

  readonly removePodSandbox = async (id: string, causes: TraceCauses = []) => {
    const failure = await this.#call('removePodSandbox', `removePodSandbox ${id}`, causes)
    if (failure !== undefined) return err(failure)
    return this.sandboxes.delete(id) ? ok(undefined) : notFound(id)
  }

  readonly listPodSandboxes: RuntimeService['listPodSandboxes'] = (filter = {}) => {
    this.listings.push({ call: 'listPodSandboxes', filter })
    const failure = this.failureOf('listPodSandboxes', `listPodSandboxes ${filter.id ?? ''}`)
    const listed = [...this.sandboxes.values()].filter((one) => isSandboxListed(one, filter))
    return Promise.resolve(failure === undefined ? ok(listed) : err(failure))
  }

  readonly podSandboxStatus = async (id: string) => {
    const failure = this.failureOf('podSandboxStatus', `podSandboxStatus ${id}`)
    if (failure !== undefined) return err(failure)
    const sandbox = this.sandboxes.get(id)
    return sandbox === undefined ? notFound(id) : ok(sandbox)
  }

  readonly createContainer = async (
    podSandboxId: string,
    config: ContainerConfig,
    _sandboxConfig: PodSandboxConfig,
    causes: TraceCauses = [],
  ) => {
    const { name, attempt } = config
    const failure = await this.#call(
      'createContainer',
      `createContainer ${name} ${attempt}`,
      causes,
    )
    if (failure !== undefined) return err(failure)
    if (this.sandboxes.get(podSandboxId)?.state !== 'ready') return notFound(podSandboxId)
    this.created.push(config)
    const id = `${name}-${++this.#ids}`
    this.containers.set(id, {
      ...config,
      id,
      podSandboxId,
      state: 'created',
      imageRef: config.image,
      createdAt: this.#clock.now(),
      startedAt: 0,
      finishedAt: 0,
      exitCode: 0,
      reason: '',
      message: '',
    })
    return ok(id)
  }

  readonly startContainer = async (id: string, causes: TraceCauses = []) => {
    const container = this.containers.get(id)
    const failure = await this.#call('startContainer', `startContainer ${container?.name}`, causes)
    if (failure !== undefined) return err(failure)
    if (container === undefined) return notFound(id)
    this.containers.set(id, { ...container, state: 'running', startedAt: this.#clock.now() })
    const { endsAfterMs, exitCode = 0 } = this.scripts.get(container.name) ?? {}
    if (endsAfterMs !== undefined) {
      this.#clock.after(endsAfterMs, () => {
        this.end(id, exitCode)
      })
    }
    return ok(undefined)
  }

  readonly stopContainer = async (id: string, timeoutSeconds: number, causes: TraceCauses = []) => {
    const container = this.containers.get(id)
    const line = `stopContainer ${container?.name} ${timeoutSeconds}`
    const failure = await this.#call('stopContainer', line, causes)
    if (failure !== undefined) return err(failure)
    if (container === undefined) return notFound(id)
    if (this.containers.get(id)?.state !== 'running') return ok(undefined)
    const { stopsAfterMs = 0, exitCode = 0 } = this.scripts.get(container.name) ?? {}
    const isKilled = stopsAfterMs === 'never' || stopsAfterMs > timeoutSeconds * 1000
    this.#clock.after(isKilled ? timeoutSeconds * 1000 : stopsAfterMs, () => {
      this.end(id, isKilled ? 137 : exitCode)
    })
    await new Promise<void>((resolve) => {
      this.#whenEnded.set(id, [...(this.#whenEnded.get(id) ?? []), resolve])
    })
    return ok(undefined)
  }

  readonly removeContainer = async (id: string, causes: TraceCauses = []) => {
    const name = this.containers.get(id)?.name
    const failure = await this.#call('removeContainer', `removeContainer ${name}`, causes)
    if (failure !== undefined) return err(failure)
    return this.containers.delete(id) ? ok(undefined) : notFound(id)
  }

  readonly listContainers: RuntimeService['listContainers'] = (filter = {}) => {
    this.listings.push({ call: 'listContainers', filter })
    const failure = this.failureOf('listContainers', 'listContainers')
    const listed = [...this.containers.values()].filter((one) => isContainerListed(one, filter))
    return Promise.resolve(failure === undefined ? ok(listed) : err(failure))
  }

  readonly containerStatus = async (id: string) => {
    const container = this.containers.get(id)
    const failure = this.failureOf('containerStatus', `containerStatus ${container?.name}`)
    if (failure !== undefined) return err(failure)
    return container === undefined ? notFound(id) : ok(container)
  }

  readonly imageStatus = async (image: string) => {
    const failure = this.failureOf('imageStatus', `imageStatus ${image}`)
    const found = this.images.get(image) ?? this.images.get(`${image}:latest`)
    return failure === undefined ? ok(found) : err(failure)
  }

  readonly pullImage = async (image: string, causes: TraceCauses = []) => {
    const failure = await this.#call('pullImage', `pullImage ${image}`, causes)
    if (failure !== undefined) return err(failure)
    const pulled: RuntimeImage = {
      id: `sha256:${image}`,
      sizeBytes: 1234,
      repoTags: [image],
      repoDigests: [],
      ...this.users.get(image),
    }
    this.images.set(image, pulled)
    return ok(pulled.id)
  }

  readonly listImages = async () => ok([...this.images.values()])

  readonly removeImage = async (image: string, causes: TraceCauses = []) => {
    const failure = await this.#call('removeImage', `removeImage ${image}`, causes)
    if (failure !== undefined) return err(failure)
    this.images.delete(image)
    return ok(undefined)
  }

  /** A command is `hook`, how many ms it takes, and what it prints when it fails. */
  readonly execSync: RuntimeService['execSync'] = async (
    id,
    command,
    _timeoutSeconds,
    causes = [],
  ) => {
    const line = `execSync ${this.containers.get(id)?.name} ${command.join(' ')}`
    const failure = await this.#call('execSync', line, causes)
    if (failure !== undefined) return err(failure)
    const [, ms, stderr] = command
    await sleep(this.#clock, Number(ms))
    return ok({ stdout: '', stderr: stderr ?? '', exitCode: stderr === undefined ? 0 : 1 })
  }

  async #call(call: Call, line: string, causes: TraceCauses): Promise<RuntimeError | undefined> {
    this.calls.push({ at: this.#clock.now(), line, causes })
    const delayMs = this.delayMs.get(call)
    if (delayMs !== undefined) await sleep(this.#clock, delayMs)
    return this.failureOf(call, line)
  }
}
