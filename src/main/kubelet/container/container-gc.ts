import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { Log, PodSandbox, RuntimeContainer, RuntimeError, RuntimeService } from '../ports.ts'
import type { Result } from '../../../shared/result.ts'
import type { ContainerKiller } from './container-killer.ts'
import { podUidOf } from './container-labels.ts'
import type { PodRuntimeStatus } from './runtime.ts'

/** The kubelet's garbage collection policy for containers (semantics 7.13): period in ms, dead containers kept per name. */
export const containerGcDefaults = { periodMs: 60_000, maxPerPodContainer: 1 } as const

/** What the garbage collector asks of the pod workers (semantics 4.12). */
export interface PodContentProvider {
  readonly shouldPodContentBeRemoved: (uid: string) => boolean
  readonly shouldPodRuntimeBeRemoved: (uid: string) => boolean
}

interface ContainerGarbageCollectorDeps {
  readonly runtimeService: RuntimeService
  readonly killer: ContainerKiller
  readonly log: Log
  /** Absent: no pod's content counts as removable. */
  readonly podStateProvider?: PodContentProvider
  /** Whether every source has been heard of; until then nobody's containers are removed for being unknown. */
  readonly areSourcesReady?: () => boolean
}

/** Removes dead containers and the sandboxes they leave (semantics 7.13; kubelet kuberuntime_gc.go). */
export class ContainerGarbageCollector {
  readonly #deps: ContainerGarbageCollectorDeps

  constructor(deps: ContainerGarbageCollectorDeps) {
    this.#deps = deps
  }

  /** One round over everything on the node. What cannot be removed is logged and left for the next. */
  async collect(): Promise<void> {
    await this.#collectContainers()
    await this.#collectSandboxes()
  }

  /** The dead containers of one pod: all of them, or all but the newest of each name. */
  async deleteContainersInPod(
    status: PodRuntimeStatus,
    removeAll: boolean,
    causes: TraceCauses,
  ): Promise<void> {
    const dead = status.containers.filter(({ state }) => state === 'exited')
    const kept = removeAll ? 0 : containerGcDefaults.maxPerPodContainer
    for (const containers of groupedBy(dead, ({ name }) => name).values()) {
      for (const { id } of newestFirst(containers).slice(kept)) await this.remove(id, causes)
    }
  }

  /** Removes one container; one that is gone already is fine. */
  async remove(containerId: string, causes: TraceCauses): Promise<void> {
    const removed = await this.#deps.runtimeService.removeContainer(containerId, causes)
    this.#logFailure('container not removed', containerId, removed)
  }

  async #collectContainers(): Promise<void> {
    const { runtimeService, log, areSourcesReady = () => true } = this.#deps
    const listed = await runtimeService.listContainers()
    if (!listed.ok) {
      log.error('containers cannot be listed', { error: listed.error.message })
      return
    }
    const dead = listed.value.filter(({ state }) => state !== 'running')
    const units = groupedBy(dead, (container) => `${podUidOf(container)}/${container.name}`)
    for (const containers of units.values()) {
      const uid = containers[0] === undefined ? '' : podUidOf(containers[0])
      const isUnwanted = areSourcesReady() && this.#shouldContentBeRemoved(uid)
      const kept = isUnwanted ? 0 : containerGcDefaults.maxPerPodContainer
      for (const container of newestFirst(containers).slice(kept).toReversed()) {
        await this.#removeDead(container)
      }
    }
  }

  async #removeDead(container: RuntimeContainer): Promise<void> {
    if (container.state === 'unknown') {
      // It may be running.
      const failure = await this.#deps.killer.kill({
        pod: undefined,
        container,
        message: 'Container is in unknown state, try killing it before removal',
        reason: 'Unknown',
        causes: [],
      })
      if (failure !== undefined) return
    }
    await this.remove(container.id, [])
  }

  async #collectSandboxes(): Promise<void> {
    const { runtimeService, log } = this.#deps
    const containers = await runtimeService.listContainers()
    const sandboxes = await runtimeService.listPodSandboxes()
    if (!containers.ok || !sandboxes.ok) {
      const failed = [containers, sandboxes].flatMap((listed) => (listed.ok ? [] : [listed.error]))
      const error = failed.map(({ message }) => message).join('; ')
      log.error('sandboxes cannot be collected', { error })
      return
    }
    const inUse = new Set(containers.value.map(({ podSandboxId }) => podSandboxId))
    const byPod = groupedBy(sandboxes.value, ({ metadata }) => metadata.uid)
    for (const [uid, ofPod] of byPod) {
      const kept = this.#shouldContentBeRemoved(uid) ? 0 : 1
      const unused = newestFirst(ofPod)
        .slice(kept)
        .filter(({ id, state }) => state !== 'ready' && !inUse.has(id))
      for (const sandbox of unused.toReversed()) await this.#removeSandbox(sandbox)
    }
  }

  async #removeSandbox({ id }: PodSandbox): Promise<void> {
    const { runtimeService } = this.#deps
    // It should be stopped already; removing one that is not would leak its network.
    const stopped = await runtimeService.stopPodSandbox(id)
    if (!this.#logFailure('sandbox not stopped before removal', id, stopped)) return
    this.#logFailure('sandbox not removed', id, await runtimeService.removePodSandbox(id))
  }

  #shouldContentBeRemoved(uid: string): boolean {
    return this.#deps.podStateProvider?.shouldPodContentBeRemoved(uid) === true
  }

  /** True when the call worked, or what it was about is gone. */
  #logFailure(message: string, id: string, result: Result<undefined, RuntimeError>): boolean {
    if (result.ok || result.error.kind === 'not-found') return true
    this.#deps.log.error(message, { id, error: result.error.message })
    return false
  }
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

function newestFirst<T extends { readonly createdAt: number; readonly id: string }>(
  items: readonly T[],
): readonly T[] {
  // Listings are in the order of creation, so that the later of two with one time is the newer.
  return items.toReversed().toSorted((a, b) => b.createdAt - a.createdAt)
}
