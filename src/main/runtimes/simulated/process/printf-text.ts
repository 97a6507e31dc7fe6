import { bytesOfText, textOfBytes } from '../../../files/byte-text.ts'

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
}

/** A piece of a format: an escape, a directive with flags, width and precision, or a character. */
const piece = /\\([0-7]{1,3}|.)|%([-0 +]*)(\d{0,4})(?:\.(\d{1,4}))?(.)|([^])/g

/** How often the format is reused for more operands; then the output counts as unknown. */
const maxRounds = 1000

class Printf {
  readonly #format: string
  readonly #operands: readonly string[]
  #used = 0

  constructor(format: string, operands: readonly string[]) {
    this.#format = format
    this.#operands = operands
  }

  /** Like printf, reuses the format while operands are left. */
  text(): string | undefined {
    let text = ''
    for (let rounds = 0; rounds < maxRounds; rounds++) {
      const before = this.#used
      const round = this.#round()
      if (round === undefined) return undefined
      text += round
      if (this.#used >= this.#operands.length || this.#used === before) return text
    }
    return undefined
  }

  #round(): string | undefined {
    let text = ''
    for (const match of this.#format.matchAll(piece)) {
      const shown = this.#pieceText(match)
      if (shown === undefined) return undefined
      text += shown
    }
    return text
  }

  #pieceText(match: RegExpMatchArray): string | undefined {
    const [whole, escape, flags = '', width = '', precision, directive, plain] = match
    if (plain !== undefined) return plain === '%' || plain === '\\' ? undefined : plain
    if (escape !== undefined) {
      if (/^[0-7]/.test(escape)) return textOfBytes(Uint8Array.of(Number.parseInt(escape, 8)))
      return escapes[escape]
    }
    if (whole === '%%') return '%'
    const operand = this.#operands[this.#used++]
    const text = converted(directive ?? '', operand, precision, flags)
    if (text === undefined) return undefined
    if (flags.includes('-')) return text.padEnd(Number(width))
    if (!flags.includes('0') || directive === 's') return text.padStart(Number(width))
    const [, sign = '', digits = ''] = /^([-+ ]?)(.*)$/s.exec(text) ?? []
    return sign + digits.padStart(Number(width) - sign.length, '0')
  }
}

/** Undefined for an unsupported directive and for an operand that is not a number. */
function converted(
  directive: string,
  operand: string | undefined,
  precision: string | undefined,
  flags: string,
): string | undefined {
  if (directive === 's')
    return precision === undefined ? (operand ?? '') : (operand ?? '').slice(0, Number(precision))
  if (directive === 'c') return (operand ?? '').slice(0, 1)
  if (!/^[diuxXo]$/.test(directive) || precision !== undefined) return undefined
  if (!/^([-+]?(0|[1-9]\d{0,14}))?$/.test(operand ?? '')) return undefined
  const value = Number(operand ?? 0)
  if (directive === 'd' || directive === 'i')
    return value >= 0 && flags.includes('+') ? `+${value}` : String(value)
  if (value < 0) return undefined
  if (directive === 'u') return String(value)
  const digits = value.toString(directive === 'o' ? 8 : 16)
  return directive === 'X' ? digits.toUpperCase() : digits
}

/** The output of `printf FORMAT OPERANDS…` (POSIX); undefined where shells differ or a directive is not supported. */
export function printfText(format: string, operands: readonly string[]): string | undefined {
  const text = new Printf(format, operands).text()
  // Several bytes may be one character.
  return text === undefined ? undefined : textOfBytes(bytesOfText(text))
}
