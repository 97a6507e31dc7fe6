import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { Clock } from '../ports.ts'
import { isSidecar } from '../../../shared/kubernetes/pod-containers.ts'
import { deferred } from '../container/deferred.ts'
import type { Deferred } from '../container/deferred.ts'

/**
 * Lets sidecars wait until the main containers have ended, and each until the sidecar behind it has
 * (termination#stopping-containers). Containers that do not run are not waited for. Source: kubelet
 * kuberuntime_termination_order.go.
 */
export class TerminationOrdering {
  readonly #clock: Clock
  readonly #ended = new Map<string, Deferred<undefined>>()
  readonly #prerequisites = new Map<string, readonly Promise<undefined>[]>()

  constructor(deps: { readonly clock: Clock }, pod: Pod, runningNames: readonly string[]) {
    this.#clock = deps.clock
    const running = new Set(runningNames)
    const add = (name: string): Promise<undefined> => {
      const ended = deferred<undefined>()
      this.#ended.set(name, ended)
      if (!running.has(name)) ended.resolve(undefined)
      return ended.promise
    }
    const mains = pod.spec.containers.map(({ name }) => add(name))
    let sidecarBehind: Promise<undefined> | undefined
    for (const container of (pod.spec.initContainers ?? []).toReversed()) {
      const ended = add(container.name)
      if (!isSidecar(container)) continue
      const behind = sidecarBehind === undefined ? [] : [sidecarBehind]
      this.#prerequisites.set(container.name, [...mains, ...behind])
      sidecarBehind = ended
    }
  }

  /** Resolves when it is the container's turn to end, after `graceSeconds` at the latest; gives the seconds waited, cut. */
  async waitForTurn(name: string, graceSeconds: number): Promise<number> {
    const prerequisites = this.#prerequisites.get(name) ?? []
    if (prerequisites.length === 0 || graceSeconds <= 0) return 0
    const startedAt = this.#clock.now()
    const graceOver = deferred<undefined>()
    const cancel = this.#clock.after(graceSeconds * 1000, () => {
      graceOver.resolve(undefined)
    })
    await Promise.race([Promise.all(prerequisites), graceOver.promise])
    cancel()
    return Math.floor((this.#clock.now() - startedAt) / 1000)
  }

  /** To be called when the container has ended. */
  containerTerminated(name: string): void {
    this.#ended.get(name)?.resolve(undefined)
  }
}
