import type { ClusterChange } from '../../../shared/model/cluster-change.ts'
import type { LoopView } from '../../../shared/model/cluster-view.ts'
import type { FlowContent, FlowView } from '../../../shared/model/flow.ts'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import type { SeenNode } from '../../../shared/model/seen-cluster.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import type { WorkloadsView } from '../../../shared/model/workloads/workloads.ts'
import type { Clock } from '../../kubelet/ports.ts'
import { ClusterTrace } from '../../kubelet/trace.ts'
import type { TimedLine } from '../../recorder/read-recording.ts'
import type { RecordedDetail, RecordedView, RowsLine } from '../../recorder/recording-format.ts'
import { loopEntriesShown } from '../cluster/cluster-session.ts'
import { FlowRecorder } from '../flow/flow-recorder.ts'
import { flowView } from '../flow/flow-view.ts'
import { FlowRoots } from '../flow/flow-roots.ts'
import { LoopRecorder } from '../flow/loop-entries.ts'
import { ObservedFlow } from '../flow/observed-flow.ts'
import { MirrorHistory } from '../rows/mirror-history.ts'
import { inferredFlow } from '../seen/inferred-flow.ts'
import { withRenewals } from '../seen/seen-flow.ts'

interface NodeParts {
  readonly flow: FlowRecorder
  readonly loop: LoopRecorder
  readonly mirrors: MirrorHistory
  content: FlowContent
}

/** Of a recording of schema 1. */
const noContent: FlowContent = {
  api: { pods: 0, mirrors: 0 },
  podManager: { pods: 0, mirrors: 0, uidLinks: 0, orphans: 0 },
  pairs: { paired: 0, unpaired: 0 },
  statuses: { cached: 0, unsent: 0 },
  iterations: 0,
  pleg: { relistPeriodMs: 1000, lastRelistAt: null },
  prober: { workers: 0, failing: 0, lines: [] },
  volumes: { mounted: 0, waiting: 0, configMaps: 0, secrets: 0, lines: [], objects: [] },
  images: { pulling: [], present: 0, unused: 0, lines: [] },
}

/** A recorded cluster at one moment: what the lines so far say. */
export class ReplayState {
  readonly trace: ClusterTrace
  readonly rows = new Map<PodKey, PodRow>()
  readonly details = new Map<PodKey, RecordedDetail>()
  readonly #cluster: string
  readonly #roots = new FlowRoots()
  readonly #nodes: ReadonlyMap<string, NodeParts>
  /** Of nodes whose kubelets were not the recording program. */
  readonly #observed = new Map<string, ObservedFlow>()
  readonly inspections = new Map<string, InspectView | null>()
  view: RecordedView | undefined
  workloads: WorkloadsView | null = null

  constructor(cluster: string, nodes: readonly string[], clock: Pick<Clock, 'now' | 'after'>) {
    this.#cluster = cluster
    this.trace = new ClusterTrace({
      cluster,
      clock,
      onError: (error) => {
        throw error
      },
    })
    this.#nodes = new Map(
      nodes.map((name) => [
        name,
        {
          flow: new FlowRecorder(),
          loop: new LoopRecorder(loopEntriesShown),
          mirrors: new MirrorHistory(),
          content: noContent,
        },
      ]),
    )
  }

  /** Takes the next line; returns what it changes. */
  take(line: TimedLine): readonly ClusterChange[] {
    if ('event' in line) return this.#takeEvent(line.event)
    if ('rows' in line) return this.#takeRows(line)
    if ('view' in line) {
      this.view = line.view
      return [{ kind: 'view' }, ...this.#flowChanges(line.view.seen?.nodes ?? [])]
    }
    if ('inspect' in line) {
      this.inspections.set(line.node, line.inspect)
      return [{ kind: 'inspect', node: line.node }]
    }
    if ('workloads' in line) {
      this.workloads = line.workloads
      return [{ kind: 'workloads' }]
    }
    const node = this.#nodes.get(line.node)
    if (node !== undefined) node.content = line.flow
    return [{ kind: 'flow', node: line.node }]
  }

  loops(): readonly LoopView[] {
    return [...this.#nodes].map(([node, { loop, content }]) => ({
      node,
      iterations: content.iterations,
      recent: loop.recent,
    }))
  }

  mirrors(node: string): MirrorHistory | undefined {
    return this.#nodes.get(node)?.mirrors
  }

  flow(node: string, now: number): FlowView | undefined {
    const parts = this.#nodes.get(node)
    if (parts === undefined) return this.#seenFlow(node, now)
    const { flow: recorder, loop, content } = parts
    return flowView({
      cluster: this.#cluster,
      node,
      content,
      recorder,
      roots: this.#roots.of(node),
      lastLoopEntry: loop.recent[0],
      now,
    })
  }

  #takeEvent(event: TraceEvent): readonly ClusterChange[] {
    this.trace.replay(event)
    this.#roots.take(event)
    const parts = this.#nodes.get(event.node)
    if (parts === undefined) {
      const observed = event.node === '' ? undefined : this.#observe(event.node)
      return observed?.take(event) === true ? this.#flowChanges([{ name: event.node }]) : []
    }
    parts.mirrors.take(event)
    const changes: ClusterChange[] = []
    if (parts.flow.take(event)) changes.push({ kind: 'flow', node: event.node })
    if (parts.loop.record(event)) changes.push({ kind: 'view' })
    return changes
  }

  #seenFlow(node: string, now: number): FlowView | undefined {
    const seen = this.view?.seen?.nodes.find(({ name }) => name === node)
    if (seen === undefined) return undefined
    const pods = [...this.rows.values()].filter((row) => row.node === node)
    const mirrors = pods.filter(({ kind }) => kind !== 'regular').length
    const frame = { cluster: this.#cluster, node, now, api: { pods: pods.length, mirrors } }
    const { renewals: times = [], count = times.length }: Partial<NonNullable<SeenNode['lease']>> =
      seen.lease ?? {}
    return withRenewals(this.#observe(node).view(frame), { times, count })
  }

  #observe(node: string): ObservedFlow {
    const known = this.#observed.get(node)
    if (known !== undefined) return known
    const flow = new ObservedFlow(inferredFlow)
    this.#observed.set(node, flow)
    return flow
  }

  #flowChanges(nodes: readonly Pick<SeenNode, 'name'>[]): readonly ClusterChange[] {
    return nodes.map(({ name }) => ({ kind: 'flow', node: name }))
  }

  #takeRows({ whole, rows, removed, details = [] }: RowsLine): readonly ClusterChange[] {
    const gone = whole ? [...this.rows.keys()] : removed
    for (const key of gone) {
      this.rows.delete(key)
      this.details.delete(key)
    }
    for (const row of rows) this.rows.set(row.key, row)
    for (const detail of details) this.details.set(detail.key, detail)
    const keys = new Set([...gone, ...rows.map(({ key }) => key)])
    return [...keys].map((key) => ({ kind: 'row', key }))
  }
}
