import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { FlowArrowView, FlowView } from '../../../shared/model/flow.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { isMirrorPod } from '../../kubelet/pod/identity.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import { FlowRecorder } from '../flow/flow-recorder.ts'
import { inferredFlow } from './inferred-flow.ts'
import type { Renewals } from './lease-renewals.ts'

/** Nodes whose flow is kept, the last ones that a page has shown. */
const maxNodes = 8
const minuteMs = 60_000

interface SeenFlowDeps {
  readonly cluster: string
  readonly trace: ClusterTrace
  readonly podsOf: (node: string) => readonly Pod[]
  /** Undefined: there is no such node. */
  readonly renewals: (node: string) => Renewals | undefined
  readonly now: () => number
}

interface NodeFlow {
  readonly recorder: FlowRecorder
  /** The last state of each worker by UID: another certainty of it is not another move. */
  readonly states: Map<string, string>
}

function take({ recorder, states }: NodeFlow, event: TraceEvent): boolean {
  if (event.kind === 'worker.observed' && event.subject.kind === 'object') {
    const { uid } = event.subject
    if (states.get(uid) === event.data.state) return false
    if (event.data.state === null) states.delete(uid)
    else states.set(uid, event.data.state)
  }
  return recorder.take(event)
}

/** What the trace of a cluster that is only looked at says of what moves in its kubelets. */
export class SeenFlow {
  readonly #deps: SeenFlowDeps
  readonly #nodes = new Map<string, NodeFlow>()

  constructor(deps: SeenFlowDeps) {
    this.#deps = deps
  }

  /** Whether something moves that a page is shown. */
  take(event: TraceEvent): boolean {
    const node = this.#nodes.get(event.node)
    return node !== undefined && take(node, event)
  }

  /** Whether a page has been shown the node's flow. */
  isShown(node: string): boolean {
    return this.#nodes.has(node)
  }

  view(node: string): FlowView | undefined {
    const { cluster, podsOf, renewals: renewalsOf } = this.#deps
    const renewals = renewalsOf(node)
    if (renewals === undefined) return undefined
    const { recorder } = this.#nodes.get(node) ?? this.#begin(node)
    const now = this.#deps.now()
    const pods = podsOf(node)
    return {
      cluster,
      node,
      now,
      arrows: recorder
        .arrows(now)
        .map((view) =>
          view.arrow === 'nodeController-apiServer' ? leaseArrow(view, renewals, now) : view,
        ),
      recent: recorder.recent(),
      roots: null,
      api: { pods: pods.length, mirrors: pods.filter(isMirrorPod).length },
      podConfig: null,
      podManager: null,
      pairs: null,
      mirrorClient: recorder.mirrorCalls(now),
      statusManager: null,
      syncLoop: null,
      pleg: null,
      prober: null,
      volumes: null,
      images: null,
      workers: { forgotten: null },
    }
  }

  /** With all that the trace still has of the node. */
  #begin(name: string): NodeFlow {
    const node: NodeFlow = { recorder: new FlowRecorder(inferredFlow), states: new Map() }
    const known = this.#deps.trace.newest(Number.MAX_SAFE_INTEGER).toReversed()
    for (const event of known) if (event.node === name) take(node, event)
    const [oldest] = this.#nodes.keys()
    if (oldest !== undefined && this.#nodes.size >= maxNodes) this.#nodes.delete(oldest)
    this.#nodes.set(name, node)
    return node
  }
}

function leaseArrow(view: FlowArrowView, { times, count }: Renewals, now: number): FlowArrowView {
  const at = times.at(-1)
  return {
    ...view,
    total: count,
    lastMinute: times.filter((time) => time > now - minuteMs).length,
    last:
      at === undefined
        ? null
        : {
            seq: 0,
            at,
            arrow: view.arrow,
            text: 'PUT',
            podUid: '',
            podName: '',
            certainty: 'certain',
            evidence: 'Lease of the node: renewTime',
          },
  }
}
