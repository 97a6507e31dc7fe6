/** What is watched: its present state, and the end of the watch. */
export interface Watched<View> {
  readonly view: View
  readonly stop: () => void
}

/** The one thing of a kind that a page looks at, or none. `open` gives undefined for what is not there. */
export class PageWatch<Ref, View> {
  readonly #open: (ref: Ref) => Watched<View> | undefined
  #stop: (() => void) | undefined

  constructor(open: (ref: Ref) => Watched<View> | undefined) {
    this.#open = open
  }

  /** Looks at another one, or at none. */
  watch(ref: Ref | null): View | null {
    this.#stop?.()
    this.#stop = undefined
    if (ref === null) return null
    const watched = this.#open(ref)
    this.#stop = watched?.stop
    return watched?.view ?? null
  }
}
