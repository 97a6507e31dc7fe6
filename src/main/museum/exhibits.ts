import { exhibitCategories } from '../../shared/model/museum.ts'
import type { ExhibitCategory } from '../../shared/model/museum.ts'
import type { Exhibit, ExhibitScript } from './exhibit.ts'
import { awayExhibits } from './exhibits/away.ts'
import { endingExhibits } from './exhibits/endings.ts'
import { manifestExhibits } from './exhibits/manifests.ts'
import { mirrorExhibits } from './exhibits/mirrors.ts'
import { restartExhibits } from './exhibits/restarts.ts'

const scripts: Readonly<Record<ExhibitCategory, readonly ExhibitScript[]>> = {
  'Mirror pods': mirrorExhibits,
  Manifests: manifestExhibits,
  'API server unreachable': awayExhibits,
  'How pods end': endingExhibits,
  Restarts: restartExhibits,
}

/** All exhibits, in the order of the list. */
export const exhibits: readonly Exhibit[] = exhibitCategories.flatMap((category) =>
  scripts[category].map((script) => ({ ...script, category })),
)
