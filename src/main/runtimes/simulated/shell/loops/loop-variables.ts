import type { CommandList, Word } from '../syntax/syntax.ts'
import { staticText } from '../syntax/syntax.ts'
import { loneSimple, variablesOf } from '../syntax/syntax-walk.ts'

/**
 * What each round of a loop adds to its counters (`i=$((i+1))`, `i=$(expr $i + 1)`). Undefined if a value cannot be
 * computed without running every round: a variable that is not a counter may depend on counters, but not on itself or
 * on others like it.
 */
export function incrementsOf(body: CommandList): ReadonlyMap<string, number> | undefined {
  const assignments = body.flatMap(({ first: { command } }) =>
    command.kind === 'simple' ? command.assignments : [],
  )
  const increments = new Map<string, number>()
  const others = new Set<string>()
  for (const { name, value } of assignments) {
    const step = stepOf(name, value)
    if (step === undefined) others.add(name)
    else increments.set(name, (increments.get(name) ?? 0) + step)
  }
  const isComputable = assignments.every(({ name, value }) => {
    if (!others.has(name)) return true
    return !increments.has(name) && [...variablesOf(value)].every((read) => !others.has(read))
  })
  return isComputable ? increments : undefined
}

function stepOf(name: string, value: Word): number | undefined {
  const [part, ...rest] = value.filter((each) => each.kind !== 'text' || each.text !== '')
  if (part === undefined || rest.length > 0) return undefined
  const text =
    part.kind === 'arithmetic'
      ? sourceText(part.expression)
      : part.kind === 'substitution'
        ? exprText(loneSimple(part.list)?.words ?? [])
        : undefined
  const match = /^\s*(\w+)\s*([-+])\s*(\d{1,9})\s*$/.exec(text ?? '')
  if (match === null || match[1] !== name) return undefined
  return match[2] === '-' ? -Number(match[3]) : Number(match[3])
}

function exprText(words: readonly Word[]): string | undefined {
  const [first, ...operands] = words
  if (first === undefined || staticText(first) !== 'expr' || operands.length !== 3) return undefined
  return operands.map(sourceText).join(' ')
}

/** The word with variables as their names. */
function sourceText(word: Word): string {
  return word
    .map((part) =>
      part.kind === 'text' ? part.text : part.kind === 'variable' ? part.name : '\u0000',
    )
    .join('')
}
