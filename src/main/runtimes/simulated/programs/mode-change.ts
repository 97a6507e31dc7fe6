import { Unreadable } from '../shell/unreadable.ts'

const bitsOfUsers: Readonly<Record<string, number>> = { u: 0o700, g: 0o070, o: 0o007, a: 0o777 }
const bitsOfRights: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111 }

function bitsOf(letters: string, table: Readonly<Record<string, number>>): number {
  return Array.from(letters).reduce((bits, letter) => bits | (table[letter] ?? 0), 0)
}

function refuse(text: string): never {
  throw new Unreadable(`chmod ${text}`)
}

/** What `chmod` makes of a mode: `755`, `+x`, `u=rw,go-w`. Throws Unreadable for others. */
export function modeChange(text: string): (mode: number) => number {
  if (/^[0-7]{1,4}$/.test(text)) return () => Number.parseInt(text, 8)
  const changes = text.split(',').map((part) => {
    const [, users = '', operator = '', rights = ''] =
      /^([ugoa]*)([-+=])([rwx]*)$/.exec(part) ?? refuse(text)
    const mask = bitsOf(users === '' ? 'a' : users, bitsOfUsers)
    return { operator, mask, bits: bitsOf(rights, bitsOfRights) & mask }
  })
  return (mode) =>
    changes.reduce((now, { operator, mask, bits }) => {
      if (operator === '+') return now | bits
      return operator === '-' ? now & ~bits : (now & ~mask) | bits
    }, mode)
}
