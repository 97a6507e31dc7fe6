import { trapOperands } from '../builtin-operands.ts'
import { isHarmless } from './harmless-word.ts'
import { parseScript } from '../syntax/parser.ts'
import { programNamed } from '../../process/programs.ts'
import type { CommandList, Dialect, SimpleCommand, Word } from '../syntax/syntax.ts'
import { staticText } from '../syntax/syntax.ts'
import { commandsOf, ownWords, variablesOf, wordsOf } from '../syntax/syntax-walk.ts'

/**
 * The variables that affect a status, a duration or a number of rounds; all others are only printed. `all` if the
 * action of a trap is computed at run time.
 */
export function liveVariables(
  list: CommandList,
  dialect: Dialect,
  functions: ReadonlySet<string>,
): ReadonlySet<string> | 'all' {
  const live = new Set<string>()
  const sources = new Map<string, string[]>()
  const pending = [list]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const command of commandsOf(next)) {
      if (command.kind !== 'simple') {
        addAll(live, ownWords(command))
        continue
      }
      addAll(
        live,
        (command.redirections ?? []).map(({ target }) => target),
      )
      const action = trapAction(command)
      if (action === 'unknown') return 'all'
      if (action?.text !== undefined) pending.push(parseScript(action.text, dialect))
      if (command.words.length === 0) addSources(sources, command)
      else if (!isPrinting(command, functions)) addAll(live, wordsOf(command))
    }
  }
  spread(live, sources)
  return live
}

function addAll(live: Set<string>, words: readonly Word[]): void {
  for (const word of words) for (const name of variablesOf(word)) live.add(name)
}

/** `a=$b`: if a has an effect, so has b. */
function addSources(sources: Map<string, string[]>, command: SimpleCommand): void {
  for (const { name, value, items = [] } of command.assignments) {
    const read = [value, ...items].flatMap((word) => [...variablesOf(word)])
    sources.set(name, [...(sources.get(name) ?? []), ...read])
  }
}

function spread(live: Set<string>, sources: ReadonlyMap<string, readonly string[]>): void {
  // The iteration of a Set includes elements that are added during it.
  for (const name of live) for (const source of sources.get(name) ?? []) live.add(source)
}

function isPrinting(command: SimpleCommand, functions: ReadonlySet<string>): boolean {
  const name = command.words[0] === undefined ? undefined : staticText(command.words[0])
  if (name === undefined || functions.has(name)) return false
  return programNamed(name)?.onlyPrints === true && wordsOf(command).every(isHarmless)
}

function trapAction(
  command: SimpleCommand,
): { readonly text: string | undefined } | 'unknown' | undefined {
  const [name, ...words] = command.words.map(staticText)
  if (name !== 'trap') return undefined
  const operands = words.filter((word) => word !== undefined)
  return operands.length < words.length ? 'unknown' : { text: trapOperands(operands).action }
}
