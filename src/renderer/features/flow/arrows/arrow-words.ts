import type { FlowArrowRow } from '../../../../shared/model/flow-arrows.ts'
import type { FlowPartRow } from '../../../../shared/model/flow-parts.ts'
import type { FlowView } from '../../../../shared/model/flow.ts'
import { clockText, countText } from '../../../words/time.ts'
import { arrowOf } from '../flow-context.ts'
import type { FlowTables } from '../layout/flow-tables.ts'

/** What a part is called where its frame is not seen: `file source`. */
export function partName({ title, name }: FlowPartRow): string {
  return name ?? title
}

function titleOf(id: string, { parts }: FlowTables): string {
  return parts.find((part) => part.id === id)?.title ?? id
}

/** `PodConfig to sync loop` */
export function arrowName({ from, to }: FlowArrowRow, tables: FlowTables): string {
  const start = titleOf(from, tables)
  return from === to ? `within ${start}` : `${start} to ${titleOf(to, tables)}`
}

/** An arrow in one sentence, for those who hear the picture. Pure. */
export function arrowSentence(flow: FlowView, arrow: FlowArrowRow, tables: FlowTables): string {
  const view = arrowOf(flow, arrow.id)
  const head = `${arrowName(arrow, tables)}, ${arrow.meaning}`
  if (view === undefined || view.last === null) return `${head}: no moves yet`
  const { text, podName, at } = view.last
  const about = podName === '' ? '' : ` ${podName}`
  return `${head}: ${countText(view.lastMinute)} in the last minute, last ${text}${about} at ${clockText(at)}`
}

/** The last move, as the live region says it; empty when there is none. Pure. */
export function lastMoveSentence(flow: FlowView, tables: FlowTables): string {
  const [last] = flow.recent
  const arrow = tables.arrows.find(({ id }) => id === last?.arrow)
  if (last === undefined || arrow === undefined) return ''
  const about = last.podName === '' ? '' : ` ${last.podName}`
  return `${arrowName(arrow, tables)}: ${last.text}${about}`
}
