import { textInput } from '../process/byte-streams.ts'
import type { Running } from '../process/running.ts'
import { known, Unreadable } from '../shell/unreadable.ts'
import type { ProgramIo } from './program.ts'
import type { PosixExpression } from './posix-expression.ts'
import { posixExpression } from './posix-expression.ts'
import { complain, optionsOf, programOf } from './program.ts'
import { nextLine } from './text-input.ts'

/** `grep` with simple patterns; 0: found, 1: not found, 2: a file is missing. */
export const grep = programOf((operands) => {
  const { flags, values, rest } = optionsOf('grep', operands, {
    flags: 'qvicEFnhHsxol',
    values: 'em',
  })
  const given = values.get('e')
  const [pattern, ...files] = given === undefined ? rest : [given, ...rest]
  if (pattern === undefined || flags.has('o')) throw new Unreadable('grep without a pattern')
  const expression = expressionOf(known(pattern, 'grep'), flags)
  return function* run(io) {
    let hasFound = false
    let hasFailed = false
    for (const name of files.length === 0 ? ['-'] : files) {
      const prefix = (files.length > 1 && !flags.has('h')) || flags.has('H') ? `${name}:` : ''
      const lines = linesIn(io, known(name, 'grep'))
      if (typeof lines === 'string') {
        hasFailed = true
        if (!flags.has('s')) yield* complain(io, lines)
        continue
      }
      const found = yield* search(io, { lines, expression, flags, prefix, name })
      hasFound ||= found
      if (hasFound && flags.has('q')) return 0
    }
    return hasFailed ? 2 : hasFound ? 0 : 1
  }
})

type Lines = () => Running<string | undefined>

/** The lines of a file, or of the standard input as they come; a text is why it cannot be read. */
function linesIn(io: ProgramIo, name: string): Lines | string {
  if (name === '-') return () => nextLine(io.stdin)
  const text = io.files.text(name)
  if (!text.ok && text.error === 'EISDIR') return `grep: ${name}: Is a directory`
  if (!text.ok) return `grep: ${name}: No such file or directory`
  const input = textInput(text.value)
  return () => nextLine(input)
}

function* search(
  io: ProgramIo,
  {
    lines,
    expression,
    flags,
    prefix,
    name,
  }: {
    readonly lines: Lines
    readonly expression: PosixExpression
    readonly flags: ReadonlySet<string>
    readonly prefix: string
    readonly name: string
  },
): Running<boolean> {
  let matches = 0
  for (let number = 1; ; number++) {
    const line = yield* lines()
    if (line === undefined) break
    const text = line.replace(/\n$/, '')
    if (expression.test(known(text, 'grep')) === flags.has('v')) continue
    matches++
    if (flags.has('q') || flags.has('l')) break
    if (!flags.has('c')) yield* io.write(`${prefix}${flags.has('n') ? `${number}:` : ''}${text}\n`)
  }
  if (flags.has('l') && matches > 0) yield* io.write(`${name}\n`)
  else if (flags.has('c') && !flags.has('q')) yield* io.write(`${prefix}${matches}\n`)
  return matches > 0
}

/** Throws Unreadable for patterns that are not read. */
function expressionOf(pattern: string, flags: ReadonlySet<string>): PosixExpression {
  if (pattern.includes('\n')) throw new Unreadable('grep with two patterns')
  const kind = { ignoresCase: flags.has('i'), isWhole: flags.has('x') }
  const isFixed = flags.has('F')
  const source = isFixed ? pattern.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&') : pattern
  return posixExpression(source, { ...kind, isExtended: flags.has('E') || isFixed }, 'grep')
}
