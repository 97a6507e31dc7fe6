import type { FlowView } from '../../../shared/model/flow.ts'
import type { TraceEvent } from '../../../shared/model/trace-event.ts'
import type { FlowReading } from './flow-recorder.ts'
import { FlowRecorder } from './flow-recorder.ts'

type Frame = Pick<FlowView, 'cluster' | 'node' | 'now' | 'api'>

/** What moves in a kubelet that is not this program, as far as a trace tells. What its parts hold is not known. */
export class ObservedFlow {
  readonly #recorder: FlowRecorder
  /** The last state of each worker: another certainty of it is not another move. */
  readonly #states = new Map<string, string>()

  constructor(reading: FlowReading) {
    this.#recorder = new FlowRecorder(reading)
  }

  /** Whether something moves. */
  take(event: TraceEvent): boolean {
    if (event.kind === 'worker.observed') {
      const { subject } = event
      const key = 'uid' in subject ? subject.uid : ''
      if (this.#states.get(key) === event.data.state) return false
      if (event.data.state === null) this.#states.delete(key)
      else this.#states.set(key, event.data.state)
    }
    return this.move(event)
  }

  /** The same for a state that is known to be another one. */
  move(event: TraceEvent): boolean {
    return this.#recorder.take(event)
  }

  /** Workers that the kubelet has forgotten. */
  get forgotten(): number {
    return this.#recorder.forgotten
  }

  view(frame: Frame): FlowView {
    const { now } = frame
    return {
      ...frame,
      arrows: this.#recorder.arrows(now),
      recent: this.#recorder.recent(),
      roots: null,
      podConfig: null,
      podManager: null,
      pairs: null,
      mirrorClient: this.#recorder.mirrorCalls(now),
      statusManager: null,
      syncLoop: null,
      pleg: null,
      prober: null,
      volumes: null,
      images: null,
      workers: { forgotten: null },
    }
  }
}
