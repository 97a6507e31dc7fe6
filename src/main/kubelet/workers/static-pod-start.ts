import type { PodFullName } from '../pod/identity.ts'

/** Whether a static pod may start now, and if not, which uid it waits for. */
export type StaticPodStartAnswer =
  { readonly isAllowed: true } | { readonly isAllowed: false; readonly blockedByUid: string }

/**
 * At most one static pod runs under a full name; the others start in the order in which they first
 * came (pod-workers#static-pods-of-one-name). Regular pods of the same full name neither block nor wait.
 */
export class StaticPodStart {
  readonly #started = new Map<PodFullName, string>()
  readonly #waiting = new Map<PodFullName, readonly string[]>()

  /** The uid that may run under the name. */
  startedUid(fullName: PodFullName): string | undefined {
    return this.#started.get(fullName)
  }

  /** All holders, for checks and views. */
  get started(): ReadonlyMap<PodFullName, string> {
    return this.#started
  }

  /** The queue of each name, for tests: also uids that are gone and were not skipped yet. */
  get waitingToStart(): ReadonlyMap<PodFullName, readonly string[]> {
    return this.#waiting
  }

  /** Adds a uid to the queue of its name. */
  waitToStart(fullName: PodFullName, uid: string): void {
    this.#waiting.set(fullName, [...(this.#waiting.get(fullName) ?? []), uid])
  }

  /**
   * Reserves the name for `uid` if it is free and its turn (kubelet allowStaticPodStart). `isGone`: whether a waiting
   * uid can no longer start; such uids are skipped.
   */
  allowStaticPodStart(
    fullName: PodFullName,
    uid: string,
    isGone: (uid: string) => boolean,
  ): StaticPodStartAnswer {
    const holder = this.#started.get(fullName)
    if (holder !== undefined)
      return holder === uid ? { isAllowed: true } : { isAllowed: false, blockedByUid: holder }
    const waiting = this.#waiting.get(fullName) ?? []
    const index = waiting.findIndex((one) => !isGone(one))
    const next = waiting[index]
    if (next !== undefined && next !== uid) {
      this.#waiting.set(fullName, waiting.slice(index))
      return { isAllowed: false, blockedByUid: next }
    }
    // When every uid in the queue is gone, the queue stays: the kubelet trims it only on a hit.
    const rest = next === undefined ? waiting : waiting.slice(index + 1)
    if (rest.length === 0) this.#waiting.delete(fullName)
    else this.#waiting.set(fullName, rest)
    this.#started.set(fullName, uid)
    return { isAllowed: true }
  }

  /** Frees the name if this uid holds it. */
  release(fullName: PodFullName, uid: string): void {
    if (this.#started.get(fullName) === uid) this.#started.delete(fullName)
  }
}
