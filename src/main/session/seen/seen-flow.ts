import type { Pod } from '../../../shared/kubernetes/objects.ts'
import type { FlowArrowView, FlowView } from '../../../shared/model/flow.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { isMirrorPod } from '../../kubelet/pod/identity.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import { ObservedFlow } from '../flow/observed-flow.ts'
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

/** What the trace of a cluster that is only looked at says of what moves in its kubelets. */
export class SeenFlow {
  readonly #deps: SeenFlowDeps
  readonly #nodes = new Map<string, ObservedFlow>()

  constructor(deps: SeenFlowDeps) {
    this.#deps = deps
  }

  /** Whether something moves that a page is shown. */
  take(event: TraceEvent): boolean {
    return this.#nodes.get(event.node)?.take(event) ?? false
  }

  /** Whether a page has been shown the node's flow. */
  isShown(node: string): boolean {
    return this.#nodes.has(node)
  }

  view(node: string): FlowView | undefined {
    const { cluster, podsOf, renewals: renewalsOf } = this.#deps
    const renewals = renewalsOf(node)
    if (renewals === undefined) return undefined
    const flow = this.#nodes.get(node) ?? this.#begin(node)
    const pods = podsOf(node)
    const api = { pods: pods.length, mirrors: pods.filter(isMirrorPod).length }
    return withRenewals(flow.view({ cluster, node, now: this.#deps.now(), api }), renewals)
  }

  /** With all that the trace still has of the node. */
  #begin(node: string): ObservedFlow {
    const flow = new ObservedFlow(inferredFlow)
    const known = this.#deps.trace.newest(Number.MAX_SAFE_INTEGER).toReversed()
    for (const event of known) if (event.node === node) flow.take(event)
    const [oldest] = this.#nodes.keys()
    if (oldest !== undefined && this.#nodes.size >= maxNodes) this.#nodes.delete(oldest)
    this.#nodes.set(node, flow)
    return flow
  }
}

/** A view with the renewals of the node's lease, of which a trace has no events. Pure. */
export function withRenewals(view: FlowView, renewals: Renewals): FlowView {
  return {
    ...view,
    arrows: view.arrows.map((arrow) =>
      arrow.arrow === 'nodeController-apiServer' ? leaseArrow(arrow, renewals, view.now) : arrow,
    ),
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
