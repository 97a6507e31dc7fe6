import type { ClusterChange } from '../../shared/model/cluster-change.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { FlowContent, FlowView } from '../../shared/model/flow.ts'
import type { FlowLine, RecordedView, ViewLine } from './recording-format.ts'

/** A view or a flow is written at most this often, in ms of the cluster's clock. */
export const seldomMs = 1000
/** For each node of a cluster that is looked at. */
const seenNodeMs = 100

function recordedView(view: ClusterView): RecordedView {
  const { id, kind, label, server, connection, nodes, isCutOff, seen } = view
  const own = { id, kind, label, server, connection, nodes, isCutOff }
  return seen === null ? own : { ...own, seen: { ...seen, plugin: '', pluginRun: null } }
}

/** Leases of many nodes change all the time: their view is written less often. */
function viewMs(view: RecordedView): number {
  return Math.max(seldomMs, (view.seen?.nodes.length ?? 0) * seenNodeMs)
}

/** Undefined: the kubelet is not this program, so that its parts are not known. */
function recordedFlow(flow: FlowView): FlowContent | undefined {
  const { api, pairs, podManager, pleg, prober, volumes, images, statusManager, syncLoop } = flow
  if (podManager === null || pleg === null || prober === null || volumes === null) return undefined
  if (images === null || pairs === null || statusManager === null || syncLoop === null)
    return undefined
  if (api === null) return undefined
  const { cached, unsent } = statusManager
  const { iterations } = syncLoop
  const statuses = { cached, unsent }
  return { api, podManager, pleg, prober, volumes, images, pairs, statuses, iterations }
}

/** Where they are read. */
interface SeldomSource {
  readonly view: () => ClusterView
  readonly flow: (node: string) => FlowView | undefined
}

/** What tells two flows apart: the counts of a loop that finds nothing to do are no news. */
function contentOf(flow: FlowContent): FlowContent {
  return { ...flow, pleg: { ...flow.pleg, lastRelistAt: null }, iterations: 0 }
}

interface Written {
  readonly at: number
  /** What was written, as JSON. */
  readonly text: string
}

/** The lines of a cluster's view and of the flow in its nodes: only what differs, and not more than once a second. */
export class SeldomLines {
  readonly #changed = new Map<string, ClusterChange>()
  readonly #written = new Map<string, Written>()
  #viewMs = seldomMs

  note(change: ClusterChange): void {
    this.#changed.set(change.kind === 'flow' ? `flow ${change.node}` : change.kind, change)
  }

  /** Whether something waits for its time. */
  get isWaiting(): boolean {
    return this.#changed.size > 0
  }

  due(at: number, source: SeldomSource): readonly (ViewLine | FlowLine)[] {
    const lines: (ViewLine | FlowLine)[] = []
    for (const [what, change] of this.#changed) {
      const leastMs = change.kind === 'flow' ? seldomMs : this.#viewMs
      if (at - (this.#written.get(what)?.at ?? -Infinity) < leastMs) continue
      this.#changed.delete(what)
      const line = lineOf(at, change, source)
      if (line === undefined) continue
      if ('view' in line) this.#viewMs = viewMs(line.view)
      const text = JSON.stringify('flow' in line ? contentOf(line.flow) : line.view)
      if (text === this.#written.get(what)?.text) continue
      this.#written.set(what, { at, text })
      lines.push(line)
    }
    return lines
  }
}

function lineOf(
  at: number,
  change: ClusterChange,
  source: SeldomSource,
): ViewLine | FlowLine | undefined {
  if (change.kind !== 'flow') return { at, view: recordedView(source.view()) }
  const view = source.flow(change.node)
  const flow = view && recordedFlow(view)
  return flow && { at, node: change.node, flow }
}
