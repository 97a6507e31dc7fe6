import type { ExhibitView } from '../../shared/model/museum.ts'
import type { PodRow } from '../../shared/model/pod-row.ts'
import type { Stage } from './stage.ts'

/** A confusion as a script: what is told of it, and how a cluster comes to the moment at which it is seen. */
export interface Exhibit extends ExhibitView {
  /** The first is the one that scripts mean where they name none. */
  readonly nodes: readonly [string, ...string[]]
  /** What to look at when the script has ended. */
  readonly moment: string
  /** What will come when the clock runs on. */
  readonly next: string
  /** Ends at the moment; the clock stands there. The row of the pod that it is about; null for none. */
  readonly play: (stage: Stage) => Promise<PodRow | null>
}
