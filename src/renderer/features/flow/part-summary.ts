import { assertNever } from '../../../shared/assert-never.ts'
import type { NodeView } from '../../../shared/model/cluster-view.ts'
import type { FlowView } from '../../../shared/model/flow.ts'
import { countOf, countText } from '../../words/time.ts'
import type { Board } from './board.ts'
import type { FlowPart } from './parts.ts'

export interface PartFacts {
  readonly flow: FlowView
  readonly board: Board
  readonly node: NodeView | undefined
}

function podsOf(count: number): string {
  return `${countText(count)} ${count === 1 ? 'pod' : 'pods'}`
}

function sourceSummary(part: 'api' | 'file' | 'http', node: NodeView | undefined): string {
  const source = node?.sources.find((view) => view.source === part)
  if (source === undefined) return 'not used'
  const problems =
    source.problems.length === 0 ? '' : `, ${countOf(source.problems.length, 'problem')}`
  return `${podsOf(source.pods)}${source.ready ? '' : ', not ready yet'}${problems}`
}

/** What a part holds, in a few words: the name of its button goes on with them. Pure. */
export function partSummary(part: FlowPart, { flow, board, node }: PartFacts): string {
  switch (part) {
    case 'apiServer':
      return `${podsOf(flow.api.pods)} on this node, ${countText(flow.api.mirrors)} of them mirrors`
    case 'api':
    case 'file':
    case 'http':
      return sourceSummary(part, node)
    case 'podConfig': {
      const sum = Object.values(flow.podConfig.ops).reduce((all, count) => all + count, 0)
      return `${countText(sum)} merged in the last minute`
    }
    case 'syncLoop':
      return `${countText(flow.syncLoop.iterations)} iterations`
    case 'podManager':
      return `${podsOf(flow.podManager.pods)}, ${countText(flow.podManager.mirrors)} mirrors, ${countText(flow.podManager.orphans)} orphans`
    case 'mirrorClient':
      return `${countText(flow.mirrorClient.paired)} pairs in step, ${countText(flow.mirrorClient.unpaired)} not a pair`
    case 'statusManager':
      return `${countText(flow.statusManager.cached)} cached, ${countText(flow.statusManager.unsent)} unsent`
    case 'nodeController':
      return node === undefined ? 'no node' : node.registered ? node.status : 'not registered yet'
    case 'podWorkers':
      return `${countText(board.workers)} ${board.workers === 1 ? 'worker' : 'workers'}, ${countText(board.lanes.TerminatingPod.total)} terminating`
    case 'pleg':
      return `relist every ${flow.pleg.relistPeriodMs / 1000} s`
    case 'runtime':
      return `${countText(board.tiles.total)} sandboxes, ${countText(board.runningContainers)} containers running`
    default:
      return assertNever(part, 'part')
  }
}
