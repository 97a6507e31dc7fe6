import type {
  TimelineMark,
  TimelineMarkKind,
  TimelineNodeMark,
} from '../../../shared/model/timeline/timeline.ts'
import type { LogEntry } from './log-entry.ts'
import { keptStatus } from './kept-status.ts'
import { LogMarks } from './log-marks.ts'
import type { LogFactKind } from './log-messages.ts'
import type { At, PodLane } from './pod-lane.ts'
import { advance, closeSegment, enterState } from './pod-lane.ts'
import { PodLanes } from './pod-lanes.ts'

type Handler = (timeline: WorkerTimeline, entry: LogEntry) => void

const maxNodeMarks = 5000
/** The sync loop's housekeeping is due each 2 s. */
const housekeepingLateMs = 10_000

/** A worker that an entry is about, and the mark that it leaves there; undefined: none. */
export interface EntryLane {
  readonly lane: PodLane
  readonly mark?: Pick<TimelineMark, 'kind' | 'text'> | undefined
}

/** Called after each entry whose message is known, while its values can be read. */
export type EntryListener = (entry: LogEntry, lanes: readonly EntryLane[]) => void

/** What the entries tell of each worker and of the kubelet as a whole. */
export class WorkerTimeline {
  readonly lanes = new PodLanes()
  readonly marks = new LogMarks()
  readonly nodeMarks: TimelineNodeMark[] = []
  housekeepingAt = 0
  /** What the times of its entries are ahead of UTC, ms; null: no entry has told it. */
  zoneMs: number | null = null
  /** Of the kubelet's Node; empty: no entry has it. */
  nodeName = ''
  readonly #onEntry: EntryListener
  readonly #wholeStatuses = new Set<PodLane>()
  /** Of the present entry. */
  #lanes: EntryLane[] = []

  constructor(onEntry: EntryListener = () => undefined) {
    this.#onEntry = onEntry
  }

  take(entry: LogEntry): void {
    if (this.#lanes.length > 0) this.#lanes = []
    handlers[entry.message.kind](this, entry)
    this.#onEntry(entry, this.#lanes)
  }

  /** Most statuses are soon written again: those of the last pods are kept whole, and shortened later. */
  keepStatus(lane: PodLane, status: string): void {
    lane.status = status
    this.#wholeStatuses.delete(lane)
    this.#wholeStatuses.add(lane)
    const [oldest] = this.#wholeStatuses.size > maxWholeStatuses ? this.#wholeStatuses : []
    if (oldest === undefined) return
    this.#wholeStatuses.delete(oldest)
    oldest.status = keptStatus(oldest.status)
  }

  restart(at: At): void {
    this.housekeepingAt = 0
    this.lanes.restart(at)
    this.markNode('start', at, 'The kubelet started')
  }

  markNode(kind: TimelineNodeMark['kind'], { at, line }: At, text: string): void {
    if (this.nodeMarks.length < maxNodeMarks) this.nodeMarks.push({ kind, at, line, text })
  }

  mark(lane: PodLane | undefined, kind: TimelineMarkKind, entry: LogEntry, text: string): void {
    if (lane === undefined) return
    this.#touch(lane, entry, { kind, text })
    if (ofRunning.has(kind) && isOnlyAdded(lane)) enterState(lane, 'sync', entry, 'inferred')
    const chain = lane.chains.pop() ?? 0
    lane.chains.push(this.marks.add(chain, { kind, at: entry.at, line: entry.line, text }))
  }

  /** The lane of the entry's pod and podUID. */
  laneOf(entry: LogEntry, nameKey = 'pod', uidKey = 'podUID'): PodLane | undefined {
    const lane = this.lanes.find(entry.value(nameKey), entry.value(uidKey), entry)
    if (lane !== undefined) this.#touch(lane, entry)
    return lane
  }

  /** An entry that leaves no mark on the lane that it is about. */
  about(lane: PodLane, entry: LogEntry): void {
    this.#touch(lane, entry)
  }

  #touch(lane: PodLane, from: At, mark?: EntryLane['mark']): void {
    lane.lastLine = from.line
    lane.lastAt = from.at
    const at = this.#lanes.findIndex((each) => each.lane === lane)
    const about = { lane, mark: mark ?? this.#lanes[at]?.mark }
    if (at === -1) this.#lanes.push(about)
    else this.#lanes[at] = about
  }
}

/** Marks of a pod whose worker has started. */
const ofRunning: ReadonlySet<TimelineMarkKind> = new Set([
  'started',
  'died',
  'kill',
  'probe',
  'error',
])

function isOnlyAdded(lane: PodLane): boolean {
  return lane.state === 'waiting' && lane.isOpen && lane.segments.at(-1)?.certainty === 'inferred'
}

const isStatic = (lane: PodLane): boolean => lane.source === 'file' || lane.source === 'http'
const isBeforeEnd = (lane: PodLane): boolean => lane.state === 'waiting' || lane.state === 'sync'

function addPod(timeline: WorkerTimeline, entry: LogEntry, fullName: string, source: string): void {
  const { lanes } = timeline
  const live = lanes.named(fullName)
  if (live !== undefined && isStatic(live) && source === 'api') {
    timeline.mark(live, 'mirror', entry, 'SyncLoop ADD of the mirror pod')
    return
  }
  const from = source === 'api' || source === 'file' || source === 'http' ? source : 'unknown'
  // The API source can come first after a start; the name is the mirror's then.
  if (live?.uid === null && live.isOpen && live.source === 'api' && from !== 'api')
    live.source = from
  const isKnown = live?.uid === null && live.isOpen && live.source === from && !live.isRemoved
  const lane = isKnown ? live : lanes.create(fullName, from, entry)
  if (lane === undefined) return
  // One that had ended before the kubelet's restart ends again.
  const isEnded = live !== undefined && !live.isOpen && !live.isRemoved && !isBeforeEnd(live)
  if (!isKnown) enterState(lane, isEnded ? 'finished' : 'waiting', entry, 'inferred')
  timeline.mark(lane, 'loop', entry, 'SyncLoop ADD')
}

function removePod(
  timeline: WorkerTimeline,
  entry: LogEntry,
  fullName: string,
  from: string,
): void {
  const { lanes } = timeline
  const isOf = (lane: PodLane): boolean =>
    !lane.isRemoved && (from === 'api' ? !isStatic(lane) : lane.source !== 'api')
  const lane = lanes.firstNamed(fullName, isOf)
  if (lane === undefined) {
    timeline.mark(lanes.named(fullName), 'mirror', entry, 'SyncLoop REMOVE of the mirror pod')
    return
  }
  lane.isRemoved = true
  timeline.mark(lane, 'loop', entry, 'SyncLoop REMOVE')
  if (isBeforeEnd(lane)) advance(lane, 'terminating', entry, 'inferred')
  else if (lane.deletes > 1 || lane.state === 'terminated')
    advance(lane, 'finished', entry, 'inferred')
}

function deletePod(timeline: WorkerTimeline, entry: LogEntry, fullName: string): void {
  const { lanes } = timeline
  const lane = lanes.firstNamed(fullName, (each) => !isStatic(each) && !each.isRemoved)
  if (lane === undefined) {
    timeline.mark(lanes.named(fullName), 'mirror', entry, 'SyncLoop DELETE of the mirror pod')
    return
  }
  lane.deletes++
  timeline.mark(lane, 'loop', entry, 'SyncLoop DELETE')
  if (isBeforeEnd(lane)) advance(lane, 'terminating', entry, 'inferred')
}

/** `{"ID":podUID,"Type":"ContainerDied","Data":container or sandbox}`. */
const plegEvent = /"ID":"([^"]*)","Type":"([^"]*)","Data":"([^"]*)"/

function takePleg(timeline: WorkerTimeline, entry: LogEntry): void {
  const [, uid = '', type = '', id = ''] = plegEvent.exec(entry.value('event')) ?? []
  const lane = timeline.lanes.find(entry.value('pod'), uid, entry)
  if (lane === undefined) return
  if (type === 'ContainerStarted') {
    timeline.mark(lane, 'started', entry, 'ContainerStarted')
    // Terminated was inferred from the end of a sandbox, and there is another one.
    if (lane.state === 'terminated' && lane.segments.at(-1)?.certainty === 'inferred')
      enterState(lane, 'sync', entry, 'inferred')
    else if (!lane.isOpen) enterState(lane, 'sync', entry, 'inferred')
    return
  }
  if (type !== 'ContainerDied') return timeline.mark(lane, 'loop', entry, `PLEG ${type}`)
  timeline.mark(lane, 'died', entry, 'ContainerDied')
  const isSandbox = !lane.containers.has(id) && lane.containers.size > 0
  if (isSandbox && lane.isOpen) advance(lane, 'terminated', entry, 'inferred')
}

/** `simulated://2577da…` without its scheme. */
function containerId(value: string): string {
  return value.slice(value.indexOf('://') === -1 ? 0 : value.indexOf('://') + 3)
}

/** A container's ID is kept until as many are, so that a pod in a crash loop does not fill the memory. */
const maxContainers = 2000

function keepContainer(lane: PodLane | undefined, id: string): void {
  if (lane !== undefined && lane.containers.size < maxContainers) lane.containers.add(id)
}

const eventStates = {
  sync: 'sync',
  terminating: 'terminating',
  terminated: 'terminated',
} as const

function isWork(word: string): word is keyof typeof eventStates {
  return Object.hasOwn(eventStates, word)
}

function into(state: PodLane['state']): Handler {
  return (timeline, entry) => {
    const lane = timeline.laneOf(entry)
    if (lane !== undefined) advance(lane, state, entry, 'seen')
  }
}

function marking(kind: TimelineMarkKind, words: (entry: LogEntry) => string): Handler {
  return (timeline, entry) => timeline.mark(timeline.laneOf(entry), kind, entry, words(entry))
}

const message = (entry: LogEntry): string => entry.message.text

/** By the name, which for a mirror is that of its static pod; a podUID in the line is the mirror's. */
function ofMirror(kind: TimelineMarkKind): Handler {
  return (timeline, entry) => {
    const lane = timeline.lanes.named(entry.value('pod'))
    timeline.mark(lane, kind, entry, message(entry))
  }
}

function cut(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}

/** Of a status as JSON. */
function phaseIn(status: string): string {
  return /"phase":"([A-Za-z]+)"/.exec(status)?.[1] ?? ''
}

const maxWholeStatuses = 500

/** Zones differ by quarters of an hour. */
const zoneStepMs = 900_000

/** Go's `2026-11-24 12:17:42.123456789 +0100 CET m=+1.5`, ms since 1970; null: it is none, or the zero time. */
function goTime(text: string): number | null {
  const [, date = '', time = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d* ([+-]\d{4})/.exec(text) ?? []
  const parsed = Date.parse(`${date}T${time}${zone.slice(0, 3)}:${zone.slice(3)}`)
  return Number.isNaN(parsed) || parsed < 0 ? null : parsed
}

/** Go's duration in ms: `1m2.5s`, `14ms`. */
function durationMs(text: string): number {
  const units: Readonly<Record<string, number>> = {
    h: 3_600_000,
    m: 60_000,
    s: 1000,
    ms: 1,
    µs: 0.001,
    ns: 0.000_001,
  }
  let total = 0
  for (const [, amount = '', unit = ''] of text.matchAll(/([\d.]+)(h|ms|m|s|µs|ns)/g))
    total += Number(amount) * (units[unit] ?? 0)
  return total
}

const handlers: Readonly<Record<LogFactKind, Handler>> = {
  add: (timeline, entry) => {
    for (const pod of entry.list('pods')) addPod(timeline, entry, pod, entry.value('source'))
  },
  update: (timeline, entry) => {
    for (const pod of entry.list('pods'))
      timeline.mark(timeline.lanes.named(pod), 'loop', entry, 'SyncLoop UPDATE')
  },
  remove: (timeline, entry) => {
    for (const pod of entry.list('pods')) removePod(timeline, entry, pod, entry.value('source'))
  },
  delete: (timeline, entry) => {
    for (const pod of entry.list('pods')) deletePod(timeline, entry, pod)
  },
  pleg: takePleg,
  containerFinished: (timeline, entry) => {
    keepContainer(
      timeline.lanes.known(entry.value('podID')),
      containerId(entry.value('containerID')),
    )
  },
  noSandbox: (timeline, entry) => {
    const lane = timeline.lanes.named(entry.value('pod'), isOnlyAdded)
    if (lane !== undefined) enterState(lane, 'sync', entry, 'inferred')
  },
  workerCreated: (timeline, entry) => {
    const lane = timeline.laneOf(entry)
    if (lane !== undefined) enterState(lane, 'waiting', entry, 'seen')
  },
  waitsForName: (timeline, entry) => {
    const lane = timeline.laneOf(entry)
    if (lane !== undefined) enterState(lane, 'waiting', entry, 'seen')
  },
  neverStarts: into('terminated'),
  eventTaken: (timeline, entry) => {
    const work = entry.value('updateType')
    if (isWork(work)) into(eventStates[work])(timeline, entry)
  },
  syncEnter: into('sync'),
  teardown: into('terminating'),
  terminatingEnter: into('terminating'),
  terminated: into('terminated'),
  terminatedEnter: into('terminated'),
  finished: into('finished'),
  forgotten: (timeline, entry) => {
    const lane = timeline.laneOf(entry)
    if (lane === undefined) return
    closeSegment(lane, entry)
    lane.isGone = true
  },
  restartsSameUid: (timeline, entry) => {
    const lane = timeline.laneOf(entry)
    if (lane !== undefined) enterState(lane, 'sync', entry, 'seen')
  },
  cancel: (timeline, entry) => {
    const lane = timeline.laneOf(entry)
    const work = entry.value('workType')
    if (lane !== undefined && work !== 'sync') advance(lane, 'terminating', entry, 'inferred')
  },
  volumesCleaned: (timeline, entry) => {
    const lane = timeline.laneOf(entry)
    if (lane !== undefined) advance(lane, 'terminated', entry, 'inferred')
  },
  syncError: marking('error', (entry) => cut(entry.value('err'))),
  rejected: (timeline, entry) => {
    const lane = timeline.laneOf(entry)
    const text = cut(`${entry.value('reason')}: ${entry.value('message')}`)
    timeline.mark(lane, 'rejected', entry, text)
    if (lane !== undefined) enterState(lane, 'finished', entry, 'inferred')
  },
  kill: (timeline, entry) => {
    const lane = timeline.laneOf(entry)
    keepContainer(lane, containerId(entry.value('containerID')))
    const text = `Killing container ${entry.value('containerName')}, grace period ${entry.value('gracePeriod')} s`
    timeline.mark(lane, 'kill', entry, text)
  },
  statusWritten: (timeline, entry) => {
    const lane = timeline.lanes.named(entry.value('pod'))
    const status = entry.value('status')
    const phase = phaseIn(status)
    timeline.mark(lane, 'status', entry, `Status written: ${phase === '' ? 'no phase' : phase}`)
    if (lane !== undefined) timeline.keepStatus(lane, status)
  },
  statusFailed: (timeline, entry) => {
    timeline.mark(
      timeline.lanes.named(entry.value('pod')),
      'statusFailed',
      entry,
      cut(`${message(entry)}: ${entry.value('err')}`),
    )
  },
  statusSkipped: ofMirror('statusFailed'),
  finalDelete: marking('status', message),
  mirrorCreate: ofMirror('mirror'),
  mirrorDelete: ofMirror('mirror'),
  mirrorFailed: (timeline, entry) => {
    const lane = timeline.lanes.named(entry.value('pod'))
    timeline.mark(lane, 'mirror', entry, cut(`${message(entry)}: ${entry.value('err')}`))
  },
  probeFailed: marking(
    'probe',
    (entry) => `${entry.value('probeType')} probe of ${entry.value('containerName')} failed`,
  ),
  probeChanged: (timeline, entry) => {
    const lane = timeline.lanes.named(entry.value('pod'))
    const status = entry.value('status') === '' ? 'not ready' : entry.value('status')
    timeline.mark(lane, 'probe', entry, `${entry.value('probe')} probe: ${status}`)
  },
  evicted: (timeline, entry) => {
    const lane = timeline.laneOf(entry)
    timeline.mark(lane, 'evict', entry, 'Evicted by the kubelet')
    if (lane !== undefined && isBeforeEnd(lane)) advance(lane, 'terminating', entry, 'inferred')
  },
  pressure: (timeline, entry) => {
    timeline.markNode('pressure', entry, `${message(entry)} ${entry.value('resourceName')}`)
  },
  stall: (timeline, entry) => {
    timeline.markNode('stall', entry, cut(`${message(entry)}: ${entry.value('err')}`))
  },
  // Of pods that it knows: a pod that has gone has no worker to draw.
  eventOccurred: (timeline, entry) => {
    const lane = timeline.lanes.named(entry.value('object'))
    if (lane !== undefined && entry.value('kind') === 'Pod') timeline.about(lane, entry)
  },
  nodeNamed: (timeline, entry) => {
    const config = /"NodeName":"([^"]+)"/.exec(entry.value('nodeConfig'))
    timeline.nodeName = config?.[1] ?? (entry.value('node') || timeline.nodeName)
  },
  startupObserved: (timeline, entry) => {
    const lane = timeline.lanes.named(entry.value('pod'))
    const now = goTime(entry.value('watchObservedRunningTime'))
    const createdAt = goTime(entry.value('podCreationTimestamp'))
    if (now !== null) timeline.zoneMs = Math.round((entry.at - now) / zoneStepMs) * zoneStepMs
    if (lane !== undefined && createdAt !== null) lane.createdAt = createdAt
  },
  housekeeping: (timeline, entry) => {
    const before = timeline.housekeepingAt
    timeline.housekeepingAt = entry.at
    const late = entry.at - before
    if (before > 0 && late > housekeepingLateMs)
      timeline.markNode('stall', entry, `No housekeeping for ${Math.round(late / 1000)} s`)
  },
  housekeepingEnd: (timeline, entry) => {
    const took = durationMs(entry.value('duration'))
    if (took > 1000)
      timeline.markNode('stall', entry, `Housekeeping took ${(took / 1000).toFixed(1)} s`)
  },
}
