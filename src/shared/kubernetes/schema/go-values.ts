import { parseQuantity } from '../quantity.ts'

/**
 * What Go's own decoders say of texts that they cannot read; `undefined`: they can.
 */

/** Source: apimachinery pkg/api/resource/quantity.go ParseQuantity. */
export function quantityProblem(value: unknown): string | undefined {
  if (parseQuantity(value) !== undefined) return undefined
  const text = typeof value === 'string' ? value.trim() : ''
  const isSplit = text !== '' && /^[+-]?\d*\.?\d*[eEinumkKMGTP]*[-+]?\d*$/.test(text)
  return isSplit
    ? "unable to parse quantity's suffix"
    : "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
}

interface Range {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** A part of a layout: how Go writes it, what it takes, and the range of its number. */
type LayoutPart = readonly [written: string, pattern: RegExp, range?: Range]

const untilSeconds: readonly LayoutPart[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/, { name: 'month', from: 1, to: 12 }],
  ['-', /^-/],
  ['02', /^\d\d/, { name: 'day', from: 1, to: 31 }],
  ['T', /^T/],
  ['15', /^\d\d?/, { name: 'hour', from: 0, to: 23 }],
  [':', /^:/],
  ['04', /^\d\d/, { name: 'minute', from: 0, to: 59 }],
  [':', /^:/],
]
const seconds: Range = { name: 'second', from: 0, to: 59 }
const zone: LayoutPart = ['Z07:00', /^(Z|[+-]\d\d:\d\d)/]

// The layout has no fraction of a second, and every fraction is read.
const rfc3339: readonly LayoutPart[] = [...untilSeconds, ['05', /^\d\d([.,]\d+)?/, seconds], zone]
const rfc3339Micro: readonly LayoutPart[] = [
  ...untilSeconds,
  ['05', /^\d\d/, seconds],
  ['.000000', /^\.\d{6}/],
  zone,
]

function rangeProblem(part: string, range: Range | undefined): string | undefined {
  if (range === undefined) return undefined
  const number = Number.parseInt(part, 10)
  return number < range.from || number > range.to ? `${range.name} out of range` : undefined
}

function zoneProblem(part: string): string | undefined {
  const [, hours = '0', minutes = '0'] = /^[+-](\d\d):(\d\d)/.exec(part) ?? []
  if (Number(hours) > 24) return 'time zone offset hour out of range'
  return Number(minutes) > 60 ? 'time zone offset minute out of range' : undefined
}

/** The day that the month does not have; only asked of a text that fits its layout. */
function dayProblem(text: string): string | undefined {
  const [year = 0, month = 1, day = 1] = text.slice(0, 10).split('-').map(Number)
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  return day > lastDay ? 'day out of range' : undefined
}

function parseProblem(text: string, layout: readonly LayoutPart[]): string | undefined {
  const shown = JSON.stringify(text)
  let rest = text
  for (const [written, pattern, range] of layout) {
    const part = pattern.exec(rest)?.[0]
    if (part === undefined) {
      const whole = layout.map(([one]) => one).join('')
      return `parsing time ${shown} as "${whole}": cannot parse ${JSON.stringify(rest)} as "${written}"`
    }
    const outside = rangeProblem(part, range) ?? zoneProblem(part)
    if (outside !== undefined) return `parsing time ${shown}: ${outside}`
    rest = rest.slice(part.length)
  }
  if (rest !== '') return `parsing time ${shown}: extra text: ${JSON.stringify(rest)}`
  const day = dayProblem(text)
  return day === undefined ? undefined : `parsing time ${shown}: ${day}`
}

const plainTime = /^\d{4}-(0[1-9]|1[0-2])-([01]\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/

/** Source: time.Parse with RFC3339, apimachinery pkg/apis/meta/v1 Time. */
export function timeProblem(text: string): string | undefined {
  return plainTime.test(text) ? undefined : parseProblem(text, rfc3339)
}

/** Source: the same with exactly six digits of a second, MicroTime. */
export function microTimeProblem(text: string): string | undefined {
  return parseProblem(text, rfc3339Micro)
}

const base64Digit = /[A-Za-z0-9+/]/
const plainBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Where in the text base64's decoder stops; -1: nowhere. Source: encoding/base64 decodeQuantum. */
function illegalByte(text: string): number {
  // Line breaks count only as places.
  const places = [...text.matchAll(/[^\r\n]/g)].map(({ index }) => index)
  const characters = places.map((place) => text[place] ?? '')
  const stop = characters.findIndex((character) => !base64Digit.test(character))
  const place = (index: number): number => places[index] ?? text.length
  const digits = stop === -1 ? characters.length : stop
  const inGroup = digits % 4
  if (stop === -1) return inGroup === 0 ? -1 : text.length - inGroup
  if (characters[stop] !== '=' || inGroup < 2) return place(stop)
  if (inGroup === 3) return stop + 1 < characters.length ? place(stop + 1) : -1
  if (stop + 1 >= characters.length) return text.length
  if (characters[stop + 1] !== '=') return place(stop + 1) - 1
  return stop + 2 < characters.length ? place(stop + 2) : -1
}

/** Source: encoding/base64, as encoding/json reads a list of bytes. */
export function base64Problem(text: string): string | undefined {
  if (plainBase64.test(text)) return undefined
  const at = illegalByte(text)
  return at === -1 ? undefined : `illegal base64 data at input byte ${at}`
}
