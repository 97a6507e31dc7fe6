import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import type { PodStateProvider } from '../workers/pod-workers.ts'
import type {
  ContainerHost,
  Log,
  PodSandbox,
  RuntimeContainer,
  RuntimeContainerStatus,
  RuntimeError,
  RuntimeService,
  Trace,
} from '../ports.ts'
import { tracePod } from '../pod/identity.ts'
import type { Result } from '../../../shared/result.ts'
import { aggregateText } from '../../../shared/go/text.ts'
import type { ContainerKiller } from './container-killer.ts'
import { podUidOf, restoreSpecsFromContainerLabels } from './container-labels.ts'
import type { PodRuntimeStatus } from '../container/runtime.ts'

/** The kubelet's garbage collection policy for containers (containers#garbage-collection): period in ms, dead containers kept per name. */
export const containerGcDefaults = { periodMs: 60_000, maxPerPodContainer: 1 } as const

interface ContainerGarbageCollectorDeps {
  readonly runtimeService: RuntimeService
  readonly killer: ContainerKiller
  readonly log: Log
  readonly trace: Trace
  /** Absent: containers have no logs. */
  readonly containerHost?: Pick<ContainerHost, 'files' | 'podLogsFolder'> | undefined
  /** Absent: no pod's content counts as removable. */
  readonly podStateProvider?: Pick<PodStateProvider, 'shouldPodContentBeRemoved'> &
    Partial<Pick<PodStateProvider, 'shouldPodRuntimeBeRemoved'>>
  /** Whether every source has reported; until then no container is removed because its pod is unknown. */
  readonly areSourcesReady?: () => boolean
}

/** What `Runtime.deleteContainersInPod` removes, the newest first (kubelet getContainersToDeleteInPod). */
export function containersToDelete(
  status: PodRuntimeStatus,
  died: string | undefined,
): readonly RuntimeContainerStatus[] {
  const dead = status.containers.filter(({ state }) => state === 'exited')
  if (died === undefined) return dead
  const name = status.containers.find(({ id }) => id === died)?.name
  return dead
    .filter((container) => container.name === name)
    .slice(containerGcDefaults.maxPerPodContainer)
}

/** Removes dead containers and the sandboxes they leave (containers#garbage-collection; kubelet kuberuntime_gc.go). */
export class ContainerGarbageCollector {
  readonly #deps: ContainerGarbageCollectorDeps

  constructor(deps: ContainerGarbageCollectorDeps) {
    this.#deps = deps
  }

  /**
   * One round over everything on the node. What cannot be removed is logged and left for the next round. Returns why
   * a listing failed; undefined when none did. `ofTerminatedPods`: containers of pods that are terminated but not deleted go too.
   */
  async collect(ofTerminatedPods = false): Promise<string | undefined> {
    const failures = [
      await this.#collectContainers(ofTerminatedPods),
      await this.#collectSandboxes(ofTerminatedPods),
    ]
    await this.#evictPodLogsDirectories()
    return aggregateText(failures.filter((failure) => failure !== undefined))
  }

  /** See `Runtime.deleteContainersInPod`. */
  async deleteContainersInPod(
    status: PodRuntimeStatus,
    died: string | undefined,
    causes: TraceCauses,
  ): Promise<void> {
    for (const { id } of containersToDelete(status, died)) await this.remove(id, causes)
  }

  /** Removes one container; one that is already gone is ignored. Its status is read first, as for its logs (kubelet removeContainer). */
  async remove(containerId: string, causes: TraceCauses): Promise<void> {
    const status = await this.#deps.runtimeService.containerStatus(containerId)
    if (!status.ok) {
      this.#logFailure('container not removed', containerId, status)
      return
    }
    await this.#removeContainerLog(status.value.logPath)
    const removed = await this.#deps.runtimeService.removeContainer(containerId, causes)
    if (removed.ok) this.#traceRemoval(status.value, causes)
    this.#logFailure('container not removed', containerId, removed)
  }

  async #collectContainers(ofTerminatedPods: boolean): Promise<string | undefined> {
    const { runtimeService, areSourcesReady = () => true } = this.#deps
    const listed = await runtimeService.listContainers()
    if (!listed.ok) return listed.error.message
    const dead = listed.value.filter(({ state }) => state !== 'running')
    const units = groupedBy(dead, (container) => `${podUidOf(container)}/${container.name}`)
    for (const containers of units.values()) {
      const uid = containers[0] === undefined ? '' : podUidOf(containers[0])
      const isUnwanted = areSourcesReady() && this.#isUnwanted(uid, ofTerminatedPods)
      const kept = isUnwanted ? 0 : containerGcDefaults.maxPerPodContainer
      for (const container of oldestFirst(containers, kept)) {
        await this.#removeDead(container)
      }
    }
    return undefined
  }

  async #removeDead(container: RuntimeContainer): Promise<void> {
    if (container.state === 'unknown') {
      // It may be running.
      const status = await this.#deps.runtimeService.containerStatus(container.id)
      if (!status.ok) {
        this.#logFailure('container not stopped before removal', container.id, status)
        return
      }
      const failure = await this.#deps.killer.kill({
        ...restoreSpecsFromContainerLabels(status.value),
        container,
        message: 'Container is in unknown state, try killing it before removal',
        reason: 'Unknown',
        causes: [],
      })
      if (failure !== undefined) return
    }
    await this.remove(container.id, [])
  }

  async #collectSandboxes(ofTerminatedPods: boolean): Promise<string | undefined> {
    const { runtimeService } = this.#deps
    const containers = await runtimeService.listContainers()
    if (!containers.ok) return containers.error.message
    const sandboxes = await runtimeService.listPodSandboxes()
    if (!sandboxes.ok) return sandboxes.error.message
    const inUse = new Set(containers.value.map(({ podSandboxId }) => podSandboxId))
    const byPod = groupedBy(sandboxes.value, ({ metadata }) => metadata.uid)
    for (const [uid, ofPod] of byPod) {
      const kept = this.#isUnwanted(uid, ofTerminatedPods) ? 0 : 1
      const unused = oldestFirst(ofPod, kept).filter(
        ({ id, state }) => state !== 'ready' && !inUse.has(id),
      )
      for (const sandbox of unused) await this.#removeSandbox(sandbox)
    }
    return undefined
  }

  async #removeSandbox({ id }: PodSandbox): Promise<void> {
    const { runtimeService } = this.#deps
    // It should be stopped already; removing one that is not would leak its network.
    const stopped = await runtimeService.stopPodSandbox(id)
    this.#logFailure('sandbox not stopped before removal', id, stopped)
    if (!stopped.ok) return
    this.#logFailure('sandbox not removed', id, await runtimeService.removePodSandbox(id))
  }

  /** Its log file, and those that were rotated. */
  async #removeContainerLog(logPath: string | undefined): Promise<void> {
    const { containerHost, log } = this.#deps
    if (containerHost === undefined || logPath === undefined) return
    const { files } = containerHost
    const end = logPath.lastIndexOf('/')
    const [folder, name] = [logPath.slice(0, end), logPath.slice(end + 1)]
    const listed = await files.list(folder)
    const names = listed.ok ? listed.value : []
    for (const file of names) {
      if (file !== name && !file.startsWith(`${name}.`)) continue
      const removed = await files.remove(`${folder}/${file}`)
      if (!removed.ok) log.error('log not removed', { file, error: removed.error.message })
    }
  }

  /** The folders of pods that are gone, whose names end with the UID. */
  async #evictPodLogsDirectories(): Promise<void> {
    const { containerHost, areSourcesReady = () => true, log } = this.#deps
    if (containerHost === undefined || !areSourcesReady()) return
    const { files, podLogsFolder } = containerHost
    const listed = await files.list(podLogsFolder)
    for (const folder of listed.ok ? listed.value : []) {
      if (!this.#shouldContentBeRemoved(folder.slice(folder.lastIndexOf('_') + 1))) continue
      const removed = await files.remove(`${podLogsFolder}/${folder}`)
      if (!removed.ok) log.error('log folder not removed', { folder, error: removed.error.message })
    }
  }

  #isUnwanted(uid: string, ofTerminatedPods: boolean): boolean {
    if (this.#shouldContentBeRemoved(uid)) return true
    const { podStateProvider } = this.#deps
    return ofTerminatedPods && podStateProvider?.shouldPodRuntimeBeRemoved?.(uid) === true
  }

  #shouldContentBeRemoved(uid: string): boolean {
    return this.#deps.podStateProvider?.shouldPodContentBeRemoved(uid) === true
  }

  #traceRemoval(container: RuntimeContainer, causes: TraceCauses): void {
    const { pod, spec } = restoreSpecsFromContainerLabels(container)
    const data = { container: spec.name, containerId: container.id }
    tracePod(this.#deps.trace, pod, 'container.removed', causes, data)
  }

  /** `not-found` is not a failure. */
  #logFailure(message: string, id: string, result: Result<unknown, RuntimeError>): void {
    if (result.ok || result.error.kind === 'not-found') return
    this.#deps.log.error(message, { id, error: result.error.message })
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

/** All but the newest to be kept, as a kubelet goes through them: by their listing backwards where none is kept. */
function oldestFirst<T extends { readonly createdAt: number; readonly id: string }>(
  items: readonly T[],
  kept: number,
): readonly T[] {
  return (kept === 0 ? items : newestFirst(items).slice(kept)).toReversed()
}

function newestFirst<T extends { readonly createdAt: number; readonly id: string }>(
  items: readonly T[],
): readonly T[] {
  // Listings are in the order of creation, so that the later of two with one time is the newer.
  return items.toReversed().toSorted((a, b) => b.createdAt - a.createdAt)
}
