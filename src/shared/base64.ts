const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The bytes of valid base64, such as a value of a Secret; line ends are ignored, as Go ignores them. */
export function base64Bytes(text: string): Uint8Array {
  const characters = text.replaceAll(/[\r\n=]/g, '')
  const bytes = new Uint8Array(Math.floor((characters.length * 3) / 4))
  let bits = 0
  let count = 0
  let at = 0
  for (const character of characters) {
    bits = ((bits << 6) | digits.indexOf(character)) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    bytes[at++] = (bits >> count) & 0xff
  }
  return bytes
}

// One character each, as bytes.
const utf8Characters =
  // eslint-disable-next-line no-control-regex
  /[\0-\x7f]+|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[^]/g

const charactersAtOnce = 8192

/** The UTF-8 text of bytes; bytes that are not UTF-8 become U+FFFD. TextDecoder is not in the core's library. */
export function utf8Text(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += charactersAtOnce)
    parts.push(String.fromCharCode(...bytes.subarray(from, from + charactersAtOnce)))
  return parts.join('').replace(utf8Characters, (character) => {
    if (character.charCodeAt(0) < 0x80) return character
    const escaped = Array.from(character, (byte) => `%${byte.charCodeAt(0).toString(16)}`).join('')
    try {
      return decodeURIComponent(escaped)
    } catch {
      return '\ufffd'
    }
  })
}
