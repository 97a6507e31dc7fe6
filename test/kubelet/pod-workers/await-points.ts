/** How a call of a port ends. `lost`: its effect is there, but its answer is a failure. */
export type Ending = 'answers' | 'fails' | 'lost' | 'throws'

/** One call of a port that has not ended. */
export interface PendingCall {
  /** Who awaits it, and what it is. */
  readonly place: string
  /** The pods whose workers it concerns. */
  readonly uids: readonly string[]
  readonly end: (how: Ending) => void
}

/**
 * Every await of the kubelet's core ends in a port. Here a port's call stays under way until the test says how
 * it ends, or ends at once with `isAutomatic`, unless its place is `held`. What happened while a call of a place was under way is counted.
 */
export class AwaitPoints {
  readonly pending: PendingCall[] = []
  isAutomatic = false
  /** AwaitPoints whose calls wait all the same. */
  readonly held = new Set<string>()
  /** Called when a call begins. */
  onBegin: (place: string, uids: readonly string[]) => void = () => undefined
  readonly #met = new Set<string>()

  /** `act` is what the call does where it takes place, and `failure` its answer where it fails. */
  call<T>(
    place: string,
    uids: readonly string[],
    { act, failure }: { readonly act: () => T | Promise<T>; readonly failure: T },
  ): Promise<T> {
    this.onBegin(place, uids)
    return new Promise((resolve, reject) => {
      const end = (how: Ending): void => {
        this.#remove(call)
        this.note(place, how)
        switch (how) {
          case 'answers':
            resolve(act())
            return
          case 'lost':
            Promise.resolve(act()).then(() => {
              resolve(failure)
            }, reject)
            return
          case 'fails':
            resolve(failure)
            return
          case 'throws':
            reject(new Error(`${place} broke`))
        }
      }
      const call: PendingCall = { place, uids, end }
      this.pending.push(call)
      if (this.isAutomatic && !this.held.has(place)) end('answers')
    })
  }

  /** Ends everything that is under way, and what follows from it. */
  endAll(): void {
    this.isAutomatic = true
    // Each takes itself out of the list.
    for (const call of this.pending.slice()) call.end('answers')
  }

  /** Something happened while a call of the place was under way. */
  note(place: string, what: string): void {
    this.#met.add(`${place}: ${what}`)
  }

  /** All that happened, as `place: what`. */
  get met(): ReadonlySet<string> {
    return this.#met
  }

  #remove(call: PendingCall): void {
    const index = this.pending.indexOf(call)
    if (index !== -1) this.pending.splice(index, 1)
  }
}
