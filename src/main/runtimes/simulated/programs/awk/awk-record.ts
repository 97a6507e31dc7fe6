import { Unreadable } from '../../shell/unreadable.ts'
import type { PosixExpression } from '../posix-expression.ts'
import type { InputText, Value } from './awk-value.ts'
import { textOf } from './awk-value.ts'

interface Separators {
  readonly separator: () => string
  readonly outputSeparator: () => string
  readonly expression: (pattern: string) => PosixExpression
}

/** The parts of a text; a space as the separator is any white space. */
export function splitText(
  text: string,
  separator: string,
  expressionOf: Separators['expression'],
): readonly string[] {
  if (text === '') return []
  if (separator === ' ') return text.match(/[^ \t\n]+/g) ?? []
  if (separator === '') throw new Unreadable('awk with an empty FS')
  if (separator.length === 1 && separator !== '\\') return text.split(separator)
  const expression = expressionOf(separator)
  const parts: string[] = []
  let from = 0
  for (let at = 0; at <= text.length;) {
    const match = expression.exec(text, at)
    if (match === undefined) break
    if (match.end === match.index) throw new Unreadable(`awk with FS ${separator}`)
    parts.push(text.slice(from, match.index))
    from = match.end
    at = match.end
  }
  return [...parts, text.slice(from)]
}

/** `$0` and its fields, which follow each other. */
export class AwkRecord {
  readonly #separators: Separators
  #whole: InputText | string = ''
  #separator = ' '
  #fields: Value[] | undefined = []

  constructor(separators: Separators) {
    this.#separators = separators
  }

  get text(): string {
    return textOf(this.#whole)
  }

  /** With the separator of now: a later one counts for the next record. */
  set(text: string): void {
    this.#whole = { text }
    this.#separator = this.#separators.separator()
    this.#fields = undefined
  }

  get #all(): Value[] {
    if (this.#fields !== undefined) return this.#fields
    const parts = splitText(this.text, this.#separator, this.#separators.expression)
    this.#fields = parts.map((text) => ({ text }))
    return this.#fields
  }

  get count(): number {
    return this.#all.length
  }

  field(index: number): Value {
    return index === 0 ? this.#whole : this.#all[index - 1]
  }

  setField(index: number, value: Value): void {
    if (index === 0) {
      this.set(textOf(value))
      return
    }
    const fields = this.#all
    while (fields.length < index) fields.push('')
    fields[index - 1] = value
    this.#join()
  }

  setCount(count: number): void {
    if (!Number.isInteger(count) || count < 0 || count > 10_000)
      throw new Unreadable(`awk with NF ${count}`)
    const fields = this.#all
    while (fields.length < count) fields.push('')
    fields.length = count
    this.#join()
  }

  /** What is put together is a text, whatever it looks like. */
  #join(): void {
    this.#whole = this.#all.map(textOf).join(this.#separators.outputSeparator())
  }
}
