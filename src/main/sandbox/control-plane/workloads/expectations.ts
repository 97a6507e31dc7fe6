import type { Clock } from '../../../kubelet/ports.ts'

/** ExpectationsTimeout: a controller whose watch missed an event waits no longer. */
const timeoutMs = 5 * 60_000

interface Expected {
  creations: number
  readonly deletions: Set<string>
  readonly since: number
}

/**
 * The creations and deletions that a controller has requested and not yet observed, by the key of the owner: until they are
 * observed, the controller's cache is stale and it must not count. Source: pkg/controller/controller_utils.go
 * UIDTrackingControllerExpectations (v1.34).
 */
export class Expectations {
  readonly #clock: Clock
  readonly #expected = new Map<string, Expected>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Replaces what was expected before. `deletions`: keys of pods. */
  expect(key: string, creations: number, deletions: readonly string[] = []): void {
    const since = this.#clock.now()
    this.#expected.set(key, { creations, deletions: new Set(deletions), since })
  }

  creationObserved(key: string): void {
    const expected = this.#expected.get(key)
    if (expected !== undefined) expected.creations--
  }

  deletionObserved(key: string, pod: string): void {
    this.#expected.get(key)?.deletions.delete(pod)
  }

  /** True if everything was observed, nothing is expected, or the wait was too long. */
  areSatisfied(key: string): boolean {
    const expected = this.#expected.get(key)
    if (expected === undefined) return true
    if (expected.creations <= 0 && expected.deletions.size === 0) return true
    return this.#clock.now() - expected.since > timeoutMs
  }

  forget(key: string): void {
    this.#expected.delete(key)
  }
}
