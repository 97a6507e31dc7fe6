import type { SourceProblem } from '../../shared/model/cluster-view.ts'
import type { ManifestsView } from '../../shared/model/manifests.ts'
import { nodeHash } from '../clock/node-hash.ts'
import { manifestRequest } from '../sources/manifest-request.ts'
import { ManifestUrlSource } from '../sources/manifest-url.ts'
import type { ManifestUrlConfig, ManifestUrlDeps } from '../sources/manifest-url.ts'

/** Static pods from a URL: the source with its connection, and its view. */
export class UrlPods {
  readonly #source: ManifestUrlSource
  readonly #request: ReturnType<typeof manifestRequest>
  #revision = 0

  constructor(
    config: ManifestUrlConfig,
    deps: Pick<
      ManifestUrlDeps,
      'nodeName' | 'parse' | 'clock' | 'trace' | 'log' | 'onPods' | 'onChange'
    >,
  ) {
    this.#request = manifestRequest(config)
    this.#source = new ManifestUrlSource({
      ...deps,
      url: config.url,
      checkFrequencyMs: config.checkFrequencyMs,
      fetch: this.#request.fetch,
      hash: nodeHash,
      onChange: () => {
        this.#revision++
        deps.onChange()
      },
    })
  }

  start(): void {
    this.#source.start()
  }

  stop(): void {
    this.#source.stop()
    void this.#request.close()
  }

  /** Grows with every poll, since the view shows its time. */
  get revision(): number {
    return this.#revision
  }

  problems(): readonly SourceProblem[] {
    return this.#source.problems()
  }

  view(): NonNullable<ManifestsView['url']> {
    return this.#source.view()
  }
}
