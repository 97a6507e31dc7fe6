import type { Running } from '../../process/running.ts'
import { known, Unreadable } from '../../shell/unreadable.ts'
import type { Address, SedCommand } from './sed-script.ts'

type Substitution = Extract<SedCommand['action'], { readonly kind: 's' }>

/** What a command does to the rest of the cycle; a label: it goes on there. */
type Step = 'next' | 'delete' | 'restart' | 'quit' | { readonly label: string }

const maxSteps = 1_000_000

/** Runs a script over lines. */
export class SedRun {
  readonly #commands: readonly SedCommand[]
  readonly #isQuiet: boolean
  readonly #next: () => Running<string | undefined>
  readonly #write: (text: string) => Running<void>
  /** The next line, where it was looked at already; null: there is none. */
  #ahead: string | null | undefined
  #pattern = ''
  #hold = ''
  #end = '\n'
  #number = 0
  #hasSubstituted = false
  #lacksNewline = false
  /** Printed at the end of the cycle. */
  #appended = ''
  #steps = 0
  /** For each range that has begun, the number of its last line; undefined: where its second address matches. */
  readonly #ranges = new Map<SedCommand, number | undefined>()
  readonly #begun = new Set<SedCommand>()

  constructor(deps: {
    readonly commands: readonly SedCommand[]
    readonly isQuiet: boolean
    /** With its newline; undefined at the end. */
    readonly next: () => Running<string | undefined>
    readonly write: (text: string) => Running<void>
  }) {
    this.#commands = deps.commands
    this.#isQuiet = deps.isQuiet
    this.#next = deps.next
    this.#write = deps.write
  }

  *run(): Running<void> {
    let keeps = false
    while (keeps || (yield* this.#read())) {
      keeps = false
      const step = yield* this.#runAll()
      if (step === 'restart') {
        this.#pattern = this.#pattern.slice(this.#pattern.indexOf('\n') + 1)
        keeps = true
      }
      if (step !== 'delete' && step !== 'restart' && !this.#isQuiet)
        yield* this.#print(this.#pattern)
      yield* this.#flush()
      if (step === 'quit') break
    }
  }

  /** From the first command, and again from each label that is jumped to. */
  *#runAll(): Running<Step> {
    let step = yield* this.#runList(this.#commands)
    while (typeof step === 'object') {
      if (step.label === '') return 'next'
      const { label } = step
      const at = this.#commands.findIndex(
        ({ action }) => action.kind === ':' && action.label === label,
      )
      if (at === -1) throw new Unreadable(`sed jumps to ${label}`)
      step = yield* this.#runList(this.#commands.slice(at))
    }
    return step
  }

  *#runList(commands: readonly SedCommand[]): Running<Step> {
    for (const command of commands) {
      if (++this.#steps > maxSteps) throw new Unreadable('sed that runs too long')
      if ((yield* this.#isFor(command)) === command.isNegated) continue
      const step = yield* this.#do(command)
      if (step !== 'next') return step
    }
    return 'next'
  }

  *#read(): Running<boolean> {
    const line = this.#ahead === undefined ? yield* this.#next() : (this.#ahead ?? undefined)
    this.#ahead = undefined
    if (line === undefined) {
      this.#ahead = null
      return false
    }
    this.#end = line.endsWith('\n') ? '\n' : ''
    this.#pattern = known(this.#end === '' ? line : line.slice(0, -1), 'sed')
    this.#number++
    return true
  }

  *#isLast(): Running<boolean> {
    if (this.#ahead === undefined) this.#ahead = (yield* this.#next()) ?? null
    return this.#ahead === null
  }

  *#print(text: string): Running<void> {
    yield* this.#emit(text + this.#end)
    this.#lacksNewline = this.#end === ''
  }

  /** A line without a newline gets one before what comes after it. */
  *#emit(text: string): Running<void> {
    if (text === '') return
    yield* this.#write(this.#lacksNewline ? `\n${text}` : text)
    this.#lacksNewline = false
  }

  *#flush(): Running<void> {
    yield* this.#emit(this.#appended)
    this.#appended = ''
  }

  *#matches(address: Address): Running<boolean> {
    switch (address.kind) {
      case 'line':
        return address.number === this.#number
      case 'last':
        return yield* this.#isLast()
      case 'matches':
        return address.expression.test(this.#pattern)
      case 'plus':
        return false
    }
  }

  *#isFor(command: SedCommand): Running<boolean> {
    const [first, second] = command.addresses
    if (first === undefined) return true
    if (this.#ranges.has(command)) {
      const last = this.#ranges.get(command)
      const isEnd = last === undefined ? second : undefined
      if (isEnd === undefined ? this.#number >= (last ?? 0) : yield* this.#matches(isEnd))
        this.#ranges.delete(command)
      return true
    }
    if (!(yield* this.#begins(command, first))) return false
    if (second === undefined) return true
    const last =
      second.kind === 'line'
        ? second.number
        : second.kind === 'plus'
          ? this.#number + second.lines
          : undefined
    // A range that ends before it begins has one line.
    const isLonger = last === undefined ? !(yield* this.#isEnd(second)) : last > this.#number
    if (isLonger) this.#ranges.set(command, last)
    return true
  }

  /** In busybox a line number counts once, and begins a range also where its own line was left out. */
  *#begins(command: SedCommand, first: Address): Running<boolean> {
    if (first.kind !== 'line') return yield* this.#matches(first)
    const isRange = command.addresses.length === 2
    const isThere = isRange ? this.#number >= first.number : this.#number === first.number
    if (!isThere || this.#begun.has(command)) return false
    this.#begun.add(command)
    return true
  }

  *#isEnd(second: Address): Running<boolean> {
    return second.kind === 'last' && (yield* this.#isLast())
  }

  *#do(command: SedCommand): Running<Step> {
    const { action } = command
    switch (action.kind) {
      case '{':
        return yield* this.#runList(action.body)
      case 's':
        if (!this.#substitute(action)) return 'next'
        this.#hasSubstituted = true
        if (action.isPrinted) yield* this.#print(this.#pattern)
        return 'next'
      case 'y':
        this.#pattern = Array.from(
          this.#pattern,
          (character) => action.to[action.from.indexOf(character)] ?? character,
        ).join('')
        return 'next'
      case 'a':
        this.#appended += action.text
        return 'next'
      case 'i':
        yield* this.#emit(action.text)
        return 'next'
      case 'c':
        if (!this.#ranges.has(command) || command.isNegated) yield* this.#emit(action.text)
        return 'delete'
      case ':':
        return 'next'
      case 'b':
        return { label: action.label }
      case 't': {
        const hasSubstituted = this.#hasSubstituted
        this.#hasSubstituted = false
        return hasSubstituted ? { label: action.label } : 'next'
      }
      default:
        return yield* this.#doPlain(action.kind)
    }
  }

  *#doPlain(
    kind: Exclude<
      SedCommand['action']['kind'],
      '{' | 's' | 'y' | 'a' | 'i' | 'c' | ':' | 'b' | 't'
    >,
  ): Running<Step> {
    switch (kind) {
      case 'd':
        return 'delete'
      case 'q':
        return 'quit'
      case 'D':
        return this.#pattern.includes('\n') ? 'restart' : 'delete'
      case 'p':
        // Always with a newline.
        yield* this.#emit(`${this.#pattern}\n`)
        return 'next'
      case 'P':
        yield* this.#emit(`${this.#pattern.replace(/\n[^]*/, '')}\n`)
        return 'next'
      case '=':
        yield* this.#emit(`${this.#number}\n`)
        return 'next'
      case 'n':
        if (yield* this.#isLast()) return 'quit'
        if (!this.#isQuiet) yield* this.#print(this.#pattern)
        yield* this.#flush()
        yield* this.#read()
        return 'next'
      case 'N': {
        if (yield* this.#isLast()) return 'quit'
        const before = this.#pattern
        yield* this.#flush()
        yield* this.#read()
        this.#pattern = `${before}\n${this.#pattern}`
        return 'next'
      }
      case 'h':
        this.#hold = this.#pattern
        return 'next'
      case 'H':
        this.#hold += `\n${this.#pattern}`
        return 'next'
      case 'g':
        this.#pattern = this.#hold
        return 'next'
      case 'G':
        this.#pattern += `\n${this.#hold}`
        this.#end = '\n'
        return 'next'
      case 'x':
        ;[this.#pattern, this.#hold] = [this.#hold, this.#pattern]
        this.#end = '\n'
        return 'next'
    }
  }

  /** Whether something was replaced. */
  #substitute({ expression, replacement, nth, isGlobal }: Substitution): boolean {
    const text = this.#pattern
    let result = ''
    let at = 0
    let count = 0
    let lastEnd = -1
    let hasChanged = false
    while (at <= text.length) {
      const match = expression.exec(text, at)
      if (match === undefined) break
      const { index, end, groups } = match
      result += text.slice(at, index)
      // An empty match right after another one does not count.
      const counts = end > index || index !== lastEnd
      if (counts) count++
      const isReplaced = counts && (isGlobal ? count >= nth : count === nth)
      hasChanged ||= isReplaced
      result += isReplaced
        ? replacement
            .map((part) => (typeof part === 'number' ? (groups[part] ?? '') : part))
            .join('')
        : text.slice(index, end)
      lastEnd = end
      at = end
      if (end === index) {
        result += text[at] ?? ''
        at++
      }
      if (hasChanged && !isGlobal) break
    }
    this.#pattern = result + text.slice(at)
    return hasChanged
  }
}
