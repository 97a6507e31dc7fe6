import type { Command, CommandList, SimpleCommand, Word, WordPart } from './syntax.ts'

/** Every command of a list, outermost first, bodies of functions included, substitutions not. */
export function* commandsOf(list: CommandList): Generator<Command, void> {
  for (const item of list) {
    yield* commandAndInner(item.first.command)
    for (const { step } of item.rest) yield* commandAndInner(step.command)
  }
}

function* commandAndInner(command: Command): Generator<Command, void> {
  yield command
  switch (command.kind) {
    case 'simple':
      return
    case 'group':
    case 'subshell':
    case 'for':
      return yield* commandsOf(command.body)
    case 'loop':
      yield* commandsOf(command.condition)
      return yield* commandsOf(command.body)
    case 'if':
      for (const branch of command.branches) {
        yield* commandsOf(branch.condition)
        yield* commandsOf(branch.body)
      }
      return yield* commandsOf(command.otherwise)
    case 'case':
      for (const { body } of command.branches) yield* commandsOf(body)
      return
    case 'pipeline':
      for (const inner of command.commands) yield* commandAndInner(inner)
      return
    case 'function':
      return yield* commandAndInner(command.body)
  }
}

/** The names of all functions that a list defines. */
export function functionsOf(list: CommandList): ReadonlySet<string> {
  const names = new Set<string>()
  for (const command of commandsOf(list)) if (command.kind === 'function') names.add(command.name)
  return names
}

/** All words of a simple command, values of its assignments included. */
export function wordsOf(command: SimpleCommand): readonly Word[] {
  return [
    ...command.assignments.flatMap(({ value, items = [] }) => [value, ...items]),
    ...command.words,
  ]
}

/** The words of a command itself, without those of the commands in it. */
export function ownWords(command: Command): readonly Word[] {
  const targets = (command.redirections ?? []).map(({ target }) => target)
  switch (command.kind) {
    case 'simple':
      return [...wordsOf(command), ...targets]
    case 'for':
      return [...command.words, ...targets]
    case 'case':
      return [command.word, ...command.branches.flatMap(({ patterns }) => patterns), ...targets]
    default:
      return targets
  }
}

/** Every part of a word, those inside `$((…))`, `${…}` and substitutions included. */
export function* partsOf(word: Word): Generator<WordPart, void> {
  for (const part of word) {
    yield part
    if (part.kind === 'arithmetic') yield* partsOf(part.expression)
    if (part.kind === 'variable') {
      if (typeof part.index === 'object') yield* partsOf(part.index)
      if (part.operation !== undefined) yield* partsOf(part.operation.word)
    }
    if (part.kind === 'substitution') {
      for (const command of commandsOf(part.list))
        for (const inner of ownWords(command)) yield* partsOf(inner)
    }
  }
}

/** The command of a substitution or list that is one simple command; undefined for others. */
export function loneSimple(list: CommandList): SimpleCommand | undefined {
  const [item, ...others] = list
  if (item === undefined || others.length > 0 || item.rest.length > 0) return undefined
  const { isNegated, command } = item.first
  return !isNegated && !item.isBackground && command.kind === 'simple' ? command : undefined
}

/** The names of the variables that a word reads. */
export function* variablesOf(word: Word): Generator<string, void> {
  for (const part of partsOf(word)) {
    if (part.kind === 'variable') yield part.name
    if (part.kind !== 'arithmetic') continue
    for (const inner of part.expression) {
      if (inner.kind === 'text') yield* inner.text.match(/[A-Za-z_]\w*/g) ?? []
    }
  }
}
