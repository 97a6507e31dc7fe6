import { Unreadable } from '../../shell/unreadable.ts'

/** A text from the input, which compares as a number if it looks like one. */
export interface InputText {
  readonly text: string
}

/** Undefined: never set. */
export type Value = number | string | InputText | undefined

/** In busybox spaces look like 0. */
const looksLikeNumber = /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$|^\s+$/

/** `%.6g` and its like: the shortest of both forms. */
function general(value: number, precision: number): string {
  if (value === 0) return '0'
  const exponent = Number(value.toExponential(Math.max(0, precision - 1)).split('e')[1])
  const isScientific = exponent < -4 || exponent >= precision
  const text = isScientific
    ? scientific(value, Math.max(0, precision - 1))
    : value.toFixed(Math.max(0, precision - 1 - exponent))
  const [digits = '', rest] = text.split('e')
  const short = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
  return rest === undefined ? short : `${short}e${rest}`
}

function scientific(value: number, precision: number): string {
  return value.toExponential(precision).replace(/e([-+])(\d)$/, 'e$10$2')
}

export function textOf(value: Value): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'object') return value.text
  if (!Number.isFinite(value)) throw new Unreadable('awk with a number that is not finite')
  return Number.isSafeInteger(value) ? String(value) : general(value, 6)
}

export function numberOf(value: Value): number {
  if (value === undefined) return 0
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value : value.text
  // What strtod reads and JavaScript does not.
  if (/^\s*[-+]?(0x|inf|nan)/i.test(text)) throw new Unreadable(`awk with the number ${text}`)
  return Number(/^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?/.exec(text)?.[0] ?? 0)
}

export function isTrue(value: Value): boolean {
  if (value === undefined) return false
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'string') return value !== ''
  return looksLikeNumber.test(value.text) ? numberOf(value) !== 0 : value.text !== ''
}

function isNumeric(value: Value): boolean {
  return (
    value === undefined ||
    typeof value === 'number' ||
    (typeof value === 'object' && looksLikeNumber.test(value.text))
  )
}

/** Below 0, 0 or above 0. */
export function compared(left: Value, right: Value): number {
  if (isNumeric(left) && isNumeric(right)) return numberOf(left) - numberOf(right)
  const [one, other] = [textOf(left), textOf(right)]
  return one < other ? -1 : one > other ? 1 : 0
}

function padded(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width)
  if (!flags.includes('0')) return text.padStart(width)
  const [sign = ''] = /^[-+ ]?/.exec(text) ?? []
  return sign + text.slice(sign.length).padStart(width - sign.length, '0')
}

/** `printf`. Throws Unreadable for forms that are not read. */
export function formatted(format: string, values: readonly Value[]): string {
  const left = [...values]
  return format.replaceAll(
    /%([-0+ ]*)(\d*)(?:\.(\d*))?([a-zA-Z%])|%/g,
    (whole, flags?: string, width?: string, precision?: string, kind?: string) => {
      if (kind === '%') return '%'
      if (kind === undefined || flags === undefined) throw new Unreadable(`awk printf ${whole}`)
      const value = left.shift()
      const digits = precision === undefined ? undefined : Number(precision)
      const signed = (number: number, text: string): string =>
        number >= 0 && flags.includes('+') ? `+${text}` : text
      const wide = (text: string, isText = false): string =>
        padded(text, isText ? flags.replaceAll('0', '') : flags, Number(width ?? 0))
      const number = numberOf(/[sc]/.test(kind) ? 0 : value)
      switch (kind) {
        case 's':
          return wide(textOf(value).slice(0, digits), true)
        case 'c':
          if (typeof value !== 'string') throw new Unreadable(`awk printf ${whole}`)
          return wide(value.slice(0, 1), true)
        case 'd':
        case 'i':
          if (digits !== undefined) throw new Unreadable(`awk printf ${whole}`)
          return wide(signed(number, String(Math.trunc(number) + 0)))
        case 'o':
        case 'x':
        case 'X': {
          if (digits !== undefined || number < 0) throw new Unreadable(`awk printf ${whole}`)
          const text = Math.trunc(number).toString(kind === 'o' ? 8 : 16)
          return wide(kind === 'X' ? text.toUpperCase() : text)
        }
        case 'f':
          return wide(signed(number, number.toFixed(digits ?? 6)))
        case 'e':
          return wide(signed(number, scientific(number, digits ?? 6)))
        case 'g':
          return wide(signed(number, general(number, digits === undefined ? 6 : digits || 1)))
        default:
          throw new Unreadable(`awk printf ${whole}`)
      }
    },
  )
}
