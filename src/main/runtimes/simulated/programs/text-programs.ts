import { ok } from '../../../../shared/result.ts'
import { textOf } from '../files/file-node.ts'
import type { Running } from '../process/running.ts'
import type { Output } from '../process/byte-streams.ts'
import { fileOutput } from '../process/byte-streams.ts'
import { byteLengthOf, bytesOfText, textOfBytes } from '../../../files/byte-text.ts'
import { known, Unreadable } from '../shell/unreadable.ts'
import type { Program, ProgramIo } from './program.ts'
import { complain, optionsOf, programOf } from './program.ts'
import { linesOf, nextLine, nextText, textsOf, wholeText } from './text-input.ts'

const cat = programOf((operands) => {
  const { rest } = optionsOf('cat', operands, { flags: 'u' })
  for (const name of rest)
    if (/^\/(dev\/(zero|u?random|full)|proc\/)/.test(known(name, 'cat')))
      throw new Unreadable(`cat ${name}`)
  return function* run(io) {
    let status = 0
    for (const name of rest.length === 0 ? ['-'] : rest) {
      if (name === '-' || name === '/dev/stdin') {
        yield* copyInput(io)
        continue
      }
      const text = io.files.text(name)
      if (text.ok) yield* io.write(text.value)
      else {
        status = 1
        const isFolder = text.error === 'EISDIR'
        yield* complain(io, isFolder ? 'cat: read error' : `cat: can't open '${name}'`, text.error)
      }
    }
    return status
  }
})

function* copyInput(io: ProgramIo): Running<void> {
  for (;;) {
    const text = yield* nextText(io.stdin)
    if (text === undefined) return
    yield* io.write(text)
  }
}

function count(text: string, name: string): number {
  if (!/^\d{1,9}$/.test(known(text, name))) throw new Unreadable(`${name} ${text}`)
  return Number(text)
}

/** `-5` is `-n 5`. */
function withLineCount(operands: readonly string[]): readonly string[] {
  return operands.map((operand) => (/^-\d+$/.test(operand) ? `-n${operand.slice(1)}` : operand))
}

const head = programOf((operands) => {
  const { flags, values, rest } = optionsOf('head', withLineCount(operands), {
    flags: 'q',
    values: 'nc',
  })
  const lines = count(values.get('n') ?? '10', 'head')
  const bytes = values.has('c') ? count(values.get('c') ?? '', 'head') : undefined
  return function* run(io) {
    if (rest.length === 0 && bytes === undefined) {
      for (let index = 0; index < lines; index++) {
        const line = yield* nextLine(io.stdin)
        if (line === undefined) break
        yield* io.write(line)
      }
      return 0
    }
    const first = (text: string): string =>
      bytes === undefined
        ? linesWithEnds(text).slice(0, lines).join('')
        : textOfBytes(bytesOfText(text).subarray(0, bytes))
    return yield* partOfEach(io, { program: 'head', names: rest, isQuiet: flags.has('q') }, first)
  }
})

/** Writes a part of each file, below its name if there are several. */
function* partOfEach(
  io: ProgramIo,
  { program, names, isQuiet }: EachFile,
  partOf: (text: string) => string,
): Running<number> {
  let status = 0
  let hasWritten = false
  for (const name of names.length === 0 ? ['-'] : names) {
    const text = name === '-' ? ok(yield* wholeText(io.stdin)) : io.files.text(known(name, program))
    if (!text.ok) {
      status = 1
      const isFolder = text.error === 'EISDIR'
      const what =
        program === 'tail' && !isFolder ? `can't open '${name}'` : isFolder ? 'read error' : name
      yield* complain(io, `${program}: ${what}`, text.error)
      continue
    }
    if (names.length > 1 && !isQuiet)
      yield* io.write(
        `${hasWritten ? '\n' : ''}==> ${name === '-' ? 'standard input' : name} <==\n`,
      )
    hasWritten = true
    yield* io.write(partOf(text.value))
  }
  if (program === 'tail' && names.length > 0 && !hasWritten) yield* complain(io, 'tail: no files')
  return status
}

interface EachFile {
  readonly program: 'head' | 'tail'
  readonly names: readonly string[]
  readonly isQuiet: boolean
}

function linesWithEnds(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

const tail = programOf((operands) => {
  const options = operands
    .map((one) => one.replace(/^--follow=name$/, '-F').replace(/^--follow$/, '-f'))
    .map((one) => (/^-\d+f$/.test(one) ? `-f${one.slice(0, -1)}` : one))
  const known_ = { flags: 'fFq', values: 'ncs', long: ['retry'] }
  const { flags, values, rest } = optionsOf('tail', withLineCount(options), known_)
  const [name, ...others] = rest
  const ofBytes = values.get('c')
  const wanted = known(ofBytes ?? values.get('n') ?? '10', 'tail')
  if (!/^[-+]?\d{1,9}$/.test(wanted)) throw new Unreadable(`tail ${wanted}`)
  const isRetrying = flags.has('F') || flags.has('retry')
  const isFollowing = flags.has('f') || isRetrying
  if (isFollowing && others.length > 0) throw new Unreadable('tail that follows more than one file')
  if (isFollowing && ofBytes !== undefined) throw new Unreadable('tail that follows from a byte')
  const last = ofBytes === undefined ? lastLines : lastBytes
  return function* run(io) {
    if (!isFollowing || name === undefined) {
      const each = { program: 'tail', names: rest, isQuiet: flags.has('q') } as const
      return yield* partOfEach(io, each, (text) => last(text, wanted))
    }
    return yield* follow(io, known(name, 'tail'), wanted, isRetrying)
  }
})

function lastLines(text: string, wanted: string): string {
  const lines = linesWithEnds(text)
  const number = Number(wanted.replace(/^[-+]/, ''))
  if (wanted.startsWith('+')) return lines.slice(Math.max(0, number - 1)).join('')
  return number === 0 ? '' : lines.slice(-number).join('')
}

function lastBytes(text: string, wanted: string): string {
  const bytes = bytesOfText(text)
  const number = Number(wanted.replace(/^[-+]/, ''))
  const start = wanted.startsWith('+')
    ? Math.max(0, number - 1)
    : Math.max(0, bytes.length - number)
  return textOfBytes(bytes.subarray(start))
}

const retryMs = 1000

/** Prints what is appended, for ever. */
function* follow(
  io: ProgramIo,
  name: string,
  wanted: string,
  isRetrying: boolean,
): Running<number> {
  let isFirst = true
  for (;;) {
    const found = io.files.node(name)
    if (found.ok && found.value.kind !== 'folder') {
      const file = found.value
      if (file.kind !== 'file') yield { until: Number.POSITIVE_INFINITY }
      else {
        const start = io.files.text(name)
        const text = start.ok ? start.value : ''
        yield* io.write(isFirst ? lastLines(text, wanted) : text)
        let length = text.length
        for (;;) {
          const seen = textOf(file)
          io.wakeOnChange(file)
          const until = file.disk === undefined ? Number.POSITIVE_INFINITY : io.now() + retryMs
          yield { until, isInterrupted: () => textOf(file) !== seen }
          const now = textOf(file)
          // A file that has become shorter is read from its beginning.
          yield* io.write(now.length < length ? now : now.slice(length))
          length = now.length
        }
      }
    }
    if (isFirst) {
      const error = found.ok ? 'EISDIR' : found.error
      yield* complain(io, `tail: can't open '${name}'`, error)
      if (!isRetrying) {
        yield* complain(io, 'tail: no files')
        return 1
      }
    }
    isFirst = false
    yield { until: io.now() + retryMs }
  }
}

const wc = programOf((operands) => {
  const { flags, rest } = optionsOf('wc', operands, { flags: 'lwc' })
  return function* run(io) {
    const texts = yield* textsOf(io, 'wc', rest)
    const columns = flags.size === 0 ? ['l', 'w', 'c'] : ['l', 'w', 'c'].filter((c) => flags.has(c))
    const totals = columns.map(() => 0)
    const line = (numbers: readonly number[], name: string): string => {
      const isPlain = columns.length === 1 && texts.length === 1
      const cells = numbers.map((n) => (isPlain ? String(n) : String(n).padStart(9)))
      return `${cells.join(' ')}${name === '' ? '' : ` ${name}`}\n`
    }
    for (const { name, text } of texts) {
      if (text === undefined) continue
      const numbers = columns.map((column) => measured(known(text, 'wc'), column))
      numbers.forEach((number, index) => (totals[index] = (totals[index] ?? 0) + number))
      yield* io.write(line(numbers, name === '-' ? '' : name))
    }
    if (texts.length > 1) yield* io.write(line(totals, 'total'))
    return texts.some(({ text }) => text === undefined) ? 1 : 0
  }
})

function measured(text: string, column: string): number {
  if (column === 'c') return byteLengthOf(text)
  return (text.match(column === 'l' ? /\n/g : /\S+/g) ?? []).length
}

const tee = programOf((operands) => {
  const { flags, rest } = optionsOf('tee', operands, { flags: 'a' })
  return function* run(io) {
    const outputs: Output[] = []
    let status = 0
    for (const name of rest) {
      const { tree } = io.files
      const opened = tree.openForWriting(io.files.absolute(known(name, 'tee')))
      if (!opened.ok) {
        status = 1
        yield* complain(io, `tee: ${name}`, opened.error)
      } else if (opened.value.kind === 'file') {
        if (!flags.has('a')) tree.setData(opened.value, '')
        outputs.push(fileOutput(opened.value, tree))
      }
    }
    for (;;) {
      const text = yield* nextText(io.stdin)
      if (text === undefined) return status
      for (const output of outputs) output.write(text, io.now())
      yield* io.write(text)
    }
  }
})

/** A program that turns the lines of its input into others. */
function lineFilter(
  name: string,
  known_: { readonly flags: string; readonly values?: string },
  change: (
    lines: readonly string[],
    flags: ReadonlySet<string>,
    values: ReadonlyMap<string, string>,
  ) => readonly string[],
): Program {
  return programOf((operands) => {
    const { flags, values, rest } = optionsOf(name, operands, known_)
    return function* run(io) {
      const texts = yield* textsOf(io, name, rest)
      const lines = texts.flatMap(({ text }) => linesOf(known(text ?? '', name)))
      const changed = change(lines, flags, values)
      yield* io.write(changed.map((line) => `${line}\n`).join(''))
      return texts.some(({ text }) => text === undefined) ? 1 : 0
    }
  })
}

const sort = lineFilter('sort', { flags: 'rnu' }, (lines, flags) => {
  const numeric = (text: string): number => Number(/^\s*-?\d+(\.\d+)?/.exec(text)?.[0] ?? 0)
  const plain = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const compare = (a: string, b: string): number =>
    flags.has('n') ? numeric(a) - numeric(b) || plain(a, b) : plain(a, b)
  const sorted = lines.toSorted((a, b) => (flags.has('r') ? compare(b, a) : compare(a, b)))
  return flags.has('u') ? sorted.filter((line, at) => at === 0 || line !== sorted[at - 1]) : sorted
})

const rev = programOf((operands) => {
  const { rest } = optionsOf('rev', operands, { flags: '' })
  const reversed = (line: string): string => Array.from(line).toReversed().join('')
  return function* run(io) {
    const texts = yield* textsOf(io, 'rev', rest)
    for (const { text = '' } of texts)
      yield* io.write(known(text, 'rev').replaceAll(/.+/g, reversed))
    return texts.some(({ text }) => text === undefined) ? 1 : 0
  }
})

const uniq = lineFilter('uniq', { flags: 'cdu' }, (lines, flags) => {
  const groups: { line: string; count: number }[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last?.line === line) last.count++
    else groups.push({ line, count: 1 })
  }
  const kept = groups.filter(
    ({ count: times }) => !(flags.has('d') && times === 1) && !(flags.has('u') && times > 1),
  )
  return kept.map(({ line, count: times }) =>
    flags.has('c') ? `${String(times).padStart(7)} ${line}` : line,
  )
})

const cut = lineFilter('cut', { flags: 's', values: 'dfcb' }, (lines, flags, values) => {
  const delimiter = values.get('d') ?? '\t'
  const characters = values.get('c') ?? values.get('b')
  const list = values.get('f') ?? characters ?? ''
  const isPicked = ranges(list)
  return lines.flatMap((line) => {
    if (characters !== undefined) {
      // Whether a character is one or several bytes depends on the build of busybox.
      if (/[^\0-\x7f]/.test(line)) throw new Unreadable('cut of characters that are not ASCII')
      return Array.from(line)
        .filter((_, at) => isPicked(at + 1))
        .join('')
    }
    if (!line.includes(delimiter)) return flags.has('s') ? [] : line
    const fields = line.split(delimiter)
    return fields.filter((_, at) => isPicked(at + 1)).join(delimiter)
  })
})

function ranges(list: string): (position: number) => boolean {
  const parts = list.split(',').map((part) => {
    const match = /^(\d+)?(-)?(\d+)?$/.exec(part)
    if (match === null || part === '' || part === '-') throw new Unreadable(`cut ${list}`)
    const from = Number(match[1] ?? 1)
    return { from, to: match[2] === undefined ? from : Number(match[3] ?? Infinity) }
  })
  return (position) => parts.some(({ from, to }) => from <= position && position <= to)
}

const tr = programOf((operands) => {
  const { flags, rest } = optionsOf('tr', operands, { flags: 'dsc' })
  const [from = '', to = ''] = rest.map((set) => characterSet(known(set, 'tr')))
  const [isDeleting, isSqueezing] = [flags.has('d'), flags.has('s')]
  const operandCount = isDeleting ? [1] : isSqueezing ? [1, 2] : [2]
  if (!operandCount.includes(rest.length) || (isDeleting && isSqueezing))
    throw new Unreadable('tr of these')
  const isIn = (character: string): boolean => from.includes(character) !== flags.has('c')
  const squeezed = rest.length === 1 ? isIn : (character: string) => to.includes(character)
  const change = (character: string): string => {
    if (!isIn(character)) return character
    if (isDeleting) return ''
    if (rest.length === 1) return character
    const at = flags.has('c') ? to.length : from.indexOf(character)
    return to[Math.min(at, to.length - 1)] ?? character
  }
  return function* run(io) {
    const text = yield* wholeText(io.stdin)
    const changed = Array.from(text, change)
    yield* io.write(
      isSqueezing
        ? changed.filter((one, at) => one !== changed[at - 1] || !squeezed(one)).join('')
        : changed.join(''),
    )
    return 0
  }
})

function characterSet(set: string): string {
  if (/\[[:=.]/.test(set)) {
    const named = { '[:upper:]': 'A-Z', '[:lower:]': 'a-z', '[:digit:]': '0-9' }
    const range = Object.entries(named).find(([name]) => name === set)?.[1]
    if (range === undefined) throw new Unreadable(`tr ${set}`)
    return characterSet(range)
  }
  const plain = set.replaceAll('\\n', '\n').replaceAll('\\t', '\t')
  return plain.replaceAll(/(.)-(.)/g, (_, first: string, last: string) => {
    const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
    return String.fromCharCode(
      ...Array.from({ length: Math.max(0, to - from + 1) }, (_x, i) => from + i),
    )
  })
}

export const textPrograms: readonly (readonly [string, Program])[] = [
  ['cat', cat],
  ['head', head],
  ['tail', tail],
  ['wc', wc],
  ['tee', tee],
  ['sort', sort],
  ['rev', rev],
  ['uniq', uniq],
  ['cut', cut],
  ['tr', tr],
]
