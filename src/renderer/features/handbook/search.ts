import { plainText } from '../../../shared/handbook/page.ts'
import type { HandbookBlock, HandbookPage, HandbookSection } from '../../../shared/handbook/page.ts'

/** A heading whose text has the words; `sentence` is the one with most of them, empty where only the heading has. */
export interface FoundSection {
  readonly anchor: string
  readonly page: string
  readonly title: string
  readonly sentence: string
}

interface Entry {
  readonly anchor: string
  readonly page: string
  readonly title: string
  readonly sentences: readonly string[]
}

function sentencesIn(text: string): readonly string[] {
  return text.split(/(?<=[.!?:])\s+(?=\p{Lu})/u)
}

function sentencesOf(block: HandbookBlock): readonly string[] {
  switch (block.kind) {
    case 'text':
      return sentencesIn(plainText(block.parts))
    case 'list':
      return block.items.flatMap((item) => item.flatMap(sentencesOf))
    case 'table':
      return block.rows.map((row) => row.map(plainText).join(' · '))
    case 'quote':
      return block.blocks.flatMap(sentencesOf)
    case 'code':
      return block.text.split('\n')
    case 'picture':
      return [block.alt]
    default:
      return []
  }
}

/** A section is found by its headings, each with the text up to the next one. */
function entriesOf(page: HandbookPage, { anchor, title, blocks }: HandbookSection): Entry[] {
  const entries: (Omit<Entry, 'sentences'> & { sentences: string[] })[] = [
    { anchor, page: page.title, title, sentences: [] },
  ]
  for (const block of blocks) {
    if (block.kind !== 'heading') entries.at(-1)?.sentences.push(...sentencesOf(block))
    else {
      const heading = { anchor: block.anchor, title: plainText(block.parts) }
      entries.push({ ...heading, page: page.title, sentences: [] })
    }
  }
  return entries
}

type Mark = readonly [from: number, to: number]

/** What a word of a query fits: the beginning of a word, or of a part of one written in camel case. */
function patternsOf(word: string): readonly RegExp[] {
  const part = `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  return [new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'giu'), new RegExp(`(?<=\\p{Ll})${part}`, 'gu')]
}

function wordsOf(query: string): readonly string[] {
  return query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function marksOf(word: string, text: string): readonly Mark[] {
  return patternsOf(word)
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ index, 0: { length } }): Mark => [index, index + length])
}

/** What of a text the words of the query fit, in order and without overlaps. Pure. */
export function marksIn(query: string, text: string): readonly Mark[] {
  const all = wordsOf(query).flatMap((word) => marksOf(word, text))
  return all
    .toSorted(([one], [two]) => one - two)
    .filter(([from], at, sorted) => sorted.slice(0, at).every(([, to]) => to <= from))
}

/** A whole word counts more than the beginning of one. */
function fit(word: string, text: string): number {
  const marks = marksOf(word, text)
  if (marks.length === 0) return 0
  return marks.some(([, to]) => !/[\p{L}\p{N}]/u.test(text.charAt(to))) ? 2 : 1
}

function scored(entry: Entry, words: readonly string[]): { found: FoundSection; score: number } {
  const perSentence = entry.sentences.map((sentence) => words.map((word) => fit(word, sentence)))
  const sums = perSentence.map((fits) => fits.reduce((sum, one) => sum + one, 0))
  const best = Math.max(0, ...sums)
  const each = words.map((word, at) => {
    const inTitle = fit(word, entry.title) * 5
    const inText = Math.max(0, ...perSentence.map((fits) => fits[at] ?? 0))
    return inTitle + fit(word, entry.page) + inText
  })
  const isFound = each.every((score) => score > 0)
  return {
    found: {
      anchor: entry.anchor,
      page: entry.page,
      title: entry.title,
      sentence: best === 0 ? '' : (entry.sentences[sums.indexOf(best)] ?? ''),
    },
    score: isFound ? each.reduce((sum, one) => sum + one, best) : 0,
  }
}

/**
 * The headings under which every word of the query is found, as a whole word or the beginning of one; those whose
 * heading has the words first, then in the order of the handbook. Pure.
 */
export function searchHandbook(
  pages: readonly HandbookPage[],
  query: string,
): readonly FoundSection[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return pages
    .flatMap((page) => page.sections.flatMap((section) => entriesOf(page, section)))
    .map((entry) => scored(entry, words))
    .filter(({ score }) => score > 0)
    .toSorted((one, two) => two.score - one.score)
    .map(({ found }) => found)
}
