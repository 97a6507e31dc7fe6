/** Better matches have higher scores; 0 is none. */
const scores = { whole: 1000, prefix: 800, word: 600, inside: 400, scattered: 100 } as const

function isWordStart(text: string, index: number): boolean {
  return index === 0 || !/[a-z0-9]/.test(text.charAt(index - 1))
}

/** Letters in order with gaps; the fewer the gaps the better. 0 where they do not all occur. */
function scattered(text: string, query: string): number {
  let at = -1
  let gaps = 0
  for (const letter of query) {
    const next = text.indexOf(letter, at + 1)
    if (next === -1) return 0
    if (next !== at + 1 && !isWordStart(text, next)) gaps++
    at = next
  }
  return Math.max(1, scores.scattered - gaps * 10)
}

/**
 * How well `query` fits `text`, both in small letters: whole, as a beginning, at the start of a word,
 * inside, as letters with gaps. Shorter texts come first among equals. What cannot reach `floor` may
 * be told as 0: letters with gaps are dear to look for. Pure.
 */
export function matchScore(text: string, query: string, floor = 0): number {
  if (query === '') return 1
  if (text === query) return scores.whole
  const shortness = Math.max(0, 60 - text.length) / 2
  const index = text.indexOf(query)
  if (index === 0) return scores.prefix + shortness
  if (index > 0) {
    const start = isWordStart(text, index) ? scores.word : scores.inside
    return start + shortness
  }
  if (floor >= scores.inside) return 0
  const score = scattered(text, query)
  return score === 0 ? 0 : score + shortness / 10
}

/** Keeps the best few of many without sorting them all; among equals the earlier one. */
export class Best<T> {
  readonly #limit: number
  readonly #found: { readonly score: number; readonly value: T }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  add(value: T, score: number): void {
    if (score <= 0) return
    const found = this.#found
    const last = found.at(-1)
    if (found.length === this.#limit && last !== undefined && last.score >= score) return
    let at = found.length
    while (at > 0 && (found[at - 1]?.score ?? 0) < score) at--
    found.splice(at, 0, { score, value })
    if (found.length > this.#limit) found.pop()
  }

  /** What a further one must have more of. */
  get floor(): number {
    return this.#found.length < this.#limit ? 0 : (this.#found.at(-1)?.score ?? 0)
  }

  /** Best first. */
  get values(): readonly T[] {
    return this.#found.map(({ value }) => value)
  }
}
