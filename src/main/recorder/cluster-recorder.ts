import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { ClusterView } from '../../shared/model/cluster-view.ts'
import type { FlowView } from '../../shared/model/flow.ts'
import type { InspectView } from '../../shared/model/inspect/inspect-view.ts'
import type { PodDetail } from '../../shared/model/pod-detail.ts'
import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { WorkloadsView } from '../../shared/model/workloads/workloads.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'
import type { CancelTimer, Clock, Log } from '../kubelet/ports.ts'
import type { ClusterChange } from '../../shared/model/cluster-change.ts'
import type { ClusterTrace } from '../kubelet/trace.ts'
import { writeFailure } from './recording-file.ts'
import type { RecordingFile } from './recording-file.ts'
import { RecordingQueue } from './recording-queue.ts'
import {
  hasFreeText,
  hiddenValues,
  redactedDetail,
  redactedEvent,
  redactedRow,
} from './redaction.ts'
import { recordingSchema } from './recording-format.ts'
import type { RecordedDetail, RecordingHeader, RowsLine } from './recording-format.ts'
import { SeldomLines, seldomMs } from './seldom-lines.ts'

/** A cluster as the pages have it, and the pods behind it. */
export interface RecordedCluster {
  readonly rows: () => readonly PodRow[]
  readonly row: (key: PodKey) => PodRow | undefined
  readonly detail: (key: PodKey) => PodDetail | undefined
  readonly view: () => ClusterView
  readonly flow: (node: string) => FlowView | undefined
  /** Undefined: no page inspects the node. */
  readonly inspection: (node: string) => InspectView | undefined
  /** Undefined: no page looks at who owns the pods. */
  readonly workloads: () => WorkloadsView | undefined
  /** Calls back with what may have changed. Returns the unsubscribe. */
  readonly onChange: (listener: (change: ClusterChange) => void) => () => void
  /** The pod with this UID, whose environment values are kept out of the recording. */
  readonly pod: (node: string, uid: string) => Pod | undefined
}

export interface ClusterRecorderDeps {
  readonly file: RecordingFile
  readonly trace: Pick<ClusterTrace, 'listen'>
  readonly clock: Clock
  readonly log: Log
  /** Time of the system clock, ms. */
  readonly wallNow: () => number
  /** Events and rows that may wait for the disk, at most. */
  readonly maxWaiting?: number
  /** It has ended by itself; the sentence says why. */
  readonly onBroken?: (message: string) => void
}

/** Rows that change more than once within this time, in ms of the cluster's clock, are written once. */
const coalesceMs = 100
/** From an event to all of its effects. */
const settledMs = 5

/**
 * Writes one cluster's trace and the rows of its pods into a recording. Listens from its construction on, so that the
 * recording has the first event. Events are serialized only when they are written.
 */
export class ClusterRecorder {
  readonly #deps: ClusterRecorderDeps
  #queue: RecordingQueue | undefined
  readonly #unlisten: (() => void)[] = []
  #early: TraceEvent[] = []
  #source: RecordedCluster | undefined
  #events = 0
  /** With the time at which each was noted. */
  readonly #changedKeys = new Map<PodKey, number>()
  /** A line of rows was lost, so the next line must have all rows. */
  #needsAllRows = true
  readonly #seldom = new SeldomLines()
  #cancelFlush: CancelTimer | undefined
  #cancelSeldom: CancelTimer | undefined
  #isStopped = false

  constructor(deps: ClusterRecorderDeps) {
    this.#deps = deps
    this.#unlisten.push(
      deps.trace.listen((event) => {
        if (this.#queue === undefined) this.#early.push(event)
        else this.#take(event, this.#queue, deps.clock.now())
      }),
    )
  }

  /** Writes the header, the events before it, and all rows. `history`: older events. Never rejects. */
  async begin(
    header: Omit<RecordingHeader, 'schema' | 'program'>,
    source: RecordedCluster,
    history: readonly TraceEvent[] = [],
  ): Promise<void> {
    const queue = await this.#open()
    if (queue === undefined) return
    this.#queue = queue
    this.#source = source
    queue.push({ schema: recordingSchema, program: 'nodescope', ...header })
    for (const event of [...history, ...this.#early.splice(0)]) this.#take(event, queue)
    this.#unlisten.push(
      source.onChange((change) => {
        if (change.kind === 'row') {
          this.#changedKeys.set(change.key, this.#deps.clock.now())
          this.#flushAfter(coalesceMs)
        } else {
          this.#seldom.note(change)
          this.#cancelSeldom ??= this.#deps.clock.after(coalesceMs, this.#flushSeldom)
        }
      }),
    )
    this.#seldom.note({ kind: 'view' })
    this.#seldom.note({ kind: 'workloads' })
    const { nodes, seen } = source.view()
    for (const { name } of nodes) this.#seldom.note({ kind: 'flow', node: name })
    for (const { name } of seen?.nodes ?? []) this.#seldom.note({ kind: 'inspect', node: name })
    this.#flushSeldom()
    this.#flush()
  }

  /** Writes the rest and the end. If the recording has not begun, its file stays unchanged. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#cancelFlush?.()
    this.#cancelSeldom?.()
    this.#flushSeldom()
    this.#flush()
    this.#unsubscribe()
    const { clock, wallNow, file } = this.#deps
    if (this.#queue === undefined) return await file.abandon()
    await this.#queue.end({
      end: {
        at: clock.now(),
        endedAt: new Date(wallNow()).toISOString(),
        events: this.#events,
        dropped: this.#queue.dropped,
      },
    })
  }

  async #open(): Promise<RecordingQueue | undefined> {
    const { file, log, maxWaiting, onBroken } = this.#deps
    try {
      const sink = await file.begin()
      return new RecordingQueue({ path: file.path, sink, log, maxWaiting, onBroken })
    } catch (error) {
      this.#unsubscribe()
      this.#early = []
      const message = writeFailure(file.path, error)
      log.error('recording ended', { message })
      onBroken?.(message)
      return undefined
    }
  }

  /** An event comes just before its effect: what was noted a moment ago is written once more. */
  #keepUnsettled(now: number): void {
    for (const [key, at] of this.#changedKeys)
      if (now - at >= settledMs) this.#changedKeys.delete(key)
    if (this.#changedKeys.size > 0 && !this.#isStopped) this.#flushAfter(coalesceMs)
  }

  #flushAfter(delayMs: number): void {
    this.#cancelFlush ??= this.#deps.clock.after(delayMs, this.#flush)
  }

  #unsubscribe(): void {
    for (const unlisten of this.#unlisten.splice(0)) unlisten()
  }

  #take(event: TraceEvent, queue: RecordingQueue, knownAt = event.at): void {
    const { subject, node } = event
    const pod =
      subject.kind === 'pod' && hasFreeText(event)
        ? this.#source?.pod(node, subject.uid)
        : undefined
    const clean = redactedEvent(event, pod === undefined ? [] : hiddenValues(pod))
    const known = knownAt - event.at < coalesceMs ? {} : { at: knownAt }
    if (queue.push({ event: clean, ...known })) this.#events++
  }

  readonly #flushSeldom = (): void => {
    this.#cancelSeldom = undefined
    if (this.#source === undefined || this.#queue === undefined || this.#queue.isBroken) return
    const queue = this.#queue
    this.#seldom.write(
      this.#deps.clock.now(),
      this.#source,
      (line) => queue.push(line),
      this.#isStopped,
    )
    if (this.#seldom.isWaiting && !this.#isStopped)
      this.#cancelSeldom = this.#deps.clock.after(seldomMs, this.#flushSeldom)
  }

  readonly #flush = (): void => {
    this.#cancelFlush = undefined
    const source = this.#source
    if (source === undefined || this.#queue === undefined) return
    if (this.#queue.isBroken) {
      this.#unsubscribe()
      this.#changedKeys.clear()
      return
    }
    const at = this.#deps.clock.now()
    if (!this.#needsAllRows && this.#changedKeys.size === 0) return
    const whole = this.#needsAllRows
    const keys = whole ? source.rows().map(({ key }) => key) : [...this.#changedKeys.keys()]
    this.#keepUnsettled(at)
    this.#needsAllRows = !this.#queue.push({ at, whole, ...rowsOf(source, keys) })
  }
}

/** The rows with these keys, and their details. */
function rowsOf(
  source: RecordedCluster,
  keys: readonly PodKey[],
): Required<Omit<RowsLine, 'at' | 'whole'>> {
  const rows: PodRow[] = []
  const details: RecordedDetail[] = []
  const removed: PodKey[] = []
  for (const key of keys) {
    const row = source.row(key)
    if (row === undefined) {
      removed.push(key)
      continue
    }
    const pod = source.pod(row.node, row.uid)
    const hidden = pod === undefined ? [] : hiddenValues(pod)
    rows.push(redactedRow(row, hidden))
    const detail = source.detail(key)
    if (detail !== undefined) details.push({ key, ...redactedDetail(detail, hidden) })
  }
  return { rows, removed, details }
}
