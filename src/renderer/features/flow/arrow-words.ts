import type { FlowArrow, FlowView } from '../../../shared/model/flow.ts'
import { clockText, countText } from '../../words/time.ts'
import { arrowLooks } from './arrows.ts'
import { arrowOf } from './flow-context.ts'
import { partTitles } from './parts.ts'

/** `PodConfig to sync loop` */
export function arrowName(arrow: FlowArrow): string {
  const { from, to } = arrowLooks[arrow]
  return from === to ? `within ${partTitles[from]}` : `${partTitles[from]} to ${partTitles[to]}`
}

/** An arrow in one sentence, for those who hear the picture. Pure. */
export function arrowSentence(flow: FlowView, arrow: FlowArrow): string {
  const view = arrowOf(flow, arrow)
  const head = `${arrowName(arrow)}, ${arrowLooks[arrow].meaning}`
  if (view === undefined || view.last === null) return `${head}: no moves yet`
  const { text, podName, at } = view.last
  const about = podName === '' ? '' : ` ${podName}`
  return `${head}: ${countText(view.lastMinute)} in the last minute, last ${text}${about} at ${clockText(at)}`
}

/** The last move, as the live region says it; empty when there is none. Pure. */
export function lastMoveSentence(flow: FlowView): string {
  const [last] = flow.recent
  if (last === undefined) return ''
  return `${arrowName(last.arrow)}: ${last.text}${last.podName === '' ? '' : ` ${last.podName}`}`
}
