import { Unreadable } from './unreadable.ts'

/** A shell's pattern (POSIX 2.13) as an expression for a whole text. A backslash quotes. Throws Unreadable. */
export function patternExpression(pattern: string): RegExp {
  let source = ''
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    if (character === '\\') source += quoted(pattern.charAt(++at))
    else if (character === '*') source += '[^]*'
    else if (character === '?') source += '[^]'
    else if (character === '[') {
      const match = /^\[([!^]?)(\]?[^\]]*)\]/.exec(pattern.slice(at))
      if (match === null) source += '\\['
      else {
        const [whole, negation = '', members = ''] = match
        if (/\[[:=.]/.test(members)) throw new Unreadable(`the pattern ${pattern}`)
        const escaped = members.replaceAll(/[\]\\^[]/g, '\\$&')
        source += `[${negation === '' ? '' : '^'}${escaped}]`
        at += whole.length - 1
      }
    } else source += quoted(character)
  }
  try {
    return new RegExp(`^${source}$`, 'u')
  } catch {
    throw new Unreadable(`the pattern ${pattern}`)
  }
}

function quoted(character: string): string {
  return character.replaceAll(/[$()*+.?[\]\\^{|}/]/g, '\\$&')
}
