import { pages } from 'virtual:handbook'
import { useAppState } from '../../store/store-context.ts'
import type { Place } from './sections.ts'
import { placeIndex, placesOf } from './sections.ts'

const places = placesOf(pages)

/** The open section with its neighbors; undefined while the contents are shown. */
export function usePlace(): {
  readonly anchor: string
  readonly place: Place | undefined
  readonly before: Place | undefined
  readonly after: Place | undefined
} {
  const anchor = useAppState((state) => state.section)
  const at = placeIndex(places, anchor)
  // While the contents are shown, `at` is -1 and the next section is the first.
  return { anchor, place: places[at], before: places[at - 1], after: places[at + 1] }
}
