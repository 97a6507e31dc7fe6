import { isJsonObject } from '../../shared/json.ts'
import type { PodKey, PodRow } from '../../shared/model/pod-row.ts'
import type { TraceEvent } from '../../shared/model/trace-event.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { readableSchemas } from './recording-format.ts'
import type {
  EndLine,
  EventLine,
  FlowLine,
  InspectLine,
  RecordedDetail,
  RecordingHeader,
  RowsLine,
  ViewLine,
  WorkloadsLine,
} from './recording-format.ts'

/** A line that happened at a time. */
export type TimedLine = EventLine | RowsLine | ViewLine | FlowLine | InspectLine | WorkloadsLine

export interface Recording {
  readonly header: RecordingHeader
  /** In their order. */
  readonly lines: readonly TimedLine[]
  readonly events: readonly TraceEvent[]
  readonly rows: readonly RowsLine[]
  /** How many lines are missing. */
  readonly dropped: number
  /** Null if the program was killed: then an incomplete last line is left out. */
  readonly end: EndLine['end'] | null
}

/** Whether this is the first line of a recording, of any schema. */
export function isRecordingHeader(value: unknown): boolean {
  return (
    isJsonObject(value) && value['program'] === 'nodescope' && typeof value['schema'] === 'number'
  )
}

/** Reads a recording and checks that it is consistent. Error: one sentence that names the line. */
export function readRecording(text: string): Result<Recording, string> {
  const lines = text.split('\n')
  // A recording ends with a line feed; text after the last one is an incomplete line.
  const cutOff = lines.pop() ?? ''
  const [first, ...rest] = lines
  const header = first === undefined ? undefined : parsed(first)
  if (!isHeader(header)) return err(headerComplaint(first))
  const reader = new RecordingReader({ mayGoBack: !header.clock.virtual })
  for (const [index, line] of rest.entries()) {
    const complaint = reader.take(parsed(line))
    if (complaint !== undefined) return err(`Line ${index + 2} ${complaint}.`)
  }
  const { lines: taken, events, rows, dropped, end } = reader
  if (end !== null && cutOff !== '') return err('There are lines after the end.')
  return ok({ header, lines: taken, events, rows, dropped, end })
}

function headerComplaint(first: string | undefined): string {
  const value = first === undefined ? undefined : parsed(first)
  const schema = isJsonObject(value) && isRecordingHeader(value) ? value['schema'] : undefined
  return typeof schema === 'number' && !readableSchemas.includes(schema)
    ? `It has schema ${schema}; this version of Nodescope reads ${readableSchemas.join(' and ')}.`
    : 'Line 1 is not the header of a recording.'
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isHeader(value: unknown): value is RecordingHeader {
  if (!isJsonObject(value) || !isRecordingHeader(value)) return false
  const { schema, version, startedAt, cluster, server, nodes, clock, seed } = value
  return (
    readableSchemas.includes(Number(schema)) &&
    [version, startedAt, cluster, server].every((field) => typeof field === 'string') &&
    Array.isArray(nodes) &&
    nodes.every((node) => typeof node === 'string') &&
    isJsonObject(clock) &&
    typeof clock['virtual'] === 'boolean' &&
    typeof clock['startAt'] === 'number' &&
    (seed === null || typeof seed === 'number')
  )
}

function isRow(value: unknown): value is PodRow {
  return isJsonObject(value) && ['key', 'name', 'status'].every((f) => typeof value[f] === 'string')
}

function isDetail(value: unknown): value is RecordedDetail {
  return (
    isJsonObject(value) &&
    typeof value['key'] === 'string' &&
    Array.isArray(value['containers']) &&
    isJsonObject(value['facts'])
  )
}

function isKey(value: unknown): value is PodKey {
  return typeof value === 'string'
}

function isInspection(value: unknown): boolean {
  return (
    value === null ||
    (isJsonObject(value) && Array.isArray(value['rows']) && isJsonObject(value['kubelet']))
  )
}

function isWorkloads(value: unknown): boolean {
  return value === null || (isJsonObject(value) && Array.isArray(value['owners']))
}

/** Reads one line after the other. A complaint continues `Line 3 …`. */
class RecordingReader {
  readonly lines: TimedLine[] = []
  readonly events: TraceEvent[] = []
  readonly rows: RowsLine[] = []
  dropped = 0
  end: EndLine['end'] | null = null
  #lastSeq = 0
  #lastAt = Number.NEGATIVE_INFINITY
  /** Lines were lost since the last event, or the recording began in the middle: the next event has any number. */
  #hasGap = true
  /** The system clock may be set back. */
  readonly #mayGoBack: boolean

  constructor({ mayGoBack }: { readonly mayGoBack: boolean }) {
    this.#mayGoBack = mayGoBack
  }

  take(line: unknown): string | undefined {
    if (!isJsonObject(line)) return 'is not a JSON object'
    if (this.end !== null) return 'comes after the end'
    if ('event' in line) return this.#takeEvent(line)
    if ('rows' in line) return this.#takeRows(line)
    if (['view', 'flow', 'inspect', 'workloads'].some((kind) => kind in line))
      return this.#takeWhole(line)
    if ('dropped' in line) return this.#takeDropped(line['dropped'])
    return 'end' in line ? this.#takeEnd(line['end']) : 'is of an unknown kind'
  }

  #takeEvent({ event, at: knownAt }: Readonly<Record<string, unknown>>): string | undefined {
    if (!isJsonObject(event) || typeof event['kind'] !== 'string' || !isJsonObject(event['data']))
      return 'is not an event'
    const { seq, at } = event
    if (typeof seq !== 'number' || typeof at !== 'number')
      return 'is an event without place or time'
    if (seq <= this.#lastSeq) return `repeats the event ${seq}`
    if (seq !== this.#lastSeq + 1 && !this.#hasGap)
      return `is the event ${seq}, not ${this.#lastSeq + 1}`
    if (at < this.#lastAt && !this.#mayGoBack) return 'goes back in time'
    this.#lastSeq = seq
    this.#lastAt = at
    this.#hasGap = false
    // The frame is checked above; the content depends on the kind.
    const checked = event as unknown as TraceEvent
    this.events.push(checked)
    this.lines.push({ event: checked, ...(typeof knownAt === 'number' ? { at: knownAt } : {}) })
    return undefined
  }

  #takeRows(line: Readonly<Record<string, unknown>>): string | undefined {
    const { at, whole, rows, removed, details = [] } = line
    if (typeof at !== 'number' || typeof whole !== 'boolean') return 'is rows without a time'
    if (!Array.isArray(rows) || !rows.every(isRow)) return 'contains an invalid row'
    if (!Array.isArray(removed) || !removed.every(isKey)) return 'contains an invalid key'
    if (this.rows.length === 0 && !whole) return 'changes rows before a complete list of rows'
    if (!Array.isArray(details) || !details.every(isDetail)) return 'contains an invalid detail'
    const taken = { at, whole, rows, removed, details }
    this.rows.push(taken)
    this.lines.push(taken)
    return undefined
  }

  /** A view, a flow, an inspection, or who owns the pods. */
  #takeWhole(line: Readonly<Record<string, unknown>>): string | undefined {
    const { at, node, view, flow, inspect, workloads } = line
    if (typeof at !== 'number') return 'is a view without a time'
    const isOfNode = typeof node === 'string'
    const isWhole =
      'view' in line
        ? isJsonObject(view)
        : 'workloads' in line
          ? isWorkloads(workloads)
          : isOfNode && ('flow' in line ? isJsonObject(flow) : isInspection(inspect))
    if (!isWhole) return 'contains an invalid view'
    // The frame is checked; the content is what this program wrote.
    this.lines.push(line as unknown as ViewLine | FlowLine | InspectLine | WorkloadsLine)
    return undefined
  }

  #takeDropped(count: unknown): string | undefined {
    if (typeof count !== 'number' || count < 1) return 'counts no dropped line'
    this.dropped += count
    this.#hasGap = true
    return undefined
  }

  #takeEnd(end: unknown): string | undefined {
    if (!isJsonObject(end)) return 'is not an end'
    const { at, endedAt, events, dropped } = end
    if (typeof at !== 'number' || typeof endedAt !== 'string') return 'is an end without a time'
    if (events !== this.events.length)
      return `counts ${String(events)} events, not ${this.events.length}`
    if (dropped !== this.dropped) return `counts ${String(dropped)} lost lines, not ${this.dropped}`
    this.end = { at, endedAt, events, dropped }
    return undefined
  }
}
