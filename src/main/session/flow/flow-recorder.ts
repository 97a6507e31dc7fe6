import { flowArrow, flowArrows } from '../../../shared/model/flow.ts'
import type { FlowArrow } from '../../../shared/model/flow-arrows.ts'
import type { FlowArrowView, FlowMove, FlowSight, FlowView } from '../../../shared/model/flow.ts'
import type { ConfigOp, TraceEvent } from '../../../shared/model/trace-event.ts'
import { eventWord } from '../../../shared/model/explanation/explanation.ts'
import { RecentCount } from '../rows/recent-count.ts'

const minuteMs = 60_000
const mirrorCallsMs = 600_000
const movesKept = 60

interface ArrowRecord {
  total: number
  readonly recent: RecentCount
  last: TraceEvent | undefined
}

/** How the events of a trace are read as moves. */
export interface FlowReading {
  /** The arrow of the event first, then those whose moves follow from it. */
  readonly arrowsOf: (event: TraceEvent) => readonly FlowArrow[]
  /** Made only when a page asks for it. */
  readonly says: (event: TraceEvent) => Pick<FlowMove, 'text' | 'certainty' | 'evidence'>
  readonly sightOf: (arrow: FlowArrow) => FlowSight
}

const nothing: readonly FlowArrow[] = []
/** What the API source merges has just arrived over the watch. */
const withWatch = (arrow: FlowArrow): readonly FlowArrow[] =>
  arrow === 'api-podConfig' ? [arrow, 'apiServer-api'] : [arrow]
const movesOf: ReadonlyMap<FlowArrow, readonly FlowArrow[]> = new Map(
  flowArrows.map((arrow) => [arrow, withWatch(arrow)]),
)

/** Of a kubelet that leaves an event for each of its decisions. */
const recorded: FlowReading = {
  arrowsOf: (event) => {
    const arrow = flowArrow(event)
    return (arrow === undefined ? undefined : movesOf.get(arrow)) ?? nothing
  },
  says: (event) => ({ text: eventWord(event), certainty: null, evidence: '' }),
  sightOf: () => 'recorded',
}

function mapOps<T>(map: (op: ConfigOp) => T): Readonly<Record<ConfigOp, T>> {
  return {
    ADD: map('ADD'),
    UPDATE: map('UPDATE'),
    REMOVE: map('REMOVE'),
    RECONCILE: map('RECONCILE'),
    DELETE: map('DELETE'),
  }
}

/**
 * Counts what moves between the parts of one node's kubelet. Keeps numbers and the newest events; the words are made
 * when a page asks for the flow.
 */
export class FlowRecorder {
  readonly #arrows: ReadonlyMap<FlowArrow, ArrowRecord> = new Map(
    flowArrows.map((arrow) => [
      arrow,
      { total: 0, recent: new RecentCount(minuteMs), last: undefined },
    ]),
  )
  readonly #ops = mapOps(() => new RecentCount(minuteMs))
  readonly #mirrorCalls = new RecentCount(mirrorCallsMs)
  #lastMirrorCall: TraceEvent | undefined
  #lastStatus: (TraceEvent & { readonly kind: 'status.patched' }) | undefined
  #forgotten = 0
  /** The newest moves; the next one goes to `#next`. */
  readonly #moves: TraceEvent[] = []
  #next = 0
  readonly #reading: FlowReading

  constructor(reading = recorded) {
    this.#reading = reading
  }

  /** Whether the event moves something. */
  take(event: TraceEvent): boolean {
    const arrows = this.#reading.arrowsOf(event)
    const [arrow] = arrows
    if (arrow === undefined) return false
    for (const each of arrows) this.#count(each, event)
    if (arrow === 'mirrorClient-apiServer') {
      this.#mirrorCalls.add(event.at)
      this.#lastMirrorCall = event
    }
    this.#moves[this.#next] = event
    this.#next = (this.#next + 1) % movesKept
    this.#note(event)
    return true
  }

  arrows(now: number): readonly FlowArrowView[] {
    return [...this.#arrows].map(([arrow, { total, recent, last }]) => ({
      arrow,
      sight: this.#reading.sightOf(arrow),
      total,
      lastMinute: recent.count(now),
      last: last === undefined ? null : this.#move(last, arrow),
    }))
  }

  /** Newest first. */
  recent(): readonly FlowMove[] {
    const oldestFirst = [...this.#moves.slice(this.#next), ...this.#moves.slice(0, this.#next)]
    return oldestFirst.toReversed().flatMap((event) => {
      const [arrow] = this.#reading.arrowsOf(event)
      return arrow === undefined ? [] : [this.#move(event, arrow)]
    })
  }

  ops(now: number): Readonly<Record<ConfigOp, number>> {
    return mapOps((op) => this.#ops[op].count(now))
  }

  mirrorCalls(now: number): FlowView['mirrorClient'] {
    const last = this.#lastMirrorCall
    return {
      calls: this.#mirrorCalls.count(now),
      lastCall:
        last === undefined
          ? null
          : { at: last.at, text: `${this.#reading.says(last).text} ${subjectName(last)}`.trim() },
    }
  }

  get lastStatus(): NonNullable<FlowView['statusManager']>['last'] {
    const last = this.#lastStatus
    if (last === undefined) return null
    return { at: last.at, podName: subjectName(last), version: last.data.version }
  }

  get forgotten(): number {
    return this.#forgotten
  }

  #count(arrow: FlowArrow, event: TraceEvent): void {
    const record = this.#arrows.get(arrow)
    if (record === undefined) return
    record.total++
    record.recent.add(event.at)
    if (event.at >= (record.last?.at ?? 0)) record.last = event
  }

  #move(event: TraceEvent, arrow: FlowArrow): FlowMove {
    const { seq, at, subject } = event
    const isPod =
      subject.kind === 'pod' || (subject.kind === 'object' && subject.resource === 'pods')
    return {
      seq,
      at,
      arrow,
      ...this.#reading.says(event),
      podUid: isPod ? subject.uid : '',
      podName: isPod ? subject.name : '',
    }
  }

  #note(event: TraceEvent): void {
    switch (event.kind) {
      case 'config.merged':
        this.#ops[event.data.op].add(event.at)
        return
      case 'status.patched':
        this.#lastStatus = event
        return
      case 'worker.forgotten':
        // A pod that only the runtime listed ends without housekeeping.
        if (event.data.why !== 'runtimePod') this.#forgotten++
        return
      default:
    }
  }
}

function subjectName({ subject }: TraceEvent): string {
  return subject.kind === 'pod' || subject.kind === 'object' ? subject.name : ''
}
