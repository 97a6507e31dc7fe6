import { sectionTitle } from '../../../shared/handbook/section-title.ts'
import type { GotchaCategory, GotchaView } from '../../../shared/model/scenarios/gotcha.ts'

/**
 * The gotchas of a category (null: all) that contain each of the words, in their order. Letter case does not matter.
 * The answer is searched too: people search for the words that they know.
 */
export function foundGotchas(
  gotchas: readonly GotchaView[],
  text: string,
  category: GotchaCategory | null,
): readonly GotchaView[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return gotchas.filter((gotcha) => {
    if (category !== null && gotcha.category !== category) return false
    const { title, confusion, truth, sections } = gotcha
    const all = [title, confusion, truth, ...sections.map(sectionTitle)].join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
