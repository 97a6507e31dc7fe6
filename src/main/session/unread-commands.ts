import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'
import { unreadCommand } from '../../shared/not-simulated/not-simulated.ts'
import type { NotSimulated } from '../../shared/not-simulated/not-simulated.ts'

/**
 * Containers of one node whose command was read, and then came to something that the simulator cannot know. Until the
 * container starts again, it counts among what is not simulated of its pod.
 */
export class UnreadCommands {
  /** Names of containers, by the UID of their pod. */
  readonly #byPod = new Map<string, Set<string>>()

  /** An event about the pod with this UID. */
  take(event: TraceEvent, uid: string): void {
    if (event.kind === 'container.notSimulated')
      this.#byPod.set(uid, (this.#byPod.get(uid) ?? new Set()).add(event.data.container))
    if (event.kind === 'container.started') this.#byPod.get(uid)?.delete(event.data.container)
    if (event.kind === 'worker.forgotten') this.#byPod.delete(uid)
  }

  /** What was known of the pod before any of its containers started, with what came out later. */
  addedTo(known: readonly NotSimulated[], pod: Pod): readonly NotSimulated[] {
    const names = this.#byPod.get(pod.metadata.uid)
    if (names === undefined || names.size === 0) return known
    return [...known, ...[...names].flatMap((name) => unreadCommand(pod, name))]
  }
}
