import type { Bridge, Snapshot, ViewPatch } from '../../../shared/ipc/contract.ts'
import { retryMs } from '../requests/keyed-request.ts'

export interface ViewFeedDeps {
  readonly bridge: Bridge
  /** Calls back after the next paint; also while the tab is hidden. */
  readonly afterPaint: (callback: () => void) => void
  readonly onSnapshot: (snapshot: Snapshot) => void
  readonly onPatch: (patch: ViewPatch) => void
  /** `lost`: the page's data is no longer up to date. */
  readonly onLink: (link: 'open' | 'lost') => void
  /** Main does not accept this page; there is no retry. */
  readonly onRefused: (message: string) => void
}

/**
 * Keeps the page up to date: one snapshot, then the numbered patches of its epoch, each acknowledged after
 * its paint. A gap, another epoch or a lost connection starts over with a snapshot.
 */
export class ViewFeed {
  readonly #deps: ViewFeedDeps
  readonly #unsubscribe: (() => void)[] = []
  /** Patches that arrived before the snapshot, which may not include them. */
  #early: ViewPatch[] = []
  #attempt = 0
  #isOpening = false
  #epoch = ''
  #number = 0
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #isRefused = false

  constructor(deps: ViewFeedDeps) {
    this.#deps = deps
  }

  start(): void {
    const { bridge } = this.#deps
    this.#unsubscribe.push(
      bridge.subscribe('view.patched', (patch) => this.#receive(patch)),
      bridge.onConnection((state) => {
        if (state === 'connected') this.#open()
        else this.#lose()
      }),
    )
    if (bridge.onRefused !== undefined)
      this.#unsubscribe.push(
        bridge.onRefused((message) => {
          this.#isRefused = true
          this.#attempt++
          clearTimeout(this.#retry)
          this.#deps.onRefused(message)
        }),
      )
    this.#open()
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe()
    clearTimeout(this.#retry)
    this.#attempt++
  }

  #open(): void {
    if (this.#isRefused) return
    const attempt = ++this.#attempt
    clearTimeout(this.#retry)
    this.#isOpening = true
    this.#early = []
    this.#deps.bridge.request('view.open', {}).then(
      (snapshot) => {
        if (attempt === this.#attempt) this.#begin(snapshot)
      },
      () => {
        if (attempt === this.#attempt) this.#lose()
      },
    )
  }

  #begin(snapshot: Snapshot): void {
    this.#isOpening = false
    this.#failures = 0
    this.#epoch = snapshot.epoch
    this.#number = snapshot.number
    this.#deps.onSnapshot(snapshot)
    this.#deps.onLink('open')
    const early = this.#early
    this.#early = []
    for (const patch of early)
      if (patch.epoch === snapshot.epoch && patch.number > snapshot.number) this.#receive(patch)
  }

  #receive(patch: ViewPatch): void {
    if (this.#isOpening) {
      this.#early.push(patch)
      return
    }
    if (patch.epoch === this.#epoch && patch.number <= this.#number) return
    if (patch.epoch !== this.#epoch || patch.number !== this.#number + 1) {
      this.#open()
      return
    }
    this.#number = patch.number
    this.#deps.onPatch(patch)
    const { bridge, afterPaint } = this.#deps
    const attempt = this.#attempt
    afterPaint(() => {
      bridge.request('view.acknowledge', { epoch: patch.epoch, number: patch.number }).catch(() => {
        if (attempt === this.#attempt) this.#lose()
      })
    })
  }

  /** The bridge reports a new connection; the timer is for a main that rejects the request. */
  #lose(): void {
    if (this.#isRefused) return
    this.#attempt++
    this.#isOpening = true
    this.#early = []
    clearTimeout(this.#retry)
    this.#failures++
    this.#retry = setTimeout(() => this.#open(), retryMs(this.#failures))
    this.#deps.onLink('lost')
  }
}
