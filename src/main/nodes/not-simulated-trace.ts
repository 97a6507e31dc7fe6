import { equalJson } from '../../shared/json.ts'
import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceInput, TraceSeq } from '../../shared/model/trace-event.ts'
import type { NotSimulated } from '../../shared/not-simulated/not-simulated.ts'
import type { Trace } from '../kubelet/ports.ts'

interface NotSimulatedTraceDeps {
  readonly trace: Trace
  readonly podOf: (uid: string) => Pod | undefined
  readonly find: (pod: Pod) => readonly NotSimulated[]
  /** Called with each pod that is new or has changed. */
  readonly onPod?: ((pod: Pod) => void) | undefined
}

/**
 * A kubelet's trace that also records what is not simulated of each pod: one event after the pod manager's, and another
 * when the list has changed. The kubelet itself has no notion of simulation.
 */
export class NotSimulatedTrace implements Trace {
  readonly #deps: NotSimulatedTraceDeps
  /** What was last recorded, by the UID of the pod. */
  readonly #recorded = new Map<string, readonly NotSimulated[]>()

  constructor(deps: NotSimulatedTraceDeps) {
    this.#deps = deps
  }

  emit(input: TraceInput): TraceSeq {
    const seq = this.#deps.trace.emit(input)
    const { kind, subject } = input
    if (kind === 'podManager.changed' && subject.kind === 'pod' && !input.data.mirror) {
      if (input.data.op === 'removed') this.#recorded.delete(subject.uid)
      else this.#record(subject, seq)
    }
    return seq
  }

  #record(subject: TraceInput['subject'] & { readonly kind: 'pod' }, cause: TraceSeq): void {
    const pod = this.#deps.podOf(subject.uid)
    if (pod === undefined) return
    this.#deps.onPod?.(pod)
    const found = this.#deps.find(pod)
    const recorded = this.#recorded.get(subject.uid) ?? []
    if (found === recorded) return
    const data = dataOf(found)
    if (equalJson(data, dataOf(recorded))) return
    this.#recorded.set(subject.uid, found)
    this.#deps.trace.emit({ kind: 'pod.notSimulated', subject, causes: [cause], data })
  }
}

function dataOf(found: readonly NotSimulated[]): {
  readonly fields: readonly string[]
  readonly rules: readonly NotSimulated['id'][]
} {
  return { fields: found.map(({ field }) => field), rules: found.map(({ id }) => id) }
}
