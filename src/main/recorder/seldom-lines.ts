import type { ClusterChange } from '../../shared/model/cluster-change.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { FlowContent, FlowView } from '../../shared/model/flow.ts'
import type { InspectRow, InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { WorkloadsView } from '../../shared/model/workloads/workloads.ts'
import type {
  FlowLine,
  InspectLine,
  RecordedView,
  ViewLine,
  WorkloadsLine,
} from './recording-format.ts'
import { hiddenValues, redactedInspection, redactedWorkloads } from './redaction.ts'

/** What is no event and no row is written at most this often, in ms of the cluster's clock. */
export const seldomMs = 1000
/** Large ones less often: for each node of a cluster that is looked at, each pod of an inspected node, each owner. */
const eachMs = { node: 100, pod: 20, owner: 10 } as const

function recordedView(view: ClusterView): RecordedView {
  const { id, kind, label, server, connection, nodes, isCutOff, seen } = view
  const own = { id, kind, label, server, connection, nodes, isCutOff }
  return seen === null ? own : { ...own, seen: { ...seen, plugin: '', pluginRun: null } }
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
  readonly workloads: () => WorkloadsView | undefined
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
  if ('workloads' in line) return JSON.stringify(line.workloads)
  return JSON.stringify(line.inspect && { ...line.inspect, at: 0, apiReadAt: 0 })
}

type SeldomLine = ViewLine | FlowLine | InspectLine | WorkloadsLine

/** The time until the next line of the same, at least. */
function leastMs(line: SeldomLine): number {
  if ('view' in line) return Math.max(seldomMs, (line.view.seen?.nodes.length ?? 0) * eachMs.node)
  if ('inspect' in line) return Math.max(seldomMs, (line.inspect?.rows.length ?? 0) * eachMs.pod)
  return 'workloads' in line
    ? Math.max(seldomMs, (line.workloads?.owners.length ?? 0) * eachMs.owner)
    : seldomMs
}

interface Written {
  /** When the next line may follow. */
  readonly nextAt: number
  /** What was written, as JSON. */
  readonly text: string
}

/** The lines of a cluster's view, of the flow and the inspection of its nodes, and of its owners: only what differs, and seldom. */
export class SeldomLines {
  readonly #changed = new Map<string, ClusterChange>()
  readonly #written = new Map<string, Written>()
  /** Of pods that were inspected, also after the API has lost them, by UID. */
  readonly #hidden = new Map<string, readonly string[]>()

  note(change: ClusterChange): void {
    this.#changed.set('node' in change ? `${change.kind} ${change.node}` : change.kind, change)
  }

  /** Whether something waits for its time. */
  get isWaiting(): boolean {
    return this.#changed.size > 0
  }

  /** Writes what is due, at the end all; what `push` does not take stays noted. */
  write(
    at: number,
    source: SeldomSource,
    push: (line: SeldomLine) => boolean,
    isEnd = false,
  ): void {
    for (const [what, change] of this.#changed) {
      const written = this.#written.get(what)
      if (!isEnd && at < (written?.nextAt ?? -Infinity)) continue
      const line = this.#lineOf(at, change, source)
      const text = line && textOf(line)
      // What no page looks at has no line before one did.
      const isNews = text !== undefined && text !== (written?.text ?? 'null')
      if (line !== undefined && isNews) {
        if (!push(line)) continue
        this.#written.set(what, { nextAt: at + leastMs(line), text })
      }
      this.#changed.delete(what)
    }
  }

  #lineOf(at: number, change: ClusterChange, source: SeldomSource): SeldomLine | undefined {
    if (change.kind === 'workloads') {
      const view = source.workloads()
      return { at, workloads: view === undefined ? null : redactedWorkloads(view) }
    }
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
