import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'
import type { CancelTimer, Clock, Log } from '../kubelet/ports.ts'
import type { ClusterTrace } from '../kubelet/trace.ts'
import { writeFailure } from './recording-file.ts'
import type { RecordingFile } from './recording-file.ts'
import { RecordingQueue } from './recording-queue.ts'
import { hasFreeText, hiddenValues, redactedEvent, redactedRow } from './redaction.ts'
import { recordingSchema } from './recording-format.ts'
import type { RecordingHeader } from './recording-format.ts'

/** The rows of a cluster's pods, and the pods behind them. */
export interface RecordedRows {
  readonly rows: () => readonly PodRow[]
  readonly row: (key: PodKey) => PodRow | undefined
  /** Calls back with the key of each row that may have changed. Returns the unsubscribe. */
  readonly onRow: (listener: (key: PodKey) => void) => () => void
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
}

/** Rows that change more than once within this time, in ms of the cluster's clock, are written once. */
const coalesceMs = 100

/**
 * Writes one cluster's trace and the rows of its pods into a recording. Listens from its construction on, so that the
 * recording has the first event. Events are serialized only when they are written.
 */
export class ClusterRecorder {
  readonly #deps: ClusterRecorderDeps
  #queue: RecordingQueue | undefined
  readonly #unlisten: (() => void)[] = []
  #early: TraceEvent[] = []
  #rows: RecordedRows | undefined
  #events = 0
  readonly #changedKeys = new Set<PodKey>()
  /** A line of rows was lost, so the next line must have all rows. */
  #needsAllRows = true
  #cancelFlush: CancelTimer | undefined
  #isStopped = false

  constructor(deps: ClusterRecorderDeps) {
    this.#deps = deps
    this.#unlisten.push(
      deps.trace.listen((event) => {
        if (this.#queue === undefined) this.#early.push(event)
        else this.#take(event, this.#queue)
      }),
    )
  }

  /** Writes the header, the events before it, and all rows. Never rejects. */
  async begin(
    header: Omit<RecordingHeader, 'schema' | 'program'>,
    rows: RecordedRows,
  ): Promise<void> {
    const queue = await this.#open()
    if (queue === undefined) return
    this.#queue = queue
    this.#rows = rows
    queue.push({ schema: recordingSchema, program: 'nodescope', ...header })
    for (const event of this.#early.splice(0)) this.#take(event, queue)
    this.#unlisten.push(
      rows.onRow((key) => {
        this.#changedKeys.add(key)
        this.#cancelFlush ??= this.#deps.clock.after(coalesceMs, this.#flush)
      }),
    )
    this.#flush()
  }

  /** Writes the rest and the end. If the recording has not begun, its file stays unchanged. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#unsubscribe()
    this.#cancelFlush?.()
    this.#flush()
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
    const { file, log, maxWaiting } = this.#deps
    try {
      const sink = await file.begin()
      return new RecordingQueue({ path: file.path, sink, log, maxWaiting })
    } catch (error) {
      this.#unsubscribe()
      this.#early = []
      log.error('recording ended', { message: writeFailure(file.path, error) })
      return undefined
    }
  }

  #unsubscribe(): void {
    for (const unlisten of this.#unlisten.splice(0)) unlisten()
  }

  #take(event: TraceEvent, queue: RecordingQueue): void {
    const { subject, node } = event
    const pod =
      subject.kind === 'pod' && hasFreeText(event) ? this.#rows?.pod(node, subject.uid) : undefined
    const clean = redactedEvent(event, pod === undefined ? [] : hiddenValues(pod))
    if (queue.push({ event: clean })) this.#events++
  }

  readonly #flush = (): void => {
    this.#cancelFlush = undefined
    if (this.#rows === undefined || this.#queue === undefined) return
    if (this.#queue.isBroken) {
      this.#unsubscribe()
      this.#changedKeys.clear()
      return
    }
    if (!this.#needsAllRows && this.#changedKeys.size === 0) return
    const line = this.#needsAllRows ? this.#allRows(this.#rows) : this.#changedRows(this.#rows)
    this.#changedKeys.clear()
    this.#needsAllRows = !this.#queue.push({ at: this.#deps.clock.now(), ...line })
  }

  #allRows(source: RecordedRows) {
    const rows = source.rows().map((row) => this.#clean(row, source))
    return { whole: true, rows, removed: [] }
  }

  #changedRows(source: RecordedRows) {
    const rows: PodRow[] = []
    const removed: PodKey[] = []
    for (const key of this.#changedKeys) {
      const row = source.row(key)
      if (row === undefined) removed.push(key)
      else rows.push(this.#clean(row, source))
    }
    return { whole: false, rows, removed }
  }

  #clean(row: PodRow, source: RecordedRows): PodRow {
    const pod = source.pod(row.node, row.uid)
    return redactedRow(row, pod === undefined ? [] : hiddenValues(pod))
  }
}
