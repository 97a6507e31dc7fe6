import { Capture, textInput } from '../../process/byte-streams.ts'
import type { Input } from '../../process/byte-streams.ts'
import type { Running } from '../../process/running.ts'
import { known, Unreadable } from '../../shell/unreadable.ts'
import type { ProgramIo } from '../program.ts'
import { complain, programOf } from '../program.ts'
import { nextLine } from '../text-input.ts'
import { readSedScript } from './sed-script.ts'
import type { SedCommand } from './sed-script.ts'
import { SedRun } from './sed-run.ts'

interface SedOptions {
  readonly commands: readonly SedCommand[]
  readonly isQuiet: boolean
  readonly isInPlace: boolean
  readonly files: readonly string[]
}

function sedOptions(operands: readonly string[]): SedOptions {
  const scripts: string[] = []
  const rest: string[] = []
  const letters = new Set<string>()
  const left = [...operands]
  for (let operand = left.shift(); operand !== undefined; operand = left.shift()) {
    if (operand === '--') rest.push(...left.splice(0))
    else if (operand === '--expression') scripts.push(left.shift() ?? '')
    else if (operand.startsWith('--expression=')) scripts.push(operand.slice(13))
    else if (/^-./.test(operand)) {
      const [, flags = '', value] = /^-([nrEi]*)(?:e(.*))?$/s.exec(operand) ?? []
      if (flags === '' && value === undefined) throw new Unreadable(`sed ${operand}`)
      for (const flag of flags) letters.add(flag)
      if (value !== undefined) scripts.push(value === '' ? (left.shift() ?? '') : value)
    } else rest.push(operand)
  }
  const script = scripts.length === 0 ? rest.shift() : scripts.join('\n')
  if (script === undefined) throw new Unreadable('sed without a script')
  const isExtended = letters.has('r') || letters.has('E')
  return {
    commands: readSedScript(known(script, 'sed'), isExtended),
    isQuiet: letters.has('n'),
    isInPlace: letters.has('i'),
    files: rest,
  }
}

/** Opens the files one after another, as they are read. */
function* inputsOf(
  io: ProgramIo,
  names: readonly string[],
  onFailure: () => void,
): Running<readonly Input[]> {
  const inputs: Input[] = []
  for (const name of names) {
    if (name === '-') {
      inputs.push(io.stdin)
      continue
    }
    const text = io.files.text(known(name, 'sed'))
    if (text.ok) inputs.push(textInput(known(text.value, 'sed')))
    else {
      onFailure()
      yield* complain(io, `sed: ${text.error === 'EISDIR' ? 'read error' : name}`, text.error)
    }
  }
  return inputs
}

/** The lines of several inputs, one after another. Only the very last line may have no newline. */
function linesFrom(inputs: readonly Input[]): () => Running<string | undefined> {
  const left = [...inputs]
  let ahead: string | undefined
  function* following(): Running<string | undefined> {
    for (let input = left[0]; input !== undefined; input = left[0]) {
      const line = yield* nextLine(input)
      if (line !== undefined) return line
      left.shift()
    }
    return undefined
  }
  return function* next() {
    const line = ahead ?? (yield* following())
    ahead = undefined
    if (line === undefined || line.endsWith('\n')) return line
    ahead = yield* following()
    return ahead === undefined ? line : `${line}\n`
  }
}

/** `sed` as in busybox. */
export const sed = programOf((operands) => {
  const { commands, isQuiet, isInPlace, files } = sedOptions(operands)
  if (isInPlace && files.length === 0) throw new Unreadable('sed -i without a file')
  return function* run(io) {
    let status = 0
    const onFailure = (): void => {
      status = 1
    }
    if (!isInPlace) {
      const inputs = yield* inputsOf(io, files.length === 0 ? ['-'] : files, onFailure)
      const write = (text: string): Running<void> => io.write(text)
      yield* new SedRun({ commands, isQuiet, next: linesFrom(inputs), write }).run()
      return status
    }
    // In busybox the numbers of lines go on from file to file.
    if (files.length > 1 && usesNumbers(commands)) throw new Unreadable('sed -i of several files')
    for (const name of files) {
      const inputs = yield* inputsOf(io, [name], onFailure)
      if (inputs.length === 0) continue
      const collected = new Capture()
      const write = function* collect(text: string): Running<void> {
        collected.write(text)
        yield* []
      }
      yield* new SedRun({ commands, isQuiet, next: linesFrom(inputs), write }).run()
      const found = io.files.node(name)
      const mode = found.ok ? found.value.mode : undefined
      const error = io.files.tree.write(io.files.absolute(name), collected.text, mode)
      if (error === undefined) continue
      onFailure()
      yield* complain(io, `sed: ${name}`, error)
    }
    return status
  }
})

function usesNumbers(commands: readonly SedCommand[]): boolean {
  return commands.some(
    ({ addresses, action }) =>
      addresses.some(({ kind }) => kind !== 'matches') ||
      action.kind === '=' ||
      action.kind === 'q' ||
      (action.kind === '{' && usesNumbers(action.body)),
  )
}
