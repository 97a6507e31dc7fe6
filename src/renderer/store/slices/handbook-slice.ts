import { anchors, pages } from '../../../shared/handbook/anchors.ts'
import type { ViewName } from '../view-name.ts'

export interface HandbookSlice {
  /** The section that is read, or was read last: `images`, or `images#pulling`; empty for the contents. */
  readonly section: string
  /** Whether the handbook is open beside the view; in the Handbook view it is not. */
  readonly isHandbookOpen: boolean
  /** The sections that led to this one, the last one last; begun again when the handbook is opened, and another list after each opening. */
  readonly sectionTrail: readonly string[]
  /** Opens a section beside the view, or in the Handbook view where that is shown. Back where it came from: one step less. */
  readonly openSection: (section: string) => void
  readonly closeHandbook: () => void
}

/** Whether the handbook has the section; the empty one is its contents. */
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
