import type { Container, ContainerStatus, Pod } from '../../../shared/kubernetes/objects.ts'
import type { ClusterChange } from '../../../shared/model/cluster-change.ts'
import type { ClusterView } from '../../../shared/model/cluster-view.ts'
import type { FlowView } from '../../../shared/model/flow.ts'
import type { PodDetail } from '../../../shared/model/pod-detail.ts'
import type { PodEventList } from '../../../shared/model/pod-objects.ts'
import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import {
  becauseOfLines,
  eventsOfLane,
  stateWords,
} from '../../../shared/model/timeline/events-of-lane.ts'
import type {
  ClusterEventList,
  ClusterEventQuery,
} from '../../../shared/model/timeline/cluster-events.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import type {
  TimelineLane,
  TimelineQuery,
  TimelineView,
} from '../../../shared/model/timeline/timeline.ts'
import type { KubeletLog } from '../../inspector/kubelet-log/kubelet-log.ts'
import type { LoggedPod } from '../../inspector/kubelet-log/log-view.ts'
import { configSourceAnnotation } from '../../kubelet/pod/identity.ts'
import { traceShown } from '../cluster/cluster-session.ts'
import type { OpenCluster } from '../cluster/open-cluster.ts'
import { systemClockCommands } from '../cluster/clock-commands.ts'
import { tracedEvents } from '../rows/cluster-events.ts'
import { podDetail } from '../rows/pod-detail.ts'
import { recordedEvents } from '../rows/pod-events.ts'
import type { PodKnowledge } from '../rows/pod-knowledge.ts'
import { podRow } from '../rows/pod-row.ts'
import { pastCluster } from '../trace/past-cluster.ts'
import type { TraceSource } from '../trace/trace-source.ts'
import { unknownNode } from '../../../shared/model/node/unknown-node.ts'
import { LogFlow } from './log-flow.ts'
import { eventsOfEntry, recordedEvent } from './log-trace.ts'

/** The node of a log in keys: its name becomes known while the log is read. */
const nodeName = 'kubelet'

/** The lowest -v with events. */
const eventsLevel = 3
const eventsKept = 20_000
const newestEvents = `Only the newest ${eventsKept} events of the log are kept.`

const logIsPast = 'This is the log of a kubelet: what it tells of cannot be changed.'
const notInLog = 'The log of a kubelet has no objects of the API.'

function timeText(at: number): string {
  return new Date(at).toISOString()
}

/** A pod as far as a log tells of it. Its containers are those of its status. */
function podOf({
  uid,
  namespace,
  name,
  source,
  status,
  createdAt,
  isDeleted,
  lastAt,
}: LoggedPod): Pod {
  const annotations =
    source === 'unknown' || source === 'api' ? {} : { [configSourceAnnotation]: source }
  const named = (statuses: readonly ContainerStatus[] = []): readonly Container[] =>
    statuses.map((each) => ({ name: each.name }))
  return {
    metadata: {
      uid: uid ?? '',
      namespace,
      name,
      annotations,
      ...(createdAt === null ? {} : { creationTimestamp: timeText(createdAt) }),
      // Not when, but that it is to be deleted.
      ...(isDeleted ? { deletionTimestamp: timeText(lastAt) } : {}),
    },
    spec: {
      containers: named(status?.containerStatuses),
      ...(status?.initContainerStatuses === undefined
        ? {}
        : { initContainers: named(status.initContainerStatuses) }),
      nodeName,
    },
    ...(status === null ? {} : { status }),
  }
}

/** The log of one kubelet as pages see a cluster: its pods as they were at its end, and all that happened before. */
export class LogSession implements TraceSource {
  readonly #log: KubeletLog
  readonly id: string
  readonly #listeners = new Set<(change: ClusterChange) => void>()
  readonly #flow = new LogFlow()
  /** Oldest first. */
  #events: TraceEvent[] = []
  #lanes: ReadonlyMap<PodKey, LoggedPod> = new Map()

  /** Create it before the log is read. */
  constructor(log: KubeletLog) {
    this.#log = log
    this.id = log.facts().id
    const frame = { cluster: this.id, node: nodeName }
    log.onEntry((entry, lanes) => {
      for (const each of lanes)
        for (const event of eventsOfEntry(entry, each, frame)) this.#flow.take(event)
      const event = recordedEvent(entry, lanes[0]?.lane, frame)
      if (event !== undefined) this.#record(event)
    })
  }

  /** More of the log was read. */
  refresh(): void {
    const before = this.#lanes
    this.#lanes = this.#newLanes()
    const isSame = (one: TimelineLane, other: TimelineLane | undefined): boolean =>
      one.lastLine === other?.lastLine && one.uid === other.uid && one.state === other.state
    for (const [key, lane] of this.#lanes)
      if (!isSame(lane, before.get(key))) this.#emit({ kind: 'row', key })
    for (const key of before.keys()) if (!this.#lanes.has(key)) this.#emit({ kind: 'row', key })
    this.touchView()
  }

  readonly touchView = (): void => {
    this.#emit({ kind: 'view' })
    this.#emit({ kind: 'flow', node: nodeName })
  }

  readonly isPaused = false

  /** The end of the log. */
  readonly now = (): number => this.#log.facts().to

  readonly onChange = (listener: (change: ClusterChange) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly rows = (): readonly PodRow[] =>
    [...this.#lanes.values()].map((lane) => this.#rowOf(lane))

  readonly row = (key: PodKey): PodRow | undefined => {
    const lane = this.#lanes.get(key)
    return lane === undefined ? undefined : this.#rowOf(lane)
  }

  readonly detail = (key: PodKey): PodDetail | undefined => {
    const row = this.row(key)
    const lane = this.#log.pod(this.#laneId(key))
    if (row === undefined || lane === undefined) return undefined
    const trace = eventsOfLane(lane, { cluster: this.id, node: nodeName }).slice(0, traceShown)
    const detail = podDetail(this.#knowledge(lane), {
      trace,
      holder: undefined,
      areSourcesReady: true,
      isSimulated: false,
      kubelet: 'running',
      apiServerReachable: true,
      runtime: 'answers',
      readOnly: logIsPast,
      seenIn: '',
      now: this.now(),
      budgets: undefined,
    })
    // Explanations need the objects of the API.
    return { ...detail, row, why: null }
  }

  readonly flow = (node: string): FlowView | undefined => {
    if (node !== nodeName) return undefined
    const level = this.#log.facts().verbosity?.level ?? 0
    return this.#flow.view({ cluster: this.id, node, now: this.now() }, level)
  }

  readonly timeline = ({ from, to, width, filter }: TimelineQuery): TimelineView => {
    const range = from === null || to === null ? null : { from, to, width }
    const { pods, nodeMarks, marksLeftOut, records, podCount, ...facts } = this.#log.view(
      range,
      width,
    )
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
    const matches = ({ namespace, name, uid }: TimelineLane): boolean =>
      words.every((word) => `${namespace}/${name} ${uid ?? ''}`.toLowerCase().includes(word))
    return {
      from: facts.from,
      to: facts.to,
      podCount,
      records,
      pods: pods.filter(matches).map((lane) => ({ ...lane, id: this.#key(lane) })),
      nodeMarks,
      marksLeftOut,
    }
  }

  /** The kubelet's events of all objects, without the node that they come from. */
  readonly events = (query: ClusterEventQuery): ClusterEventList => {
    const list = tracedEvents(this.#events.slice(-eventsKept), query, this.#eventsNote())
    return { ...list, events: list.events.map((event) => ({ ...event, node: '' })) }
  }

  /** Those of one pod. */
  readonly podEvents = (key: PodKey): PodEventList => {
    const lane = this.#lanes.get(key)
    const own = this.#events.filter(
      ({ subject }) =>
        subject.kind === 'pod' &&
        subject.name === lane?.name &&
        subject.namespace === lane.namespace &&
        (subject.uid === '' || subject.uid === lane.uid),
    )
    return recordedEvents(own, this.#eventsNote())
  }

  readonly translate = (): undefined => undefined
  readonly mirrorHistory = (): readonly never[] => []
  readonly probes = (key: PodKey): readonly never[] | null => (this.#lanes.has(key) ? [] : null)

  readonly view = (): ClusterView => {
    const { name, node, to } = this.#log.facts()
    return {
      id: this.id,
      kind: 'log',
      label: node === '' ? name : `${node}, ${name}`,
      server: '',
      connection: { kind: 'connected' },
      clock: { now: to, virtual: false, paused: true, speed: 1, achieved: null },
      nodes: [unknownNode(nodeName)],
      loops: [],
      exportLine: '',
      manifestsPath: '',
      isPageJoined: false,
      isCutOff: null,
      scenario: null,
      seen: null,
      recording: null,
      recorder: null,
    }
  }

  #record(event: TraceEvent): void {
    this.#flow.take(event)
    this.#events.push(event)
    if (this.#events.length >= 2 * eventsKept) this.#events = this.#events.slice(-eventsKept)
  }

  #eventsNote(): string {
    const level = this.#log.facts().verbosity?.level ?? 0
    if (level < eventsLevel)
      return `A kubelet logs its events from -v=${eventsLevel} on; this log is at -v=${level}.`
    return this.#events.length > eventsKept ? newestEvents : ''
  }

  #key({ id }: Pick<TimelineLane, 'id'>): PodKey {
    return `${this.id}/${nodeName}/${id}`
  }

  #laneId(key: PodKey): string {
    return key.slice(key.lastIndexOf('/') + 1)
  }

  #newLanes(): Map<PodKey, LoggedPod> {
    return new Map(this.#log.pods().map((lane) => [this.#key(lane), lane]))
  }

  #knowledge(lane: LoggedPod): PodKnowledge {
    const last = lane.segments.at(-1)
    const because = last === undefined ? '' : becauseOfLines(last)
    return {
      cluster: this.id,
      node: nodeName,
      pod: podOf(lane),
      api: lane.source === 'api' && lane.isRemoved ? null : undefined,
      noKubelet: notInLog,
      inferred: { worker: stateWords[lane.state], because, why: null },
      runningContainers: 0,
      isListed: true,
      isServerAway: false,
      notSimulated: [],
    }
  }

  /** The mirror is in the API, of which a log knows nothing. */
  #rowOf(lane: LoggedPod): PodRow {
    return {
      ...podRow(this.#knowledge(lane), this.now()),
      key: this.#key(lane),
      ...(lane.status === null ? { isStatusUnknown: true, status: '', tone: 'plain' } : {}),
      mirror: null,
      mirrorReason: '',
    }
  }

  #emit(change: ClusterChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}

/** The cluster that an open log is shown as. */
export function logCluster(source: LogSession): OpenCluster {
  return pastCluster({
    source,
    refusal: logIsPast,
    notKept: notInLog,
    clock: systemClockCommands,
    events: source.events,
    podEvents: source.podEvents,
    related: () => null,
    facts: [],
    stop: () => Promise.resolve(),
  })
}
