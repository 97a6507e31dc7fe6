import type { HandbookPage, HandbookSection } from '../../../shared/handbook/page.ts'

/** A section with the page that it is of. */
export interface Place {
  readonly page: HandbookPage
  readonly section: HandbookSection
}

/** All sections in the order in which they are read. Pure. */
export function placesOf(pages: readonly HandbookPage[]): readonly Place[] {
  return pages.flatMap((page) => page.sections.map((section) => ({ page, section })))
}

/** Whether the anchor is the section's own or that of a heading in it. Pure. */
export function holdsAnchor({ anchor, blocks }: HandbookSection, wanted: string): boolean {
  return (
    anchor === wanted || blocks.some((block) => block.kind === 'heading' && block.anchor === wanted)
  )
}

/** Where the section is among the places; -1 where there is none. Pure. */
export function placeIndex(places: readonly Place[], anchor: string): number {
  return places.findIndex(({ section }) => holdsAnchor(section, anchor))
}

/** Whether what happened is explained here: the first section of a page speaks of all of it. Pure. */
export function isShownBy({ page, section }: Place, anchor: string): boolean {
  if (section.anchor === page.name) return anchor.split('#')[0] === page.name
  return holdsAnchor(section, anchor)
}
