import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import { flowArrowTable } from '../../../../shared/model/flow-arrows.ts'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import { flowParts } from '../../../../shared/model/flow-parts.ts'

/** What the picture shows: its parts and its arrows. */
export interface FlowTables {
  readonly parts: readonly FlowPartRow[]
  readonly arrows: readonly FlowArrowRow[]
}

export const flowTables: FlowTables = { parts: flowParts, arrows: flowArrowTable }

/** The name of a part where its frame is not seen: `file source`. */
export function partName({ title, name }: FlowPartRow): string {
  return name ?? title
}
