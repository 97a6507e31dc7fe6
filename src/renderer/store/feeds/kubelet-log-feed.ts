import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { StoreApi } from 'zustand'
import type { State } from '../state.ts'

/** While a log is read or followed. */
const pollMs = 500

/** Keeps the shown log current: asks when the view opens, when the time or the width changes, and while it is read. */
export class KubeletLogFeed {
  readonly #bridge: Bridge
  readonly #state: StoreApi<State>
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = ''
  #isAsking = false

  constructor(deps: { readonly bridge: Bridge; readonly state: StoreApi<State> }) {
    this.#bridge = deps.bridge
    this.#state = deps.state
  }

  /** Returns a function that stops it. */
  start(): () => void {
    const unsubscribe = this.#state.subscribe((state, before) => {
      if (state.link.kind === 'open' && before.link.kind !== 'open') void this.#list()
      this.#look(state)
    })
    return () => {
      unsubscribe()
      clearTimeout(this.#timer)
    }
  }

  /** Logs that were opened by the command line or by another page. Without a cluster, the last one is shown. */
  async #list(): Promise<void> {
    const logs = await this.#bridge.request('log.list', {}).catch(() => [])
    const { logId, clusters, showLog } = this.#state.getState()
    this.#state.setState({ logs })
    const last = logs.at(-1)
    if (logId === null && last !== undefined && clusters.every(({ kind }) => kind === 'log'))
      showLog(last.id)
  }

  #look(state: State): void {
    const { logId, logs, logRange, logWidth, view } = state
    const isFollowed = logs.find(({ id }) => id === logId)?.isFollowed
    const key =
      view === 'log' && logId !== null
        ? `${logId} ${logRange?.from} ${logRange?.to} ${logWidth} ${isFollowed}`
        : ''
    if (key === this.#asked) return
    this.#asked = key
    clearTimeout(this.#timer)
    if (key !== '') void this.#ask()
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    const asked = this.#asked
    const { logId, logRange, logWidth } = this.#state.getState()
    const view = await this.#bridge
      .request('log.pods', {
        id: logId ?? '',
        from: logRange?.from ?? null,
        to: logRange?.to ?? null,
        width: logWidth,
      })
      .catch(() => null)
    this.#isAsking = false
    if (this.#state.getState().logId === logId && view !== null)
      this.#state.setState({ logView: view })
    // Another time or log was chosen meanwhile.
    if (this.#asked !== asked && this.#asked !== '') return this.#ask()
    if (view !== null && this.#asked !== '' && (!view.isRead || view.isFollowed))
      this.#timer = setTimeout(() => void this.#ask(), pollMs)
    return undefined
  }
}
