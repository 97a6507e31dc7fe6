/** What a member waits for. */
interface Arrival {
  readonly action: () => Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Scenarios on one node that wait for each other before something happens to that node. */
export class Meeting {
  #arrivals: Arrival[] = []
  #members: number

  constructor(members: number) {
    this.#members = members
  }

  /** Does the action once every member asks for it. All members ask for the same actions in the same order. */
  meet(action: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#arrivals.push({ action, resolve, reject })
      this.#goOn()
    })
  }

  /** For a member that has ended: the others do not wait for it. */
  leave(): void {
    this.#members--
    this.#goOn()
  }

  #goOn(): void {
    const arrivals = this.#arrivals
    const [first] = arrivals
    if (first === undefined || arrivals.length < this.#members) return
    this.#arrivals = []
    first.action().then(
      () => {
        for (const { resolve } of arrivals) resolve()
      },
      (error: unknown) => {
        for (const { reject } of arrivals) reject(error)
      },
    )
  }
}
