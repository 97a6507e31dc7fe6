import { programNamed } from '../process/programs.ts'
import type { Word } from './syntax.ts'
import { staticText } from './syntax.ts'
import { wordsOf } from './syntax-walk.ts'

/** Whether expanding the word cannot fail and has no side effect. */
export function isHarmless(word: Word): boolean {
  return word.every((part) => {
    switch (part.kind) {
      case 'text':
      case 'unknown':
        return true
      case 'variable':
        return part.fallback === undefined || isHarmless(part.fallback.word)
      case 'arithmetic':
        return part.expression.every((inner) => inner.kind === 'text' && !/[/%]/.test(inner.text))
      case 'substitution': {
        const [first] = part.command.words
        const name = first === undefined ? undefined : staticText(first)
        const isPrinting = name !== undefined && programNamed(name)?.onlyPrints === true
        return isPrinting && wordsOf(part.command).every(isHarmless)
      }
    }
  })
}
