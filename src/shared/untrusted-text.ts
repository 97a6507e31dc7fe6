/** What of a text from outside is kept, in UTF-16 code units. */
const keptLength = 2_000

const alreadyCut = /… \(\d+ more characters\)$/
/** The longest that a cut text can be: its end is at most this much longer. */
const longestEnd = 32

/**
 * A text from outside (a file, a server, a program, a page) with at most 2,000 characters and a note on how many were left
 * out, so that no outside text fills the memory, the pages, the log or a recording. Cutting twice is fine.
 */
export function cutText(text: string): string {
  if (text.length <= keptLength) return text
  if (text.length <= keptLength + longestEnd && alreadyCut.test(text)) return text
  const last = text.charCodeAt(keptLength - 1)
  // Not between the halves of one character.
  const end = last >= 0xd800 && last <= 0xdbff ? keptLength - 1 : keptLength
  // Joined: a slice in a concatenation keeps the whole text alive.
  return [text.slice(0, end), '… (', String(text.length - end), ' more characters)'].join('')
}

function isLong(text: unknown): boolean {
  return typeof text === 'string' && text.length > keptLength
}

/** The same object where none of its texts is too long; else one whose texts are cut. */
export function cutTexts<T extends object>(texts: T): T {
  if (!Object.values(texts).some(isLong)) return texts
  const long = Object.entries(texts).filter((entry): entry is [string, string] => isLong(entry[1]))
  return { ...texts, ...Object.fromEntries(long.map(([key, text]) => [key, cutText(text)])) }
}

// C0 with line feeds and tabs, DEL and C1; separators of lines; marks that turn the direction of text (Unicode UAX 9) or are not seen.
const unprintable =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** A text from outside as part of one line of a terminal: what would move the cursor, end the line or turn it is shown as �. */
export function printable(text: string): string {
  return cutText(text).replace(unprintable, '\ufffd')
}
