import { sectionWords } from '../../../shared/handbook/section-words.ts'
import type { ExhibitCategory, ExhibitView } from '../../../shared/model/museum.ts'

/**
 * The exhibits of a category (null: all) that contain each of the words, in their order. Letter case does not matter.
 * The answer is searched as well: people look for the words that they know from elsewhere.
 */
export function foundExhibits(
  exhibits: readonly ExhibitView[],
  text: string,
  category: ExhibitCategory | null,
): readonly ExhibitView[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return exhibits.filter((exhibit) => {
    if (category !== null && exhibit.category !== category) return false
    const { title, confusion, truth, sections } = exhibit
    const all = [title, confusion, truth, ...sections.map(sectionWords)].join('\n').toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
