import type { ExhibitView } from '../../shared/model/museum.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { Stage } from './stage.ts'

/** An exhibit with its category, which is that of the group that lists it. */
export interface Exhibit extends ExhibitScript, ExhibitView {}

/** A script: the texts, and how a cluster reaches the moment at which the surprise is seen. */
export interface ExhibitScript extends Omit<ExhibitView, 'category'> {
  /** The first is the one that scripts mean where they name none. */
  readonly nodes: readonly [string, ...string[]]
  /** What to look at when the script has ended. */
  readonly moment: string
  /** What will come when the clock runs on. */
  readonly next: string
  /** Ends at the moment; the clock stands there. The row of the pod that it is about; null for none. */
  readonly play: (stage: Stage) => Promise<PodRow | null>
}
