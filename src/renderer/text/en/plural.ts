import { countText } from '../../words/time.ts'

const numbers = 'no one two three four five six seven eight nine ten'.split(' ')

/** `two pods`; small numbers as words, for sentences. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${numbers[count] ?? countText(count)} ${count === 1 ? singular : plural}`
}

/** `2 pods`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${countText(count)} ${count === 1 ? singular : plural}`
}
