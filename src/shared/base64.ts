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
