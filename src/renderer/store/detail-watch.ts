import type { Bridge } from '../../shared/ipc/contract.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodKey } from '../../shared/model/pod-row.ts'
import type { DetailState } from './detail-slice.ts'

/**
 * Tells main which pod is looked at. One request is under way at a time and only the newest wish is
 * sent after it, so holding a key down over 10,000 rows asks for few of them.
 */
export class DetailWatch {
  readonly #bridge: Bridge
  readonly #publish: (detail: PodDetail | null, state: DetailState) => void
  #wanted: PodKey | null = null
  #sent: PodKey | null = null
  #isAsking = false

  constructor(deps: {
    readonly bridge: Bridge
    readonly publish: (detail: PodDetail | null, state: DetailState) => void
  }) {
    this.#bridge = deps.bridge
    this.#publish = deps.publish
  }

  watch(key: PodKey | null): void {
    if (key === this.#wanted) return
    this.#wanted = key
    this.#publish(null, key === null ? 'none' : 'loading')
    this.#ask()
  }

  /** After a new snapshot main has forgotten what this page watched. */
  again(): void {
    this.#sent = null
    this.#ask()
  }

  receive(detail: PodDetail): void {
    if (detail.row.key === this.#wanted) this.#publish(detail, 'live')
  }

  #ask(): void {
    if (this.#isAsking || this.#wanted === this.#sent) return
    this.#isAsking = true
    const key = this.#wanted
    this.#sent = key
    this.#bridge.request('pod.watch', { key }).then(
      (detail) => {
        this.#isAsking = false
        if (key === this.#wanted && key !== null)
          this.#publish(detail, detail === null ? 'gone' : 'live')
        this.#ask()
      },
      () => {
        // The connection is lost: the feed says so, and `again` follows when it is back.
        this.#isAsking = false
        this.#sent = null
      },
    )
  }
}
