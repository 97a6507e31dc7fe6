import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import { laneOfEvents } from '../../../shared/model/timeline/lane-of-events.ts'
import type {
  TimelineLane,
  TimelineNodeMark,
  TimelineQuery,
  TimelineView,
} from '../../../shared/model/timeline/timeline.ts'
import type { TraceEvent, TraceKind, TraceSubject } from '../../../shared/model/trace-event.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'

/** Each lane reads a pod's history: those with the newest events are drawn, and a filter finds the others. */
const maxLanes = 300
const allEvents = Number.MAX_SAFE_INTEGER
const nodeEvents = 200

const nodeMarks: Partial<Record<TraceKind, TimelineNodeMark['kind']>> = {
  'agent.started': 'start',
  'agent.stopped': 'gap',
  'node.statusFailed': 'stall',
  'lease.failed': 'stall',
}

interface TimelineParts {
  readonly cluster: string
  readonly trace: ClusterTrace
  readonly row: (key: PodKey) => PodRow | undefined
  readonly now: number
  readonly nodes: readonly string[]
}

/** One pod with the histories that the trace has of it: the kubelet's, and that of its API object. */
interface TracedPod {
  readonly key: PodKey
  readonly node: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly lastAt: number
  readonly histories: readonly { readonly node: string; readonly subject: TraceSubject }[]
}

/** Those of the kubelets first; an API object without one, by the node that its row or its last event names. */
function tracedPods({ cluster, trace }: TimelineParts): TracedPod[] {
  const byUid = new Map<string, TracedPod>()
  for (const { node, subject, lastAt } of trace.subjects('pod'))
    if (subject.kind === 'pod') {
      const { uid, namespace, name } = subject
      const key = `${cluster}/${node}/${uid}`
      byUid.set(uid, { key, node, namespace, name, uid, lastAt, histories: [{ node, subject }] })
    }
  for (const { subject, lastAt } of trace.subjects('object')) {
    if (subject.kind !== 'object') continue
    const { uid, namespace, name } = subject
    const known = byUid.get(uid)
    const own = { node: '', subject }
    if (known !== undefined) {
      const histories = [...known.histories, own]
      byUid.set(uid, { ...known, histories, lastAt: Math.max(lastAt, known.lastAt) })
      continue
    }
    const node = trace.about('', subject, 1)[0]?.node ?? ''
    const key = `${cluster}/${node}/${uid}`
    byUid.set(uid, { key, node, namespace, name, uid, lastAt, histories: [own] })
  }
  return [...byUid.values()]
}

function eventsOf(trace: ClusterTrace, { histories }: TracedPod): readonly TraceEvent[] {
  const lists = histories.map(({ node, subject }) => trace.about(node, subject, allEvents))
  return lists.flat().toSorted((one, other) => one.seq - other.seq)
}

function sourceOf(events: readonly TraceEvent[], row: PodRow | undefined): TimelineLane['source'] {
  if (row !== undefined) return row.source
  for (const event of events) if (event.kind === 'config.merged') return event.data.source
  return 'api'
}

function nodeMarksOf({ trace, nodes }: TimelineParts): readonly TimelineNodeMark[] {
  return nodes.flatMap((node) =>
    trace.about(node, { kind: 'node' }, nodeEvents).flatMap((event) => {
      const kind = nodeMarks[event.kind]
      return kind === undefined ? [] : [{ kind, at: event.at, line: event.seq, text: event.kind }]
    }),
  )
}

function matches(words: readonly string[], { namespace, name, uid }: TracedPod): boolean {
  const whole = `${namespace}/${name} ${uid}`.toLowerCase()
  return words.every((word) => whole.includes(word))
}

/** The pod workers of a trace over time: all that it still has of the pods with the newest events. */
export function traceTimeline(parts: TimelineParts, query: TimelineQuery): TimelineView {
  const { trace, row, now } = parts
  const words = query.filter.toLowerCase().split(/\s+/).filter(Boolean)
  const pods = tracedPods(parts).filter(
    (pod) => (query.node === null || pod.node === query.node) && matches(words, pod),
  )
  const from = query.from ?? Number.NEGATIVE_INFINITY
  const to = query.to ?? now
  const first = trace.newest(allEvents).at(-1)?.at ?? now
  const stepMs = query.width > 0 ? (to - (query.from ?? first)) / query.width : 0
  const chosen = pods.toSorted((a, b) => b.lastAt - a.lastAt).slice(0, maxLanes)
  const lanes = chosen.flatMap((pod) => {
    const events = eventsOf(trace, pod)
    const { key: id, namespace, name, uid } = pod
    const source = sourceOf(events, row(id))
    const lane = laneOfEvents(events, { id, namespace, name, uid, source, now, from, to, stepMs })
    // A mirror has no worker: its events are in the history of its static pod.
    const isShown = lane !== undefined && (lane.segments.length > 0 || row(id) !== undefined)
    return isShown ? [lane] : []
  })
  return {
    from: Math.min(first, ...lanes.map(({ segments }) => segments[0]?.from ?? now)),
    to: now,
    podCount: lanes.length + pods.length - chosen.length,
    records: 'event',
    pods: lanes,
    nodeMarks: nodeMarksOf({ ...parts, nodes: query.node === null ? parts.nodes : [query.node] }),
    marksLeftOut: 0,
  }
}
