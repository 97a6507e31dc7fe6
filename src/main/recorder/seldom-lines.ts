import type { ClusterChange } from '../../shared/model/cluster-change.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { FlowContent, FlowView } from '../../shared/model/flow.ts'
import type { InspectRow, InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { FlowLine, InspectLine, RecordedView, ViewLine } from './recording-format.ts'
import { hiddenValues, redactedInspection } from './redaction.ts'

/** A view, a flow or an inspection is written at most this often, in ms of the cluster's clock. */
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
  readonly inspection: (node: string) => InspectView | undefined
  readonly pod: (node: string, uid: string) => Pod | undefined
}

/** What tells two flows apart: the counts of a loop that finds nothing to do are no news. */
function contentOf(flow: FlowContent): FlowContent {
  return { ...flow, pleg: { ...flow.pleg, lastRelistAt: null }, iterations: 0 }
}

/** What tells two lines apart, as JSON: the time of an inspection without news is no news. */
function textOf(line: SeldomLine): string {
  if ('view' in line) return JSON.stringify(line.view)
  if ('flow' in line) return JSON.stringify(contentOf(line.flow))
  return JSON.stringify(line.inspect && { ...line.inspect, at: 0, apiReadAt: 0 })
}

type SeldomLine = ViewLine | FlowLine | InspectLine

interface Written {
  readonly at: number
  /** What was written, as JSON. */
  readonly text: string
}

/** The lines of a cluster's view, and of the flow and the inspection of its nodes: only what differs, and not more than once a second. */
export class SeldomLines {
  readonly #changed = new Map<string, ClusterChange>()
  readonly #written = new Map<string, Written>()
  /** Of pods that were inspected, also after the API has lost them, by UID. */
  readonly #hidden = new Map<string, readonly string[]>()
  #viewMs = seldomMs

  note(change: ClusterChange): void {
    this.#changed.set('node' in change ? `${change.kind} ${change.node}` : change.kind, change)
  }

  /** Whether something waits for its time. */
  get isWaiting(): boolean {
    return this.#changed.size > 0
  }

  due(at: number, source: SeldomSource): readonly SeldomLine[] {
    const lines: SeldomLine[] = []
    for (const [what, change] of this.#changed) {
      const leastMs = 'node' in change ? seldomMs : this.#viewMs
      if (at - (this.#written.get(what)?.at ?? -Infinity) < leastMs) continue
      this.#changed.delete(what)
      const line = this.#lineOf(at, change, source)
      if (line === undefined) continue
      if ('view' in line) this.#viewMs = viewMs(line.view)
      const text = textOf(line)
      // A node that is not inspected has no line before it was.
      if (text === (this.#written.get(what)?.text ?? 'null')) continue
      this.#written.set(what, { at, text })
      lines.push(line)
    }
    return lines
  }

  #lineOf(at: number, change: ClusterChange, source: SeldomSource): SeldomLine | undefined {
    if (!('node' in change)) return { at, view: recordedView(source.view()) }
    const { node } = change
    if (change.kind === 'flow') {
      const view = source.flow(node)
      const flow = view && recordedFlow(view)
      return flow && { at, node, flow }
    }
    const view = source.inspection(node)
    if (view === undefined) return { at, node, inspect: null }
    const hiddenOf = ({ uid, apiUid }: InspectRow): readonly string[] => {
      const pod = source.pod(node, apiUid ?? uid)
      if (pod !== undefined) this.#hidden.set(uid, hiddenValues(pod))
      return this.#hidden.get(uid) ?? []
    }
    return { at, node, inspect: redactedInspection(view, hiddenOf) }
  }
}
