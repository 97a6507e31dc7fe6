import { reservedCharacter } from '../../../files/byte-text.ts'

/** Thrown for a command whose behavior cannot be known. The message says why. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/**
 * Placeholder for text that only a real container knows (a file's content, a glob). Printing it is harmless; a decision
 * that depends on it makes the command unreadable. A private-use character, so that scripts do not contain it.
 */
export const unknownText = reservedCharacter

/** The text as it is printed. */
export function shownText(text: string): string {
  return text.replaceAll(unknownText, '(unknown)')
}

/** The text if it is known; otherwise throws Unreadable with the name of its use. */
export function known(text: string, use: string): string {
  if (text.includes(unknownText)) throw new Unreadable(`${use} depends on what cannot be known`)
  return text
}
