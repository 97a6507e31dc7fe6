/** How Go writes what the kubelet's messages hold. */

/** What `strconv.IsPrint` lets stand: letters, marks, numbers, punctuation, symbols and the space. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

/** All but ASCII that is written as it is. */
const notPlain = /[^ !#-[\]-~]/gu

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
])

/** The text in double quotes, as `%q` prints it (strconv.Quote). */
export function goQuote(text: string): string {
  return `"${text.replaceAll(notPlain, quotedCharacter)}"`
}

/** A list as `%q` prints it. */
export function quotedList(list: readonly string[]): string {
  return `[${list.map(goQuote).join(' ')}]`
}

function quotedCharacter(character: string): string {
  const short = shortEscapes.get(character)
  if (short !== undefined) return short
  if (printable.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  const hex = (digits: number): string => code.toString(16).padStart(digits, '0')
  if (code < 0x20 || code === 0x7f) return `\\x${hex(2)}`
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`
}

/** What a status of gRPC says, without the prefix that its error has (grpcstatus.FromError(err).Message()). */
export function statusMessage(error: string): string {
  return error.replace(/^rpc error: code = \w+ desc = /, '')
}

/**
 * Several errors as one text (utilerrors.NewAggregate): each once, in brackets when there is more than one.
 * Undefined for none.
 */
export function aggregateText(errors: readonly string[]): string | undefined {
  if (errors.length < 2) return errors[0]
  const distinct = [...new Set(errors)]
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : distinct[0]
}
