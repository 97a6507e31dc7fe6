import type { PodRow } from '../../../shared/model/pod-row.ts'
import { splitName } from '../../words/uid.ts'

/** A text in `room` characters: cut in its middle, since heads and tails tell names apart. Pure. */
export function fitText(text: string, room: number): string {
  if (text.length <= room) return text
  const tail = Math.max(0, Math.floor((room - 1) / 3))
  return `${text.slice(0, Math.max(1, room - 1 - tail))}…${text.slice(text.length - tail)}`
}

/** A pod's name without what says least: the template's hash, the node's name. The tail is never cut. Pure. */
export function shortPodName(name: string, node: string, room: number): string {
  const { head, tail } = splitName(name, node)
  const short = `${head}${tail}`
  if (short.length <= room || tail === '') return fitText(short, room)
  const last = tail.slice(1)
  return `${head.slice(0, Math.max(0, room - last.length - 1))}…${last}`
}

export function shortName(row: PodRow, room: number): string {
  return shortPodName(row.name, row.node, room)
}

/** A sentence in lines of `room` characters, the last one cut where there are more than `lines`. Pure. */
export function wrapText(text: string, room: number, lines: number): readonly string[] {
  const wrapped: string[] = []
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const last = wrapped.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= room)
      wrapped[wrapped.length - 1] = `${last} ${word}`
    else wrapped.push(fitText(word, room))
  }
  if (wrapped.length <= lines) return wrapped
  return [...wrapped.slice(0, lines - 1), fitText(`${wrapped[lines - 1] ?? ''} …`, room)]
}
