interface Listed {
  readonly id: string
  readonly state: string
  readonly createdAt: number
}

/**
 * The port's promise for listings, that the same object means the same state and what did not change is the same
 * object: of a sandbox or container that is listed, only the state can change.
 */
export class SameObjects<T extends Listed> {
  #known = new Map<string, T>()

  /** What was listed, each the object of the last listing if its state is the same. `isAll`: those that are missing do not exist any more. */
  of(listed: readonly T[], isAll: boolean): readonly T[] {
    const same = listed.map((item) => {
      const known = this.#known.get(item.id)
      return known?.state === item.state && known.createdAt === item.createdAt ? known : item
    })
    if (isAll) this.#known = new Map()
    for (const item of same) this.#known.set(item.id, item)
    return same
  }

  /** As it was listed last. */
  find(id: string): T | undefined {
    return this.#known.get(id)
  }
}
