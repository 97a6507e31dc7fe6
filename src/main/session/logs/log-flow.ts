import { eventWord } from '../../../shared/model/explanation/explanation.ts'
import type { FlowArrow } from '../../../shared/model/flow-arrows.ts'
import type { FlowView } from '../../../shared/model/flow.ts'
import type { TraceData, TraceEvent } from '../../../shared/model/trace-event.ts'
import type { LogFactKind } from '../../inspector/kubelet-log/log-messages.ts'
import { logMessages } from '../../inspector/kubelet-log/log-messages.ts'
import type { FlowReading } from '../flow/flow-recorder.ts'
import { ObservedFlow } from '../flow/observed-flow.ts'
import { inferredFlow } from '../seen/inferred-flow.ts'

interface Moves {
  readonly arrows: readonly FlowArrow[]
  /** What is drawn of the move; absent: what the mark says. */
  readonly text?: string
}

const config: Moves = { arrows: ['podConfig-syncLoop'] }
const status = (text: string): Moves => ({ arrows: ['statusManager-apiServer'], text })
const mirror = (text: string): Moves => ({ arrows: ['mirrorClient-apiServer'], text })

/** What moves when a kubelet writes an entry. */
const movesOf: Readonly<Partial<Record<LogFactKind, Moves>>> = {
  add: config,
  update: config,
  remove: config,
  delete: config,
  pleg: { arrows: ['pleg-syncLoop', 'runtime-pleg'] },
  kill: { arrows: ['podWorkers-runtime-stop'], text: 'StopContainer' },
  statusWritten: status('PATCH'),
  statusFailed: status('failed'),
  finalDelete: status('DELETE'),
  mirrorCreate: mirror('POST'),
  mirrorDelete: mirror('DELETE'),
  mirrorFailed: mirror('failed'),
  probeFailed: { arrows: ['runtime-prober'], text: 'failed' },
  probeChanged: { arrows: ['prober-syncLoop'] },
  evicted: { arrows: ['evictionManager-podWorkers'], text: 'killPodNow' },
}

const kinds: ReadonlyMap<string, LogFactKind> = new Map(
  logMessages.map(({ text, kind }) => [text, kind]),
)

/** The arrow from a source, and what it follows from. */
const fromSource: Readonly<Record<string, readonly FlowArrow[]>> = {
  api: ['api-podConfig', 'apiServer-api'],
  file: ['file-podConfig'],
  http: ['http-podConfig'],
}

/** Their moves are told by entries of their own. */
const toldByEntries: ReadonlySet<string> = new Set(['Killing', 'Unhealthy', 'Evicted'])

/** The lowest -v at which an arrow's moves are logged; of the others nothing is. */
const shownAt: Readonly<Partial<Record<FlowArrow, number>>> = {
  'mirrorClient-apiServer': 0,
  'evictionManager-podWorkers': 0,
  'runtime-prober': 1,
  'prober-syncLoop': 1,
  'apiServer-api': 2,
  'api-podConfig': 2,
  'file-podConfig': 2,
  'http-podConfig': 2,
  'podConfig-syncLoop': 2,
  'syncLoop-podWorkers': 2,
  'podWorkers-runtime-start': 2,
  'podWorkers-runtime-stop': 2,
  'runtime-pleg': 2,
  'pleg-syncLoop': 2,
  'statusManager-apiServer': 3,
  'imageManager-runtime': 3,
  'imageManager-podWorkers': 3,
  'volumeManager-podWorkers': 3,
  'podWorkers-podWorkers': 4,
}

type Entry = TraceData['log.entry']

function movesOfEntry({ said }: Entry): Moves | undefined {
  const kind = said === undefined ? undefined : kinds.get(said.message)
  return kind === undefined ? undefined : movesOf[kind]
}

function arrowsOfEntry(entry: Entry): readonly FlowArrow[] {
  const { arrows = [] } = movesOfEntry(entry) ?? {}
  if (entry.mark === 'started') return [...arrows, 'podWorkers-runtime-start']
  return arrows[0] === 'podConfig-syncLoop'
    ? [...arrows, ...(fromSource[entry.said?.source ?? ''] ?? [])]
    : arrows
}

/** Of a kubelet that a log tells of: its entries are certain, and its workers' states as certain as their lines make them. */
const loggedFlow: FlowReading = {
  arrowsOf: (event) => {
    if (event.kind === 'log.entry') return arrowsOfEntry(event.data)
    if (event.kind === 'worker.forgotten') return ['podWorkers-podWorkers']
    if (event.kind === 'event.recorded' && toldByEntries.has(event.data.reason)) return []
    return inferredFlow.arrowsOf(event)
  },
  says: (event) => {
    // Its reason names the lines.
    if (event.kind === 'worker.observed') return inferredFlow.says(event)
    if (event.kind !== 'log.entry') {
      const text = event.kind === 'event.recorded' ? event.data.reason : eventWord(event)
      return { text, certainty: 'certain', evidence: `line ${event.seq}` }
    }
    const { text, line, said } = event.data
    const word = movesOfEntry(event.data)?.text ?? text.replace(/^SyncLoop /, '')
    return { text: word, certainty: 'certain', evidence: `line ${line}: ${said?.message ?? text}` }
  },
  sightOf: () => 'inferred',
}

/** What a log says of what moves in its kubelet. */
export class LogFlow {
  readonly #flow = new ObservedFlow(loggedFlow)

  take(event: TraceEvent): void {
    this.#flow.move(event)
  }

  /** `level`: of -v. */
  view(frame: Pick<FlowView, 'cluster' | 'node' | 'now'>, level: number): FlowView {
    const view = this.#flow.view({ ...frame, api: null })
    return {
      ...view,
      // Failures are logged at each level.
      arrows: view.arrows.map((arrow) => ({
        ...arrow,
        sight:
          arrow.total > 0 || level >= (shownAt[arrow.arrow] ?? Number.POSITIVE_INFINITY)
            ? 'inferred'
            : 'notKnown',
      })),
      workers: { forgotten: level >= 4 ? this.#flow.forgotten : null },
    }
  }
}
