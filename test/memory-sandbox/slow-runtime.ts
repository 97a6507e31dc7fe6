import type { Clock, ImageService, RuntimeService } from '../../src/main/kubelet/ports.ts'
import { PowerClock } from '../../src/main/runtimes/simulated/power-clock.ts'
import type { RuntimeCall } from '../../src/main/runtimes/simulated/runtime-faults.ts'

/**
 * A runtime that takes its time when it is told to: the next calls of a kind are not begun before so many ms have
 * passed. It answers as the one behind it.
 */
export class SlowRuntime implements RuntimeService, ImageService {
  readonly #runtime: RuntimeService & ImageService
  readonly #clock: PowerClock
  readonly #waiting = new Map<RuntimeCall, number[]>()

  constructor(deps: { readonly runtime: RuntimeService & ImageService; readonly clock: Clock }) {
    this.#runtime = deps.runtime
    this.#clock = new PowerClock(deps.clock)
  }

  /** Makes the next `times` calls of the kind slow, after those that were asked for before. */
  delayNext(call: RuntimeCall, delayMs: number, times = 1): void {
    const waiting = this.#waiting.get(call) ?? []
    for (let count = 0; count < times; count++) waiting.push(delayMs)
    this.#waiting.set(call, waiting)
  }

  /** Forgets all delays that no call has met yet. */
  clear(): void {
    this.#waiting.clear()
  }

  /** The machine loses its power: calls that wait are never begun. For the runtime behind this one see its own `cutPower`. */
  cutPower(): void {
    this.clear()
    this.#clock.cut()
  }

  get name(): string {
    return this.#runtime.name
  }

  get version(): string {
    return this.#runtime.version
  }

  readonly status: RuntimeService['status'] = () =>
    this.#after('status', () => this.#runtime.status())

  readonly runPodSandbox: RuntimeService['runPodSandbox'] = (config, causes) =>
    this.#after('runPodSandbox', () => this.#runtime.runPodSandbox(config, causes))

  readonly stopPodSandbox: RuntimeService['stopPodSandbox'] = (id, causes) =>
    this.#after('stopPodSandbox', () => this.#runtime.stopPodSandbox(id, causes))

  readonly removePodSandbox: RuntimeService['removePodSandbox'] = (id, causes) =>
    this.#after('removePodSandbox', () => this.#runtime.removePodSandbox(id, causes))

  readonly listPodSandboxes: RuntimeService['listPodSandboxes'] = (filter) =>
    this.#after('listPodSandboxes', () => this.#runtime.listPodSandboxes(filter))

  readonly createContainer: RuntimeService['createContainer'] = (id, config, causes) =>
    this.#after('createContainer', () => this.#runtime.createContainer(id, config, causes))

  readonly startContainer: RuntimeService['startContainer'] = (id, causes) =>
    this.#after('startContainer', () => this.#runtime.startContainer(id, causes))

  readonly stopContainer: RuntimeService['stopContainer'] = (id, timeoutSeconds, causes) =>
    this.#after('stopContainer', () => this.#runtime.stopContainer(id, timeoutSeconds, causes))

  readonly removeContainer: RuntimeService['removeContainer'] = (id, causes) =>
    this.#after('removeContainer', () => this.#runtime.removeContainer(id, causes))

  readonly listContainers: RuntimeService['listContainers'] = (filter) =>
    this.#after('listContainers', () => this.#runtime.listContainers(filter))

  readonly containerStatus: RuntimeService['containerStatus'] = (id) =>
    this.#after('containerStatus', () => this.#runtime.containerStatus(id))

  readonly imageStatus: ImageService['imageStatus'] = (image) =>
    this.#after('imageStatus', () => this.#runtime.imageStatus(image))

  readonly pullImage: ImageService['pullImage'] = (image, causes) =>
    this.#after('pullImage', () => this.#runtime.pullImage(image, causes))

  readonly listImages: ImageService['listImages'] = () =>
    this.#after('listImages', () => this.#runtime.listImages())

  readonly causesOf = (id: string): readonly number[] => this.#runtime.causesOf?.(id) ?? []

  async #after<T>(call: RuntimeCall, begin: () => Promise<T>): Promise<T> {
    const delayMs = this.#waiting.get(call)?.shift()
    if (delayMs !== undefined)
      await new Promise<void>((resolve) => {
        this.#clock.after(delayMs, resolve)
      })
    return await begin()
  }
}
