import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import type { FlowTables } from './flow-tables.ts'
import { flowTables } from './flow-tables.ts'

function part(id: string, area: FlowPartRow['area']): FlowPartRow {
  return { id, title: id, purpose: `Is ${id}.`, area, upstream: [`${id}.go`, id] }
}

export function arrow(from: string, to: string, more: Partial<FlowArrowRow> = {}): FlowArrowRow {
  return { id: `${from}-${to}`, from, to, meaning: `${from} to ${to}`, events: [], ...more }
}

/** More than there is: one part, two arrows, with the calls that they are upstream. */
export const grown: FlowTables = {
  parts: [...flowTables.parts, part('EvictionManager', 'helpers')],
  arrows: [
    ...flowTables.arrows,
    arrow('EvictionManager', 'podWorkers', { label: 'killPodNow', shows: ['pod'] }),
    arrow('runtime', 'EvictionManager', { label: 'ListPodSandboxStats' }),
  ],
}
