import type { HandbookPage, HandbookSection } from '../../../shared/handbook/page.ts'

/** A section with its page. */
export interface Place {
  readonly page: HandbookPage
  readonly section: HandbookSection
}

/** All sections in reading order. Pure. */
export function placesOf(pages: readonly HandbookPage[]): readonly Place[] {
  return pages.flatMap((page) => page.sections.map((section) => ({ page, section })))
}

/** Whether the anchor is the section's own or that of a heading in it. Pure. */
export function hasAnchor({ anchor, blocks }: HandbookSection, wanted: string): boolean {
  return (
    anchor === wanted || blocks.some((block) => block.kind === 'heading' && block.anchor === wanted)
  )
}

/** The index of the section among the places, or -1. Pure. */
export function placeIndex(places: readonly Place[], anchor: string): number {
  return places.findIndex(({ section }) => hasAnchor(section, anchor))
}

/** Whether the section explains an event with this anchor; a page's first section covers the whole page. Pure. */
export function isExplainedBy({ page, section }: Place, anchor: string): boolean {
  if (section.anchor === page.name) return anchor.split('#')[0] === page.name
  return hasAnchor(section, anchor)
}
