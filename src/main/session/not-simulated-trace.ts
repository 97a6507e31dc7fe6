import type { Pod } from '../../shared/kubernetes/objects.ts'
import type { TraceInput, TraceSeq } from '../../shared/model/trace-event.ts'
import type { NotSimulated } from '../../shared/not-simulated/not-simulated.ts'
import type { Trace } from '../kubelet/ports.ts'

/**
 * A kubelet's trace that says, once the kubelet has a pod, what of it is not simulated: one event for each pod, because
 * of the pod manager's, and another when the list has changed. The kubelet itself knows nothing of simulation.
 */
export class NotSimulatedTrace implements Trace {
  readonly #trace: Trace
  readonly #podOf: (uid: string) => Pod | undefined
  readonly #find: (pod: Pod) => readonly NotSimulated[]
  /** What was said of a pod, by UID. */
  readonly #said = new Map<string, string>()

  constructor(deps: {
    readonly trace: Trace
    readonly podOf: (uid: string) => Pod | undefined
    readonly find: (pod: Pod) => readonly NotSimulated[]
  }) {
    this.#trace = deps.trace
    this.#podOf = deps.podOf
    this.#find = deps.find
  }

  emit(input: TraceInput): TraceSeq {
    const seq = this.#trace.emit(input)
    const { kind, subject } = input
    if (kind === 'podManager.changed' && subject.kind === 'pod' && !input.data.mirror) {
      if (input.data.op === 'removed') this.#said.delete(subject.uid)
      else this.#tell(subject, seq)
    }
    return seq
  }

  #tell(subject: TraceInput['subject'] & { readonly kind: 'pod' }, cause: TraceSeq): void {
    const pod = this.#podOf(subject.uid)
    if (pod === undefined) return
    const found = this.#find(pod)
    const fields = found.map(({ field }) => field)
    const rules = found.map(({ id }) => id)
    const text = [...fields, ...rules].join(' ')
    if (text === (this.#said.get(subject.uid) ?? '')) return
    this.#said.set(subject.uid, text)
    const data = { fields, rules }
    this.#trace.emit({ kind: 'pod.notSimulated', subject, causes: [cause], data })
  }
}
