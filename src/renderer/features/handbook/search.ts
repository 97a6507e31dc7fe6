import { capitalized } from '../../../shared/model/explanation/explanation-words.ts'
import { plainText } from '../../../shared/handbook/page.ts'
import type { HandbookBlock, HandbookPage, HandbookSection } from '../../../shared/handbook/page.ts'

/** A heading that matches; `sentence` is the sentence under it with most of the words, empty if only the heading matches. */
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

/** The searched entries of a section: each heading with the text up to the next one. */
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

/** A word of a query matches the beginning of a word, or of a part of a camel case word. */
function patternsOf(word: string): readonly RegExp[] {
  const part = capitalized(word)
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

/** The parts of a text that match words of the query, in order and without overlaps. Pure. */
export function marksIn(query: string, text: string): readonly Mark[] {
  const all = wordsOf(query).flatMap((word) => marksOf(word, text))
  return all
    .toSorted(([left], [right]) => left - right)
    .filter(([from], at, sorted) => sorted.slice(0, at).every(([, to]) => to <= from))
}

/** 2 for a whole word, 1 for the beginning of a word, 0 for no match. */
function matchScore(word: string, text: string): number {
  const marks = marksOf(word, text)
  if (marks.length === 0) return 0
  return marks.some(([, to]) => !/[\p{L}\p{N}]/u.test(text.charAt(to))) ? 2 : 1
}

function scored(entry: Entry, words: readonly string[]): { found: FoundSection; score: number } {
  const perSentence = entry.sentences.map((sentence) =>
    words.map((word) => matchScore(word, sentence)),
  )
  const sums = perSentence.map((fits) => fits.reduce((sum, score) => sum + score, 0))
  const best = Math.max(0, ...sums)
  const each = words.map((word, at) => {
    const inTitle = matchScore(word, entry.title) * 5
    const inText = Math.max(0, ...perSentence.map((fits) => fits[at] ?? 0))
    return inTitle + matchScore(word, entry.page) + inText
  })
  const isFound = each.every((score) => score > 0)
  return {
    found: {
      anchor: entry.anchor,
      page: entry.page,
      title: entry.title,
      sentence: best === 0 ? '' : (entry.sentences[sums.indexOf(best)] ?? ''),
    },
    score: isFound ? each.reduce((sum, score) => sum + score, best) : 0,
  }
}

/**
 * The headings under which every word of the query occurs, as a whole word or the beginning of one; first those whose
 * heading has the words, then in the order of the handbook. Pure.
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
    .toSorted((left, right) => right.score - left.score)
    .map(({ found }) => found)
}
