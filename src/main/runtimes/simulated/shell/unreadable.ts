/** Thrown while a command is read or run, when what it does cannot be known. Its message says why, for the log. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/**
 * Stands in a value for text that only a real container could know (a file's content, a date, a glob).
 * Printing it is harmless; deciding by it makes the command unreadable. A private-use character, so
 * that no script contains it by chance.
 */
export const unknownText = '\uE000'

/** The text as it is printed. */
export function shownText(text: string): string {
  return text.replaceAll(unknownText, '(unknown)')
}

/** The text, when it is known. Throws Unreadable with the name of its use otherwise. */
export function known(text: string, use: string): string {
  if (text.includes(unknownText)) throw new Unreadable(`${use} depends on what cannot be known`)
  return text
}
