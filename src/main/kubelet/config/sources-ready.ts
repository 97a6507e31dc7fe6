import type { PodSource } from '../../../shared/model/pod-source.ts'

/** Tracks the set of configured sources seen by the agent (seed: SourcesReady). */
export interface SourcesReady {
  /** Notes that the sync loop has taken something from the source. */
  readonly addSource: (source: PodSource) => void
  /** True when every configured source has sent a full snapshot and the loop has seen it. */
  readonly allReady: () => boolean
}

/**
 * Ready when each expected source was noted by the loop and `hasSeen` (PodConfig) knows a SET of each.
 * Never goes back. Until ready nothing is deleted and housekeeping is skipped (sources#sources-ready).
 */
export class ExpectedSources implements SourcesReady {
  readonly #expected: readonly PodSource[]
  readonly #hasSeen: (sources: readonly PodSource[]) => boolean
  readonly #noted = new Set<PodSource>()

  constructor(deps: {
    readonly expected: readonly PodSource[]
    readonly hasSeen: (sources: readonly PodSource[]) => boolean
  }) {
    this.#expected = deps.expected
    this.#hasSeen = deps.hasSeen
  }

  readonly addSource = (source: PodSource): void => {
    this.#noted.add(source)
  }

  readonly allReady = (): boolean =>
    this.#expected.every((source) => this.#noted.has(source)) && this.#hasSeen(this.#expected)

  /** Whether one source is ready, for the views. */
  readonly isReady = (source: PodSource): boolean =>
    this.#noted.has(source) && this.#hasSeen([source])
}
