import type { Exhibit } from './exhibit.ts'
import { awayExhibits } from './exhibits/away.ts'
import { endingExhibits } from './exhibits/endings.ts'
import { manifestExhibits } from './exhibits/manifests.ts'
import { mirrorExhibits } from './exhibits/mirrors.ts'
import { restartExhibits } from './exhibits/restarts.ts'

/** All that the museum shows, in the order of its list. */
export const exhibits: readonly Exhibit[] = [
  ...mirrorExhibits,
  ...manifestExhibits,
  ...awayExhibits,
  ...endingExhibits,
  ...restartExhibits,
]
