import type { PodSyncResult } from './runtime.ts'

/** Why a container last failed to start: the waiting reason and message of its status. */
export interface StartFailure {
  readonly reason: string
  readonly message: string
}

/** What the status needs of the cache. */
export interface StartFailures {
  readonly get: (podUid: string, containerName: string) => StartFailure | undefined
}

const maxEntries = 1000

/**
 * The last start error of each container, keyed by pod uid and container name; the least recently
 * used of more than 1000 are forgotten. Source: kubelet pkg/kubelet/reason_cache.go, containers#reasons.
 */
export class ReasonCache implements StartFailures {
  readonly #failures = new Map<string, StartFailure>()

  /** Takes over what a runtime sync did: a failed start is remembered, a successful one forgets. Other steps change nothing. */
  update(podUid: string, result: PodSyncResult): void {
    for (const step of result.results) {
      if (step.action !== 'StartContainer') continue
      if (step.error === undefined) this.#failures.delete(keyOf(podUid, step.target))
      else this.#put(keyOf(podUid, step.target), step.error)
    }
  }

  readonly get = (podUid: string, containerName: string): StartFailure | undefined => {
    const key = keyOf(podUid, containerName)
    const failure = this.#failures.get(key)
    if (failure === undefined) return undefined
    this.#put(key, failure)
    return failure
  }

  #put(key: string, failure: StartFailure): void {
    this.#failures.delete(key)
    this.#failures.set(key, { reason: failure.reason, message: failure.message })
    const oldest = this.#failures.keys().next().value
    if (this.#failures.size > maxEntries && oldest !== undefined) this.#failures.delete(oldest)
  }
}

function keyOf(podUid: string, containerName: string): string {
  return `${podUid}_${containerName}`
}
