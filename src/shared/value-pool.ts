/** Shorter texts are shared by the JavaScript engine when it parses JSON; longer ones are seldom repeated. */
const sharedText = { min: 11, max: 200 } as const
/** Greater objects differ somewhere, nearly always. */
const greatestObject = 8
/** Of each of two generations: what was used lately survives, however much is seen once. */
const generationSize = 300

interface Keyed {
  readonly value: unknown
  /** Stands for it in the keys of what it is a part of. */
  readonly key: string
}

/**
 * Makes equal parts of JSON values the same objects in memory: the pods of one template repeat labels, tolerations,
 * ports and conditions. Remembers a bounded number of them. Only for values that are not changed afterwards.
 */
export class ValuePool {
  #young = new Map<string, Keyed>()
  #old = new Map<string, Keyed>()
  #keys = 0

  /**
   * The equal value whose parts are shared. Parts are replaced in place; what is frozen has an owner who sees to
   * that, and stays as it is.
   */
  share<T>(value: T): T {
    this.#keyOf(value, (shared) => {
      // An equal value is of the same type.
      value = shared as T
    })
    return value
  }

  /** The value's part of its parent's key; undefined for a part that is not shared. `replace` gets the shared one. */
  #keyOf(value: unknown, replace: (shared: unknown) => void): string | undefined {
    if (typeof value === 'string') return this.#textKey(value, replace)
    if (typeof value !== 'object' || value === null) return String(value)
    if (Object.isFrozen(value)) return undefined
    const isList = Array.isArray(value)
    // Lists and objects alike, by their fields.
    const parts = value as Record<string, unknown>
    const keys: string[] = []
    let isShareable = true
    const fields = Object.keys(parts)
    for (const field of fields) {
      const key = this.#keyOf(parts[field], (shared) => {
        parts[field] = shared
      })
      if (key === undefined) isShareable = false
      else keys.push(isList ? key : `${JSON.stringify(field)}:${key}`)
    }
    if (!isShareable || fields.length > greatestObject) return undefined
    return this.#shared(`${isList ? '[' : '{'}${keys.join()}`, value, replace)
  }

  #textKey(text: string, replace: (shared: unknown) => void): string | undefined {
    if (text.length > sharedText.max) return undefined
    const key = JSON.stringify(text)
    if (text.length >= sharedText.min) this.#shared(key, text, replace)
    return key
  }

  #shared(text: string, value: unknown, replace: (shared: unknown) => void): string {
    const known = this.#young.get(text) ?? this.#old.get(text)
    const keyed = known ?? { value, key: `#${this.#keys++}` }
    this.#remember(text, keyed)
    // Always: two equal texts compare as equal, but take memory twice.
    replace(keyed.value)
    return keyed.key
  }

  #remember(text: string, keyed: Keyed): void {
    if (this.#young.size >= generationSize) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(text, keyed)
  }
}
