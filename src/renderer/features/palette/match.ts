import { Top } from '../../../shared/top.ts'

/** From here on, a text has the query in one piece. */
export const insideScore = 400

/** Better matches have higher scores; 0: no match. */
const scores = { whole: 1000, prefix: 800, word: 600, inside: insideScore, scattered: 100 } as const

function isWordStart(text: string, index: number): boolean {
  return index === 0 || !/[a-z0-9]/.test(text.charAt(index - 1))
}

/** Letters in order with gaps; fewer gaps score higher. 0 if a letter is missing. */
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
 * How well `query` matches `text`, both in lower case: whole, as a prefix, at the start of a word,
 * inside, as letters with gaps. Of equal matches, shorter texts score higher. A score below `floor` may
 * be returned as 0, since the search for letters with gaps is slow. Pure.
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

/** The best few of many; of equals, the earlier one. */
export class Best<T> {
  readonly #top: Top<{ readonly score: number; readonly value: T }>

  constructor(limit: number) {
    this.#top = new Top(limit, (left, right) => right.score - left.score)
  }

  add(value: T, score: number): void {
    if (score > 0) this.#top.add({ score, value })
  }

  /** A further value must have a higher score than this. */
  get floor(): number {
    return this.#top.last?.score ?? 0
  }

  /** Best first. */
  get values(): readonly T[] {
    return this.#top.items.map(({ value }) => value)
  }
}
