import type { ClusterChange } from '../../../shared/model/cluster-change.ts'
import type { ClusterView, NodeView } from '../../../shared/model/cluster-view.ts'
import type { FlowView } from '../../../shared/model/flow.ts'
import type { PodDetail, UidTranslation } from '../../../shared/model/pod-detail.ts'
import type { InspectView } from '../../../shared/model/inspect/inspect-view.ts'
import type { MirrorHistoryEntry } from '../../../shared/model/pod-objects.ts'
import type { PodKey, PodRow } from '../../../shared/model/pod-row.ts'
import type { WorkloadsView } from '../../../shared/model/workloads/workloads.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import { recordingIsPast } from '../../../shared/model/forecast/read-only.ts'
import { noFaults } from '../../../shared/model/node/node-faults.ts'
import type { ClockHost } from '../../clock/virtual-clock.ts'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import type { ClusterTrace } from '../../kubelet/trace.ts'
import type { Recording, TimedLine } from '../../recorder/read-recording.ts'
import { clockView } from '../cluster/clock-commands.ts'
import { traceShown } from '../cluster/cluster-session.ts'
import { unknownNode } from '../../../shared/model/node/unknown-node.ts'
import type { TraceSource } from '../trace/trace-source.ts'
import { traceTimeline } from '../trace/trace-timeline.ts'
import type { TimelineQuery, TimelineView } from '../../../shared/model/timeline/timeline.ts'
import type { Watched } from '../page-watch.ts'
import { neverInspected, noInspection, notInspectedNow, pastInspection } from './past-inspection.ts'
import { pastWorkloads } from './past-workloads.ts'
import { ReplayState } from './replay-state.ts'

interface RecordedSessionDeps {
  readonly id: string
  /** Name of the file. */
  readonly file: string
  readonly recording: Recording
  /** Whether a page has opened it; default: false. */
  readonly isPageOpened?: boolean
  readonly host: ClockHost
}

function timeOf(line: TimedLine): number {
  return 'event' in line ? (line.at ?? line.event.at) : line.at
}

const fixed = { kind: 'readOnly', isFixed: true } as const

/** What older versions do not record of a row. */
const unrecorded = { labels: {}, fields: {} }

/** Versions differ in what they record of a node, and a page needs every field. */
function wholeNode(node: NodeView): NodeView {
  return { ...unknownNode(node.name), ...node, faults: { ...noFaults, ...node.faults } }
}

/** A recorded cluster at the time of its clock, which can go to any moment of the recording. */
export class RecordedSession implements TraceSource {
  readonly #deps: RecordedSessionDeps
  readonly id: string
  readonly from: number
  readonly to: number
  #clock: VirtualClock
  #state: ReplayState
  /** Of the lines, the first that has not been taken. */
  #next = 0
  readonly #listeners = new Set<(change: ClusterChange) => void>()
  /** Nodes that the recording has inspections of. */
  readonly #inspected: ReadonlySet<string>
  readonly #hasWorkloads: boolean
  readonly #traceListeners = new Set<(event: TraceEvent) => void>()

  constructor(deps: RecordedSessionDeps) {
    const { recording } = deps
    this.#deps = deps
    this.id = deps.id
    this.#inspected = new Set(
      recording.lines.flatMap((line) => ('inspect' in line ? [line.node] : [])),
    )
    this.#hasWorkloads = recording.lines.some((line) => 'workloads' in line && line.workloads)
    // Its first view and rows come a moment after the start, when the file is open.
    this.from = Math.max(recording.header.clock.startAt, recording.rows[0]?.at ?? 0)
    const last = recording.lines.at(-1)
    this.to = Math.max(this.from, recording.end?.at ?? 0, last === undefined ? 0 : timeOf(last))
    this.#clock = new VirtualClock(deps.host, { startAt: this.from })
    this.#state = this.#newState()
    this.#takeUntil(this.from)
    this.#schedule()
  }

  get clock(): VirtualClock {
    return this.#clock
  }

  get trace(): ClusterTrace {
    return this.#state.trace
  }

  /** As the trace of every moment: seeking does not end it. */
  listen(listener: (event: TraceEvent) => void): () => void {
    this.#traceListeners.add(listener)
    return () => {
      this.#traceListeners.delete(listener)
    }
  }

  /** Goes to a moment and stays there. */
  seek(at: number): void {
    const time = Math.min(this.to, Math.max(this.from, at))
    const isBack = time < this.#clock.present
    const { speed } = this.#clock
    this.#clock.pause()
    const before = [...this.#state.rows.keys()]
    this.#clock = new VirtualClock(this.#deps.host, { startAt: time })
    this.#clock.setSpeed(speed)
    if (isBack) {
      this.#state = this.#newState()
      this.#next = 0
    }
    this.#takeUntil(time)
    this.#schedule()
    for (const key of new Set([...before, ...this.#state.rows.keys()]))
      this.#emit({ kind: 'row', key })
    this.touchView()
  }

  touchView(): void {
    this.#emit({ kind: 'view' })
    const seen = this.#state.view?.seen?.nodes.map(({ name }) => name) ?? []
    for (const node of [...this.#deps.recording.header.nodes, ...seen])
      this.#emit({ kind: 'flow', node })
    for (const node of this.#inspected) this.#emit({ kind: 'inspect', node })
    this.#emit({ kind: 'workloads' })
  }

  readonly now = (): number => this.#clock.present

  get isPaused(): boolean {
    return this.#clock.isPaused
  }

  readonly onChange = (listener: (change: ClusterChange) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly rows = (): readonly PodRow[] => [...this.#state.rows.values()].map(this.#own)

  readonly row = (key: PodKey): PodRow | undefined => {
    const row = this.#state.rows.get(this.#recordedKey(key))
    return row === undefined ? undefined : this.#own(row)
  }

  readonly view = (): ClusterView => {
    const { recording, file } = this.#deps
    const { header, end, dropped } = recording
    const recorded = this.#state.view
    return {
      id: this.id,
      kind: 'recording',
      label: file,
      server: recorded?.server ?? header.server,
      connection: recorded?.connection ?? { kind: 'connected' },
      clock: clockView(this.#clock),
      nodes: recorded?.nodes.map(wholeNode) ?? header.nodes.map(unknownNode),
      loops: this.#state.loops(),
      exportLine: '',
      manifestsPath: '',
      isPageJoined: false,
      isCutOff: recorded?.isCutOff ?? null,
      scenario: null,
      seen: recorded?.seen === undefined ? null : { ...recorded.seen, changes: fixed },
      recorder: null,
      recording: {
        file,
        version: header.version,
        schema: header.schema,
        recordedAt: header.startedAt,
        from: this.from,
        to: this.to,
        dropped,
        isComplete: end !== null,
        isPageOpened: this.#deps.isPageOpened ?? false,
      },
    }
  }

  readonly detail = (key: PodKey): PodDetail | undefined => {
    const row = this.row(key)
    const recorded = this.#state.details.get(this.#recordedKey(key))
    if (row === undefined || recorded === undefined) return undefined
    const { key: _, ...detail } = recorded
    return {
      ...detail,
      row,
      facts: { ...detail.facts, readOnly: recordingIsPast, seenIn: '' },
      trace: this.#historyOf(row),
    }
  }

  /** Of the pod in its kubelet, else of its object, as of a cluster that was looked at. */
  #historyOf(row: PodRow): readonly TraceEvent[] {
    const { trace } = this.#state
    const subject = podSubject(row)
    const own = trace.about(row.node, subject, traceShown)
    if (own.length > 0) return own
    return trace.about('', { ...subject, kind: 'object', resource: 'pods' }, traceShown)
  }

  readonly flow = (node: string): FlowView | undefined => {
    const flow = this.#state.flow(node, this.now())
    return flow && { ...flow, cluster: this.id }
  }

  /** Of a node at this moment; undefined: there was no such node. */
  readonly inspection = (node: string): InspectView | undefined => {
    if (this.#state.view?.seen?.nodes.some(({ name }) => name === node) !== true) return undefined
    const view = this.#state.inspections.get(node)
    if (view) return pastInspection(view, this.now())
    const known = this.#inspected.has(node)
    return noInspection(node, this.now(), known ? notInspectedNow(node) : neverInspected(node))
  }

  /** The inspection of a node as a page watches it. */
  readonly watchInspection = (
    node: string,
    listener: (view: InspectView) => void,
  ): Watched<InspectView> | undefined => {
    const view = this.inspection(node)
    if (view === undefined) return undefined
    const stop = this.onChange((change) => {
      if (change.kind !== 'inspect' || change.node !== node) return
      const next = this.inspection(node)
      if (next !== undefined) listener(next)
    })
    return { view, stop }
  }

  /** Who owned the pods at this moment. */
  readonly workloads = (): WorkloadsView =>
    this.#state.workloads ?? pastWorkloads(this.#hasWorkloads)

  readonly watchWorkloads = (listener: (view: WorkloadsView) => void): Watched<WorkloadsView> => {
    const stop = this.onChange(({ kind }) => {
      if (kind === 'workloads') listener(this.workloads())
    })
    return { view: this.workloads(), stop }
  }

  readonly timeline = (query: TimelineQuery): TimelineView => {
    const { nodes } = this.#deps.recording.header
    const { trace } = this.#state
    return traceTimeline({ cluster: this.id, trace, row: this.row, now: this.now(), nodes }, query)
  }

  translate(uid: string): UidTranslation | undefined {
    for (const { node, kind, uid: staticUid, mirrorUid } of this.#state.rows.values())
      if (kind === 'static' && (staticUid === uid || mirrorUid === uid))
        return { node, staticUid, mirrorUid: mirrorUid ?? '' }
    return undefined
  }

  mirrorHistory(key: PodKey): readonly MirrorHistoryEntry[] {
    const row = this.row(key)
    return row === undefined
      ? []
      : (this.#state.mirrors(row.node)?.of(row.namespace, row.name) ?? [])
  }

  /** Results of probes are in the events; their times to come are not recorded. */
  probes(key: PodKey): readonly never[] | null {
    return this.row(key) === undefined ? null : []
  }

  #newState(): ReplayState {
    const { cluster, nodes } = this.#deps.recording.header
    const state = new ReplayState(cluster, nodes, this.#clock)
    state.trace.listen((event) => {
      for (const listener of this.#traceListeners) listener(event)
    })
    return state
  }

  /** Takes the lines up to a time; what they change is told by the caller. */
  #takeUntil(time: number): ClusterChange[] {
    const { lines } = this.#deps.recording
    const changes: ClusterChange[] = []
    for (
      let line = lines[this.#next];
      line !== undefined && timeOf(line) <= time;
      line = lines[this.#next]
    ) {
      this.#next++
      changes.push(...this.#state.take(line))
    }
    return changes
  }

  #schedule(): void {
    const line = this.#deps.recording.lines[this.#next]
    const clock = this.#clock
    const due = line === undefined ? this.to : timeOf(line)
    // A wait that a later seek has left behind belongs to a clock that stands still.
    clock.after(due - clock.now(), () => {
      for (const change of this.#takeUntil(due)) this.#emit(change)
      if (line === undefined || due >= this.to) {
        clock.pause()
        this.touchView()
      } else this.#schedule()
    })
  }

  #emit(change: ClusterChange): void {
    const own = change.kind === 'row' ? { ...change, key: this.#ownKey(change.key) } : change
    for (const listener of this.#listeners) listener(own)
  }

  /** Keys of the page name this session, those of the file the recorded cluster. */
  #ownKey(key: PodKey): PodKey {
    return this.id + key.slice(this.#deps.recording.header.cluster.length)
  }

  #recordedKey(key: PodKey): PodKey {
    return this.#deps.recording.header.cluster + key.slice(this.id.length)
  }

  readonly #own = (row: PodRow): PodRow => ({
    ...unrecorded,
    ...row,
    key: this.#ownKey(row.key),
    cluster: this.id,
  })
}

function podSubject({ uid, namespace, name }: PodRow) {
  return { kind: 'pod', uid, namespace, name } as const
}
