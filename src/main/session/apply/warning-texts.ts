import { cutText } from '../../../shared/untrusted-text.ts'

/** The texts of a `Warning` header (RFC 7234): `299 - "…", 299 - "…"`. */
export function warningTexts(header: string): readonly string[] {
  // The UTF-8 bytes of a header are Latin-1 characters.
  const bytes = Uint8Array.from(header, (character) => character.codePointAt(0) ?? 0)
  const text = new TextDecoder().decode(bytes)
  return [...text.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) =>
    cutText(quoted.replaceAll(/\\(.)/g, '$1')),
  )
}
