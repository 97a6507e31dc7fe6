import { anchors, pages } from '../../../shared/handbook/anchors.ts'
import type { ViewName } from '../view-name.ts'

export interface HandbookSlice {
  /** The open section, or the last one: `images`, or `images#pulling`; empty for the contents. */
  readonly section: string
  /** Whether the handbook panel is open; false in the Handbook view. */
  readonly isHandbookOpen: boolean
  /** The sections before this one, the last one last; empty when the handbook opens, and a new list after each opening. */
  readonly sectionTrail: readonly string[]
  /** Opens a section in the panel, or in the Handbook view if that is shown. Opening the previous section shortens the trail. */
  readonly openSection: (section: string) => void
  readonly closeHandbook: () => void
}

/** Whether the handbook has the section; the empty name is its contents. */
export function isSection(section: string): boolean {
  return section === '' || Object.hasOwn(anchors, section) || Object.hasOwn(pages, section)
}

interface Reading extends HandbookSlice {
  readonly view: ViewName
}

export function handbookSlice(
  set: (part: Partial<HandbookSlice>) => void,
  get: () => Reading,
): HandbookSlice {
  return {
    section: '',
    isHandbookOpen: false,
    sectionTrail: [],
    openSection: (section) => {
      const { view, section: before, isHandbookOpen, sectionTrail: trail } = get()
      const isReading = isHandbookOpen || view === 'handbook'
      const longer = before === section ? [...trail] : [...trail, before]
      const sectionTrail = trail.at(-1) === section ? trail.slice(0, -1) : longer
      set({
        section,
        isHandbookOpen: view !== 'handbook',
        sectionTrail: isReading ? sectionTrail : [],
      })
    },
    closeHandbook: () => set({ isHandbookOpen: false }),
  }
}
