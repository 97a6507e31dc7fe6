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
  /** The pod behind a uid, whose environment is kept out of the recording. */
  readonly pod: (node: string, uid: string) => Pod | undefined
}

export interface ClusterRecorderDeps {
  readonly file: RecordingFile
  readonly trace: Pick<ClusterTrace, 'listen'>
  readonly clock: Clock
  readonly log: Log
  /** The system's time, ms. */
  readonly wallNow: () => number
  /** Events and rows that may wait for the disk. */
  readonly maxWaiting?: number
}

/** Rows that change within so many ms of the cluster's time are written once. */
const coalesceMs = 100

/**
 * Writes one cluster's trace and the rows of its pods into a recording. Listens from the moment it is made,
 * so that the first event is in it. Takes a frozen event and goes on; text is made of it when it is written.
 */
export class ClusterRecorder {
  readonly #deps: ClusterRecorderDeps
  #queue: RecordingQueue | undefined
  readonly #unlisten: (() => void)[] = []
  #early: TraceEvent[] = []
  #rows: RecordedRows | undefined
  #events = 0
  readonly #dirty = new Set<PodKey>()
  /** A line of rows was lost: what follows must not build on it. */
  #needsWhole = true
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

  /** Writes the header, what happened before it was known, and all rows. Never rejects. */
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
        this.#dirty.add(key)
        this.#cancelFlush ??= this.#deps.clock.after(coalesceMs, this.#flush)
      }),
    )
    this.#flush()
  }

  /** Writes what is left, and the end. A recording that has not begun leaves its file as it was. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#deafen()
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
      this.#deafen()
      this.#early = []
      log.error('recording ended', { message: writeFailure(file.path, error) })
      return undefined
    }
  }

  #deafen(): void {
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
      this.#deafen()
      this.#dirty.clear()
      return
    }
    if (!this.#needsWhole && this.#dirty.size === 0) return
    const line = this.#needsWhole ? this.#wholeRows(this.#rows) : this.#changedRows(this.#rows)
    this.#dirty.clear()
    this.#needsWhole = !this.#queue.push({ at: this.#deps.clock.now(), ...line })
  }

  #wholeRows(source: RecordedRows) {
    const rows = source.rows().map((row) => this.#clean(row, source))
    return { whole: true, rows, removed: [] }
  }

  #changedRows(source: RecordedRows) {
    const rows: PodRow[] = []
    const removed: PodKey[] = []
    for (const key of this.#dirty) {
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
