import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowTables } from './flow-tables.ts'
import { flowTables } from './flow-tables.ts'

export function arrow(from: string, to: string, more: Partial<FlowArrowRow> = {}): FlowArrowRow {
  return { id: `${from}-${to}`, from, to, meaning: `${from} to ${to}`, events: [], ...more }
}

/** More than there is: an arrow, with the call that it is upstream. */
export const grown: FlowTables = {
  parts: flowTables.parts,
  arrows: [
    ...flowTables.arrows,
    arrow('runtime', 'evictionManager', { label: 'ListPodSandboxStats' }),
  ],
}
