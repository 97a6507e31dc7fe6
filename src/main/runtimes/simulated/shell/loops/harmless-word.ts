import { programNamed } from '../../process/programs.ts'
import type { Word } from '../syntax/syntax.ts'
import { staticText } from '../syntax/syntax.ts'
import { loneSimple, wordsOf } from '../syntax/syntax-walk.ts'

/** Whether expanding the word cannot fail and has no side effect. */
export function isHarmless(word: Word): boolean {
  return word.every((part) => {
    switch (part.kind) {
      case 'text':
        return true
      case 'glob':
        return false
      case 'variable':
        return (
          part.index === undefined &&
          (part.operation === undefined ||
            (/^:?[-+]$/.test(part.operation.operator) && isHarmless(part.operation.word)))
        )
      case 'arithmetic':
        return part.expression.every((inner) => inner.kind === 'text' && !/[/%]/.test(inner.text))
      case 'substitution': {
        const command = loneSimple(part.list)
        const [first] = command?.words ?? []
        const name = first === undefined ? undefined : staticText(first)
        if (command === undefined || command.redirections !== undefined || name === undefined)
          return false
        return programNamed(name)?.onlyPrints === true && wordsOf(command).every(isHarmless)
      }
    }
  })
}
