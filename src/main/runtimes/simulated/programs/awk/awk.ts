import { textInput } from '../../process/byte-streams.ts'
import type { Input } from '../../process/byte-streams.ts'
import type { Running } from '../../process/running.ts'
import { known, Unreadable } from '../../shell/unreadable.ts'
import type { ProgramIo } from '../program.ts'
import { complain, programOf } from '../program.ts'
import { nextLine } from '../text-input.ts'
import { unescaped } from './awk-lexer.ts'
import { readAwk } from './awk-parser.ts'
import { AwkRun } from './awk-run.ts'
import type { Rule } from './awk-syntax.ts'

type Assignment = readonly [name: string, value: string]

interface AwkOptions {
  readonly rules: readonly Rule[]
  readonly assignments: readonly Assignment[]
  /** Names of files, and assignments between them. */
  readonly rest: readonly string[]
}

function assignmentOf(text: string): Assignment | undefined {
  const [, name, value = ''] = /^([A-Za-z_]\w*)=([^]*)$/.exec(text) ?? []
  return name === undefined ? undefined : [name, unescaped(value)]
}

function awkOptions(operands: readonly string[]): AwkOptions {
  const assignments: Assignment[] = []
  const left = operands.map((operand) => known(operand, 'awk'))
  while (/^-./.test(left[0] ?? '')) {
    const option = left.shift() ?? ''
    if (option === '--') break
    const value = option.length > 2 ? option.slice(2) : left.shift()
    const assignment = option.startsWith('-v') ? assignmentOf(value ?? '') : undefined
    if (assignment !== undefined) assignments.push(assignment)
    else if (option.startsWith('-F') && value !== undefined)
      assignments.push(['FS', unescaped(value)])
    else throw new Unreadable(`awk ${option}`)
  }
  const program = left.shift()
  if (program === undefined) throw new Unreadable('awk without a program')
  return { rules: readAwk(program), assignments, rest: left }
}

/** Writes what the program has printed. */
function* flush(run: AwkRun, io: ProgramIo): Running<void> {
  for (const { text, stream } of run.takeOutput()) yield* io.write(text, stream)
}

function* readAll(run: AwkRun, io: ProgramIo, input: Input): Running<void> {
  while (!run.hasExited) {
    const line = yield* nextLine(input)
    if (line === undefined) return
    run.line(known(line.replace(/\n$/, ''), 'awk'))
    yield* flush(run, io)
  }
}

/** Reads the files in order. Returns whether one of them is missing, which ends the program. */
function* readFiles(run: AwkRun, io: ProgramIo, rest: readonly string[]): Running<boolean> {
  let hasFile = false
  for (const operand of rest) {
    const assignment = assignmentOf(operand)
    if (assignment !== undefined) {
      run.set(assignment[0], { text: assignment[1] })
      continue
    }
    if (run.hasExited) continue
    hasFile = true
    run.set('FNR', 0)
    run.set('FILENAME', operand === '-' ? '' : operand)
    const text = operand === '-' ? undefined : io.files.text(operand)
    if (text !== undefined && !text.ok) {
      yield* complain(io, `awk: ${operand}`, text.error)
      return true
    }
    yield* readAll(run, io, text === undefined ? io.stdin : textInput(text.value))
  }
  if (!hasFile && !run.hasExited) yield* readAll(run, io, io.stdin)
  return false
}

/** `awk` as in busybox. */
export const awk = programOf((operands) => {
  const { rules, assignments, rest } = awkOptions(operands)
  return function* run(io) {
    const program = new AwkRun(rules)
    for (const [name, value] of assignments) program.set(name, { text: value })
    program.begin()
    yield* flush(program, io)
    if (program.needsInput && !program.hasExited && (yield* readFiles(program, io, rest))) return 1
    program.end()
    yield* flush(program, io)
    return program.status
  }
})
