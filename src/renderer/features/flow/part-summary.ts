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

function many(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`
}

function sourceSummary(part: 'api' | 'file' | 'http', node: NodeView | undefined): string {
  const source = node?.sources.find((view) => view.source === part)
  if (source === undefined) return 'not used'
  const problems =
    source.problems.length === 0 ? '' : `, ${countOf(source.problems.length, 'problem')}`
  return `${many(source.pods, 'pod')}${source.ready ? '' : ', not ready yet'}${problems}`
}

/** What a part holds, in a few words: the name of its button goes on with them. Pure. */
export function partSummary(part: FlowPart, { flow, board, node }: PartFacts): string {
  switch (part) {
    case 'apiServer':
      return `${many(flow.api.pods, 'pod')} on this node, ${countText(flow.api.mirrors)} of them mirrors`
    case 'api':
    case 'file':
    case 'http':
      return sourceSummary(part, node)
    case 'podConfig': {
      const sum = Object.values(flow.podConfig.ops).reduce((all, count) => all + count, 0)
      return `${countText(sum)} merged in the last minute`
    }
    case 'syncLoop':
      return `${many(flow.syncLoop.iterations, 'iteration')}`
    case 'podManager':
      return `${many(flow.podManager.pods, 'pod')}, ${many(flow.podManager.mirrors, 'mirror')}, ${many(flow.podManager.orphans, 'orphan')}`
    case 'mirrorClient':
      return `${many(flow.mirrorClient.paired, 'pair')} in sync, ${countText(flow.mirrorClient.unpaired)} not a pair`
    case 'statusManager':
      return `${countText(flow.statusManager.cached)} cached, ${countText(flow.statusManager.unsent)} unsent`
    case 'nodeController':
      return node === undefined ? 'no node' : node.registered ? node.status : 'not registered yet'
    case 'podWorkers':
      return `${many(board.workers, 'worker')}, ${countText(board.lanes.TerminatingPod.total)} terminating`
    case 'pleg':
      return `relist every ${flow.pleg.relistPeriodMs / 1000} s`
    case 'runtime':
      return `${countText(board.tiles.total)} ${board.tiles.total === 1 ? 'sandbox' : 'sandboxes'}, ${many(board.runningContainers, 'container')} running`
    default:
      return assertNever(part, 'part')
  }
}
