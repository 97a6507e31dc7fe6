import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { unreadCommand } from '../../../shared/not-simulated/not-simulated.ts'
import type { NotSimulated } from '../../../shared/not-simulated/not-simulated.ts'

/**
 * Containers of one node whose command was read, and then came to something that the simulator cannot know. Until the
 * container starts again, or is removed, it counts among what is not simulated of its pod.
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
        // The worker may have been forgotten by a kubelet that did not live to say so.
        if (event.data.type === 'ContainerRemoved')
          this.#forget(uid, ([, id]) => id === event.data.containerId)
        return
      case 'worker.forgotten':
        this.#byPod.delete(uid)
        return
      default:
    }
  }

  /** What was known of the pod before any of its containers started, with what came out later. */
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
