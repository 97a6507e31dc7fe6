import type { PodRow } from '../../../../shared/model/pod-row.ts'
import { splitName } from '../../../words/pod-name.ts'

/** How wide a text is drawn, in the picture's units. */
export type Ruler = (text: string) => number

/**
 * Advance widths of Inter at its regular weight, in hundredths of the font's size, for the characters from
 * the blank to the tilde. Measured from the font that the page brings, `l` with the tail that `cv05` gives it.
 */
const advances = [
  28, 29, 47, 63, 64, 98, 64, 30, 36, 36, 50, 66, 29, 46, 29, 36, 63, 41, 61, 62, 65, 59, 62, 57,
  62, 62, 29, 30, 66, 66, 66, 51, 97, 69, 65, 73, 72, 60, 59, 75, 74, 27, 57, 67, 57, 90, 75, 76,
  64, 76, 64, 64, 65, 74, 69, 99, 68, 68, 63, 36, 36, 36, 47, 46, 32, 56, 61, 57, 61, 58, 37, 61,
  59, 24, 24, 55, 32, 88, 59, 60, 61, 61, 38, 53, 33, 59, 56, 82, 55, 56, 55, 43, 33, 43, 66,
] as const

/** For any other character: an ellipsis is 86, most letters of other scripts are narrower than one em. */
const widest = 100

function sans(size: number, weight = 1): Ruler {
  return (text) => {
    let hundredths = 0
    for (const character of text)
      hundredths += advances[(character.codePointAt(0) ?? 0) - 32] ?? widest
    return (hundredths / 100) * size * weight
  }
}

/** The text of the picture. */
export const plain = sans(11)
/** Its titles: a stronger weight is wider. */
export const title = sans(13, 1.05)
/** The text of the page around it. */
export const body = sans(13)
/** What the kubelet's own words are set in: every character is 0.6 em. */
export const mono: Ruler = (text) => text.length * 6.6

/** A text in `width` units: cut in its middle, since heads and tails tell names apart. Pure. */
export function fitText(text: string, width: number, ruler: Ruler = plain): string {
  if (ruler(text) <= width) return text
  for (let kept = text.length - 1; kept > 1; kept--) {
    const tail = Math.floor(kept / 3)
    const cut = `${text.slice(0, kept - tail)}…${text.slice(text.length - tail)}`
    if (ruler(cut) <= width) return cut
  }
  return `${text.slice(0, 1)}…`
}

/** A pod's name without what says least: the template's hash, the node's name. The tail is cut last. Pure. */
export function shortPodName(
  name: string,
  node: string,
  width: number,
  ruler: Ruler = plain,
): string {
  const { head, tail } = splitName(name, node)
  const short = `${head}${tail}`
  if (ruler(short) <= width || tail === '') return fitText(short, width, ruler)
  const last = tail.slice(1)
  for (let kept = head.length; kept >= 0; kept--) {
    const cut = `${head.slice(0, kept)}…${last}`
    if (ruler(cut) <= width) return cut
  }
  return fitText(last, width, ruler)
}

export function shortName(row: PodRow, width: number): string {
  return shortPodName(row.name, row.node, width)
}

/** A sentence in lines of `width` units, the last one cut where there are more than `lines`. Pure. */
export function wrapText(text: string, width: number, lines: number): readonly string[] {
  const wrapped: string[] = []
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const last = wrapped.at(-1)
    if (last !== undefined && plain(`${last} ${word}`) <= width)
      wrapped[wrapped.length - 1] = `${last} ${word}`
    else wrapped.push(fitText(word, width))
  }
  if (wrapped.length <= lines) return wrapped
  let more = wrapped[lines - 1] ?? ''
  while (more !== '' && plain(`${more} …`) > width) more = more.slice(0, -1)
  return [...wrapped.slice(0, lines - 1), `${more.trimEnd()} …`]
}
