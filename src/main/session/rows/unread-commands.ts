import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { unreadCommand } from '../../../shared/not-simulated/not-simulated.ts'
import type { NotSimulated } from '../../../shared/not-simulated/not-simulated.ts'

/**
 * Containers of one node whose command reached something that the simulator does not support. Until such a container
 * starts again or is removed, it counts as not simulated.
 */
export class UnreadCommands {
  /** By the UID of the pod: names of containers and their IDs. */
  readonly #byPod = new Map<string, Map<string, string>>()

  /** An event about the pod with this UID. */
  take(event: TraceEvent, uid: string): void {
    switch (event.kind) {
      case 'container.notSimulated': {
        const { container, containerId } = event.data
        const known = this.#byPod.get(uid) ?? new Map<string, string>()
        this.#byPod.set(uid, known.set(container, containerId))
        return
      }
      case 'container.started':
        this.#forget(uid, ([name]) => name === event.data.container)
        return
      case 'pleg.event':
        // The kubelet may have stopped before it removed the worker.
        if (event.data.type === 'ContainerRemoved')
          this.#forget(uid, ([, id]) => id === event.data.containerId)
        return
      case 'worker.forgotten':
        this.#byPod.delete(uid)
        return
      default:
    }
  }

  /** `known`, with the containers that reached something unsupported at run time. */
  addedTo(known: readonly NotSimulated[], pod: Pod): readonly NotSimulated[] {
    const containers = this.#byPod.get(pod.metadata.uid)
    if (containers === undefined) return known
    return [...known, ...[...containers.keys()].flatMap((name) => unreadCommand(pod, name))]
  }

  #forget(uid: string, isGone: (container: readonly [name: string, id: string]) => boolean): void {
    const containers = this.#byPod.get(uid)
    for (const container of containers ?? [])
      if (isGone(container)) containers?.delete(container[0])
    if (containers?.size === 0) this.#byPod.delete(uid)
  }
}
